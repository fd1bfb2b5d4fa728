/// The lists that one member sees, with their items.
public struct ListsPart: SnapshotPart {
    /// Lists in sight, by identifier.
    public var lists: [Identifier: SharedList] = [:]
    /// Their items.
    public var listItems: [ListItem.Key: ListItem] = [:]

    /// Its names in the snapshot.
    public static let names = ["lists", "listItems"]

    /// No list.
    public init() {}

    /// Reads its members of a snapshot's object.
    public init(_ json: JSON) {
        for list in (json["lists"]?.array ?? []).compactMap(SharedList.init) { lists[list.id] = list }
        for item in (json["listItems"]?.array ?? []).compactMap(ListItem.init) { listItems[item.key] = item }
    }

    /// The lists or their items.
    public func json(_ name: String) -> JSON {
        if name == "lists" { return .sorted(lists, \.json) }
        return .array(listItems.sorted { $0.key < $1.key }.map(\.value.json))
    }

    /// Empties the one or the other.
    public mutating func clear(_ name: String) {
        if name == "lists" { lists = [:] } else { listItems = [:] }
    }

    /// Applies what an event says of a list or an item.
    public mutating func apply(_ event: Event, of me: Identifier?) {
        if let data = event[SharedList.added] ?? event[SharedList.changed] ?? event[SharedList.shown] {
            lists[data.list.id] = data.list
        } else if let data = event[SharedList.hidden] ?? event[SharedList.removed] {
            lists[data.list] = nil
            listItems = listItems.filter { $0.key.list != data.list }
        } else if let data = event[ListItem.put] {
            listItems[data.item.key] = data.item
        } else if let data = event[ListItem.removed] {
            listItems[ListItem.Key(list: data.list, id: data.item)] = nil
        }
    }
}

extension Snapshot {
    /// Lists in sight, by identifier.
    public var lists: [Identifier: SharedList] {
        get { self[ListsPart.self].lists }
        _modify { yield &self[ListsPart.self].lists }
    }
    /// Items of lists in sight.
    public var listItems: [ListItem.Key: ListItem] {
        get { self[ListsPart.self].listItems }
        _modify { yield &self[ListsPart.self].listItems }
    }
}
