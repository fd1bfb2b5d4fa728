import KinCalendar
import KinICal
import KinKeeper
import KinModel
import KinStore

extension Lists {
    /// The fields of an item; a new one has a text.
    private static let edit = Shape.object([
        .required("id", .id, "Made by the client for a new item (UUIDv7); it means something in its list alone."),
        .optional(
            "at", .time,
            "When it was said, by the daemon's clock as far as the client knows it; now if left out, and where it is later."
        ),
        .optional(
            "edit", .id,
            "Made by the client for this edit (UUIDv7): of two of the same moment the one with the greater stands, in each field that both say."
        ),
        .optional("text", ListItem.textForm.shape, "A new item must have one."),
        .optional("amount", .nullable(ListItem.amountForm.shape), "Of the unit; of pieces where there is none."),
        .optional("unit", .nullable(ListItem.unitForm.shape), "Such as kg."),
        .optional("section", .nullable(ListItem.sectionForm.shape)),
        .optional("note", .nullable(ListItem.noteForm.shape)),
        .optional("member", .nullable(.id), "Who is to do it, or whom it is for; who sees the list."),
        .optional("due", .nullable(ListItem.dueForm.shape), "A day, such as 2026-11-24; what repeats begins with it."),
        .optional("order", .nullable(ListItem.orderForm.shape), ListItem.orderSummary),
        .optional("ticked", .bool, "What repeats is then due again by its rule, after this day and after today."),
        .optional(
            "occurrence", ListItem.dueForm.shape,
            "Of what repeats, the day that ticked is said of; the one that is due if left out, or was ticked last."),
        .optional(
            "repeat", .nullable(ListItem.ruleForm.shape),
            "When it is due again: daily, weekdays, weekly, biweekly, monthly, yearly, or an RRULE by days."),
        .optional(
            "turns", .nullable(ListItem.turnsForm.shape),
            "Members who take turns at what repeats, whose turn it is now first; each sees the list."),
    ])
    private static let calledItems = Field.required(
        "items", .list(.id, max: Limits.itemsPerCallMax),
        "One that is not there changes nothing now; if it is put later, it is removed already.")
    private static let result = Shape.object([
        .required("items", .list(ListItem.shape, max: Limits.itemsPerCallMax), "As they are now."),
        .required(
            "removed", .list(.id, max: Limits.itemsPerCallMax),
            "Those that somebody removed: they stay removed, whatever was said of them."),
    ])

    static let put = Method.command(
        "item.put", "Puts items on a list, changes, ticks or moves them: of each field the later word stands.",
        access: .signedIn, note: "who sees the list",
        [.required("list", .id), .required("items", .list(edit, max: Limits.itemsPerCallMax))],
        result: result, route: Route("POST", "/api/lists/{list}/items"), events: [ListItem.put],
        again: { (act, ids) throws(Rejection) in
            guard let id = ids.first else { return [:] }
            return try rendered(Array(ids.dropFirst()), in: try StoredList.visible(act, id), act)
        },
        apply: { (act, params) throws(Rejection) in
            let list = try StoredList.visible(act, try params.id("list"))
            try StoredItem.forgetRemoved(in: list, act)
            var ids: [Identifier] = []
            for given in params["items"]?.array ?? [] {
                let edit = try meant(Params(given.object ?? [:]), list, act)
                try take(edit, in: list, act)
                if !ids.contains(edit.id) { ids.append(edit.id) }
            }
            return .done(try rendered(ids, in: list, act), ids: [list.wire.id] + ids)
        }
    ).takingList(as: "items")

    static let removeItems = Method.command(
        "item.remove", "Takes items off a list for good, from the log too.", access: .signedIn,
        note: "who sees the list", [.required("list", .id), calledItems], result: .nothing,
        route: Route("POST", "/api/lists/{list}/items/remove"), events: [ListItem.removed],
        apply: { (act, params) throws(Rejection) in
            let list = try StoredList.visible(act, try params.id("list"))
            try StoredItem.forgetRemoved(in: list, act)
            for id in params["items"]?.array?.compactMap(\.identifier) ?? [] {
                guard let item = try StoredItem.find(id, in: list, act) else {
                    try rememberUnseen(id, in: list, act)
                    continue
                }
                if !item.isRemoved { try item.remove(from: list, act) }
            }
            return .done([:])
        }
    ).freeingRoom()

    /// A text that stood on a list, with what it had last.
    private struct Suggested: WireRecord {
        let text: String
        let unit: String?
        let section: String?

        static let fields = Fields(
            nil, Suggested.init(text:unit:section:), .required("text", \.text, ListItem.textForm),
            .optional("unit", \.unit, ListItem.unitForm, "As it was last."),
            .optional("section", \.section, ListItem.sectionForm, "As it was last."))
        static let columns = Columns<Suggested>()
    }

