/// Limits of rooms and messages that stand on the wire, each with its unit.
extension Limits {
    /// Characters of a message.
    public static let messageCharactersMax = 4000
    /// Characters of what a message is about, such as `meeting/` with an identifier.
    public static let messageAboutCharactersMax = 64
    /// Members of a group.
    public static let groupMembersMax = 50
    /// Messages of a room that are new to somebody, as far as they are counted.
    public static let messagesUnreadMax = 100_000_000
}
