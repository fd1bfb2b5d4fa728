package import KinModel

/// Lists as one sees them, what stands on them, and what the newest event made of an item.
package struct KnownLists: Known {
    /// What became of an item.
    package enum Deed: String { case put, changed, ticked, unticked }

    private var lists: [Identifier: String] = [:]
    private var items: [ListItem.Key: ListItem] = [:]
    /// The item of the newest event, as it was before: what the event did.
    package private(set) var deed = Deed.put
    /// What the item was called that the newest event took away.
    package private(set) var gone: String?

    package init() {}

    package mutating func learn(_ snapshot: Snapshot) {
        for list in snapshot.lists.values { lists[list.id] = Plain.line(list.name) }
        for item in snapshot.listItems.values { items[item.key] = item }
    }

    package mutating func learn(_ data: JSON) {
        if let list = data["list"].flatMap(SharedList.init) { lists[list.id] = Plain.line(list.name) }
    }

    package mutating func learn(_ event: Event) {
        learn(event.data)
        if let item = event[ListItem.put]?.item {
            let before = items.updateValue(item, forKey: item.key)
            let was = before?.isTicked ?? false
            if let before, item.repeats != nil, before.done != item.done {
                // What repeats is due again: the day that was done last tells what was done.
                deed = (item.done ?? "") > (before.done ?? "") ? .ticked : .unticked
            } else {
                deed = was != item.isTicked ? (item.isTicked ? .ticked : .unticked) : before == nil ? .put : .changed
            }
        } else if let data = event[ListItem.removed] {
            gone = items.removeValue(forKey: ListItem.Key(list: data.list, id: data.item)).map { Plain.line($0.text) }
        } else if let data = event[SharedList.hidden] ?? event[SharedList.removed] {
            items = items.filter { $0.key.list != data.list }
        }
    }

    fileprivate subscript(id: Identifier) -> String? { lists[id] }
}

extension Names {
    /// What a list is called.
    package func list(_ id: Identifier?, _ reader: Reader) -> String {
        id.flatMap { self[KnownLists.self][$0] } ?? reader.phrase("names.a-list")
    }
}

extension ListItem {
    /// `Milk, 2 l`.
    package var line: String {
        let amount = amount.map { amount in
            let whole = Int64(exactly: amount).map { String($0) }
            return [whole ?? String(amount), unit ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
        }
        return [Plain.line(text), amount ?? unit].compactMap(\.self).joined(separator: ", ")
    }
}
