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
    /// Meetings in one answer of a list.
    package static let meetingsPerAnswerMax: Int64 = 100
    /// Characters of a search.
    package static let searchCharactersMax = 200
    /// Words of a search that count.
    package static let searchWordsMax = 16
}
