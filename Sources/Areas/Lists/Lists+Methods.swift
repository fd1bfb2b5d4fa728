import KinKeeper
import KinModel
import KinStore

extension Lists {
    /// A list. Those who may change it also see with whom it is shared.
    private struct OwnList: WireRecord {
        let list: SharedList
        let audience: JSON?
        let about: String?
        let isNotified: Bool?

        static let fields = Fields(
            nil, OwnList.init(list:audience:about:isNotified:), .all(of: \.list),
            .optional(
                "audience", \.audience, .json(SharedWith.shape), "With whom it is shared; for its owner and admins."),
            .optional(
                "about", \.about, Message.aboutForm, "The entry, meal or meeting that it belongs to; for who sees it."),
            .optional("notified", \.isNotified, .bool, "True where the caller is told of what changes on it."))
    }

    static let listResult = Shape.object([.required("list", OwnList.shape)])
    private static let kind = Form<SharedList.Kind>.word.shape

    static let add = Method.command(
        "list.add", "Makes a list.", access: .family,
        [
            .required("name", .name), .optional("kind", kind, "shopping if left out."),
            .optional("sections", SharedList.sectionList.shape),
            .optional(
                "audience", SharedWith.shape,
                SharedWith.summary
                    + " If left out, everyone; where it belongs to something, who sees that, as far as the caller knows."
            ),
            tied,
        ],
        result: listResult, route: Route("POST", "/api/lists", status: 201),
        events: [SharedList.added, SharedList.tied],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var list = try new(
                params.optionalString("kind").flatMap(SharedList.Kind.init) ?? .shopping,
                named: try params.string("name"), sharedWith: try sharedAtFirst(params, act), act)
            try list.take(params, household: try act.member.household, act)
            try list.save(isChanged: false, act)
            try tie(list, params, act)
            return .done(try rendered(list, act), ids: [list.wire.id])
        })

    static let update = Method.command(
        "list.update", "Changes a list itself; who gains or loses sight of it is told.", access: .signedIn,
        note: "the owner, admins",
        [
            .required("list", .id), .optional("name", .name), .optional("kind", kind),
            .optional("sections", SharedList.sectionList.shape),
            .optional("audience", SharedWith.shape, SharedWith.summary), tied,
        ],
        result: listResult, route: Route("PATCH", "/api/lists/{list}"),
        events: [SharedList.changed, SharedList.shown, SharedList.hidden, SharedList.tied, ListItem.put],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var list = try StoredList.own(act, try params.id("list"))
            let before = list
            try list.take(params, household: try act.roster[list.wire.owner]?.household, act)
            if list.wire.name != before.wire.name || list.wire.sections != before.wire.sections {
                try list.forgetWords(act)
            }
            if list.wire != before.wire || list.sharedWith != before.sharedWith {
                try list.save(isChanged: list.wire != before.wire, act)
            }
            try tie(list, params, act)
            if list.wire.name != before.wire.name { try act.retitle(about(list.wire.id), list.wire.name) }
            return .done(try rendered(list, act), ids: [list.wire.id])
        })

    static let remove = Method.command(
        "list.remove", "Removes a list with its items, from the log too.", access: .signedIn,
        note: "the owner, admins", [.required("list", .id)], result: .nothing,
        route: Route("DELETE", "/api/lists/{list}"), events: [SharedList.removed],
        apply: { (act, params) throws(Rejection) in
            try StoredList.own(act, try params.id("list")).remove(act)
            return .done([:])
        }
    ).freeingRoom()

    static let list = Method.query(
        "list.list", "The lists that the caller sees, newest first, without their items.", access: .signedIn,
        note: "who sees them; a guest those that name the guest or the household",
        [
            .optional(
                "words", .line(max: Limits.listSearchCharactersMax),
                "Those that have each word in their name or in an item that is not ticked."),
            .optional("about", Message.aboutForm.shape, "Those that belong to an entry, a meal or a meeting."),
        ],
        result: .object([.required("lists", .list(OwnList.shape, max: Limits.listsPerAnswerMax))]),
        route: Route("GET", "/api/lists"),
        apply: { (act, params) throws(Rejection) in
            let member = try act.member.id
            let about = params.optionalString("about")
            if let about { try act.requireSeen(about, field: "about") }
            let choice = Choice(words: words(params.optionalString("words")), about: about)
            let lists = try act.ask { (database) throws(StoreFailure) in
                try StoredList.seen(by: member, choice, database)
            }
            let asked = try StoredList.asked(by: member, act)
            var found: [JSON] = []
            for list in lists { found.append(try json(of: list, asked, act)) }
            return .done(["lists": .array(found)])
        }
    ).listing()

    static let show = Method.query(
        "list.show", "One list with its items, in their order.", access: .signedIn, note: "who sees it",
        [.required("list", .id)],
        result: .object([
            .required("list", OwnList.shape), .required("items", .list(ListItem.shape, max: Limits.listItemsMax)),
        ]),
        route: Route("GET", "/api/lists/{list}"),
        apply: { (act, params) throws(Rejection) in
            let list = try StoredList.visible(act, try params.id("list"))
            let items = try StoredItem.all(of: list, act)
            var answer = try rendered(list, act)
            answer["items"] = .array(items.map(\.wire.json))
            return .done(answer)
        }
    ).listing()

    /// A new list of the caller's, not stored yet; it is refused when the caller has too many.
    static func new(
        _ kind: SharedList.Kind, named name: String, sharedWith: SharedWith, _ act: Act
    ) throws(Rejection) -> StoredList {
        let owner = try act.member.id
        guard try StoredList.owned(by: owner, act).count < Limits.listsOwnedMax else {
            throw Rejection(.tooLarge, "A member has \(Limits.listsOwnedMax) lists at most; remove one first.")
        }
        return StoredList(
            SharedList(id: act.newIdentifier(), kind: kind, name: name, owner: owner), sharedWith: sharedWith)
    }

    /// The words of a search, in lower case.
    static func words(_ text: String?) -> [String] {
        (text ?? "").lowercased().split(whereSeparator: \.isWhitespace).prefix(8).map { String($0) }
    }

    private static func json(of list: StoredList, _ asked: Set<Int64>, _ act: Act) throws(Rejection) -> JSON {
        let audience = list.mayBeChanged(act) ? list.sharedWith : nil
        return OwnList(
            list: list.wire, audience: audience?.json, about: try seenTie(of: list, act),
            isNotified: asked.contains(list.number) ? true : nil
        ).json
    }

    static func rendered(_ list: StoredList, _ act: Act) throws(Rejection) -> JSON {
        ["list": try json(of: list, try StoredList.asked(by: try act.member.id, act), act)]
    }

    /// The answer to a repeated command: the present state.
    static func again(_ act: Act, _ ids: [Identifier]) throws(Rejection) -> JSON {
        guard let id = ids.first else { return [:] }
        return try rendered(try StoredList.visible(act, id), act)
    }
}

extension StoredList {
    /// Takes the fields that were given.
    fileprivate mutating func take(_ params: Params, household: Identifier?, _ act: Act) throws(Rejection) {
        if let name = params.optionalString("name") { wire.name = name }
        if let kind = params.optionalString("kind").flatMap(SharedList.Kind.init) { wire.kind = kind }
        if let sections = params["sections"]?.array?.compactMap(\.string) {
            guard Set(sections).count == sections.count else {
                throw Rejection(.invalid, "A section stands in sections once.", field: "sections")
            }
            wire.sections = sections
        }
        if let given = params["audience"] { sharedWith = try SharedWith(given, household: household, act) }
    }
}
