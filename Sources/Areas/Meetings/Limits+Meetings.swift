package import KinModel

/// Limits of the area, each with its unit. Limits of the fields that clients see of a meeting stand beside the meeting.
extension Limits {
    /// Meetings of one host that are not over.
    package static let meetingsPerHostMax = 32
    /// Bytes that these meetings may take in a snapshot.
    package static let meetingsPerHostBytesMax = 60_000
    /// Bytes of meetings in a snapshot. It has the meetings that its member sees and that begin first.
    package static let meetingsSnapshotBytesMax = 80_000
    /// Days from now within which a meeting's slots must lie.
    package static let meetingDaysAheadMax: Int64 = 3660
    /// Days that are searched for times at which nobody is busy.
    package static let foundDaysMax = 62
    /// Minutes that such a time may last.
    package static let foundMinutesMax: Int64 = 1440
    /// Days from a meeting's first slot on that are searched for conflicts.
    package static let conflictDaysMax: Int64 = 400
    /// Conflicts that are reported for one slot.
    package static let conflictsMax = 20
    /// Meetings in one answer of a list.
    package static let meetingsPerAnswerMax: Int64 = 100
    /// Characters of a search.
    package static let searchCharactersMax = 200
    /// Words of a search; further ones are ignored.
    package static let searchWordsMax = 16
}
