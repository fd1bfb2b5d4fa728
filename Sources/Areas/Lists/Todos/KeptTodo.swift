import KinICal
import KinKeeper
import KinModel
import KinStore

/// The part of an item that only task programs need: the name and UID under which they know it, and properties that
/// lists have no place for.
struct KeptTodo {
    /// The name that a client gave the item.
    var name: String?
    /// The UID that a client gave it.
    var uid: String?
    /// The rest of the object: its zones, and its VTODO without the fields that the item has itself.
    var rest: ICalComponent?
    /// The day that the time of DUE in it means.
    var dueDay: String?

    /// Whether another one keeps the same, in whatever order a client wrote it.
    func says(as other: KeptTodo) -> Bool {
        name == other.name && uid == other.uid && dueDay == other.dueDay
            && Self.parts(rest) == Self.parts(other.rest)
    }

    private static func parts(_ component: ICalComponent?) -> [String] {
        guard let component else { return [] }
        return (component.lines.map(\.description) + component.components.flatMap { [$0.name] + parts($0) }).sorted()
    }

    /// The kept part of an item; empty if no client wrote it.
    static func find(_ item: Int64, _ act: Act) throws(Rejection) -> KeptTodo {
        try act.first("SELECT name, uid, rest, due_day FROM list_todos WHERE item = ?", .int(item)) { row in
            KeptTodo(
                name: row.optionalText("name"), uid: row.optionalText("uid"),
                rest: row.optionalText("rest").flatMap { try? ICalComponent($0.utf8) },
                dueDay: row.optionalText("due_day"))
        } ?? KeptTodo()
    }

    /// Stores it.
    func save(for item: Int64, _ act: Act) throws(Rejection) {
        try act.run(
            "INSERT OR REPLACE INTO list_todos (item, name, uid, rest, due_day) VALUES (?, ?, ?, ?, ?)", .int(item),
            Value(name), Value(uid), Value(rest?.text), Value(dueDay))
    }

    /// Keeps of a removed item only its name among programs, by which they are told that it is gone.
    static func remove(_ item: Int64, _ act: Act) throws(Rejection) {
        try act.run("UPDATE list_todos SET uid = NULL, rest = NULL, due_day = NULL WHERE item = ?", .int(item))
    }

    /// The name of an item that no client named.
    static func name(_ item: Identifier) -> String { "\(item).ics" }
}

/// An item as task programs have it.
struct Todo {
    var item: StoredItem
    var kept: KeptTodo

    var name: String { kept.name ?? KeptTodo.name(item.wire.id) }
    var uid: String { kept.uid ?? item.wire.id.description }

    /// The item with a name; removed items have none.
    static func find(_ name: String, in list: StoredList, _ act: Act) throws(Rejection) -> Todo? {
        let named = try act.first(
            """
            SELECT i.id FROM list_todos t JOIN list_items i ON i.number = t.item
            WHERE i.owner_list = ? AND t.name = ? AND i.removed_at IS NULL
            """, .int(list.number), .text(name)
        ) { row in row.identifier(0) }
        let plain = name.hasSuffix(".ics") ? Identifier(name.dropLast(4)) : nil
        guard let id = named ?? plain, let item = try StoredItem.find(id, in: list, act), !item.isRemoved else {
            return nil
        }
        let todo = Todo(item: item, kept: try KeptTodo.find(item.number, act))
        return todo.name.hasSameBytes(as: name) ? todo : nil
    }

    /// The item that programs know by a UID.
    static func find(uid: String, in list: StoredList, _ act: Act) throws(Rejection) -> Todo? {
        let named = try act.first(
            """
            SELECT i.id FROM list_todos t JOIN list_items i ON i.number = t.item
            WHERE i.owner_list = ? AND t.uid = ? AND i.removed_at IS NULL
            """, .int(list.number), .text(uid)
        ) { row in row.identifier(0) }
        guard let id = named ?? Identifier(uid), let item = try StoredItem.find(id, in: list, act), !item.isRemoved
        else { return nil }
        let todo = Todo(item: item, kept: try KeptTodo.find(item.number, act))
        return todo.uid.hasSameBytes(as: uid) ? todo : nil
    }
}