    static let suggest = Method.query(
        "item.suggest", "What stands on lists that the caller sees and begins so, the most frequent first.",
        access: .signedIn, note: "who sees the lists",
        [
            .required("words", .line(max: Limits.listSearchCharactersMax), "What a text begins with, or a word of it."),
            .optional("kind", Form<SharedList.Kind>.word.shape, "Of such lists only."),
        ],
        result: .object([.required("suggestions", .list(Suggested.shape, max: Limits.itemsSuggestedMax))]),
        route: Route("GET", "/api/items/suggest"),
        apply: { (act, params) throws(Rejection) in
            let (member, begin) = (try act.member.id, try params.string("words").lowercased())
            let found = try act.rows(
                """
                SELECT \(Suggested.columns.names(of: "i")), max(i.number) FROM list_items i
                WHERE i.owner_list IN (
                    SELECT s.list FROM list_sight s JOIN lists l ON l.number = s.list
                    WHERE s.member = ?1 AND l.kind = coalesce(?2, l.kind)
                ) AND i.removed_at IS NULL AND instr(' ' || i.plain, ' ' || ?3) > 0
                GROUP BY i.plain ORDER BY count(*) DESC, max(i.number) DESC LIMIT \(Limits.itemsSuggestedMax)
                """, .id(member), Value(params.optionalString("kind")), .text(begin)
            ) { (row) throws(StoreFailure) in try Suggested.columns.read(row) }
            return .done(["suggestions": .array(found.map(\.json))])
        })

    /// Merges an edit into its item, or makes the item of it.
    static func take(_ edit: ItemEdit, in list: StoredList, _ act: Act) throws(Rejection) {
        let found = try StoredItem.find(edit.id, in: list, act)
        if found?.isRemoved == true { return }
        if found == nil {
            guard edit.values[.text] != nil else {
                throw Rejection(
                    .notFound, "There is no item \(edit.id) on the list; a new one needs a text.", field: "items")
            }
            guard try StoredItem.count(in: list, act) < Limits.listItemsMax else {
                throw Rejection(
                    .tooLarge, "A list has \(Limits.listItemsMax) items at most; remove what is done with first.",
                    field: "items")
            }
        }
        var item = found ?? StoredItem(ListItem(list: list.wire.id, id: edit.id, text: ""))
        if let day = edit.occurrence, item.said.ticks[day] == nil, item.said.ticks.count >= Limits.itemTicksMax {
            throw Rejection(
                .tooLarge, "It was ticked \(Limits.itemTicksMax) times; take it off the list and put it there anew.",
                field: "items")
        }
        let before = item.wire
        guard item.said.take(edit) else { return }
        try item.save(in: list, act)
        guard item.wire != before else { return }
        // The former words go with every row that has them, including rows without a key.
        if found != nil, item.wire.text != before.text || item.wire.note != before.note {
            try act.erase(about: about(item.wire.key), of: [ListItem.put])
        }
        try tell(item, of: list, to: try shared.seers(of: list.number, act), act)
    }

    /// Remembers the removal of an item that never came here: the phone that made it may be reached after the one that
    /// removed it. Each is a row, so a member has a share of them; those above it are not remembered.
    private static func rememberUnseen(_ id: Identifier, in list: StoredList, _ act: Act) throws(Rejection) {
        if try unseenRemovals.take(1, of: Limits.unseenRemovalsPerDayMax, for: try act.member.id, act) {
            try StoredItem.rememberRemoval(of: id, in: list, act)
        }
    }

    /// Tells members the present state of an item.
    static func tell(
        _ item: StoredItem, of list: StoredList, to audience: Audience, _ act: Act
    ) throws(Rejection) {
        let about = about(item.wire.key)
        try act.emit(
            ListItem.put, .init(item: item.wire), about: about, to: audience, key: about, title: list.wire.name)
    }

    /// The edit that the given fields mean for an item.
    private static func meant(_ given: Params, _ list: StoredList, _ act: Act) throws(Rejection) -> ItemEdit {
        let edit = try ItemEdit(given, list, act)
        guard edit.values[.ticked] != nil || edit.values[.repeats] != nil else { return edit }
        let item =
            try StoredItem.find(edit.id, in: list, act)?.wire ?? ListItem(list: list.wire.id, id: edit.id, text: "")
        var meant = edit.meant(of: item, today: edit.through ?? "")
        if let word = meant.values[.repeats]?.string {
            let start = meant.values[.due]?.string ?? item.due ?? ""
            meant.values[.repeats] = .string(try rule(word, from: start))
        }
        return meant
    }

