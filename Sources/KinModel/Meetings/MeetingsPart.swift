/// What is proposed, voted and agreed, as one member sees it.
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

    /// What an event says of a meeting.
    public mutating func apply(_ event: Event, of me: Identifier?) {
        guard event.type.hasPrefix("meeting.") else { return }
        /// Whether a list of identifiers names the looking member.
        func names(_ list: JSON?) -> Bool {
            guard let me else { return false }
            return (list?.array ?? []).contains { $0.identifier == me }
        }
        let data = event.data
        // Some events carry the whole meeting, others its identifier.
        let whole = data["meeting"].flatMap(Meeting.init)
        guard let id = whole?.id ?? data["meeting"]?.identifier else { return }
        switch event.type {
        case "meeting.proposed":
            guard let whole else { return }
            put(whole, OwnPart(isInvited: names(data["invitees"])))
        case "meeting.shown":
            guard let whole, let own = data["own"].flatMap(OwnPart.init) else { return }
            put(whole, own)
        case "meeting.updated":
            guard let whole, var own = meetings[id]?.own else { return }
            own.keep(whole.slots)
            if whole.confirmed == nil { own.attendance = nil }
            put(whole, own)
        case "meeting.confirmed":
            guard let whole, var own = meetings[id]?.own else { return }
            own.attendance = names(data["going"]) ? .going : nil
            put(whole, own)
        case "meeting.hidden", "meeting.deleted", "meeting.cancelled", "meeting.ended": meetings[id] = nil
        default:
            guard meetings[id] != nil else { return }
            if let tally = data["tally"].flatMap(Tally.init) { meetings[id]?.meeting.tally = tally }
            change(id, event, of: me)
        }
    }

    /// What an event says of one meeting beside its tally.
    private mutating func change(_ id: Identifier, _ event: Event, of me: Identifier?) {
        let data = event.data
        let isOwn = me != nil && data["member"]?.identifier == me
        switch event.type {
        case "meeting.voted" where isOwn:
            meetings[id]?.own.reply = .voted
            meetings[id]?.own.votes = (data["votes"]?.array ?? []).compactMap(Vote.init)
        case "meeting.refused" where isOwn:
            meetings[id]?.own.reply = .refused
            meetings[id]?.own.votes = []
        case "meeting.attended" where isOwn:
            meetings[id]?.own.attendance = data["answer"]?.string.flatMap(OwnPart.Attendance.init)
        case "meeting.suggested":
            if let suggestion = data["suggestion"].flatMap(Suggestion.init) {
                meetings[id]?.meeting.suggestions.append(suggestion)
            }
        case "meeting.closed": meetings[id]?.meeting.state = .closed
        case "meeting.handedOver":
            guard let host = data["host"]?.identifier else { return }
            // The new host is no invitee, and the old one is.
            if host == me { meetings[id]?.own = OwnPart() }
            if data["from"]?.identifier == me { meetings[id]?.own = OwnPart(isInvited: true) }
            meetings[id]?.meeting.host = host
        default: break
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
