import KinKeeper
import KinModel
import KinStore

/// The buttons below a notice about a meeting.
extension Meetings {
    static let answers: [String: @Sendable (Act, Identifier, Roster.Entry) throws(Rejection) -> [InboxAnswer]] = [
        "meeting": { (act, id, reader) throws(Rejection) in
            let found = try act.ask { (database) throws(StoreFailure) in try StoredMeeting.find(id, database) }
            guard let stored = found, stored.isSeen(by: reader.id, reader.number, reader.role),
                stored.meeting.host != reader.id, stored.past == nil, stored.meeting.ends > act.now
            else { return [] }
            let own = try stored.part(of: reader.id, act) ?? OwnPart()
            switch stored.meeting.state {
            case .open:
                if let deadline = stored.meeting.deadline, deadline <= act.now { return [] }
                return own.reply == .none ? votes(on: stored.meeting) : []
            case .confirmed:
                return own.attendance == nil ? attendances(stored.meeting) : []
            case .closed, .cancelled: return []
            }
        }
    ]

    /// For one slot the three answers; for several slots all of them or none. The vote is for the slots as they are
    /// now.
    private static func votes(on meeting: Meeting) -> [InboxAnswer] {
        let id = JSON.id(meeting.id)
        let subject = meeting.slots.map { "\($0.id) \($0.start) \($0.end)" }.joined(separator: " ")
        func vote(_ name: String, _ answer: Vote.Answer) -> InboxAnswer {
            let votes = meeting.slots.map { Vote(slot: $0.id, answer: answer).json }
            return InboxAnswer(name, to: subject, "meeting.vote", ["meeting": id, "votes": .array(votes)])
        }
        if meeting.slots.count == 1 {
            return [vote("yes", .yes), vote("ifNeedBe", .ifNeedBe), vote("no", .no)]
        }
        return [vote("anySlot", .yes), InboxAnswer("noSlot", to: subject, "meeting.refuse", ["meeting": id])]
    }

    private static func attendances(_ meeting: Meeting) -> [InboxAnswer] {
        guard let slot = meeting.confirmedSlot else { return [] }
        return [OwnPart.Attendance.going, .notGoing].map { answer in
            InboxAnswer(
                answer.rawValue, to: "\(slot.id) \(slot.start) \(slot.end)", "meeting.attend",
                ["meeting": .id(meeting.id), "answer": .string(answer.rawValue)])
        }
    }
}
