import KinKeeper
import KinModel
import KinStore

/// An item of a list as it is stored, with the moment at which each field got its value.
struct StoredItem {
    /// The small number that its stamps name it by; 0 before it is stored.
    private(set) var number: Int64 = 0
    /// The item as it is stored, in the form that members who see the list are told.
    private(set) var wire: ListItem
    /// Its edits. Where several items are read at once, the times of the edits are left out.
    var said: SaidItem
    /// The edits as they are stored.
    private var stored: SaidItem
    /// Whether it was removed, and stays so.
    private(set) var isRemoved = false

    init(_ wire: ListItem) {
        self.wire = wire
        said = SaidItem(item: wire)
        stored = said
    }

    /// The moment at which each field got its value.
    var stamps: ItemStamps { said.stamps }

    // MARK: Reading

    private static let columns = Columns<ListItem>(called: ["order": "place"], elsewhere: ["list", "turns"])
    /// The columns of what members said. For an item that repeats, what is shown is reckoned from them.
    private static let saidColumns = ["said_due", "said_member", "said_ticked", "said_by", "said_at", "turns"]
    private static let saidAssignments = saidColumns.map { $0 + " = ?" }.joined(separator: ", ")
    private static let selected =
        "l.id AS list_id, i.number, i.removed_at, " + saidColumns.map { "i." + $0 }.joined(separator: ", ") + ", "
        + columns.names(of: "i")

    private init(_ row: borrowing Row) throws(StoreFailure) {
        number = row.int("number")
        isRemoved = !row.isNull("removed_at")
        let turns = (row.optionalText("turns") ?? "").split(separator: " ").compactMap { Identifier($0) }
        let others: [String: JSON] = [
            "list": .id(row.identifier("list_id")), "turns": .array(turns.map { .id($0) }),
        ]
        wire = try Self.columns.read(row, others)
        var item = wire
        item.due = row.optionalText("said_due")
        item.member = row.optionalIdentifier("said_member")
        item.isTicked = row.bool("said_ticked")
        item.tickedBy = row.optionalIdentifier("said_by")
        item.tickedAt = row.optionalInstant("said_at")
        item.done = nil
        said = SaidItem(item: item)
        stored = said
    }

    /// The values of what was said, in the order of the columns.
    private static func values(said item: ListItem) -> [Value] {
        [
            Value(item.due), Value(item.member), Value(item.isTicked), Value(item.tickedBy), Value(item.tickedAt),
            item.turns.isEmpty ? .null : .text(item.turns.map(\.description).joined(separator: " ")),
        ]
    }

    private static func rows(
        _ rest: String, _ values: [Value], _ database: Database
    ) throws(StoreFailure) -> [StoredItem] {
        try database.rows(
            "SELECT \(selected) FROM list_items i JOIN lists l ON l.number = i.owner_list " + rest, values: values
        ) { (row) throws(StoreFailure) in try StoredItem(row) }
    }

    /// Items of all lists that a member sees, as many as a snapshot may have: open ones before ticked ones, newest
    /// first.
    static func newest(seenBy member: Identifier, _ database: Database) throws(StoreFailure) -> [ListItem] {
        let most = Limits.listItemsSnapshotBytesMax / Limits.itemBytesMin + 1
        return try rows(
            """
            WHERE i.removed_at IS NULL AND i.owner_list IN (SELECT list FROM list_sight WHERE member = ?)
            ORDER BY i.ticked, i.number DESC LIMIT \(most)
            """, [.id(member)], database
        ).map(\.wire)
    }

    /// All items of a list, in its order.
    static func all(of list: StoredList, _ act: Act) throws(Rejection) -> [StoredItem] {
        try act.ask { (database) throws(StoreFailure) in
            try rows("WHERE i.owner_list = ? AND i.removed_at IS NULL", [.int(list.number)], database)
        }.sorted { ($0.wire.place, $0.wire.id) < ($1.wire.place, $1.wire.id) }
    }

    /// The number of items that a list has.
    static func count(in list: StoredList, _ act: Act) throws(Rejection) -> Int {
        Int(
            try act.first(
                "SELECT count(*) FROM list_items WHERE owner_list = ? AND removed_at IS NULL", .int(list.number)
            ) { row in row.int(0) } ?? 0)
    }

    /// An item of a list, removed or not.
    static func find(_ id: Identifier, in list: StoredList, _ act: Act) throws(Rejection) -> StoredItem? {
        try act.ask { (database) throws(StoreFailure) in
            guard
                var item = try rows(
                    "WHERE i.owner_list = ? AND i.id = ?", [.int(list.number), .id(id)], database
                ).first
            else { return nil }
            _ = try database.rows("SELECT field, at, edit FROM list_stamps WHERE item = ?", .int(item.number)) { row in
                guard let field = ItemEdit.Field(rawValue: row.text("field")) else { return }
                item.said.stamps[field] = ItemStamp(at: row.instant("at"), edit: row.optionalIdentifier("edit"))
            }
            _ = try database.rows(
                "SELECT day, ticked, said_by, at, through, edit FROM list_ticks WHERE item = ?", .int(item.number)
            ) { row in
                item.said.ticks[row.text("day")] = SaidItem.Tick(
                    isTicked: row.bool("ticked"), by: row.identifier("said_by"), at: row.instant("at"),
                    through: row.text("through"), edit: row.optionalIdentifier("edit"))
            }
            item.stored = item.said
            return item
        }
    }

