package import KinModel

/// Limits of the area, each with its unit. Limits of the fields that clients see of a list stand beside the list.
extension Limits {
    /// Lists that one member owns.
    package static let listsOwnedMax = 100
    /// Items of one list. Ticked items count, removed items do not.
    package static let listItemsMax = 500
    /// Days of a repeated item whose ticks, or removed ticks, are kept: ten years of a daily item.
    package static let itemTicksMax = 4_000
    /// Items in one call of `item.put` or `item.remove`.
    package static let itemsPerCallMax = 100
    /// Days for which the removal of an item is remembered. An edit that is older than that is refused.
    package static let itemRemovedDays: Int64 = 90
    /// Items that one member may remove in a day without that they were there: each is remembered as long as one that was.
    package static let unseenRemovalsPerDayMax: Int64 = 1_000
    /// Lists in one answer of `list.list`.
    package static let listsPerAnswerMax = 500
    /// Items in one answer to a task program.
    package static let todosPerAnswerMax = 100
    /// Characters of the name that a task program gives an item.
    package static let todoNameCharactersMax = 200
    /// Bytes of the UID that a task program gives an item.
    package static let todoUIDBytesMax = 255
    /// Bytes that a task program adds to an item beyond the fields that lists have.
    package static let todoRestBytesMax = 16 << 10
    /// Characters of a search for lists or items.
    package static let listSearchCharactersMax = 100
    /// Seconds after a member was told of a list for which the member is told nothing more of it.
    package static let listQuietSeconds: Int64 = 120
    /// Items that are suggested in one answer.
    package static let itemsSuggestedMax = 20
    /// Bytes of lists in a snapshot.
    package static let listsSnapshotBytesMax = 64 << 10
    /// Bytes of items in a snapshot.
    package static let listItemsSnapshotBytesMax = 128 << 10
    /// Bytes in a snapshot that every list stays below, with the comma behind it.
    package static let listBytesMax = 16 << 10
    /// Bytes in a snapshot that every item stays below, with the comma behind it.
    package static let itemBytesMax = 8 << 10
    /// Bytes that every item takes in a snapshot at least.
    package static let itemBytesMin = 100
}
