/// The meetings that one member sees, with votes and decisions.
public struct MeetingsPart: SnapshotPart {
    /// Meetings in sight that are not over, with the looking member's part, by identifier; without their notes.
    public var meetings: [Identifier: SeenMeeting] = [:]

    /// Its name in the snapshot.
    public static let names = ["meetings"]

    /// No meeting.
    public init() {}

    /// Reads its member of a snapshot's object.
    public init(_ json: JSON) {
        for seen in (json["meetings"]?.array ?? []).compactMap(SeenMeeting.init) { meetings[seen.meeting.id] = seen }
    }

    /// The meetings.
    public func json(_ name: String) -> JSON { .sorted(meetings, \.json) }

    /// Empties it.
    public mutating func clear(_ name: String) { meetings = [:] }

    /// Applies what an event says of a meeting.
    public mutating func apply(_ event: Event, of me: Identifier?) {
        guard event.type.hasPrefix("meeting.") else { return }
        if let data = event[Meeting.proposed] {
            put(data.meeting, OwnPart(isInvited: data.invitees.contains { $0 == me }))
        } else if let data = event[Meeting.shown] {
            put(data.meeting, data.own)
        } else if let data = event[Meeting.updated] {
            guard var own = meetings[data.meeting.id]?.own else { return }
            own.keep(data.meeting.slots)
            if data.meeting.confirmed == nil { own.attendance = nil }
            put(data.meeting, own)
        } else if let data = event[Meeting.confirmed] {
            guard var own = meetings[data.meeting.id]?.own else { return }
            own.attendance = data.going.contains { $0 == me } ? .going : nil
            put(data.meeting, own)
        } else if let data = event[Meeting.hidden] ?? event[Meeting.deleted] ?? event[Meeting.ended] {
            meetings[data.meeting] = nil
        } else if let data = event[Meeting.cancelled] {
            meetings[data.meeting] = nil
        } else {
            answer(event, of: me)
        }
    }

    /// What an event says of the answers to one meeting, and of who hosts it.
    private mutating func answer(_ event: Event, of me: Identifier?) {
        if let data = event[Meeting.voted] {
            meetings[data.meeting]?.meeting.tally = data.tally
            guard data.member == me else { return }
            meetings[data.meeting]?.own.reply = .voted
            meetings[data.meeting]?.own.votes = data.votes
        } else if let data = event[Meeting.refused] {
            meetings[data.meeting]?.meeting.tally = data.tally
            guard data.member == me else { return }
            meetings[data.meeting]?.own.reply = .refused
            meetings[data.meeting]?.own.votes = []
        } else if let data = event[Meeting.attended] {
            meetings[data.meeting]?.meeting.tally = data.tally
            if data.member == me { meetings[data.meeting]?.own.attendance = data.answer }
        } else if let data = event[Meeting.suggested] {
            meetings[data.meeting]?.meeting.suggestions.append(data.suggestion)
        } else if let data = event[Meeting.closed] {
            meetings[data.meeting]?.meeting.tally = data.tally
            meetings[data.meeting]?.meeting.state = .closed
        } else if let data = event[Meeting.handedOver] {
            meetings[data.meeting]?.meeting.tally = data.tally
            // The new host is no invitee, and the old one is.
            if data.host == me { meetings[data.meeting]?.own = OwnPart() }
            if data.from == me { meetings[data.meeting]?.own = OwnPart(isInvited: true) }
            meetings[data.meeting]?.meeting.host = data.host
        }
    }

    private mutating func put(_ meeting: Meeting, _ own: OwnPart) {
        meetings[meeting.id] = SeenMeeting(meeting: meeting, own: own).brief
    }
}

extension Snapshot {
    /// Meetings in sight that are not over, with the looking member's part, by identifier; without their notes.
    public var meetings: [Identifier: SeenMeeting] {
        get { self[MeetingsPart.self].meetings }
        _modify { yield &self[MeetingsPart.self].meetings }
    }
}
