import KinCalendar
import KinKeeper
import KinModel
import KinStore

/// The queries of the gateway for CalDAV: calendars of which clients keep a copy.
extension Calendars {
    private static let nameShape = Shape.text(max: Limits.shelfNameCharactersMax)
    private static let onShelf = Field.required("shelf", nameShape, "The calendar, by the name that it has there.")
    private static let itemNamed = Field.required("name", nameShape)
    private static let conditions: [Field] = [
        .optional("tags", .list(.token(max: 100), max: 20), "Only while its validator is one of these (If-Match)."),
        .optional("there", .bool, "Only where there is one (If-Match: *)."),
        .optional("plan", .token(max: 100), "Only while its Schedule-Tag is this."),
    ]

    static let shelves = Method.query(
        "calendar.shelves", "The caller's calendars, as clients keep them.", access: .signedIn,
        [
            .optional("shelf", nameShape, "Only this one."),
            .optional("sync", .bool, "With where a client stands that knows all of them."),
        ],
        result: .any,
        apply: { (act, params) throws(Rejection) in
            let isWhole = params["sync"]?.bool ?? false
            let some = params.has("shelf") ? [try Shelf.named(params, act)] : try Shelf.all(act)
            var all: [JSON] = []
            for shelf in some {
                let calendar = shelf.calendar
                let name = try ShelfName.name(of: calendar.id, in: nil, of: shelf.reader.id, act)
                var sync: JSON?
                if isWhole {
                    sync = .string(shelf.token(try shelf.position(act), try shelf.made(act), act))
                }
                all.append(
                    .object(leavingOut: [
                        "shelf": .string(name ?? calendar.id.description), "kind": .string(calendar.kind.rawValue),
                        "name": calendar.name.map { .string($0) }, "title": try title(shelf, act).map { .string($0) },
                        "color": calendar.color.map { .string($0) }, "owner": calendar.owner.map { .id($0) },
                        "right": .string(shelf.right.rawValue), "sync": sync,
                    ]))
            }
            return .done([
                "shelves": .array(all),
                "language": try act.hooks.settings?(act, try act.member.id).language.map { .string($0.rawValue) }
                    ?? .null,
                "zone": .string(try zone(of: try act.member.id, act).name),
            ])
        }
    ).scoped(.calendar).forGateways()

    /// The name of the household or member to whom a calendar without a name belongs.
    private static func title(_ shelf: Shelf, _ act: Act) throws(Rejection) -> String? {
        switch shelf.calendar.kind {
        case .family: try act.family().name
        case .household:
            try act.first("SELECT name FROM households WHERE id = ?", .id(shelf.calendar.id)) { row in row.text(0) }
        case .personal:
            try act.first("SELECT display_name FROM members WHERE id = ?", .id(shelf.calendar.id)) { row in
                row.text(0)
            }
        case .added, .subscribed, .meetings, .toDecide, .birthdays: nil
        }
    }

    static let shelfItems = Method.query(
        "calendar.items", "What is on a shelf, in the order of its changes, and what went.", access: .signedIn,
        [
            onShelf, .optional("names", .list(nameShape, max: Limits.shelfItemsMax)),
            .optional("since", .token(max: 64), "Only what was changed since a client stood there."),
            .optional("after", .integer(0...Int64.max), "next of the answer before."),
            .optional("until", .integer(0...Int64.max), "until of the first answer."),
            .optional("limit", .integer(1...Int64(Limits.shelfItemsMax))),
            .optional("data", .bool, "With what they say."), .optional("from", .time), .optional("to", .time),
            .optional("expandFrom", .time, "Each occurrence between this and expandTo by itself."),
            .optional("expandTo", .time),
            .optional("zone", .token(max: 64), "The IANA zone in which whole days are read; the caller's if left out."),
        ],
        result: .any,
        apply: { (act, params) throws(Rejection) in
            let reading = try ShelfReading(params, act)
            if let names = params["names"]?.array {
                return .done(try reading.named(names.compactMap(\.string), act))
            }
            return .done(try reading.page(params, act))
        }
    ).scoped(.calendar).forGateways().readingLong(
        when: { ShelfReading.isLong($0) },
        admit: { (act, params, before: ShelfList?) throws(Rejection) in
            try ShelfList(params, asked: before, act)
        },
        begin: { (_) in ShelfList.Found() },
        read: { (database, asked, found, _) throws(StoreFailure) in
            // One pass: a page has few entries.
            try asked.read(&found, database)
            return true
        },
        answer: { (act, params, asked, found) throws(Rejection) in
            .done(try ShelfReading(params, act).page(asked, found, params, act))
        })

    static let putItem = Method.command(
        "calendar.putItem", "Makes an entry of an object of iCalendar, changes one, or answers to one.",
        access: .signedIn,
        [
            onShelf, itemNamed, .required("text", .any, "The object."),
            .optional("absent", .bool, "Only where there is none (If-None-Match: *)."),
            .optional("from", nameShape, "Of a copy, the calendar in which its original stands."),
            .optional("original", nameShape, "Of a copy, the name that its original has there."),
        ] + conditions,
        result: .any, events: [Entry.added, Entry.updated, Entry.shown, Entry.hidden, Entry.answered],
        apply: { (act, params) throws(Rejection) in try ShelfWriting(params, act).put(act) }
    ).scoped(.calendar).forGateways()

