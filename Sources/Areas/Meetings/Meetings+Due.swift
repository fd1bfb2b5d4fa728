import KinKeeper
import KinModel
import KinStore

/// The daemon's own deeds at their times, with or without clients.
extension Meetings {
    static let closeDue = "meeting.closes"
    static let nearDue = "meeting.deadlineNears"
    static let endDue = "meeting.ends"

    private static func find(_ act: Act, _ about: String) throws(Rejection) -> StoredMeeting? {
        try StoredMeeting.of(about, act)
    }

    /// The deadline passed. An entry that was moved meanwhile does nothing.
    static func close(_ act: Act, _ about: String) throws(Rejection) {
        guard var stored = try find(act, about), stored.past == nil, stored.meeting.state == .open,
            let deadline = stored.meeting.deadline, deadline <= act.now
        else { return }
        stored.meeting.state = .closed
        try stored.save(act)
        try stored.tell(
            Meeting.closed, .init(meeting: stored.meeting.id, tally: stored.meeting.tally), act)
    }

    /// The deadline is near: those who have not replied are told, unless it has passed meanwhile.
    static func tellNear(_ act: Act, _ about: String) throws(Rejection) {
        guard let stored = try find(act, about), stored.past == nil, stored.meeting.state == .open,
            let deadline = stored.meeting.deadline, deadline > act.now
        else { return }
        try stored.tell(
            Meeting.deadlineNear, .init(meeting: stored.meeting.id, deadline: deadline),
            to: try stored.silent(act), act)
    }

    /// Its last slot, or the confirmed one, is over.
    static func end(_ act: Act, _ about: String) throws(Rejection) {
        guard var stored = try find(act, about), stored.past == nil, stored.meeting.ends <= act.now else {
            return
        }
        try stored.becomePast(act)
        try stored.tell(Meeting.ended, .init(meeting: stored.meeting.id), act)
    }
}

extension StoredMeeting {
    /// Plans what falls due from here on, in the place of earlier plans. A deadline is near a day before it; or at half
    /// of the remaining time, when that is less than two days.
    func schedule(_ act: Act) throws(Rejection) {
        let about = Meetings.about(meeting.id)
        let ends = meeting.ends
        let deadline = meeting.state == .open ? meeting.deadline : nil
        let known = try act.planned(Meetings.closeDue, about: about)
        try act.plan(Meetings.endDue, about: about, at: ends)
        // The deadline has not changed, and its members were told already.
        guard known != deadline else { return }
        let day: Int64 = 86_400_000
        let near = deadline.map { deadline in
            deadline.adding(milliseconds: -min(day, deadline.milliseconds(since: act.now) / 2))
        }
        try act.plan(Meetings.closeDue, about: about, at: deadline)
        try act.plan(Meetings.nearDue, about: about, at: near)
    }

    /// Moves it to the past, for all who see it.
    mutating func becomePast(_ act: Act) throws(Rejection) {
        let last = try act.first("SELECT max(past) FROM meetings") { row in row.optionalInt(0) }
        let past = (last.flatMap(\.self) ?? 0) + 1
        try MeetingWords.remove(self, act)
        becamePast(past)
        try act.run("UPDATE meetings SET past = ? WHERE number = ?", .int(past), .int(number))
        for member in try invitees(act) + [meeting.host] { try list(for: member, act) }
        try save(act)
        try act.unplan(about: Meetings.about(meeting.id))
    }

    /// Lists a past meeting among a member's.
    func list(for member: Identifier, _ act: Act) throws(Rejection) {
        try act.run(
            "INSERT OR IGNORE INTO meeting_past (member, past) VALUES (?,?)", .id(member), Value(past))
    }
}
