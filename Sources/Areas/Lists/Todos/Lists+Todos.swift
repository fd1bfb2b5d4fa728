import KinCalendar
import KinICal
import KinKeeper
import KinModel
import KinStore

/// The queries of the gateway for CalDAV: lists as collections of tasks, of which task programs keep a copy.
extension Lists {
    static let nameShape = Shape.text(max: Limits.todoNameCharactersMax)
    private static let conditions: [Field] = [
        .optional("tags", .list(.token(max: 100), max: 20), "Only while its validator is one of these (If-Match)."),
        .optional("there", .bool, "Only where there is one (If-Match: *)."),
    ]

    static let shelves = Method.query(
        "list.shelves", "The lists that the caller sees, as task programs keep them.", access: .signedIn,
        [.optional("list", .id, "Only this one.")], result: .any,
        apply: { (act, params) throws(Rejection) in
            let member = try act.member.id
            let lists: [StoredList]
            if let id = params.optionalID("list") {
                lists = [try StoredList.visible(act, id)]
            } else {
                lists = try act.ask { (database) throws(StoreFailure) in
                    try StoredList.seen(by: member, Choice(), database)
                }
            }
            var all: [JSON] = []
            for list in lists {
                let book = try ListBook.read(list, act)
                all.append(
                    .object(leavingOut: [
                        "list": .id(list.wire.id), "name": .string(list.wire.name), "owner": .id(list.wire.owner),
                        "own": .bool(list.mayBeChanged(act)), "sync": .string(book.token(book.changes)),
                        "shelf": try ListName.name(of: list, act).map { .string($0) },
                    ]))
            }
            return .done(["shelves": .array(all)])
        }
    ).scoped(.calendar).forGateways()

    static let todos = Method.query(
        "list.todos", "What is on a list as tasks, in the order of its changes, and what went.", access: .signedIn,
        [
            .required("list", .id),
            .optional("names", .list(nameShape, max: Limits.todosPerAnswerMax)),
            .optional("since", .token(max: 64), "Only what was changed since a client stood there."),
            .optional("after", .integer(0...Int64.max), "next of the answer before."),
            .optional("until", .integer(0...Int64.max), "until of the first answer."),
            .optional("limit", .integer(1...Int64(Limits.todosPerAnswerMax))),
            .optional("data", .bool, "With what they say."),
        ],
        result: .any,
        apply: { (act, params) throws(Rejection) in
            let list = try StoredList.visible(act, try params.id("list"))
            let book = try ListBook.read(list, act)
            let hasData = params["data"]?.bool ?? false
            guard let names = params["names"]?.array?.compactMap(\.string) else {
                return .done(try page(of: list, book, params, hasData, act))
            }
            var items: [JSON] = []
            for name in Set(names).sorted() {
                guard let todo = try Todo.find(name, in: list, act) else { continue }
                items.append(json(todo, try change(of: todo, act), book, hasData))
            }
            return .done(["items": .array(items)])
        }
    ).scoped(.calendar).forGateways()

    /// A page of changed items, in the order of the changes' numbers; each change has a number of its own.
    private static func page(
        of list: StoredList, _ book: ChangeCount, _ params: Params, _ hasData: Bool, _ act: Act
    ) throws(Rejection) -> JSON {
        var since: Int64 = 0
        if let token = params.optionalString("since") {
            guard let change = book.change(of: token) else { return ["unknown": true] }
            since = change
        }
        let until = min(params.optionalInt("until") ?? book.changes, book.changes)
        let after = max(since, params.optionalInt("after") ?? 0)
        let limit = Int(clamping: params.optionalInt("limit") ?? Int64(Limits.todosPerAnswerMax))
        // The removal of an item is told to every client that may have had the item.
        let removed = params.has("since") ? "" : " AND i.removed_at IS NULL"
        let rows = try act.rows(
            """
            SELECT i.id, i.changed, i.removed_at IS NOT NULL AS is_removed, t.name FROM list_items i
            LEFT JOIN list_todos t ON t.item = i.number
            WHERE i.owner_list = ? AND i.changed > ? AND i.changed <= ?\(removed) ORDER BY i.changed LIMIT \(limit + 1)
            """, .int(list.number), .int(after), .int(until)
        ) { row in
            (
                id: row.identifier("id"), change: row.int("changed"), isRemoved: row.bool("is_removed"),
                name: row.optionalText("name")
            )
        }
        let isMore = rows.count > limit
        let last = isMore ? rows[limit - 1].change : until
        var (items, gone): ([JSON], [JSON]) = ([], [])
        for row in rows.prefix(limit) {
            if row.isRemoved {
                gone.append(.string(row.name ?? KeptTodo.name(row.id)))
            } else if let item = try StoredItem.find(row.id, in: list, act) {
                let todo = Todo(item: item, kept: try KeptTodo.find(item.number, act))
                items.append(json(todo, row.change, book, hasData))
            }
        }
        return .object(leavingOut: [
            "items": .array(items), "gone": .array(gone), "next": isMore ? .int(last) : nil, "until": .int(until),
            "sync": .string(book.token(last)),
        ])
    }

