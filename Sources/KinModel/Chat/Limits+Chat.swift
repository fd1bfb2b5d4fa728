/// Limits of rooms and messages that stand on the wire, each with its unit.
extension Limits {
    /// Characters of a message.
    public static let messageCharactersMax = 4000
    /// Characters of a message's `about`, such as `meeting/` with an identifier.
    public static let messageAboutCharactersMax = 64
    /// Members of a group.
    public static let groupMembersMax = 50
    /// Unread messages of a room that are counted.
    public static let messagesUnreadMax = 100_000_000
}
