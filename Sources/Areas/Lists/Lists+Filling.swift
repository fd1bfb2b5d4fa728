import KinKeeper
import KinModel
import KinStore

extension Lists {
    /// Lets other areas put items on lists.
    static let listing = Area.ListHook(
        items: { (act, list) throws(Rejection) in
            try StoredItem.all(of: try StoredList.visible(act, list), act).map(\.wire)
        },
        put: { (act, id, items) throws(Rejection) in
            let list = try StoredList.visible(act, id)
            try StoredItem.forgetRemoved(in: list, act)
            var now: [ListItem] = []
            for item in items {
                try say(item, in: list, act)
                if let put = try StoredItem.find(item.id, in: list, act), !put.isRemoved { now.append(put.wire) }
            }
            return now
        },
        remove: { (act, id, items) throws(Rejection) in
            let list = try StoredList.visible(act, id)
            for item in items {
                guard let found = try StoredItem.find(item, in: list, act), !found.isRemoved else { continue }
                try found.remove(from: list, act)
            }
        })

    /// Says the present state of an item by an edit that is later than everything that was said of it: the daemon knows
    /// the order, whatever the clock says. A field that already has its value is not said again. Otherwise it would
    /// count as newer than an edit that somebody made offline meanwhile.
    private static func say(_ item: ListItem, in list: StoredList, _ act: Act) throws(Rejection) {
        let fields: [ItemEdit.Field] = [.text, .amount, .unit, .section]
        let before = try StoredItem.find(item.id, in: list, act)
        let stamps = before?.stamps ?? [:]
        let last = fields.compactMap { stamps[$0]?.at }.max()
        var values: [ItemEdit.Field: JSON] = [
            .text: .string(item.text), .amount: item.amount.map { .double($0) } ?? .null,
            .unit: item.unit.map { .string($0) } ?? .null,
        ]
        if let section = item.section { values[.section] = .string(section) }
        if let before, !before.isRemoved {
            let wire = before.wire
            if wire.text == item.text { values[.text] = nil }
            if wire.amount == item.amount { values[.amount] = nil }
            if wire.unit == item.unit { values[.unit] = nil }
            if wire.section == item.section { values[.section] = nil }
            if values.isEmpty { return }
        }
        try take(
            ItemEdit(
                id: item.id, at: max(act.now, last?.adding(milliseconds: 1) ?? act.now), by: try act.member.id,
                values: values), in: list, act)
    }
}