    private static func change(of todo: Todo, _ act: Act) throws(Rejection) -> Int64 {
        try act.first("SELECT changed FROM list_items WHERE number = ?", .int(todo.item.number)) { row in
            row.int(0)
        } ?? 0
    }

    private static func json(_ todo: Todo, _ change: Int64, _ book: ChangeCount, _ hasData: Bool) -> JSON {
        .object(leavingOut: [
            "name": .string(todo.name), "tag": .string(book.tag(change)),
            "data": hasData ? .string(TodoText.text(of: todo)) : nil,
        ])
    }

    // MARK: Writing

    static let putTodo = Method.command(
        "list.putTodo", "Puts an item on a list of a VTODO, or changes one.", access: .signedIn,
        [
            .required("list", .id), .required("name", nameShape), .required("text", .any, "The object."),
            .optional("absent", .bool, "Only where there is none (If-None-Match: *)."),
        ] + conditions,
        result: .any, events: [ListItem.put],
        apply: { (act, params) throws(Rejection) in
            let list = try StoredList.visible(act, try params.id("list"))
            try StoredItem.forgetRemoved(in: list, act)
            let name = try params.string("name")
            let known = try Todo.find(name, in: list, act)
            guard try isMet(params, known, list, act) else { return refused("changed", "It has changed meanwhile.") }
            let zone = try zone(act)
            var read: TodoText.Read
            do throws(TodoText.Flaw) {
                read = try TodoText.read(params["text"]?.string ?? "", before: known?.item, zone: zone)
            } catch { return refused(error.rule, error.sentence) }
            guard let uid = read.uid, !uid.isEmpty, uid.utf8.count <= Limits.todoUIDBytesMax else {
                return refused("data", "A task has a UID.")
            }
            if let other = try Todo.find(uid: uid, in: list, act), other.item.wire.id != known?.item.wire.id {
                return refused("uid", "Another task of this list has this UID.", of: other.name)
            }
            if let known, !known.uid.hasSameBytes(as: uid) { return refused("uid", "A task keeps its UID.", of: name) }
            read.kept.uid = uid
            read.kept.name = name
            let count = try StoredItem.count(in: list, act)
            guard known != nil || count < Limits.listItemsMax else {
                return refused("room", "A list has \(Limits.listItemsMax) items at most.")
            }
            return try put(read, known, in: list, isSure: params["tags"] != nil, zone, act)
        }
    ).scoped(.calendar).forGateways()

