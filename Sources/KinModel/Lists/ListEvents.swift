/// Events of lists, with their data.
extension SharedList {
    package static let added = EventType("list.added", "A list is new; who sees it.", Whole.self)
    package static let changed = EventType("list.changed", "A list itself is another; who sees it.", Whole.self)
    package static let shown = EventType(
        "list.shown", "A list, to each who sees it from now on; its items follow as item.put.", Whole.self,
        sight: .gives)
    package static let hidden = EventType(
        "list.hidden", "To each who sees the list no longer, nor its items.", Named.self, sight: .takes,
        clears: { ["list/\($0.list)"] })
    package static let removed = EventType(
        "list.removed", "A list is gone with its items; who saw it.", Named.self, sight: .ends)
    package static let tied = EventType(
        "list.tied", "The list belongs to another thing, or to none any more; who sees the list and either thing.",
        Named.self)

    /// The whole list, without its items.
    package struct Whole: WireRecord {
        package let list: SharedList

        package init(list: SharedList) { self.list = list }

        package static let fields = Fields(nil, Whole.init(list:), .required("list", \.list, SharedList.form))
    }

    /// The list, by its identifier.
    package struct Named: WireRecord {
        package let list: Identifier

        package init(list: Identifier) { self.list = list }

        package static let fields = Fields(nil, Named.init(list:), .required("list", \.list, .id))
    }
}

/// Events of items of lists.
extension ListItem {
    package static let put = EventType(
        "item.put", "An item is new or another; who sees the list.", Whole.self, isLatestOnly: true)
    package static let removed = EventType("item.removed", "An item is gone; who sees the list.", Named.self)

    /// The whole item.
    package struct Whole: WireRecord {
        package let item: ListItem

        package init(item: ListItem) { self.item = item }

        package static let fields = Fields(nil, Whole.init(item:), .required("item", \.item, ListItem.form))
    }

    /// The item, by what it is known by.
    package struct Named: WireRecord {
        package let list: Identifier
        package let item: Identifier

        package init(list: Identifier, item: Identifier) { (self.list, self.item) = (list, item) }

        package static let fields = Fields(
            nil, Named.init(list:item:), .required("list", \.list, .id), .required("item", \.item, .id))
    }
}
