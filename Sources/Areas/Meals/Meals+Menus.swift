import KinCalendar
import KinKeeper
import KinModel
import KinStore

/// The menus of canteens and schools: everybody who is no guest reads and writes them.
extension Meals {
    private static let given = Shape.object([
        .required("text", MenuLine.textForm.shape), .optional("price", MenuLine.priceForm.shape),
    ])
    private static let lines = Shape.list(MenuLine.shape, max: Limits.menuLinesPerAnswerMax)

    static let setMenu = Method.command(
        "menu.set", "Says what a canteen or school cooks on some days, instead of what was said of those days.",
        access: .family,
        [
            .required("source", MenuLine.sourceForm.shape, "The canteen or school."),
            .required(
                "days",
                .list(
                    .object([
                        .required("date", Meal.dateForm.shape, "A day, such as 2026-11-24."),
                        .required("dishes", .list(given, max: Limits.menuLinesPerDayMax), "None: nothing is known."),
                    ]), max: Limits.menuDaysPerCallMax)),
        ],
        result: .object([.required("lines", lines)]), route: Route("POST", "/api/menus"), events: [MenuLine.set],
        again: { (_, _) throws(Rejection) in ["lines": []] },
        apply: { (act, params) throws(Rejection) in
            try count(act)
            let source = try params.string("source")
            var said: [JSON] = []
            for day in params["days"]?.array ?? [] {
                guard let date = MealDay.checked(day["date"]?.string ?? "") else {
                    throw Rejection(.invalid, "date is a day that there is, such as 2026-11-24.", field: "days")
                }
                var lines: [MenuLine] = []
                for one in day["dishes"]?.array ?? [] {
                    guard let text = one["text"]?.string, !lines.contains(where: { $0.text == text }) else { continue }
                    lines.append(
                        MenuLine(
                            id: act.newIdentifier(), source: source, date: date, text: text,
                            price: one["price"]?.string))
                }
                try Menu(source: source, date: date).set(lines, act)
                said += lines.map(\.json)
            }
            return .done(["lines": .array(said)])
        })

    static let listMenus = Method.query(
        "menu.list", "What canteens and schools cook on some days.", access: .family,
        [
            .required("from", Meal.dateForm.shape, "The first day."),
            .required("to", Meal.dateForm.shape, "The last; \(Limits.mealWindowDaysMax) days at most."),
        ],
        result: .object([
            .required("lines", lines, "By day, then by source."),
            .optional("isCut", .bool, "Whether there are more; ask for fewer days."),
        ]),
        route: Route("GET", "/api/menus"),
        apply: { (act, params) throws(Rejection) in
            let days = try MealDay.range(params, max: Limits.mealWindowDaysMax)
            let found = try Menu.lines(
                "WHERE day BETWEEN ? AND ? ORDER BY day, source, number LIMIT \(Limits.menuLinesPerAnswerMax + 1)",
                .text(days.from), .text(days.to), act)
            return .done(
                .object(leavingOut: [
                    "lines": .array(found.prefix(Limits.menuLinesPerAnswerMax).map(\.json)),
                    "isCut": found.count > Limits.menuLinesPerAnswerMax ? true : nil,
                ]))
        }
    ).listing()

    // MARK: Files

    private static let file = FileImport(
        "file", of: "row", as: "line", bytesMax: Limits.menuFileBytesMax, linesMax: Limits.menuRowsMax,
        remarksMax: Limits.mealRemarksMax,
        date: .optional("date", Meal.dateForm.shape, "The row's day; absent: the row is refused."))

