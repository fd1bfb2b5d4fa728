import KinKeeper
import KinModel
import KinStore

/// The lists themselves, as a member's task programs make, rename and remove them.
extension Lists {
    private static let onShelf = Field.required("shelf", nameShape, "What the caller's programs call it.")
    private static let title = Field.optional("name", .nullable(.name))

    static let named = Method.query(
        "list.named", "The list that the caller's programs call so, where there is one.", access: .signedIn, [onShelf],
        result: .any,
        apply: { (act, params) throws(Rejection) in
            let list = try ListName.list(try params.string("shelf"), act)
            return .done(.object(leavingOut: ["list": list.map { .id($0) }]))
        }
    ).scoped(.calendar).forGateways()

    static let makeShelf = Method.command(
        "list.makeShelf", "Makes a list of tasks under a name of a program's; it is its maker's alone until shared.",
        access: .family, [onShelf, title], result: .any, events: [SharedList.added],
        apply: { (act, params) throws(Rejection) in
            let shelf = try params.string("shelf")
            var list = try new(
                .tasks, named: params.optionalString("name") ?? String(shelf.prefix(Limits.nameCharactersMax)),
                sharedWith: .members([]), act)
            try list.save(isChanged: false, act)
            try ListName.give(shelf, to: list, act)
            return .done([:], ids: [list.wire.id])
        }
    ).scoped(.calendar).forGateways()

    static let setShelf = Method.command(
        "list.setShelf", "Gives a list another name.", access: .signedIn, [.required("list", .id), title],
        result: .any, events: [SharedList.changed],
        apply: { (act, params) throws(Rejection) in
            var list = try StoredList.own(act, try params.id("list"))
            guard let name = params.optionalString("name"), !name.hasSameBytes(as: list.wire.name) else {
                return .done([:])
            }
            // As in `list.update`: the former name is in no row of the log and in no inbox any more.
            try list.forgetWords(act)
            list.wire.name = name
            try list.save(isChanged: true, act)
            try act.retitle(about(list.wire.id), name)
            return .done([:], ids: [list.wire.id])
        }
    ).scoped(.calendar).forGateways()

    static let dropShelf = Method.command(
        "list.dropShelf", "Removes a list on which nothing stands.", access: .signedIn, [.required("list", .id)],
        result: .any, events: [SharedList.removed],
        apply: { (act, params) throws(Rejection) in
            let list = try StoredList.own(act, try params.id("list"))
            guard try StoredItem.count(in: list, act) == 0 else {
                return refused("kept", "Something is on this list; take it off first, or remove the list in Kinwire.")
            }
            try list.remove(act)
            return .done([:], ids: [list.wire.id])
        }
    ).scoped(.calendar).freeingRoom().forGateways()
}

/// The names that a member's programs give to lists: rows of `list_names`.
enum ListName {
    /// The list with a name, if the caller still sees it.
    static func list(_ name: String, _ act: Act) throws(Rejection) -> Identifier? {
        try act.first(
            """
            SELECT l.id FROM list_names n JOIN lists l ON l.number = n.list
            JOIN list_sight s ON s.list = n.list AND s.member = n.member WHERE n.member = ? AND n.name = ?
            """, .id(try act.member.id), .text(name)
        ) { row in row.identifier(0) }
    }

    /// The name of a list, if the caller's programs gave it one.
    static func name(of list: StoredList, _ act: Act) throws(Rejection) -> String? {
        try act.first(
            "SELECT name FROM list_names WHERE list = ? AND member = ?", .int(list.number), .id(try act.member.id)
        ) { row in row.text(0) }
    }

    static func give(_ name: String, to list: StoredList, _ act: Act) throws(Rejection) {
        try act.run(
            "INSERT OR REPLACE INTO list_names (member, name, list) VALUES (?, ?, ?)", .id(try act.member.id),
            .text(name), .int(list.number))
    }
}
