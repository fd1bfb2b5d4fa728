import KinKeeper
import KinModel

/// The buttons by which an entry can be answered on a phone that rings for it.
extension Calendars {
    static let buttons: [String: @Sendable (Act, Identifier, Roster.Entry) throws(Rejection) -> [InboxAnswer]] = [
        "entry": { (act, id, reader) throws(Rejection) in
            // An entry of a meeting is answered through the meeting.
            guard let stored = try StoredEntry.find(id, act), stored.wire.meeting == nil,
                stored.wire.owner != reader.id, stored.wire.status != .cancelled,
                stored.wire.invitees.contains(where: { $0.member == reader.id && $0.answer == .none }),
                let timing = stored.timing, timing.bounds(stored.wire.exceptions).last > act.now
            else { return [] }
            let times = stored.wire.times
            let subject = "\(times.start) \(times.zone ?? "") \(timing.seconds) \(times.repeats ?? "")"
            return [Entry.Answer.accepted, .tentative, .declined].map { answer in
                InboxAnswer(
                    answer.rawValue, to: subject, "entry.answer",
                    ["entry": .id(id), "answer": .string(answer.rawValue)])
            }
        }
    ]
}
