/// Events of meetings, with their data.
extension Meeting {
    package static let proposed = EventType(
        "meeting.proposed", "A meeting was proposed; host and invitees, and everyone if it is public.", Proposed.self)
    package static let shown = EventType(
        "meeting.shown", "The whole meeting, to each who gains sight of it or is invited from now on.", Shown.self,
        sight: .gives)
    package static let hidden = EventType(
        "meeting.hidden", "To each who sees the meeting no longer.", Named.self, sight: .takes)
    package static let deleted = EventType(
        "meeting.deleted", "The meeting is gone, because its host left and took it along; who saw it.", Named.self,
        sight: .ends)
    package static let updated = EventType(
        "meeting.updated", "The meeting changed; who sees it.", Updated.self)
    package static let voted = EventType(
        "meeting.voted", "A member voted; who sees the meeting.", Voted.self)
    package static let refused = EventType(
        "meeting.refused", "A member takes no part in it; who sees the meeting.", Refused.self)
    package static let suggested = EventType(
        "meeting.suggested", "A member suggests a slot; who sees the meeting.", Suggested.self)
    package static let attended = EventType(
        "meeting.attended", "A member is going or not, after confirmation; who sees the meeting.", Attended.self)
    package static let confirmed = EventType(
        "meeting.confirmed", "The slot is confirmed, and who voted yes on it is going; who sees the meeting.",
        Confirmed.self)
    package static let cancelled = EventType(
        "meeting.cancelled", "It does not take place; who sees the meeting.", Cancelled.self)
    package static let closed = EventType(
        "meeting.closed", "The deadline passed: votes are taken no longer; who sees the meeting.", Closed.self)
    package static let ended = EventType(
        "meeting.ended", "Its confirmed slot, or its last one, is over: it is past; who sees the meeting.", Named.self)
    package static let nudged = EventType(
        "meeting.nudged", "The host asks for an answer; invitees who have not replied.", Named.self)
    package static let deadlineNear = EventType(
        "meeting.deadlineNear",
        "The deadline is a day off, or half the time when it was shorter; invitees who have not replied.",
        DeadlineNear.self)
    package static let handedOver = EventType(
        "meeting.handedOver", "Another member hosts it; the one before is an invitee now; who sees the meeting.",
        HandedOver.self)
    package static let cleared = EventType(
        "meeting.cleared", "The member cleared the own list of past meetings; oneself.", Cleared.self)

    /// The meeting, by its identifier.
    package struct Named: WireRecord {
        package let meeting: Identifier

        package init(meeting: Identifier) { self.meeting = meeting }

        package static let fields = Fields(nil, Named.init(meeting:), .required("meeting", \.meeting, .id))
    }

    /// A new meeting and who is invited.
    package struct Proposed: WireRecord {
        package let meeting: Meeting
        package let invitees: [Identifier]

        package init(meeting: Meeting, invitees: [Identifier]) {
            self.meeting = meeting
            self.invitees = invitees
        }

        package static let fields = Fields(
            nil, Proposed.init(meeting:invitees:),
            .required("meeting", \.meeting, Meeting.form),
            .required("invitees", \.invitees, .members))
    }

    /// A meeting, one's own part and who is invited.
    package struct Shown: WireRecord {
        package let meeting: Meeting
        package let own: OwnPart
        package let invitees: [Identifier]

        package init(meeting: Meeting, own: OwnPart, invitees: [Identifier]) {
            self.meeting = meeting
            self.own = own
            self.invitees = invitees
        }

        package static let fields = Fields(
            nil, Shown.init(meeting:own:invitees:),
            .required("meeting", \.meeting, Meeting.form),
            .required("own", \.own, OwnPart.form),
            .required("invitees", \.invitees, .members))
    }

    /// A meeting as it is now, and the names of what changed.
    package struct Updated: WireRecord {
        /// What can have changed.
        package enum Change: String, Sendable, CaseIterable, Hashable {
            case title, place, note, zone, deadline, slots, suggestions, invitees, state
        }

        package let meeting: Meeting
        package let changes: [Change]

        package init(meeting: Meeting, changes: [Change]) {
            self.meeting = meeting
            self.changes = changes
        }

        package static let fields = Fields(
            nil, Updated.init(meeting:changes:),
            .required("meeting", \.meeting, Meeting.form),
            .required("changes", \.changes, .list(.word, max: Change.allCases.count)))
    }

    /// A member's votes from now on, and the counts with them.
    package struct Voted: WireRecord {
        package let meeting: Identifier
        package let member: Identifier
        package let votes: [Vote]
        package let tally: Tally

        package init(meeting: Identifier, member: Identifier, votes: [Vote], tally: Tally) {
            self.meeting = meeting
            self.member = member
            self.votes = votes
            self.tally = tally
        }

        package static let fields = Fields(
            nil, Voted.init(meeting:member:votes:tally:),
            .required("meeting", \.meeting, .id),
            .required("member", \.member, .id),
            .required("votes", \.votes, Vote.list),
            .required("tally", \.tally, Tally.form))
    }

