import KinKeeper
import KinModel

/// The buttons below a notice of what somebody said or announced.
extension Sayings {
    static let answers: [String: @Sendable (Act, Identifier, Roster.Entry) throws(Rejection) -> [InboxAnswer]] = [
        // The answer is said to the author.
        "said": { (act, id, reader) throws(Rejection) in
            guard let saying = try StoredSaying.told(id, to: reader, act), let author = saying.author,
                author != reader.id, try act.roster[author] != nil
            else { return [] }
            return ["onMyWay", "callMe"].map { name in
                InboxAnswer(
                    name, to: saying.text, "activity.say", ["to": .array([.id(author)])], spoken: "text")
            }
        },
        "announcement": { (act, id, reader) throws(Rejection) in
            guard let saying = try StoredSaying.told(id, to: reader, act) else { return [] }
            return [InboxAnswer("done", to: saying.text, "activity.dismiss", ["id": .id(id)])]
        },
    ]
}
