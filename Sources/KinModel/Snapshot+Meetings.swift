extension Snapshot {
    /// What an event of the area Meetings does to a snapshot.
    mutating func applyMeeting(_ event: Event) {
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
            change(id, event)
        }
    }

    /// What an event says of one meeting beside its tally.
    private mutating func change(_ id: Identifier, _ event: Event) {
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

    /// Whether a list of identifiers names the looking member.
    private func names(_ list: JSON?) -> Bool {
        guard let me else { return false }
        return (list?.array ?? []).contains { $0.identifier == me }
    }
}
