import KinKeeper
import KinModel
import KinStore

extension Calendars {
    static let calendarResult = Shape.object([.required("calendar", FamilyCalendar.shape)])
    private static let named = Field.required("calendar", .id)
    private static let nameShape = Shape.line(max: Limits.nameCharactersMax)

    static let listCalendars = Method.query(
        "calendar.list",
        "The calendars of which the caller sees something. Ask again after an event of a calendar, a household or a member.",
        access: .signedIn, [],
        result: .object([
            .required("calendars", .list(FamilyCalendar.shape, max: Limits.calendarsMax)),
            .required("shared", .list(Shared.shape, max: Limits.calendarsMax), "Of those that the caller owns."),
            .required(
                "reminders", .list(Reminded.shape, max: Limits.calendarsMax),
                "Of those for which the caller set other reminders than their owners (calendar.remind)."),
            .required("subscribed", .list(Subscription.Told.shape, max: Limits.calendarsMax), "Of those from outside."),
            .required("outside", .bool, "Whether an admin allows that calendars are read outside."),
        ]),
        route: Route("GET", "/api/calendars"),
        apply: { (act, _) throws(Rejection) in
            guard let reader = try act.roster[try act.member.id] else {
                return .done(["calendars": [], "shared": [], "reminders": [], "subscribed": [], "outside": false])
            }
            let subscriptions = try Subscription.all(act)
            let reminders = try ownReminders(of: reader.id, act)
            let all = try StoredCalendar.all(act)
                .map { (calendar: $0, wire: $0.wire(to: reader)) }
                .filter { $0.wire.right > .none }
                .sorted { ($0.wire.kind.order, $0.wire.id) < ($1.wire.kind.order, $1.wire.id) }
            let own = all.prefix(Limits.calendarsMax).compactMap { one -> JSON? in
                guard one.wire.right >= .read, let minutes = reminders[one.calendar.number] else { return nil }
                return Reminded(calendar: one.wire.id, remind: minutes).json
            }
            return .done([
                "calendars": .array(all.prefix(Limits.calendarsMax).map(\.wire.json)),
                "shared": .array(
                    all.filter { $0.wire.right == .own && !$0.calendar.grants.isEmpty }.prefix(Limits.calendarsMax).map
                    {
                        let given = $0.calendar.grants.map { Shared.Given(with: $0.with, right: $0.right) }
                        return Shared(calendar: $0.wire.id, with: given).json
                    }),
                "reminders": .array(own),
                "subscribed": .array(
                    all.prefix(Limits.calendarsMax).compactMap {
                        subscriptions[$0.calendar.number]?.json(to: reader.id)
                    }), "outside": .bool(try Subscription.isAllowed(act)),
            ])
        })

    static let showCalendar = Method.query(
        "calendar.show", "One calendar, as the caller sees it.", access: .signedIn,
        note: "who sees something of it", [named], result: calendarResult,
        route: Route("GET", "/api/calendars/{calendar}"),
        apply: { (act, params) throws(Rejection) in
            .done(try rendered(try StoredCalendar.allowed(try params.id("calendar"), .busy, act), act))
        })

    /// The rights that a calendar's owner gave to others.
    private struct Shared: WireRecord {
        struct Given: WireRecord {
            /// `"everyone"`, or the identifier of a household or a member; the roster says which of the two.
            let with: JSON
            let right: FamilyCalendar.Right

            static let fields = Fields(
                nil, Given.init(with:right:), .required("with", \.with, .json(Calendars.withShape)),
                .required("right", \.right, .word))
        }

        let calendar: Identifier
        let with: [Given]

        static let fields = Fields(
            nil, Shared.init(calendar:with:), .required("calendar", \.calendar, .id),
            .required("with", \.with, .list(Given.form, max: Limits.calendarRightsMax)))
    }

    /// The times at which its reader is reminded of a calendar's entries.
    private struct Reminded: WireRecord {
        let calendar: Identifier
        let remind: [Int64]

        static let fields = Fields(
            nil, Reminded.init(calendar:remind:), .required("calendar", \.calendar, .id),
            .required("remind", \.remind, FamilyCalendar.remindForm, "Minutes before an entry's beginning."))
    }
    private static let remindField = Field.optional(
        "remind", FamilyCalendar.remindForm.shape,
        "Minutes before a new entry of it at which who may read it is reminded, unless they say otherwise.")
    private static let withShape = Shape.either(.oneOf(["everyone"]), .id)

