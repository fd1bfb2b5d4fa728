import KinCalendar
import KinModel
import KinStore

/// The checker of what several said of the same items: all edits that the daemon took are replayed in other orders than
/// it took them, by the rule written down a second time, and must end in the item that it has.
struct ListMerge {
    /// What was said of an item.
    private struct Edit {
        let key: ListItem.Key
        /// When, by who said it; `nil` for when it arrived.
        let said: Instant?
        /// What the client calls the edit; nothing where it has no name.
        let name: String
        /// By the fields' names.
        let values: [String: JSON]
    }

    /// What the daemon took.
    private struct Taken {
        let at: Instant
        let name: String
        let values: [String: JSON]
    }

    /// A field, the moment that its value was said at, and the name of the edit that said it.
    private struct Stamped {
        let at: Instant
        var name = ""
        let value: JSON
    }

    /// The fields that members of the box edit.
    private static let fields = ["text", "amount", "note", "order", "ticked"]
    /// Those of items that repeat, beside what is said of each of their days.
    private static let repeating = ["repeat", "due", "turns"]

    /// What was asked for, by `op`; the daemon may not have taken it.
    private var asked: [String: Edit] = [:]
    /// What it took, in the order in which that was seen.
    private var taken: [ListItem.Key: [Taken]] = [:]
    /// Nobody is judged any more: the clock was wrong, which moves what was said later than it is now, or somebody left,
    /// with all that is remembered of the commands.
    private var isOver = false

    /// Somebody says something of an item.
    mutating func says(_ op: String, _ list: Identifier, _ edit: JSON) {
        guard let id = edit["id"]?.identifier else { return }
        var values: [String: JSON] = [:]
        for field in Self.fields + Self.repeating { if let value = edit[field] { values[field] = value } }
        // Each day of what repeats is a field of its own.
        if let day = edit["occurrence"]?.string { values["day " + day] = values.removeValue(forKey: "ticked") }
        asked[op] = Edit(
            key: ListItem.Key(list: list, id: id), said: edit["at"]?.instant, name: edit["edit"]?.string ?? "",
            values: values)
    }

    /// The clock was looked at.
    mutating func look(_ world: World) {
        if world.tally.doubts > 0 || !world.leaving.isEmpty { isOver = true }
        if world.time.wallMilliseconds() != world.time.trueMilliseconds() { isOver = true }
    }

    /// An item that is another one than what was said of it makes in some order.
    mutating func fault(_ world: World, _ daemon: SimulatedDaemon) throws(StoreFailure) -> Finding? {
        look(world)
        // Other faults lose commits, too; each is found by its own checker.
        let isMeant = world.fault == nil || world.fault == .forgottenStamps || world.fault == .forgottenDays
        guard !isOver, isMeant else { return nil }
        try learn(daemon)
        var dice = Dice(seed: world.seed)
        for key in taken.keys.sorted() {
            guard let edits = taken[key], let found = try Self.item(key, daemon) else { continue }
            let orders: [[Taken]] = [edits, Array(edits.reversed()), edits.shuffled(using: &dice)]
            for order in orders {
                let replayed = Self.replay(order)
                if let wrong = try Self.repeatFault(key, replayed, found, daemon) {
                    return Finding(checker: "merge", what: "of the item \(key.id) \(wrong)")
                }
                for field in Self.fields {
                    let has: JSON = found[field] ?? .null
                    let should: JSON = replayed[field]?.value ?? .null
                    guard has.text != should.text else { continue }
                    return Finding(
                        checker: "merge",
                        what: "of the item \(key.id) \(field) is \(has.text), and by what was said \(should.text)")
                }
            }
        }
        return nil
    }

    /// What was asked for and is remembered as done, was taken then.
    private mutating func learn(_ daemon: SimulatedDaemon) throws(StoreFailure) {
        for op in asked.keys.sorted() {
            guard let edit = asked[op] else { continue }
            let arrived = try daemon.reader.first("SELECT at FROM ops WHERE op = ?", .text(op)) { row in
                row.instant(0)
            }
            guard let arrived else { continue }
            asked[op] = nil
            taken[edit.key, default: []].append(
                Taken(at: min(edit.said ?? arrived, arrived), name: edit.name, values: edit.values))
        }
    }

