package import KinModel

/// Limits of the area, each with its unit.
extension Limits {
    /// Days a read entry of an inbox is kept.
    package static let inboxReadDays: Int64 = 30
    /// Days an unread entry of an inbox is kept.
    package static let inboxUnreadDays: Int64 = 90
    /// Ordinary unread entries of one member above which the older ones are summed up.
    package static let inboxEntriesInFullMax: Int64 = 50
    /// Days after which unread entries may be summed up.
    package static let digestAfterDays: Int64 = 2
    /// What one member may say in a day, corrections counted.
    package static let sayingsPerDayMax: Int64 = 100
    /// What one member said that is kept; the oldest goes.
    package static let sayingsKeptMax: Int64 = 1000
    /// Households and members that are named as hearers.
    package static let saidToMax = 64
    /// Sayings in one answer.
    package static let sayingsPerAnswerMax = 50
    /// Members whom one rule of an inbox names.
    package static let inboxRuleMembersMax = 64
    /// Entries in one answer of an inbox.
    package static let inboxEntriesPerAnswerMax = 200
}
