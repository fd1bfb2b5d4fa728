package import KinModel

/// Limits of the area, each with its unit.
extension Limits {
    /// Days a read entry of an inbox is kept.
    package static let inboxReadDays: Int64 = 30
    /// Days an unread entry of an inbox is kept.
    package static let inboxUnreadDays: Int64 = 90
    /// Ordinary unread entries of one member. If there are more, one entry sums up the older ones.
    package static let inboxEntriesInFullMax: Int64 = 50
    /// Days after which unread entries may be summed up.
    package static let digestAfterDays: Int64 = 2
    /// Sayings of one member in a day; corrections count too.
    package static let sayingsPerDayMax: Int64 = 100
    /// Sayings of one member that are kept; the oldest is removed for a new one.
    package static let sayingsKeptMax: Int64 = 1000
    /// Households and members to whom one saying is addressed.
    package static let saidToMax = 64
    /// Sayings in one answer.
    package static let sayingsPerAnswerMax = 50
    /// Members whom one rule of an inbox names.
    package static let inboxRuleMembersMax = 64
    /// Entries in one answer of an inbox.
    package static let inboxEntriesPerAnswerMax = 200
}