    static let importMenu = Method.command(
        "menu.import", "Takes a canteen's or school's menu out of a file, and reports on each row.", access: .family,
        note: """
            A file of iCalendar, whose events are dishes, or rows with a day, a dish and perhaps a price, divided by commas, \
            semicolons or tabs. An event in universal time is on the day that it has in the caller's zone. One that \
            repeats is a row for each of its days from a week before today on, for \(Limits.menuRepeatDaysMax) days from \
            today. Each row is taken by itself; of the days that it names, the file says all. A day that a calendar \
            calls off (EXDATE, STATUS:CANCELLED), and for which it has no other dish, is left without dishes: a row \
            that is changed, or the same. A table in which no row has a day is refused.
            """,
        [
            .required("source", MenuLine.sourceForm.shape, "The canteen or school."),
            file.field(
                "The file in base64, at most \(Limits.menuRowsMax) rows and \(Limits.menuFileBytesMax >> 20) MiB before encoding."
            ),
        ],
        result: file.result(), route: Route("POST", "/api/menus/import"), events: [MenuLine.set], isSlow: true,
        again: { (_, ids) throws(Rejection) in file.again(ids) },
        apply: { (act, params) throws(Rejection) in
            if act.isFirstWay { try count(act) }
            let source = try params.string("source")
            let zone =
                try act.hooks.settings?(act, try act.member.id).zone.flatMap { Zone($0) } ?? Zone.system ?? .utc
            let today = zone.civil(at: act.now)
            return try file.carryOut(MenuFile.self, act, params, read: { readMenu($0, zone, today) }) {
                (row, _) throws(Rejection) in try take(row, of: source, act)
            }
        }
    ).takingParcel(
        as: "file", bytesMax: Limits.menuFileBytesMax, mediaTypes: ["text/csv", "text/calendar", "text/plain"])

    /// Reads a file, on a worker.
    private static func readMenu(_ bytes: [UInt8], _ zone: Zone, _ today: Civil) -> SlowResult {
        guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) else {
            return .refused("file is in UTF-16; save it as UTF-8.")
        }
        let file = MenuFile(bytes, zone: zone, today: today)
        guard !file.isCut else {
            return .refused(
                """
                file has more than \(Limits.menuRowsMax) rows, each day of what repeats counted; send them in several \
                files.
                """)
        }
        if let nothing = file.nothing { return .refused(nothing) }
        return .made(file)
    }

    private static func take(
        _ row: MenuRow, of source: String, _ act: Act
    ) throws(Rejection) -> (FileImport.Outcome, Identifier?) {
        guard let date = row.date else { return (.refused, nil) }
        let menu = Menu(source: source, date: date)
        let before = try menu.lines(act)
        if row.isEmptied {
            guard !before.isEmpty else { return (.same, nil) }
            try menu.set([], act)
            return (.changed, nil)
        }
        // Lines of the day that the file no longer has are removed with the day's first row.
        var lines = before.filter { row.day.contains($0.text) }
        if let index = lines.firstIndex(where: { $0.text == row.text }) {
            let old = lines[index]
            lines[index] = MenuLine(id: old.id, source: source, date: date, text: row.text, price: row.price)
            if lines != before { try menu.set(lines, act) }
            return (old.price == row.price ? .same : .changed, old.id)
        }
        let line = MenuLine(
            id: act.newIdentifier(), source: source, date: date, text: row.text, price: row.price)
        try menu.set(lines + [line], act)
        return (.added, line.id)
    }
}

/// A canteen's menu for one day.
private struct Menu {
    let source: String
    let date: String

    private static let columns = Columns<MenuLine>(called: ["date": "day"])

    static func lines(_ rest: String, _ one: Value, _ other: Value, _ act: Act) throws(Rejection) -> [MenuLine] {
        try act.ask { (database) throws(StoreFailure) in
            try database.rows("SELECT \(columns.names) FROM menu_lines " + rest, one, other) {
                (row) throws(StoreFailure) in try columns.read(row)
            }
        }
    }

    func lines(_ act: Act) throws(Rejection) -> [MenuLine] {
        try Self.lines("WHERE day = ? AND source = ? ORDER BY number", .text(date), .text(source), act)
    }

    /// Replaces all lines of the day, and tells the family.
    func set(_ lines: [MenuLine], _ act: Act) throws(Rejection) {
        try act.run("DELETE FROM menu_lines WHERE day = ? AND source = ?", .text(date), .text(source))
        let count = try act.first("SELECT count(*) FROM menu_lines") { row in row.int(0) } ?? 0
        guard count + Int64(lines.count) <= Limits.menuLinesMax else {
            throw Rejection(
                .tooLarge, "The family keeps \(Limits.menuLinesMax) lines of menus, which is the most.", field: "source"
            )
        }
        for line in lines {
            try act.run(
                "INSERT INTO menu_lines (\(Self.columns.names)) VALUES (\(Self.columns.placeholders))",
                values: Self.columns.values(of: line))
        }
        try act.emit(
            MenuLine.set, .init(source: source, date: date, lines: lines), about: "menus",
            to: try act.roster.everyone, key: "menus/\(date)/\(source)")
    }
}
