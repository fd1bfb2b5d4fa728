import KinCodec
import KinKeeper
import KinModel
import KinStore

extension Calendars {
    private static let named = Field.required("entry", .id)

    /// An entry in the bin.
    private struct Binned: WireRecord {
        let entry: Entry
        let at: Instant
        let by: Identifier?

        static let fields = Fields(
            nil, Binned.init(entry:at:by:), .required("entry", \.entry, Entry.form),
            .required("at", \.at, .time, "When it was removed."), .optional("by", \.by, .id, "Who removed it."))
    }

    static let bin = Method.query(
        "entry.bin", "What was removed and can be brought back, the latest first.", access: .signedIn,
        note: "what was the caller's own, or stood in a calendar that the caller owns", [],
        result: .object([.required("entries", .list(Binned.shape, max: Int(Limits.entriesPerAnswerMax)))]),
        route: Route("GET", "/api/entries/bin"),
        apply: { (act, _) throws(Rejection) in
            let all = try gone("body IS NOT NULL ORDER BY g.number DESC", [], act)
            let binned = all.prefix(Int(Limits.entriesPerAnswerMax)).compactMap { gone -> Binned? in
                gone.entry.map { Binned(entry: $0, at: gone.at, by: gone.remover) }
            }
            return .done(["entries": .array(binned.map(\.json))])
        })

    static let restore = Method.command(
        "entry.restore", "Brings back something that was removed.", access: .family,
        note: "whose it was, and who owns the calendar", [named],
        result: .object([.required("entry", Entry.shape)]), route: Route("POST", "/api/entries/{entry}/restoration"),
        events: [Entry.added],
        again: { (act, ids) throws(Rejection) in
            guard let id = ids.first else { return [:] }
            return ["entry": try StoredEntry.visible(act, id).wire.json]
        },
        apply: { (act, params) throws(Rejection) in
            let found = try goneOne(params, act)
            guard var entry = found.entry, var calendar = try StoredCalendar.numbered(found.calendar, act) else {
                throw Rejection.notFound("entry", try params.id("entry").description, field: "entry")
            }
            try spend(act)
            let roster = try act.roster
            entry.invitees.removeAll { roster[$0.member] == nil }
            entry.answers.removeAll { roster[$0.member] == nil }
            var stored = StoredEntry(entry, uid: found.uid)
            stored.raw = found.raw
            stored.sharedWith = found.sharedWith
            try act.run("DELETE FROM entries_gone WHERE id = ?", .id(entry.id))
            try stored.giveWay(in: calendar, act)
            try stored.save(instead: nil, in: &calendar, act)
            try stored.remindAgain(found.wishes, found.alarms, act)
            return .done(["entry": stored.wire.json], ids: [entry.id])
        })

    static let erase = Method.command(
        "entry.erase", "Erases something that was removed.", access: .signedIn,
        note: "whose it was, and who owns the calendar", [named], result: .nothing,
        route: Route("DELETE", "/api/entries/{entry}/restoration"), events: [],
        apply: { (act, params) throws(Rejection) in
            let found = try goneOne(params, act)
            try act.run("UPDATE entries_gone SET body = NULL, raw = NULL WHERE number = ?", .int(found.number))
            act.truncateSoon()
            return .done([:])
        }
    ).freeingRoom()

    /// A removed entry.
    struct Gone {
        let number: Int64
        let calendar: Int64
        let uid: String
        let at: Instant
        let remover: Identifier?
        let entry: Entry?
        let raw: String?
        let sharedWith: SharedWith?
        /// The members who set reminders for it, with the times of each.
        let wishes: [JSON]
        /// Its alarms, each with the member in whose programs it rang.
        let alarms: [JSON]
    }

    /// Removes from the bin the wishes and answers of a member who leaves about others' entries.
    static func forgetInBin(_ member: Identifier, _ act: Act) throws(Rejection) {
        let bodies = try act.rows(
            "SELECT number, body FROM entries_gone WHERE body IS NOT NULL AND instr(body, ?) > 0",
            .text(member.description)
        ) { row in (number: row.int("number"), body: row.optionalText("body") { try? JSON.parse(Array($0.utf8)) }) }
        for (number, body) in bodies {
            guard var body else { continue }
            for name in ["remind", "alarms", "invitees", "answers"] {
                guard let all = body[name]?.array else { continue }
                body[name] = .array(all.filter { $0["member"]?.identifier != member })
            }
            try act.run("UPDATE entries_gone SET body = ? WHERE number = ?", .text(body.text), .int(number))
        }
    }

    private static func goneOne(_ params: Params, _ act: Act) throws(Rejection) -> Gone {
        let id = try params.id("entry")
        guard let found = try gone("g.id = ?2 AND body IS NOT NULL", [.id(id)], act).first else {
            throw Rejection.notFound("entry", id.description, field: "entry")
        }
        return found
    }

