/// Limits of what is seen of inboxes, each with its unit.
extension Limits {
    /// Characters of an announcement.
    package static let announcementCharactersMax = 4000
    /// Entries of one member's inbox, and announcements for everybody. Above that, the oldest count as read and are
    /// removed.
    package static let inboxEntriesPerMemberMax: Int64 = 1000
}