    static let addCalendar = Method.command(
        "calendar.add", "Adds a calendar of the caller's.", access: .family,
        [
            .required("name", nameShape), .optional("color", FamilyCalendar.colorForm.shape, "#rrggbb."),
            remindField,
        ],
        result: calendarResult, route: Route("POST", "/api/calendars", status: 201), events: [FamilyCalendar.added],
        again: { (act, ids) throws(Rejection) in try again(act, calendar: ids) },
        apply: { (act, params) throws(Rejection) in
            let calendar = try add(
                named: try params.string("name"), color: try color(params),
                remind: StoredCalendar.minutes(asked: params["remind"]) ?? [], act)
            return .done(try rendered(calendar, act), ids: [calendar.id])
        })

    static let updateCalendar = Method.command(
        "calendar.update", "Gives a calendar another name or colour, which null takes away, or other reminders.",
        access: .signedIn,
        note: "who owns it; the address: who added it",
        [
            named, .optional("name", .nullable(nameShape)),
            .optional("color", .nullable(FamilyCalendar.colorForm.shape), "#rrggbb."), remindField,
            .optional("address", Subscription.addressForm.shape, "Of one from outside: where it is read from now on."),
        ],
        result: calendarResult, route: Route("PATCH", "/api/calendars/{calendar}"), events: [FamilyCalendar.updated],
        again: { (act, ids) throws(Rejection) in try again(act, calendar: ids) },
        apply: { (act, params) throws(Rejection) in
            var calendar = try StoredCalendar.allowed(try params.id("calendar"), .own, act)
            try calendar.take(params, act)
            if let address = params.optionalString("address") { try move(calendar, to: address, act) }
            return .done(try rendered(calendar, act), ids: [calendar.id])
        }
    ).freeingRoom()

    static let shareCalendar = Method.command(
        "calendar.share", "Says what somebody may do in a calendar besides those who may anyway; none takes it back.",
        access: .signedIn, note: "who owns it",
        [
            named, .required("with", withShape, "everyone (who is no guest), a household, or a member."),
            .required("right", Form<FamilyCalendar.Right>.word.shape),
        ],
        result: calendarResult, route: Route("PUT", "/api/calendars/{calendar}/rights"),
        events: [FamilyCalendar.shared],
        again: { (act, ids) throws(Rejection) in try again(act, calendar: ids) },
        apply: { (act, params) throws(Rejection) in
            var calendar = try StoredCalendar.allowed(try params.id("calendar"), .own, act)
            let right = FamilyCalendar.Right(rawValue: try params.string("right")) ?? .none
            guard calendar.kind != .subscribed || right <= .read else {
                throw Rejection(
                    .invalid, "Nobody writes into a calendar that is read outside; share it with read or busy.",
                    field: "right")
            }
            let whom = try whom(params, act)
            let roster = try act.roster
            let before = Dictionary(uniqueKeysWithValues: roster.entries.map { ($0.id, calendar.right(of: $0)) })
            try calendar.grant(right, to: whom, act)
            guard calendar.grants.count <= Limits.calendarRightsMax else {
                throw Rejection(
                    .tooLarge, "A calendar is shared with \(Limits.calendarRightsMax) at most.", field: "with")
            }
            let others = roster.entries.filter { calendar.right(of: $0) != before[$0.id] }
            func numbers(_ entries: [Roster.Entry]) -> Audience { Audience(entries.map(\.number)) }
            let lost = others.filter { (before[$0.id] ?? .none) >= .read && calendar.right(of: $0) < .read }
            let gained = others.filter { (before[$0.id] ?? .none) < .read && calendar.right(of: $0) >= .read }
            try calendar.takeFromSight(of: numbers(lost), act)
            try calendar.tell(FamilyCalendar.shared, to: numbers(others), act)
            try ShelfTrace.turn(numbers(others), act)
            // The calendar may hold many entries: members who gained or lost sight of it list entries again.
            try act.reset(numbers(lost + gained))
            return .done(try rendered(calendar, act), ids: [calendar.id])
        })