    /// For each field the later word stands; of two of the same moment that of the greater edit, and else the greater.
    private static func replay(_ edits: [Taken]) -> [String: Stamped] {
        var fields: [String: Stamped] = ["ticked": Stamped(at: .earliest, value: false)]
        for edit in edits {
            for (field, value) in edit.values {
                if let last = fields[field] {
                    if edit.at < last.at { continue }
                    if edit.at == last.at, (edit.name, rank(value)) <= (last.name, rank(last.value)) { continue }
                }
                fields[field] = Stamped(at: edit.at, name: edit.name, value: value)
            }
        }
        return fields
    }

    /// What of an item that repeats daily is otherwise than its days and turns make it.
    private static func repeatFault(
        _ key: ListItem.Key, _ replayed: [String: Stamped], _ found: [String: JSON], _ daemon: SimulatedDaemon
    ) throws(StoreFailure) -> String? {
        guard replayed["repeat"]?.value.string != nil, let due = replayed["due"], let said = due.value.string else {
            return nil
        }
        var through: [String: String] = [:]
        var stored: [String: String] = [:]
        _ = try daemon.reader.rows(
            """
            SELECT t.day, t.ticked, t.through FROM list_ticks t JOIN list_items i ON i.number = t.item
            JOIN lists l ON l.number = i.owner_list WHERE l.id = ? AND i.id = ?
            """, .id(key.list), .id(key.id)
        ) { row in
            stored[row.text("day")] = row.bool("ticked") ? "true" : "false"
            through[row.text("day")] = row.text("through")
        }
        var days: [String: Stamped] = [:]
        for (field, value) in replayed where field.hasPrefix("day ") { days[String(field.dropFirst(4))] = value }
        let should = days.mapValues(\.value.text)
        guard stored == should else { return "days are \(stored), and by what was said \(should)" }
        let done = days.filter { $0.value.value.bool == true && $0.value.at >= due.at }
        var next = said
        if let last = done.keys.compactMap({ through[$0] }).max(), let day = Civil(last + "T00:00") {
            next = max(said, String(day.adding(days: 1).description.prefix(10)))
        }
        guard found["due"]?.string == next else { return "due is \(found["due"]?.text ?? ""), and should be \(next)" }
        // Who sees the list no longer has no turn any more; nobody judges the others then.
        guard let turns = replayed["turns"], let members = turns.value.array, !members.isEmpty,
            found["turns"] == turns.value
        else { return nil }
        let taken = days.values.count { $0.value.bool == true && $0.at >= turns.at }
        let turn = members[taken % members.count]
        guard found["member"] != turn else { return nil }
        return "has \(found["member"]?.text ?? "nobody") in turn, and should have \(turn.text)"
    }

    private static func rank(_ value: JSON) -> String { value.isNull ? "" : value.text }

    /// An item as the daemon has it; `nil` for one that was removed.
    private static func item(_ key: ListItem.Key, _ daemon: SimulatedDaemon) throws(StoreFailure) -> [String: JSON]? {
        try daemon.reader.first(
            """
            SELECT i.text, i.amount, i.note, i.place, i.ticked, i.due, i.member, i.turns
            FROM list_items i JOIN lists l ON l.number = i.owner_list WHERE l.id = ? AND i.id = ? AND i.removed_at IS NULL
            """, .id(key.list), .id(key.id)
        ) { row in
            var values: [String: JSON] = ["text": .string(row.text("text")), "ticked": .bool(row.bool("ticked"))]
            if let amount = row.optionalDouble("amount") { values["amount"] = .double(amount) }
            if let note = row.optionalText("note") { values["note"] = .string(note) }
            if let order = row.optionalText("place") { values["order"] = .string(order) }
            if let due = row.optionalText("due") { values["due"] = .string(due) }
            if let member = row.optionalIdentifier("member") { values["member"] = .id(member) }
            if let turns = row.optionalText("turns") {
                values["turns"] = .array(turns.split(separator: " ").map { .string(String($0)) })
            }
            return values
        }
    }
}

extension Fault {
    /// It is forgotten when each field of an item was said: an older edit wins.
    public static let forgottenStamps = Fault("forgottenStamps")
    /// It is forgotten which days of what repeats were ticked.
    public static let forgottenDays = Fault("forgottenDays")
}
