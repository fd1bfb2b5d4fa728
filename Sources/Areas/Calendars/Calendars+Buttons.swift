import KinKeeper
import KinModel

/// What can be answered to an entry by one button, where a phone rings with it.
extension Calendars {
    static let buttons: [String: @Sendable (Act, Identifier, Roster.Entry) throws(Rejection) -> [InboxAnswer]] = [
        "entry": { (act, id, reader) throws(Rejection) in
            // A meeting's entry is answered by the meeting.
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
