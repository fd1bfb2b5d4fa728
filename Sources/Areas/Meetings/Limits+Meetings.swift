package import KinModel

/// Limits of the area, each with its unit; those of what is seen of a meeting stand beside it.
extension Limits {
    /// Meetings of one host that are not over.
    package static let meetingsPerHostMax = 32
    /// Bytes that those may take in a snapshot.
    package static let meetingsPerHostBytesMax = 60_000
    /// Bytes of meetings in a snapshot: the ones that begin first, of those its member sees.
    package static let meetingsSnapshotBytesMax = 80_000
    /// Days from now within which a meeting's slots must lie.
    package static let meetingDaysAheadMax: Int64 = 3660
    /// Days in which times are looked for at which nobody is busy.
    package static let foundDaysMax = 62
    /// Minutes that such a time lasts at most.
    package static let foundMinutesMax: Int64 = 1440
    /// Days from a meeting's first slot on within which conflicts are looked for.
    package static let conflictDaysMax: Int64 = 400
    /// Conflicts that are told of one slot.
    package static let conflictsMax = 20
    /// Meetings in one answer of a list.
    package static let meetingsPerAnswerMax: Int64 = 100
    /// Characters of a search.
    package static let searchCharactersMax = 200
    /// Words of a search that count.
    package static let searchWordsMax = 16
}
