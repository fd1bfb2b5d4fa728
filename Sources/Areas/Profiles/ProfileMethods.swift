import KinKeeper
import KinModel
import KinStore

extension Profiles {
    private static let value = Shape.text(max: Limits.profileAboutCharactersMax)
    private static let valueSummary =
        "A birthday as 1984-02-29, or --02-29 without its year; of ways one line of at most \(Limits.profileWayCharactersMax) characters."
    private static let label = Shape.line(max: Limits.profileLabelCharactersMax)

    /// An entry. Its owner also sees with whom it is shared.
    private struct OwnEntry: WireRecord {
        let entry: ProfileEntry
        let audience: JSON?

        static let fields = Fields(
            nil, OwnEntry.init(entry:audience:), .all(of: \.entry),
            .optional("audience", \.audience, .json(SharedWith.shape), "With whom it is shared; for its owner."))
    }

    private static let result = Shape.object([.required("entry", OwnEntry.shape)])

    static let add = Method.command(
        "profile.add", "Says something of oneself, or of a child whose sharing one holds.", access: .signedIn,
        note: "a member has one about and one birthday: adding another puts it in the place of the one before",
        [
            .required("kind", Form<ProfileEntry.Kind>.word.shape),
            .required("value", value, valueSummary),
            .optional("label", label, "Of a way, such as work."),
            .optional(
                "audience", SharedWith.shape,
                SharedWith.summary + " everyone if left out, or the audience of the entry that it replaces."),
            .optional("member", .id, "A child whose sharing the caller holds; the caller if left out."),
        ],
        result: result, route: Route("POST", "/api/profiles", status: 201),
        events: [ProfileEntry.added, ProfileEntry.changed, ProfileEntry.shown, ProfileEntry.hidden],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            let member = try owner(params, act)
            guard let kind = ProfileEntry.Kind(rawValue: try params.string("kind")) else {
                throw Rejection(.invalid, "There is no such kind.", field: "kind")
            }
            let own = try StoredEntry.owned(by: member.id, act)
            if kind.isOnce, var entry = own.first(where: { $0.wire.kind == kind }) {
                return try change(&entry, params, act)
            }
            guard own.count < Limits.profileEntriesMax else {
                throw Rejection(
                    .tooLarge, "A profile has \(Limits.profileEntriesMax) entries at most; remove one first.")
            }
            var entry = StoredEntry(
                ProfileEntry(id: act.newIdentifier(), member: member.id, kind: kind, value: ""), sharedWith: .everyone)
            try entry.take(params, household: member.household, act)
            try entry.save(isChanged: false, act)
            return .done(try rendered(entry, act), ids: [entry.wire.id])
        })

    static let update = Method.command(
        "profile.update", "Changes what one says of oneself, or who sees it.", access: .signedIn,
        note: "oneself; who holds a child's sharing",
        [
            .required("entry", .id), .optional("value", value, valueSummary), .optional("label", .nullable(label)),
            .optional("audience", SharedWith.shape, SharedWith.summary),
        ],
        result: result, route: Route("PATCH", "/api/profiles/{entry}"),
        events: [ProfileEntry.changed, ProfileEntry.shown, ProfileEntry.hidden],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var entry = try StoredEntry.own(act, try params.id("entry"))
            return try change(&entry, params, act)
        })

    static let remove = Method.command(
        "profile.remove", "Takes back something that one said of oneself, from the log too.", access: .signedIn,
        note: "oneself; who holds a child's sharing", [.required("entry", .id)], result: .nothing,
        route: Route("DELETE", "/api/profiles/{entry}"), events: [ProfileEntry.removed],
        apply: { (act, params) throws(Rejection) in
            try StoredEntry.own(act, try params.id("entry")).remove(act)
            return .done([:])
        }
    ).freeingRoom()

    static let show = Method.query(
        "profile.list", "What members say of themselves, or one of them, as far as the caller sees it.",
        access: .signedIn, note: "who sees it; a guest what names the guest or the household",
        [.optional("member", .id, "Of this member only.")],
        result: .object([
            .required(
                "profiles", .list(OwnEntry.shape, max: Limits.membersMax * Limits.profileEntriesMax), "Oldest first.")
        ]),
        route: Route("GET", "/api/profiles"),
        apply: { (act, params) throws(Rejection) in
            let (caller, asked) = (try act.member.id, params.optionalID("member"))
            let entries: [StoredEntry]
            if let asked, try speaks(for: asked, act) {
                entries = try StoredEntry.owned(by: asked, act)
            } else {
                entries = try act.ask { (database) throws(StoreFailure) in
                    try StoredEntry.seen(by: caller, of: asked, database)
                }
            }
            var list: [JSON] = []
            for entry in entries { list.append(try json(of: entry, act)) }
            return .done(["profiles": .array(list)])
        }
    ).listing()

    static let one = Method.query(
        "profile.show", "One thing that a member says of oneself.", access: .signedIn, note: "who sees it",
        [.required("entry", .id)], result: result, route: Route("GET", "/api/profiles/{entry}"),
        apply: { (act, params) throws(Rejection) in
            .done(try rendered(try StoredEntry.visible(act, try params.id("entry")), act))
        })

    private static func change(
        _ entry: inout StoredEntry, _ params: Params, _ act: Act
    ) throws(Rejection) -> Outcome {
        let before = entry
        try entry.take(params, household: try act.member(entry.wire.member).household, act)
        if entry.wire != before.wire || entry.sharedWith != before.sharedWith {
            try entry.save(isChanged: entry.wire != before.wire, act)
        }
        return .done(try rendered(entry, act), ids: [entry.wire.id])
    }

    /// Whether the caller speaks for a member: oneself, and a child whose sharing the caller holds.
    static func speaks(for member: Identifier, _ act: Act) throws(Rejection) -> Bool {
        if act.isOneself(member) { return true }
        let found = try act.ask { (database) throws(StoreFailure) in try People.member(member, database) }
        guard let caller = act.caller.memberID, found?.kind == .child else { return false }
        return try act.hooks.guardian?(act, member) == caller
    }

    /// Whose profile a caller means.
    private static func owner(_ params: Params, _ act: Act) throws(Rejection) -> Member {
        var id = try act.member.id
        if let asked = params.optionalID("member") { id = asked }
        let member = try act.member(id)
        try act.require(
            try speaks(for: member.id, act),
            "Only members themselves say something of them, and who holds a child's sharing.")
        return member
    }

    private static func json(of entry: StoredEntry, _ act: Act) throws(Rejection) -> JSON {
        let audience = try speaks(for: entry.wire.member, act) ? entry.sharedWith : nil
        return OwnEntry(entry: entry.wire, audience: audience?.json).json
    }

    private static func rendered(_ entry: StoredEntry, _ act: Act) throws(Rejection) -> JSON {
        ["entry": try json(of: entry, act)]
    }

    /// The answer to a repeat: what is so now.
    private static func again(_ act: Act, _ ids: [Identifier]) throws(Rejection) -> JSON {
        guard let id = ids.first else { return [:] }
        return try rendered(try StoredEntry.own(act, id), act)
    }
}

