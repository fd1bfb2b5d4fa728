package import KinModel

/// Limits of the area, each with its unit. Limits of the fields that clients see of a room stand beside the room.
extension Limits {
    /// Messages of a room that are not counted yet for those who are in it.
    package static let messagesUncountedMax: Int64 = 128
    /// Messages that one member writes in a day; a changed message counts again.
    package static let messagesPerDayMax: Int64 = 3000
    /// Rooms that one member opens in a day.
    package static let roomsPerDayMax: Int64 = 30
    /// Groups and rooms of two that one member has opened and that still exist.
    package static let roomsOpenedMax: Int64 = 100
    /// Messages that are removed, or get another owner, in one turn of the keeper when a member or a room goes.
    package static let messagesPerTurnMax = 1000
    /// Messages of whomever that are looked at in one turn of the keeper for those of a member who leaves.
    package static let messagesLookedAtPerTurnMax = 10_000
    /// Messages in one answer.
    package static let messagesPerAnswerMax: Int64 = 100
    /// Rooms in one answer.
    package static let roomsPerAnswerMax = 1000
    /// Characters of a search for messages.
    package static let messageSearchCharactersMax = 100
    /// Seconds after a member was told of a room for which the member is told only of mentions there.
    package static let messageQuietSeconds: Int64 = 120
    /// Bytes of rooms in a snapshot.
    package static let roomsSnapshotBytesMax = 64 << 10
    /// Bytes in a snapshot that every room stays below, with the comma behind it.
    package static let roomBytesMax = 4 << 10
    /// Bytes that every room takes in a snapshot at least.
    package static let roomBytesMin = 100
}
