package import KinModel

/// Limits of the area, each with its unit; those of what is seen of a list stand beside it.
extension Limits {
    /// Lists that one member owns.
    package static let listsOwnedMax = 100
    /// Items of one list, ticked ones counted, removed ones not.
    package static let listItemsMax = 500
    /// Days of an item that repeats which are known to be ticked, or no longer: ten years of what is done daily.
    package static let itemTicksMax = 4_000
    /// Items in one call of `item.put` or `item.remove`.
    package static let itemsPerCallMax = 100
    /// Days that it is remembered of an item that it was removed; an edit that was made longer ago is refused.
    package static let itemRemovedDays: Int64 = 90
    /// Lists in one answer of `list.list`.
    package static let listsPerAnswerMax = 500
    /// Items in one answer to a task program.
    package static let todosPerAnswerMax = 100
    /// Characters of the name that a task program gives an item.
    package static let todoNameCharactersMax = 200
    /// Bytes of the UID that a task program gives an item.
    package static let todoUIDBytesMax = 255
    /// Bytes of what a task program says of an item beside what lists have.
    package static let todoRestBytesMax = 16 << 10
    /// Characters of a search for lists or items.
    package static let listSearchCharactersMax = 100
    /// Seconds after a member was told of a list in which nothing more is told of it.
    package static let listQuietSeconds: Int64 = 120
    /// Items that are suggested at once.
    package static let itemsSuggestedMax = 20
    /// Bytes of lists in a snapshot.
    package static let listsSnapshotBytesMax = 64 << 10
    /// Bytes of items in a snapshot.
    package static let listItemsSnapshotBytesMax = 128 << 10
    /// Bytes that no list takes in a snapshot, with the comma behind it.
    package static let listBytesMax = 16 << 10
    /// Bytes that no item takes in a snapshot, with the comma behind it.
    package static let itemBytesMax = 8 << 10
    /// Bytes that every item takes in a snapshot at least.
    package static let itemBytesMin = 100
}