    static let dropItem = Method.command(
        "calendar.dropItem", "Removes the entry under a name, or declines it.", access: .signedIn,
        [onShelf, itemNamed, .optional("silent", .bool, "Whether who is invited goes without an answer.")] + conditions,
        result: .any, events: [Entry.removed, Entry.answered],
        apply: { (act, params) throws(Rejection) in try ShelfWriting(params, act).drop(act) }
    ).scoped(.calendar).freeingRoom().forGateways()

    static let moveItem = Method.command(
        "calendar.moveItem", "Moves the entry under a name to another calendar.", access: .signedIn,
        [
            onShelf, itemNamed, .required("to", nameShape, "The other calendar, by the name that it has there."),
            .required("as", nameShape, "The name that it has there."),
            .optional("overwrite", .bool, "Instead of what stands there."),
        ] + conditions,
        result: .any, events: [Entry.updated, Entry.shown, Entry.hidden, Entry.removed],
        apply: { (act, params) throws(Rejection) in try ShelfWriting(params, act).move(act) }
    ).scoped(.calendar).forGateways()

    // MARK: Calendars themselves

    private static let look: [Field] = [
        .optional("name", .nullable(.line(max: Limits.nameCharactersMax))),
        .optional("color", .nullable(FamilyCalendar.colorForm.shape), "#rrggbb."),
    ]

    static let makeShelf = Method.command(
        "calendar.makeShelf", "Adds a calendar of the caller's, under a name of a client's.", access: .family,
        [onShelf] + look, result: .any, events: [FamilyCalendar.added],
        apply: { (act, params) throws(Rejection) in
            let name = try params.string("shelf")
            guard try Shelf.find(name, act) == nil else {
                return ShelfWriting.Refusal(rule: "there", sentence: "There is a calendar there already.").outcome
            }
            let calendar = try add(
                named: params.optionalString("name") ?? String(name.prefix(Limits.nameCharactersMax)),
                color: try color(params), act)
            try ShelfName.give(name, to: calendar.id, in: nil, of: try act.member.id, act)
            return .done([:], ids: [calendar.id])
        }
    ).scoped(.calendar).forGateways()

    static let setShelf = Method.command(
        "calendar.setShelf", "Gives a calendar another name or colour.", access: .signedIn, [onShelf] + look,
        result: .any, events: [FamilyCalendar.updated],
        apply: { (act, params) throws(Rejection) in
            var calendar = try owned(params, act)
            try calendar.take(params, act)
            return .done([:], ids: [calendar.id])
        }
    ).scoped(.calendar).forGateways()

    static let dropShelf = Method.command(
        "calendar.dropShelf", "Removes a calendar that was added and in which nothing stands.", access: .signedIn,
        [onShelf], result: .any, events: [FamilyCalendar.removed],
        apply: { (act, params) throws(Rejection) in
            let calendar = try owned(params, act)
            guard calendar.kind == .added else {
                return ShelfWriting.Refusal(
                    rule: "kept", sentence: "Only a calendar that was added is removed."
                ).outcome
            }
            guard try calendar.entries(act).isEmpty else {
                return ShelfWriting.Refusal(
                    rule: "kept",
                    sentence: "Entries stand in this calendar; remove them first, or remove it in Kinwire."
                ).outcome
            }
            try calendar.remove(act)
            return .done([:], ids: [calendar.id])
        }
    ).scoped(.calendar).freeingRoom().forGateways()

    private static func owned(_ params: Params, _ act: Act) throws(Rejection) -> StoredCalendar {
        let shelf = try Shelf.named(params, act)
        guard shelf.right == .own else {
            throw Rejection(.forbidden, "Only who owns a calendar shares, changes or removes it.", field: "shelf")
        }
        return shelf.calendar
    }

    static let shelfBusy = Method.query(
        "calendar.busyTimes", "When something is on a shelf, put together where it touches.", access: .signedIn,
        [onShelf, .required("from", .time), .required("to", .time)], result: .any,
        apply: { (act, params) throws(Rejection) in
            let shelf = try Shelf.named(params, act)
            return .done(["busy": .array(try shelf.busyTimes(params, act).map(\.json))])
        }
    ).scoped(.calendar).forGateways()

    static let freeOf = Method.query(
        "calendar.freeOf", "When members are busy, as far as their calendars show the caller.", access: .family,
        [
            .required("from", .time), .required("to", .time),
            .required("members", .list(.id, max: Limits.freeMembersMax)),
            .optional(
                "addresses", .list(.line(max: 320), max: Limits.freeMembersMax),
                "Of others, by e-mail addresses that they show the caller."),
        ],
        result: .any,
        apply: { (act, params) throws(Rejection) in
            let question = try EntryQuestion(params, act)
            var members: [JSON] = []
            var asked: [(id: Identifier, address: String?)] = []
            for id in (params["members"]?.array ?? []).compactMap(\.identifier) { asked.append((id, nil)) }
            if let addresses = params["addresses"]?.array?.compactMap(\.string), !addresses.isEmpty {
                let book = try MailBook(of: try act.member.id, act)
                for address in addresses {
                    if let id = book.member(at: address) { asked.append((id, address)) }
                }
            }
            for (id, address) in asked {
                guard let entry = try act.roster[id], act.sight?.contains(entry.household) == true,
                    let plans = try question.plans(of: id, act)
                else { continue }
                let busy = BusySpan.merged(
                    plans.map { BusySpan(start: $0.start, end: $0.end, isTentative: $0.isTentative) })
                members.append(
                    .object(leavingOut: [
                        "member": .id(id), "address": address.map { .string($0) },
                        "busy": .array(busy.map(\.json)),
                    ]))
            }
            return .done(["members": .array(members)])
        }
    ).scoped(.calendar).forGateways()
}
