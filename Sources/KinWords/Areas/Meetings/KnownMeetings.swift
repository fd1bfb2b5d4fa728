package import KinModel

/// Meetings, for their titles, slots and hosts.
package struct KnownMeetings: Known {
    private var meetings: [Identifier: Meeting] = [:]

    package init() {}

    package mutating func learn(_ snapshot: Snapshot) { for seen in snapshot.meetings.values { learn(seen.meeting) } }
    package mutating func learn(_ data: JSON) {
        if let meeting = data["meeting"].flatMap(Meeting.init) { learn(meeting) }
        if let id = data["meeting"]?.identifier, let host = data["host"]?.identifier { meetings[id]?.host = host }
    }
    package mutating func learn(_ meeting: Meeting) { meetings[meeting.id] = meeting }

    fileprivate subscript(id: Identifier) -> Meeting? { meetings[id] }
}

extension Names {
    package mutating func learn(_ meeting: Meeting) { self[KnownMeetings.self].learn(meeting) }
    package func meeting(_ id: Identifier?) -> Meeting? { id.flatMap { self[KnownMeetings.self][$0] } }
    /// What a meeting is called.
    package func title(_ id: Identifier?, _ reader: Reader) -> String {
        meeting(id).map { Plain.line($0.title) } ?? reader.phrase("names.a-meeting")
    }
}