    static let removeCalendar = Method.command(
        "calendar.remove",
        "Removes a calendar that was added. What stands in it is erased, or goes into the caller's own; what the caller does not see of it goes to whose it is.",
        access: .signedIn, note: "who owns it",
        [named, .required("keep", .bool, "Whether entries go into the caller's own calendar.")],
        result: .nothing, route: Route("DELETE", "/api/calendars/{calendar}"),
        events: [FamilyCalendar.removed, Entry.removed, Entry.updated, Entry.hidden],
        apply: { (act, params) throws(Rejection) in
            let calendar = try StoredCalendar.allowed(try params.id("calendar"), .own, act)
            guard calendar.kind == .added || calendar.kind == .subscribed else {
                throw Rejection(.conflict, "Only a calendar that was added is removed.", field: "calendar")
            }
            if params["keep"]?.bool == true, let reader = try act.roster[try act.member.id] {
                for var stored in try calendar.entries(act) {
                    // An entry that the caller does not see goes to its owner's calendar: in the caller's own, the
                    // caller would see it.
                    let isSeen = stored.isSeen(by: reader, in: calendar)
                    guard var own = try StoredCalendar.find(isSeen ? reader.id : stored.wire.owner, act) else {
                        continue
                    }
                    let (before, seers) = (stored, try stored.seers(act))
                    if isSeen {
                        try stored.giveWay(in: own, act)
                    } else {
                        try stored.giveWayInSight(in: own, act)
                    }
                    try stored.save(instead: before, in: &own, seenBy: seers, act)
                }
            }
            try calendar.remove(act)
            return .done([:])
        }
    ).freeingRoom()

    // MARK: What is read

    /// A new calendar of the caller's.
    static func add(
        named name: String?, color: String?, remind: [Int64] = [], as kind: FamilyCalendar.Kind = .added, _ act: Act
    ) throws(Rejection) -> StoredCalendar {
        let member = try act.member
        let count = try act.first("SELECT count(*) FROM calendars WHERE owner = ?", .id(member.id)) { $0.int(0) }
        guard count ?? 0 < Limits.calendarsPerMemberMax else {
            throw Rejection(.tooLarge, "You have \(Limits.calendarsPerMemberMax) calendars, which is the most.")
        }
        var calendar = StoredCalendar(
            id: act.newIdentifier(), kind: kind, name: name, color: color, owner: member.id)
        calendar.remind = remind
        try calendar.save(act)
        try calendar.tell(FamilyCalendar.added, to: try act.roster.only(member.id), act)
        return calendar
    }

    static func color(_ params: Params) throws(Rejection) -> String? {
        guard let color = params.optionalString("color") else { return nil }
        try check(color: color)
        return color.lowercased()
    }

    /// Refuses a text that is no colour.
    static func check(color: String) throws(Rejection) {
        let digits = color.utf8.dropFirst()
        guard color.utf8.first == UInt8(ascii: "#"), digits.count == 6,
            digits.allSatisfy({
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0 | 0x20)
            })
        else { throw Rejection(.invalid, "color is such as #3366cc.", field: "color") }
    }

    private static func whom(_ params: Params, _ act: Act) throws(Rejection) -> StoredCalendar.Grant.Whom {
        guard let id = params.optionalID("with") else { return .everyone }
        let household = try act.first("SELECT 1 FROM households WHERE id = ?", .id(id)) { row in row.bool(0) }
        if household == true, act.sight?.contains(id) == true { return .household(id) }
        return .member(try act.member(id, field: "with").id)
    }

    static func rendered(_ calendar: StoredCalendar, _ act: Act) throws(Rejection) -> JSON {
        guard let reader = try act.roster[try act.member.id] else { return [:] }
        return ["calendar": calendar.wire(to: reader).json]
    }

    static func again(_ act: Act, calendar ids: [Identifier]) throws(Rejection) -> JSON {
        guard let id = ids.first else { return [:] }
        return try rendered(try StoredCalendar.allowed(id, .busy, act), act)
    }
}