    private static let ruleWords = ["daily", "weekdays", "weekly", "biweekly", "monthly", "yearly"]

    /// A rule as it is written down, from a word or from a rule.
    private static func rule(_ text: String, from start: String) throws(Rejection) -> String {
        guard let day = Civil(start + "T00:00") else {
            throw Rejection(.invalid, "due is a day that there is, such as 2026-11-24.", field: "due")
        }
        let rule =
            switch text {
            case "daily": RecurrenceRule("FREQ=DAILY")
            case "weekdays": RecurrenceRule("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")
            case "weekly": RecurrenceRule("FREQ=WEEKLY")
            case "biweekly": RecurrenceRule("FREQ=WEEKLY;INTERVAL=2")
            case "monthly": RecurrenceRule.monthly(clampedTo: day.day) ?? RecurrenceRule("FREQ=MONTHLY")
            case "yearly":
                day.month == 2 && day.day == 29
                    ? RecurrenceRule("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1")
                    : RecurrenceRule("FREQ=YEARLY")
            default: RecurrenceRule(text)
            }
        guard let rule, rule.description.utf8.count <= Limits.itemRuleCharactersMax else {
            throw Rejection(
                .invalid, "repeat is \(ruleWords.joined(separator: ", ")), or a rule such as FREQ=WEEKLY;BYDAY=TU.",
                field: "repeat")
        }
        guard rule.isExpanded else {
            throw Rejection(
                .invalid, "What repeats by the hour or more often stands on no list; repeat it by the day.",
                field: "repeat")
        }
        guard Series(start: day, isAllDay: true, rules: [rule]).mayRepeat else {
            throw Rejection(.invalid, "By this rule it never repeats; give another, or none.", field: "repeat")
        }
        return rule.description
    }

    private static func rendered(
        _ ids: [Identifier], in list: StoredList, _ act: Act
    ) throws(Rejection) -> JSON {
        var (items, removed): ([JSON], [JSON]) = ([], [])
        for id in ids {
            guard let item = try StoredItem.find(id, in: list, act), !item.isRemoved else {
                removed.append(.id(id))
                continue
            }
            items.append(item.wire.json)
        }
        return ["items": .array(items), "removed": .array(removed)]
    }
}

extension ItemEdit {
    /// Reads the fields that were given of an item.
    fileprivate init(_ given: Params, _ list: StoredList, _ act: Act) throws(Rejection) {
        id = try given.id("id")
        by = try act.member.id
        at = min(given.optionalTime("at") ?? act.now, act.now)
        guard at >= StoredItem.oldest(act) else {
            throw Rejection(
                .invalid,
                "What was said more than \(Limits.itemRemovedDays) days ago is not taken any more; leave at out to say it now.",
                field: "at")
        }
        var values: [Field: JSON] = [:]
        for field in Field.allCases { values[field] = given[field.rawValue] }
        // Numbers are compared as they are written down.
        if let amount = values[.amount]?.double { values[.amount] = .double(amount) }
        if let day = values[.due]?.string, !Self.isDay(day) {
            throw Rejection(.invalid, "due is a day that there is, such as 2026-11-24.", field: "due")
        }
        if let day = given.optionalString("occurrence") {
            guard Self.isDay(day) else {
                throw Rejection(
                    .invalid, "occurrence is a day that there is, such as 2026-11-24.", field: "occurrence")
            }
            occurrence = day
        }
        let turns = values[.turns]?.array?.compactMap(\.identifier)
        if turns?.isEmpty == true { values[.turns] = .null }
        guard Set(turns ?? []).count == turns?.count ?? 0 else {
            throw Rejection(.invalid, "A member stands in turns once.", field: "turns")
        }
        for member in turns ?? [] { try Self.check(member, "turns", list, act) }
        if let member = values[.member]?.identifier { try Self.check(member, "member", list, act) }
        if values[.ticked] != nil || values[.repeats] != nil { through = Lists.day(of: at, try Lists.zone(act)) }
        self.values = values
        edit = given.optionalID("edit")
    }

    /// Refuses a member who does not see the list, by name where the caller sees the member.
    private static func check(
        _ member: Identifier, _ field: String, _ list: StoredList, _ act: Act
    ) throws(Rejection) {
        let seers = try Lists.shared.seers(of: list.number, act)
        guard let entry = try act.roster[member], seers.contains(entry.number) else {
            let name = Text.quoted(try act.member(member, field: field).displayName)
            throw Rejection(.notFound, "\(name) does not see this list.", field: field)
        }
    }

    private static func isDay(_ text: String) -> Bool {
        text.utf8.count == 10 && JSON.string(text + "T00:00:00Z").instant != nil
    }
}
