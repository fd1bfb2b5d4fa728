import KinKeeper
import KinModel
import KinStore

extension Lists {
    /// What may be said of an item; a new one has a text.
    private static let edit = Shape.object([
        .required("id", .id, "Made by the client for a new item (UUIDv7); it means something in its list alone."),
        .optional(
            "at", .time,
            "When it was said, by the daemon's clock as far as the client knows it; now if left out, and where it is later."
        ),
        .optional("text", ListItem.textForm.shape, "A new item must have one."),
        .optional("amount", .nullable(ListItem.amountForm.shape), "Of the unit; of pieces where there is none."),
        .optional("unit", .nullable(ListItem.unitForm.shape), "Such as kg."),
        .optional("section", .nullable(ListItem.sectionForm.shape)),
        .optional("note", .nullable(ListItem.noteForm.shape)),
        .optional("member", .nullable(.id), "Who is to do it, or whom it is for; who sees the list."),
        .optional("due", .nullable(ListItem.dueForm.shape), "A day, such as 2026-11-24."),
        .optional("order", .nullable(ListItem.orderForm.shape), ListItem.orderSummary),
        .optional("ticked", .bool),
    ])
    private static let calledItems = Field.required(
        "items", .list(.id, max: Limits.itemsPerCallMax), "Those that are not there change nothing.")
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
                let edit = try ItemEdit(Params(given.object ?? [:]), list, act)
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
                guard let item = try StoredItem.find(id, in: list, act), !item.isRemoved else { continue }
                try item.remove(from: list, act)
            }
            return .done([:])
        }
    ).freeingRoom()

    static let suggest = Method.query(
        "item.suggest", "What stands on lists that the caller sees and begins so, the most frequent first.",
        access: .signedIn, note: "who sees the lists",
        [
            .required("words", .line(max: Limits.listSearchCharactersMax), "What a text begins with, or a word of it."),
            .optional("kind", Form<SharedList.Kind>.word.shape, "Of such lists only."),
        ],
        result: .object([
            .required(
                "suggestions",
                .list(
                    .object([
                        .required("text", ListItem.textForm.shape),
                        .optional("unit", ListItem.unitForm.shape, "As it was last."),
                        .optional("section", ListItem.sectionForm.shape, "As it was last."),
                    ]), max: Limits.itemsSuggestedMax))
        ]),
        route: Route("GET", "/api/items/suggest"),
        apply: { (act, params) throws(Rejection) in
            let (member, begin) = (try act.member.id, try params.string("words").lowercased())
            let found = try act.rows(
                """
                SELECT i.text, i.unit, i.section, max(i.number) FROM list_items i
                WHERE i.owner_list IN (
                    SELECT s.list FROM list_sight s JOIN lists l ON l.number = s.list
                    WHERE s.member = ?1 AND l.kind = coalesce(?2, l.kind)
                ) AND i.removed_at IS NULL AND instr(' ' || i.plain, ' ' || ?3) > 0
                GROUP BY i.plain ORDER BY count(*) DESC, max(i.number) DESC LIMIT \(Limits.itemsSuggestedMax)
                """, .id(member), Value(params.optionalString("kind")), .text(begin)
            ) { row in
                JSON.object(leavingOut: [
                    "text": .string(row.text(0)), "unit": row.optionalText(1).map { .string($0) },
                    "section": row.optionalText(2).map { .string($0) },
                ])
            }
            return .done(["suggestions": .array(found)])
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
        let before = item.wire
        guard item.wire.take(edit, &item.stamps) else { return }
        try item.save(in: list, act)
        guard item.wire != before else { return }
        let about = about(item.wire.key)
        // Former words go with every row that has them, those without a key among them.
        if found != nil, item.wire.text != before.text || item.wire.note != before.note {
            try act.erase(about: about, type: ListItem.put.name)
        }
        try act.emit(
            ListItem.put, .init(item: item.wire), about: about, to: try shared.seers(of: list.number, act), key: about,
            title: list.wire.name)
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
    /// What was given of an item.
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
        if let day = values[.due]?.string, day.utf8.count != 10 || JSON.string(day + "T00:00:00Z").instant == nil {
            throw Rejection(.invalid, "due is a day that there is, such as 2026-11-24.", field: "due")
        }
        if let member = values[.member]?.identifier {
            let seers = try Lists.shared.seers(of: list.number, act)
            guard let entry = try act.roster[member], seers.contains(entry.number) else {
                throw Rejection.notFound("member", member.description, field: "member")
            }
        }
        self.values = values
    }
}
