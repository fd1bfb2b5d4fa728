import KinKeeper
import KinModel
import KinStore

/// What the members of the box buy, do and pack together.
final class ListsLife: SimulatedArea {
    let weight = 4
    let lists = [
        ListQuestion(
            method: "list.list", part: "lists",
            trim: { $0.listItems = [:] })
    ]
    /// Items that were put, so that several edit the same.
    private var known: [ListItem.Key] = []
    private static let mostKnown = 60
    /// Those of them that repeat daily.
    private var repeating: Set<ListItem.Key> = []
    private var merge = ListMerge()

    func question(_ world: World, about snapshot: Snapshot) -> ListQuestion? {
        let lists = snapshot.lists.keys.sorted()
        guard !lists.isEmpty else { return nil }
        let list = world.dice.pick(lists)
        return ListQuestion(
            method: "list.show", params: ["list": .id(list)],
            fault: { Self.fault(of: list, $0, against: $1) })
    }

    /// A list's items are those of the snapshot, all of them and no others.
    private static func fault(of list: Identifier, _ result: JSON, against snapshot: Snapshot) -> String? {
        guard snapshot.lists[list] != nil else {
            return snapshot.more.contains("lists") ? nil : "list.show shows \(list), the snapshot does not"
        }
        guard !snapshot.more.contains("listItems") else { return nil }
        let listed = (result["items"]?.array ?? []).compactMap(ListItem.init).sorted { $0.key < $1.key }
        let held = snapshot.listItems.values.filter { $0.list == list }.sorted { $0.key < $1.key }
        guard listed != held else { return nil }
        return "list.show has \(listed.map(\.json.text)), the snapshot \(held.map(\.json.text))"
    }

    func idea(_ world: World, _ who: Int, _ op: String) -> World.Idea {
        let seen = (world.view(of: who)?.lists.values ?? [:].values).sorted { $0.id < $1.id }
        let dice = world.dice.below(21)
        guard !seen.isEmpty, dice > 1 else {
            return (
                who, "list.add", ["name": .string(op), "kind": "tasks", "audience": SharedSight.audience(world)]
            )
        }
        // Few lists, and few items of them, so that several say something of the same.
        let list = world.dice.pick(Array(seen.prefix(2)))
        switch dice {
        case 2: return (who, "list.remove", ["list": .id(list.id)])
        case 3...5: return (who, "list.update", ["list": .id(list.id), "audience": SharedSight.audience(world)])
        case 6: return (who, "list.update", ["list": .id(list.id), "sections": ["Fruit", .string(op)]])
        case 7:
            guard let item = pick(world, of: list.id) else { break }
            return (who, "item.remove", ["list": .id(list.id), "items": [.id(item)]])
        case 16:
            let meetings = (world.view(of: who)?.meetings.keys.sorted() ?? []).suffix(3)
            let about: JSON = meetings.isEmpty ? .null : .string("meeting/\(world.dice.pick(Array(meetings)))")
            return (who, "list.update", ["list": .id(list.id), "about": about])
        case 20: return (who, "list.notify", ["list": .id(list.id), "on": .bool(!world.dice.once(in: 3))])
        case 8...15:
            guard let item = pick(world, of: list.id) else { break }
            var edit: JSON = ["id": .id(item)]
            // Somebody was away, and says late what was said before.
            if world.dice.once(in: 2) {
                edit["at"] = .time(
                    Instant(milliseconds: world.time.wallMilliseconds()).adding(seconds: -Int64(world.dice.below(7200)))
                )
            }
            if repeating.contains(ListItem.Key(list: list.id, id: item)) {
                say(&edit, world, who, of: list)
                return put(who, op, on: list.id, edit)
            }
            switch world.dice.below(8) {
            case 0, 1: edit["ticked"] = .bool(world.dice.once(in: 2))
            case 2: edit["amount"] = world.dice.once(in: 3) ? .null : .double(Double(world.dice.below(5)))
            case 3: edit["order"] = .string("0\(world.dice.below(10))")
            default: edit["text"] = .string("t\(world.dice.below(10))")
            }
            return put(who, op, on: list.id, edit)
        default: break
        }
        let item = Identifier(
            at: Instant(milliseconds: world.time.wallMilliseconds()),
            random: (UInt64(world.dice.below(1 << 30)), UInt64(world.dice.below(1 << 30))))
        var edit: JSON = ["id": .id(item), "text": .string("t\(world.dice.below(10))"), "note": .string(op)]
        if world.dice.once(in: 3) {
            repeating.insert(ListItem.Key(list: list.id, id: item))
            edit["repeat"] = "daily"
            edit["due"] = .string(Self.day(world, world.dice.below(3)))
            edit["turns"] = turns(world, who, of: list)
        }
        return put(who, op, on: list.id, edit)
    }

