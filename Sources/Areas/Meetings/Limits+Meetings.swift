package import KinKeeper

/// Limits of the area, each with its unit.
extension Limits {
    /// Slots of one meeting, suggested ones included.
    package static let meetingSlotsMax = 50
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
    /// Characters of a meeting's title.
    package static let meetingTitleCharactersMax = 120
    /// Characters of a meeting's place.
    package static let meetingPlaceCharactersMax = 200
    /// Characters of a meeting's note.
    package static let meetingNoteCharactersMax = 2000
    /// Characters of a reason to refuse or cancel.
    package static let meetingReasonCharactersMax = 400
    /// Characters of a search.
    package static let searchCharactersMax = 200
    /// Words of a search that count.
    package static let searchWordsMax = 16
}