extension StoredEntry {
    /// Takes what was given of its fields.
    fileprivate mutating func take(_ params: Params, household: Identifier, _ act: Act) throws(Rejection) {
        if let value = params.optionalString("value") { wire.value = try Self.checked(value, wire.kind, act) }
        if params["label"] != nil {
            let label = params.optionalString("label")
            guard label == nil || !wire.kind.isOnce else {
                throw Rejection(.invalid, "Only ways to reach somebody have a label.", field: "label")
            }
            wire.label = label
        }
        if let given = params["audience"] { sharedWith = try SharedWith(given, household: household, act) }
    }

    /// The value as it is kept. Refuses a value that cannot be of its kind.
    private static func checked(
        _ value: String, _ kind: ProfileEntry.Kind, _ act: Act
    ) throws(Rejection) -> String {
        switch kind {
        case .about:
            guard value.contains(where: { !$0.isWhitespace }) else {
                throw Rejection(.invalid, "value is empty; remove the entry instead.", field: "value")
            }
        case .birthday:
            guard let day = Birthday(value) else {
                throw Rejection(
                    .invalid, "A birthday is a day that there is: 1984-02-29, or --02-29 without its year.",
                    field: "value")
            }
            // The day may be tomorrow's by UTC where it is today already.
            let latest = act.now.adding(days: 1).description.prefix(10)
            guard day.year == nil || day.text <= latest else {
                throw Rejection(.invalid, "A birthday lies not in the future.", field: "value")
            }
            return day.text
        case .phone, .email, .address, .link:
            try Shape.line(max: Limits.profileWayCharactersMax).check(.string(value), field: "value")
            try checkWay(value, kind)
        }
        return value
    }

    private static func checkWay(_ value: String, _ kind: ProfileEntry.Kind) throws(Rejection) {
        if kind == .phone, !value.contains(where: { $0.isNumber }) {
            throw Rejection(.invalid, "A phone number has digits.", field: "value")
        }
        guard kind == .email else { return }
        let parts = value.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), !value.contains(where: { $0.isWhitespace }) else {
            throw Rejection(.invalid, "An e-mail address is such as name@example.org.", field: "value")
        }
    }
}