    /// A member's refusal, and the counts with it.
    package struct Refused: WireRecord {
        package let meeting: Identifier
        package let member: Identifier
        package let reason: String?
        package let tally: Tally

        package init(meeting: Identifier, member: Identifier, reason: String?, tally: Tally) {
            self.meeting = meeting
            self.member = member
            self.reason = reason
            self.tally = tally
        }

        package static let fields = Fields(
            nil, Refused.init(meeting:member:reason:tally:),
            .required("meeting", \.meeting, .id),
            .required("member", \.member, .id),
            .optional("reason", \.reason, .text(max: Limits.meetingReasonCharactersMax)),
            .required("tally", \.tally, Tally.form))
    }

    /// A suggested slot.
    package struct Suggested: WireRecord {
        package let meeting: Identifier
        package let suggestion: Suggestion

        package init(meeting: Identifier, suggestion: Suggestion) {
            self.meeting = meeting
            self.suggestion = suggestion
        }

        package static let fields = Fields(
            nil, Suggested.init(meeting:suggestion:),
            .required("meeting", \.meeting, .id),
            .required("suggestion", \.suggestion, Suggestion.form))
    }

    /// Whether a member is going, and the counts with it.
    package struct Attended: WireRecord {
        package let meeting: Identifier
        package let member: Identifier
        package let answer: OwnPart.Attendance
        package let tally: Tally

        package init(meeting: Identifier, member: Identifier, answer: OwnPart.Attendance, tally: Tally) {
            self.meeting = meeting
            self.member = member
            self.answer = answer
            self.tally = tally
        }

        package static let fields = Fields(
            nil, Attended.init(meeting:member:answer:tally:),
            .required("meeting", \.meeting, .id),
            .required("member", \.member, .id),
            .required("answer", \.answer, .word),
            .required("tally", \.tally, Tally.form))
    }

    /// A meeting with a confirmed slot, and who is going.
    package struct Confirmed: WireRecord {
        package let meeting: Meeting
        package let going: [Identifier]

        package init(meeting: Meeting, going: [Identifier]) {
            self.meeting = meeting
            self.going = going
        }

        package static let fields = Fields(
            nil, Confirmed.init(meeting:going:),
            .required("meeting", \.meeting, Meeting.form),
            .required("going", \.going, .members))
    }

    /// Why it does not take place.
    package struct Cancelled: WireRecord {
        package let meeting: Identifier
        package let reason: String?

        package init(meeting: Identifier, reason: String?) {
            self.meeting = meeting
            self.reason = reason
        }

        package static let fields = Fields(
            nil, Cancelled.init(meeting:reason:),
            .required("meeting", \.meeting, .id),
            .optional("reason", \.reason, .text(max: Limits.meetingReasonCharactersMax)))
    }

    /// The counts at the deadline.
    package struct Closed: WireRecord {
        package let meeting: Identifier
        package let tally: Tally

        package init(meeting: Identifier, tally: Tally) {
            self.meeting = meeting
            self.tally = tally
        }

        package static let fields = Fields(
            nil, Closed.init(meeting:tally:),
            .required("meeting", \.meeting, .id),
            .required("tally", \.tally, Tally.form))
    }

    /// Until when a reply counts.
    package struct DeadlineNear: WireRecord {
        package let meeting: Identifier
        package let deadline: Instant

        package init(meeting: Identifier, deadline: Instant) {
            self.meeting = meeting
            self.deadline = deadline
        }

        package static let fields = Fields(
            nil, DeadlineNear.init(meeting:deadline:),
            .required("meeting", \.meeting, .id),
            .required("deadline", \.deadline, .time))
    }

    /// Who hosts it from now on.
    package struct HandedOver: WireRecord {
        package let meeting: Identifier
        package let host: Identifier
        package let from: Identifier
        package let tally: Tally

        package init(meeting: Identifier, host: Identifier, from: Identifier, tally: Tally) {
            self.meeting = meeting
            self.host = host
            self.from = from
            self.tally = tally
        }

        package static let fields = Fields(
            nil, HandedOver.init(meeting:host:from:tally:),
            .required("meeting", \.meeting, .id),
            .required("host", \.host, .id),
            .required("from", \.from, .id, "The host before."),
            .required("tally", \.tally, Tally.form))
    }

    /// Which past meetings are listed no longer.
    package struct Cleared: WireRecord {
        package let before: Instant

        package init(before: Instant) { self.before = before }

        package static let fields = Fields(
            nil, Cleared.init(before:),
            .required("before", \.before, .time, "What was past by then is listed no longer."))
    }
}

extension Form where Value == [Identifier] {
    /// Members of the family.
    package static var members: Form { .list(.id, max: Limits.membersMax) }
}