    // MARK: Writing

    /// Stores it with its stamps, and with the state that follows from them.
    mutating func save(in list: StoredList, _ act: Act) throws(Rejection) {
        wire = said.now
        let more: [Value] =
            Self.values(said: said.item)
            + [.text(wire.text.lowercased()), .int(try ListBook.next(in: list.number, act))]
        if number == 0 {
            try act.run(
                """
                INSERT INTO list_items (
                    \(Self.columns.names), \(Self.saidColumns.joined(separator: ", ")), plain, changed, owner_list)
                VALUES (\(Self.columns.placeholders), ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, values: Self.columns.values(of: wire) + more + [.int(list.number)])
            number =
                try act.first(
                    "SELECT number FROM list_items WHERE owner_list = ? AND id = ?", .int(list.number), .id(wire.id)
                ) { row in row.int(0) } ?? 0
        } else {
            try act.run(
                """
                UPDATE list_items SET \(Self.columns.assignments), \(Self.saidAssignments), plain = ?, changed = ?
                WHERE number = ?
                """, values: Self.columns.values(of: wire) + more + [.int(number)])
        }
        for field in ItemEdit.Field.allCases where stamps[field] != stored.stamps[field] {
            guard let stamp = stamps[field] else { continue }
            try act.run(
                "INSERT OR REPLACE INTO list_stamps (item, field, at, edit) VALUES (?,?,?,?)", .int(number),
                .text(field.rawValue), .time(stamp.at), Value(stamp.edit))
        }
        for (day, tick) in said.ticks.sorted(by: { $0.key < $1.key }) where tick != stored.ticks[day] {
            try act.run(
                "INSERT OR REPLACE INTO list_ticks (item, day, ticked, said_by, at, through, edit) VALUES (?,?,?,?,?,?,?)",
                .int(number), .text(day), Value(tick.isTicked), .id(tick.by), .time(tick.at), .text(tick.through),
                Value(tick.edit))
        }
        stored = said
    }

    /// Removes the item's content. Its removal is remembered for a while.
    func remove(from list: StoredList, _ act: Act) throws(Rejection) {
        let empty = ListItem(list: wire.list, id: wire.id, text: "")
        try act.run(
            """
            UPDATE list_items SET \(Self.columns.assignments), \(Self.saidAssignments), plain = '', removed_at = ?,
            changed = ? WHERE number = ?
            """,
            values: Self.columns.values(of: empty) + Self.values(said: empty) + [
                .time(act.now), .int(try ListBook.next(in: list.number, act)), .int(number),
            ])
        try KeptTodo.remove(number, act)
        for table in ["list_stamps", "list_ticks"] {
            try act.run("DELETE FROM \(table) WHERE item = ?", .int(number))
        }
        let about = Lists.about(wire.key)
        try act.erase(about: about)
        try act.emit(
            ListItem.removed, .init(list: wire.list, item: wire.id), about: about,
            to: try Lists.shared.seers(of: list.number, act), title: list.wire.name)
    }

    /// Remembers the removal of an item that nobody put here yet. It is no change of the list (its number is 0): task
    /// programs are told that an item is gone only where they may have had it.
    static func rememberRemoval(of id: Identifier, in list: StoredList, _ act: Act) throws(Rejection) {
        try act.run(
            """
            INSERT INTO list_items (owner_list, id, text, plain, ticked, removed_at, changed)
            VALUES (?, ?, '', '', 0, ?, 0)
            """, .int(list.number), .id(id), .time(act.now))
    }

    /// Forgets items that were removed so long ago that no edit from before their removal is accepted.
    static func forgetRemoved(in list: StoredList, _ act: Act) throws(Rejection) {
        guard !act.isClockDoubted else { return }
        let (number, long) = (Value.int(list.number), Value.time(oldest(act).adding(days: -1)))
        let last = try act.first(
            "SELECT max(changed) FROM list_items WHERE owner_list = ? AND removed_at < ?", number, long
        ) { row in row.optionalInt(0) }
        guard let last = last.flatMap(\.self) else { return }
        // A client whose copy is older than that begins anew.
        try act.run("UPDATE lists SET forgotten = max(forgotten, ?) WHERE number = ?", .int(last), number)
        try act.run("DELETE FROM list_items WHERE owner_list = ? AND removed_at < ?", number, long)
    }

    /// The oldest moment from which an edit is taken.
    static func oldest(_ act: Act) -> Instant { act.now.adding(days: -Limits.itemRemovedDays) }
}
