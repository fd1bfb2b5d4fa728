import KinKeeper
import KinModel

/// What can be answered by one button to what somebody said or announced, where a phone rings with it.
extension Sayings {
    static let answers: [String: @Sendable (Act, Identifier, Roster.Entry) throws(Rejection) -> [InboxAnswer]] = [
        // Who said it is told so.
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