    /// Something of an item that repeats: several tick the same day, one no longer, one puts it off.
    private func say(_ edit: inout JSON, _ world: World, _ who: Int, of list: SharedList) {
        switch world.dice.below(8) {
        case 0: edit["due"] = .string(Self.day(world, world.dice.below(4)))
        case 1: edit["turns"] = turns(world, who, of: list)
        case 2: edit["text"] = .string("t\(world.dice.below(10))")
        default:
            edit["ticked"] = .bool(!world.dice.once(in: 4))
            edit["occurrence"] = .string(Self.day(world, world.dice.below(3)))
        }
    }

    /// Two who see the list take turns.
    private func turns(_ world: World, _ who: Int, of list: SharedList) -> JSON {
        let other = world.view(of: who)?.me ?? list.owner
        if other == list.owner { return [.id(other)] }
        return world.dice.once(in: 2) ? [.id(list.owner), .id(other)] : [.id(other), .id(list.owner)]
    }

    /// A day from today on.
    private static func day(_ world: World, _ later: Int) -> String {
        String(
            Instant(milliseconds: world.time.wallMilliseconds()).adding(days: Int64(later)).description.prefix(10))
    }

    private func put(_ who: Int, _ op: String, on list: Identifier, _ edit: JSON) -> World.Idea {
        var edit = edit
        // Some clients name their edits, and some do not.
        if let last = op.utf8.last, !last.isMultiple(of: 3) {
            let name = op.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
            edit["edit"] = .id(Identifier(high: name, low: name))
        }
        merge.says(op, list, edit)
        return (who, "item.put", ["list": .id(list), "items": [edit]])
    }

    private func pick(_ world: World, of list: Identifier) -> Identifier? {
        let items = known.filter { $0.list == list }
        return items.isEmpty ? nil : world.dice.pick(Array(items.suffix(3))).id
    }

    func committed(
        _ world: World, _ daemon: SimulatedDaemon, _ requests: [Request], isClockNews: Bool
    ) { merge.look(world) }

    func answered(_ method: String, _ result: JSON) {
        guard method == "item.put" else { return }
        for item in (result["items"]?.array ?? []).compactMap(ListItem.init) where !known.contains(item.key) {
            if known.count >= Self.mostKnown { known.removeFirst() }
            known.append(item.key)
        }
    }

    private static let shared = SharedSight("lists", column: "list", named: "list_named", seen: "list_sight")

    func sight(_ daemon: SimulatedDaemon) throws(StoreFailure) -> [String: (Onlooker, Identifier) ->
        Bool]
    { ["list": try Self.shared.isSeen(daemon)] }

    /// What is written down of who sees what is what the rules say; what was removed says nothing.
    func books(_ world: World, _ daemon: SimulatedDaemon) throws(StoreFailure) -> Finding? {
        if let fault = try Self.shared.fault(daemon, "lists") { return fault }
        let left = try daemon.reader.first(
            "SELECT id FROM list_items WHERE removed_at IS NOT NULL AND (text <> '' OR note IS NOT NULL)"
        ) { row in row.identifier(0) }
        if let left { return Finding(checker: "lists", what: "the item \(left) was removed and is told of") }
        return try merge.fault(world, daemon)
    }

    func twice(_ daemon: SimulatedDaemon) throws(StoreFailure) -> String? {
        try daemon.reader.first(
            """
            SELECT name FROM lists GROUP BY name HAVING count(*) > 1
            UNION ALL SELECT note FROM list_items WHERE note IS NOT NULL GROUP BY note HAVING count(*) > 1
            """
        ) { row in row.text(0) }
    }

    func spoil(_ fault: Fault, _ events: [LogRow]) -> [String] {
        switch fault {
        case .listOfAnother: ["INSERT OR IGNORE INTO list_sight SELECT m.id, l.number FROM members m, lists l"]
        case .forgottenStamps: ["DELETE FROM list_stamps"]
        case .forgottenDays: ["DELETE FROM list_ticks"]
        default: []
        }
    }
}

extension Fault {
    /// Everybody is written down as seeing every list.
    public static let listOfAnother = Fault("listOfAnother")
}
