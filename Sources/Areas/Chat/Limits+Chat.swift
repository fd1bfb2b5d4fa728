package import KinModel

/// Limits of the area, each with its unit; those of what is seen of a room stand beside it.
extension Limits {
    /// Messages of one member in a day, changed ones counted.
    package static let messagesPerDayMax: Int64 = 3000
    /// Rooms that one member opens in a day.
    package static let roomsPerDayMax: Int64 = 30
    /// Groups and rooms of two that one member has opened, as long as they are there.
    package static let roomsOpenedMax: Int64 = 100
    /// Messages that go, or change their owner, in one turn of the keeper with a member or a room.
    package static let messagesPerTurnMax = 1000
    /// Messages of whomever that are looked at in one turn of the keeper for those of a member who leaves.
    package static let messagesLookedAtPerTurnMax = 10_000
    /// Messages in one answer.
    package static let messagesPerAnswerMax: Int64 = 100
    /// Rooms in one answer.
    package static let roomsPerAnswerMax = 1000
    /// Characters of a search for messages.
    package static let messageSearchCharactersMax = 100
    /// Seconds after something was told of a room in which nothing more is told of it, but mentions.
    package static let messageQuietSeconds: Int64 = 120
    /// Bytes of rooms in a snapshot.
    package static let roomsSnapshotBytesMax = 64 << 10
    /// Bytes that no room takes in a snapshot, with the comma behind it.
    package static let roomBytesMax = 4 << 10
    /// Bytes that every room takes in a snapshot at least.
    package static let roomBytesMin = 100
}
