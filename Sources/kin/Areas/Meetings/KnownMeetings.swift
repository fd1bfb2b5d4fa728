import KinModel

/// Meetings, for their titles, slots and hosts.
struct KnownMeetings: Known {
    var meetings: [Identifier: Meeting] = [:]

    init() {}

    mutating func learn(_ snapshot: Snapshot) { for seen in snapshot.meetings.values { learn(seen.meeting) } }
    mutating func learn(_ data: JSON) {
        if let meeting = data["meeting"].flatMap(Meeting.init) { learn(meeting) }
        if let id = data["meeting"]?.identifier, let host = data["host"]?.identifier { meetings[id]?.host = host }
    }
    mutating func learn(_ meeting: Meeting) { meetings[meeting.id] = meeting }
}

extension Names {
    mutating func learn(_ meeting: Meeting) { self[KnownMeetings.self].learn(meeting) }
    func meeting(_ id: Identifier?) -> Meeting? { id.flatMap { self[KnownMeetings.self].meetings[$0] } }
    /// What a meeting is called.
    func title(_ id: Identifier?) -> String { meeting(id).map { Plain.line($0.title) } ?? phrase("names.a-meeting") }
}