    /// Removed entries that were the caller's own, or stood in a calendar that the caller owns and sees.
    private static func gone(_ condition: String, _ values: [Value], _ act: Act) throws(Rejection) -> [Gone] {
        let member = try act.member
        let sight = try CalendarSight(act)
        let own = Set(
            sight.calendars.values.filter { $0.right(of: sight.reader) == .own && $0.number != 0 }.map(\.number))
        let all = try act.ask { (database) throws(StoreFailure) in
            try database.rows(
                """
                SELECT g.number, g.calendar, g.uid, g.at, g.remover, g.body, g.raw, g.owner, g.audience,
                g.audience_ids FROM entries_gone g
                WHERE (?1 IS NOT NULL) AND \(condition)
                """, values: [.id(member.id)] + values
            ) { (row) throws(StoreFailure) -> (Gone, Identifier) in
                let body = row.optionalText("body") { try? JSON.parse(Array($0.utf8)) }
                let gone = Gone(
                    number: row.int("number"), calendar: row.int("calendar"), uid: row.text("uid"),
                    at: row.instant("at"), remover: row.optionalIdentifier("remover"),
                    entry: body.flatMap { Entry($0) }, raw: row.optionalText("raw"),
                    sharedWith: EntryAudience.read(row, "audience", "audience_ids"),
                    wishes: body?["remind"]?.array ?? [], alarms: body?["alarms"]?.array ?? [])
                return (gone, row.identifier("owner"))
            }
        }
        return all.filter { gone, owner in
            owner == member.id
                || (own.contains(gone.calendar) && gone.entry?.privacy == .public
                    && gone.sharedWith?.includes(sight.reader, of: owner) != false)
        }.map(\.0)
    }

    // MARK: Categories

    static let listCategories = Method.query(
        "category.list",
        "The family's categories: those every family has, and its own. Ask again after category.set.",
        access: .signedIn, [],
        result: .object([.required("categories", .list(Category.shape, max: Limits.categoriesMax + 13))]),
        route: Route("GET", "/api/categories"),
        apply: { (act, _) throws(Rejection) in
            let own = try act.rows("SELECT \(Category.columns.names) FROM entry_categories ORDER BY name") {
                (row) throws(StoreFailure) in try Category.columns.read(row)
            }
            let fixed = Entry.categories.filter { name in !own.contains { $0.name.hasSameBytes(as: name) } }
            return .done(["categories": .array((fixed.map { Category(name: $0) } + own).map(\.json))])
        })

    /// A category as it is listed; those of the family's own are stored so.
    private struct Category: WireRecord {
        let name: String
        var color: String?
        var icon: String?

        static let fields = Fields(
            nil, Category.init(name:color:icon:), .required("name", \.name, Entry.categoryForm),
            .optional("color", \.color, FamilyCalendar.colorForm, "#rrggbb."),
            .optional("icon", \.icon, .line(max: 8), "A sign, such as an emoji."))
        static let columns = Columns<Category>()
    }

    static let setCategory = Method.command(
        "category.set",
        "Adds a category of the family's own, or gives one another colour and sign; both null remove it.",
        access: .admins,
        [
            .required("category", Entry.categoryForm.shape),
            .required("color", .nullable(FamilyCalendar.colorForm.shape), "#rrggbb."),
            .required("icon", .nullable(.line(max: 8)), "A sign, such as an emoji."),
        ],
        result: .nothing, route: Route("PUT", "/api/categories/{category}"), events: [EntryCategory.changed],
        apply: { (act, params) throws(Rejection) in
            let name = try params.string("category")
            let (color, icon) = (params.optionalString("color"), params.optionalString("icon"))
            if let color { try check(color: color) }
            guard color != nil || icon != nil else {
                try act.run("DELETE FROM entry_categories WHERE name = ?", .text(name))
                try tell(EntryCategory(category: name, color: nil, icon: nil), act)
                return .done([:])
            }
            let count = try act.first("SELECT count(*) FROM entry_categories WHERE name <> ?", .text(name)) { row in
                row.int(0)
            }
            guard count ?? 0 < Int64(Limits.categoriesMax) else {
                throw Rejection(
                    .tooLarge, "A family has \(Limits.categoriesMax) categories of its own at most.", field: "category")
            }
            try act.run(
                """
                INSERT INTO entry_categories (name, color, icon) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET color = excluded.color, icon = excluded.icon
                """, .text(name), Value(color?.lowercased()), Value(icon))
            try tell(EntryCategory(category: name, color: color?.lowercased(), icon: icon), act)
            return .done([:])
        })

    /// Everybody lists categories, guests too.
    private static func tell(_ category: EntryCategory, _ act: Act) throws(Rejection) {
        let everybody = Audience(try act.roster.entries.filter { !$0.isWall }.map(\.number))
        try act.emit(EntryCategory.changed, category, about: "categories", to: everybody)
    }

    /// Whether it is a category that every family has, or one of the family's own.
    static func hasCategory(_ name: String, _ act: Act) throws(Rejection) -> Bool {
        if Entry.categories.contains(where: { $0.hasSameBytes(as: name) }) { return true }
        let known = try act.first("SELECT 1 FROM entry_categories WHERE name = ?", .text(name)) { row in row.bool(0) }
        return known == true
    }

    /// Refuses a category that the family does not have.
    static func checkCategory(_ name: String, _ act: Act) throws(Rejection) {
        guard try hasCategory(name, act) else {
            throw Rejection(
                .invalid,
                "There is no category \(Text.quoted(name)); category.list has them, and admins add some.",
                field: "category")
        }
    }
}
