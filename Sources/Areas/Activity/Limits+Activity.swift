package import KinModel

/// Limits of the area, each with its unit.
extension Limits {
    /// Days a read entry of an inbox is kept.
    package static let inboxReadDays: Int64 = 30
    /// Days an unread entry of an inbox is kept.
    package static let inboxUnreadDays: Int64 = 90
    /// Ordinary unread entries of one member above which the older ones are summed up.
    package static let inboxEntriesInFullMax: Int64 = 50
    /// Days after which they may be.
    package static let digestAfterDays: Int64 = 2
    /// Entries in one answer of an inbox.
    package static let inboxEntriesPerAnswerMax = 200
}