extension StoredCalendar {
    /// Sets another name, colour or reminders, and tells the members who see the change.
    mutating func take(_ params: Params, _ act: Act) throws(Rejection) {
        if let name = params["name"] {
            guard name.string != nil || kind != .added else {
                throw Rejection(.invalid, "A calendar that was added needs a name.", field: "name")
            }
            self.name = name.string
        }
        if params["color"] != nil { color = try Calendars.color(params) }
        var isForReaders = false
        if let minutes = Self.minutes(asked: params["remind"]) {
            isForReaders = params["name"] == nil && params["color"] == nil && params["address"] == nil
            remind = minutes
        }
        try save(act)
        // Members who see only the times are not told about others' reminders.
        try tell(FamilyCalendar.updated, to: audience(isForReaders ? .read : .busy, try act.roster), act)
    }

    /// Sends the calendar to members, with each member's right in it.
    func tell(
        _ type: EventType<FamilyCalendar.Whole>, to audience: Audience, _ act: Act
    ) throws(Rejection) {
        let readers = Dictionary(grouping: try act.roster.entries(in: audience), by: { wire(to: $0).right })
        for right in Right.allCases {
            guard let some = readers[right], let one = some.first else { continue }
            try act.emit(
                type, .init(calendar: wire(to: one)), about: Calendars.about(calendar: id),
                to: Audience(some.map(\.number)), title: name, owner: owner)
        }
    }

    /// The entries in it.
    func entries(_ act: Act) throws(Rejection) -> [StoredEntry] {
        try act.ask { (database) throws(StoreFailure) in
            try StoredEntry.rows("WHERE e.calendar = ? ORDER BY e.number", [.int(number)], database)
        }
    }

    /// Takes its entries out of the sight of members. They are not told about these entries when they come back.
    func takeFromSight(of lost: Audience, _ act: Act) throws(Rejection) {
        guard !lost.isEmpty else { return }
        let (roster, wanting) = (try act.roster, try wanting(act))
        for var stored in try entries(act) {
            let blind = lost.subtracting(stored.seers(in: self, roster))
            guard !blind.isEmpty else { continue }
            try act.narrow(about: Calendars.about(stored.wire.id), by: blind)
            let some = roster.entries(in: blind).filter { wanting[stored.number]?.contains($0.id) == true }
            for entry in some { try stored.star(false, entry.id, except: lost, act) }
            try stored.forget(Audience(some.map(\.number)), act)
            try act.emit(
                Entry.hidden, .init(entry: stored.wire.id, meeting: stored.wire.meeting), about: "entries", to: blind,
                isHeard: true)
        }
    }

    /// The members who set a reminder or a star for entries in it, by the entry's number.
    private func wanting(_ act: Act) throws(Rejection) -> [Int64: Set<Identifier>] {
        let all = try act.rows(
            """
            SELECT w.entry, w.member FROM (
                SELECT entry, member FROM entry_reminders UNION SELECT entry, member FROM entry_alarms
                UNION SELECT entry, member FROM entry_stars
            ) w JOIN entries e ON e.number = w.entry WHERE e.calendar = ?
            """, .int(number)
        ) { row in (entry: row.int("entry"), member: row.identifier("member")) }
        return all.reduce(into: [:]) { wanting, one in wanting[one.entry, default: []].insert(one.member) }
    }

    /// Removes it with its entries.
    func remove(except leaving: Audience = Audience(), _ act: Act) throws(Rejection) {
        for stored in try entries(act) { try stored.remove(erasing: true, except: leaving, act) }
        let seers = audience(.busy, try act.roster)
        try act.run("DELETE FROM calendars WHERE number = ?", .int(number))
        try act.run("DELETE FROM shelf_names WHERE thing = ?1 OR calendar = ?1", .id(id))
        let about = Calendars.about(calendar: id)
        try act.narrow(about: about, by: Audience(try act.roster.entries.map(\.number)))
        try act.erase(about: about)
        if kind == .subscribed {
            // The address is then gone from the database file, too.
            act.truncateSoon()
            try Subscription.planNext(act)
        }
        guard kind == .added || kind == .subscribed else { return }
        try act.emit(
            FamilyCalendar.removed, .init(calendar: id), about: about, to: seers.subtracting(leaving), isHeard: true)
    }
}

extension StoredCalendar.Grant {
    fileprivate var with: JSON {
        switch whom {
        case .everyone: "everyone"
        case .household(let id), .member(let id): .id(id)
        }
    }
}

extension FamilyCalendar.Kind {
    /// The calendar's place in a list, by its kind.
    var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