    /// Takes the fields in which a client's task differs from the item. A client that knew the present state says them
    /// now; any other client says them at the time that the task names, so that an older word never replaces a newer
    /// one.
    private static func put(
        _ read: TodoText.Read, _ known: Todo?, in list: StoredList, isSure: Bool, _ zone: Zone, _ act: Act
    ) throws(Rejection) -> Outcome {
        let id = known?.item.wire.id ?? act.newIdentifier()
        var (values, done) = TodoTicks.meant(by: read, of: known?.item, today: day(of: act.now, zone))
        if let item = known?.item.wire {
            for (field, value) in values where said(field, of: item) == value { values[field] = nil }
            // A changed rule begins on the day that the client knows.
            if values[.repeats]?.string != nil { values[.due] = read.values[.due] }
        } else {
            for (field, value) in values where value.isNull { values[field] = nil }
            if values[.repeats] != nil, let turns = try TodoTicks.turns(of: values, in: list, act) {
                values[.turns] = .array(turns.map { .id($0) })
            }
        }
        done.removeAll { known?.item.said.ticks[$0]?.isTicked == true }
        let last =
            (values.keys.compactMap { known?.item.stamps[$0]?.at } + done.compactMap { known?.item.said.ticks[$0]?.at })
            .max()
        let newest = known?.item.said.lastSaid
        var at = act.now
        if let said = read.said, !isSure, let newest, said.milliseconds / 1000 < newest.milliseconds / 1000 {
            // The client does not know the latest edit.
            at = max(StoredItem.oldest(act), said)
        } else if let last {
            at = max(act.now, last.adding(milliseconds: 1))
        }
        let by = try act.member.id
        if !values.isEmpty {
            let edit = ItemEdit(id: id, at: at, by: by, values: values)
            try take(known.map { edit.meant(of: $0.item.wire, today: day(of: at, zone)) } ?? edit, in: list, act)
        }
        for occurrence in done {
            try take(
                ItemEdit(
                    id: id, at: at, by: by, values: [.ticked: true], occurrence: occurrence,
                    through: day(of: at, zone)), in: list, act)
        }
        guard var item = try StoredItem.find(id, in: list, act) else { return .done([:]) }
        let before = try KeptTodo.find(item.number, act)
        if !before.says(as: read.kept) {
            if known == nil {
                // An item with a name that was removed is there again.
                try act.run(
                    """
                    DELETE FROM list_todos WHERE name = ? AND item IN (
                        SELECT number FROM list_items WHERE owner_list = ? AND removed_at IS NOT NULL)
                    """, Value(read.kept.name), .int(list.number))
            }
            try read.kept.save(for: item.number, act)
            if values.isEmpty, done.isEmpty { try item.save(in: list, act) }
        }
        return .done(["isNew": .bool(known == nil)], ids: [id])
    }

    /// The value of a field of an item, as a client would write it.
    private static func said(_ field: ItemEdit.Field, of item: ListItem) -> JSON {
        field == .ticked ? .bool(item.isTicked) : item.json[field.rawValue] ?? .null
    }

    static let dropTodo = Method.command(
        "list.dropTodo", "Takes the item under a name off a list.", access: .signedIn,
        [.required("list", .id), .required("name", nameShape)] + conditions, result: .any,
        events: [ListItem.removed],
        apply: { (act, params) throws(Rejection) in
            let list = try StoredList.visible(act, try params.id("list"))
            let name = try params.string("name")
            guard let known = try Todo.find(name, in: list, act) else {
                throw Rejection(.notFound, "There is no such task.", field: "name")
            }
            guard try isMet(params, known, list, act) else { return refused("changed", "It has changed meanwhile.") }
            try known.item.remove(from: list, act)
            return .done([:], ids: [known.item.wire.id])
        }
    ).scoped(.calendar).freeingRoom().forGateways()

    /// Whether the present state is the one that the client knows (RFC 9110 §13.1).
    private static func isMet(
        _ params: Params, _ known: Todo?, _ list: StoredList, _ act: Act
    ) throws(Rejection) -> Bool {
        if params["absent"]?.bool == true, known != nil { return false }
        if params["there"]?.bool == true, known == nil { return false }
        guard let tags = params["tags"]?.array else { return true }
        guard let known else { return false }
        return tags.contains(.string(try ListBook.read(list, act).tag(try change(of: known, act))))
    }

    /// The answer when nothing was done: the rule that forbids it, and a sentence.
    static func refused(_ rule: String, _ sentence: String, of name: String? = nil) -> Outcome {
        .done(
            .object(leavingOut: [
                "refused": .string(rule), "sentence": .string(sentence), "name": name.map { .string($0) },
            ]))
    }
}
