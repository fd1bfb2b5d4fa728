import KinCalendar
import KinICal
import KinKeeper
import KinModel

/// The menu of a canteen or school, from a file of iCalendar or of values with commas, semicolons or tabs. Each row is
/// taken by itself, or gives the reason why it is not.
struct MenuFile: ImportedFile {
    private(set) var items: [MenuRow] = []
    /// Whether the file has more rows than are read at once.
    private(set) var isCut = false
    /// Whether it is no menu at all: a picture, a letter.
    private(set) var isForeign = false
    /// The zone by which a moment of universal time is on the day that is meant: many programs write midnight that way.
    private let zone: Zone
    /// The days for which a dish that repeats is taken: from a week before today on.
    private let window: ClosedRange<String>
    private let windowStart: Civil
    /// Rules that were followed so far: those with a short COUNT, and all others.
    private var (shortCount, longCount) = (0, 0)
    /// Days of dishes that the file calls off. Where it has no other dish for one, the day is left without any.
    private var calledOff: Set<String> = []
    /// Whether anything in the file is cancelled.
    private var hasCancelled = false

    /// - Parameters:
    ///   - zone: The reader's.
    ///   - today: In that zone.
    init(_ bytes: [UInt8], zone: Zone = .utc, today: Civil) {
        self.zone = zone
        windowStart = today.startOfDay.adding(days: -Int(Limits.mealDaysShown))
        window = Self.text(windowStart)...Self.text(today.adding(days: Limits.menuRepeatDaysMax - 1))
        let bytes = RecipePage.utf8(bytes)
        let head = bytes.prefix(2000).filter { $0 != UInt8(ascii: "\r") }
        if String(decoding: head, as: UTF8.self).uppercased().contains("BEGIN:VCALENDAR") {
            readCalendar(bytes)
        } else {
            readRows(bytes)
        }
        settle()
    }

    /// Why there is nothing to take; `nil` if there is something.
    var nothing: String? {
        guard items.isEmpty else { return nil }
        guard !isForeign else {
            return """
                file is neither a calendar (.ics) nor a table (CSV) of days and dishes. A day is 2026-11-24 or \
                24.11.2026.
                """
        }
        guard hasCancelled else { return "file holds no row and no event." }
        return "file holds only what was called off, on no day from \(window.lowerBound) to \(window.upperBound)."
    }

    /// Marks for each row the dishes of its day, and adds the days that are left without any.
    private mutating func settle() {
        var days: [String: [Int]] = [:]
        for index in items.indices {
            guard let date = items[index].date else { continue }
            if days[date, default: []].contains(where: { items[$0].text == items[index].text }) {
                items[index].refuse("It stands there twice.")
            } else if days[date, default: []].count == Limits.menuLinesPerDayMax {
                items[index].refuse("A day has \(Limits.menuLinesPerDayMax) dishes on a menu at most.")
            } else {
                days[date, default: []].append(index)
            }
        }
        for rows in days.values {
            let texts = rows.map { items[$0].text }
            for index in rows { items[index].day = texts }
        }
        for day in calledOff.subtracting(days.keys).sorted() {
            guard items.count < Limits.menuRowsMax else {
                isCut = true
                return
            }
            items.append(MenuRow(number: items.count + 1, emptied: day))
        }
    }

    /// `remark` is a sentence about a row that is taken all the same.
    private mutating func add(
        _ date: String?, _ text: String, _ price: String?, isWrong: String, remark: String? = nil
    ) {
        guard items.count < Limits.menuRowsMax else {
            isCut = true
            return
        }
        var row = MenuRow(
            number: items.count + 1, date: date,
            text: StrangersText.line(text, max: Limits.menuTextCharactersMax) ?? "",
            price: price.flatMap { StrangersText.line($0, max: Limits.menuPriceCharactersMax) })
        if date == nil { row.refuse(isWrong) } else if row.text.isEmpty { row.refuse("It names no dish.") }
        if let remark, row.date != nil { row.note(remark) }
        items.append(row)
    }

    // MARK: iCalendar

    private mutating func readCalendar(_ bytes: [UInt8]) {
        var stream = ICalStream()
        var pieces: [ICalStream.Piece] = []
        stream.take(bytes) { pieces.append($0) }
        stream.take([], isEnd: true) { pieces.append($0) }
        var events: [ICalComponent] = []
        // Days of what repeats on which the file has something else: an event of their own, or none.
        var otherwise: [String: Set<String>] = [:]
        for case .component(let bytes) in pieces {
            guard let event = try? ICalComponent(bytes), event.name == "VEVENT" else { continue }
            events.append(event)
            guard let day = self.day(of: event["RECURRENCE-ID"]?.value ?? "") else { continue }
            if window.contains(day) { calledOff.insert(day) }
            if let uid = event["UID"]?.value { otherwise[uid, default: []].insert(day) }
        }
        for event in events where !isCut { take(event, except: event["UID"].flatMap { otherwise[$0.value] } ?? []) }
    }

    private mutating func take(_ event: ICalComponent, except others: Set<String>) {
        let text = event["SUMMARY"]?.text ?? event["DESCRIPTION"]?.text ?? ""
        let first = day(of: event["DTSTART"]?.value ?? "")
        let isCancelled = event["STATUS"]?.value.uppercased() == "CANCELLED"
        hasCancelled = hasCancelled || isCancelled
        guard event["RECURRENCE-ID"] == nil, event["RRULE"] != nil || event["RDATE"] != nil else {
            if isCancelled { return callOff(first) }
            return add(first, text, nil, isWrong: "It has no day: DTSTART is missing or is none.")
        }
        let left = others.union(named("EXDATE", of: event))
        do throws(Unfollowed) {
            let all = try days(of: event)
            calledOff.formUnion(isCancelled ? all : all.intersection(left))
            if !isCancelled { add(all.subtracting(left).sorted(), text) }
        } catch {
            let isOff = isCancelled || first.map { left.contains($0) } ?? false
            if isOff { callOff(first) }
            if !isCancelled {
                add(isOff ? nil : first, text, nil, isWrong: error.withoutFirst, remark: error.firstOnly)
            }
        }
    }

    /// Days that are past are left as they were.
    private mutating func callOff(_ day: String?) {
        if let day, day >= window.lowerBound { calledOff.insert(day) }
    }

    /// Adds the days of what repeats.
    private mutating func add(_ days: [String], _ text: String) {
        let (from, to) = (window.lowerBound, window.upperBound)
        guard let first = days.first, let last = days.last else {
            return add(nil, text, nil, isWrong: "It repeats, on no day from \(from) to \(to).")
        }
        // The days are its own: until its last, or until the last that is looked for.
        add(
            first, text, nil, isWrong: "",
            remark: days.count == 1
                ? "It repeats; only this day of it is taken."
                : "It repeats; it is on \(days.count) days until \(last), a row each.")
        for day in days.dropFirst() { add(day, text, nil, isWrong: "") }
    }

    /// Why the days of something that repeats are not known.
    private enum Unfollowed: Error {
        case rule, tooMany

        var firstOnly: String {
            switch self {
            case .rule: "It repeats; its rule is not followed here, so only its first day is taken."
            case .tooMany: "It repeats; the file has too many that do, so only its first day is taken."
            }
        }

        /// The first day is left out, or is none that a menu may have.
        var withoutFirst: String {
            switch self {
            case .rule: "It repeats; its rule is not followed here, and its first day cannot be taken."
            case .tooMany: "It repeats; the file has too many that do, and its first day cannot be taken."
            }
        }
    }

    /// The days in the window on which an event is that repeats, those that are left out among them.
    private mutating func days(of event: ICalComponent) throws(Unfollowed) -> Set<String> {
        guard let line = event["DTSTART"], let start = ICalTime(line.value) else { throw .rule }
        // One in universal time may be on the day before or after in the reader's zone.
        let length = Int(Limits.mealDaysShown) + Limits.menuRepeatDaysMax
        let (from, to) = (windowStart.adding(days: -1), windowStart.adding(days: length + 1))
        var rules: [RecurrenceRule] = []
        for given in event.all("RRULE") {
            let read = RecurrenceRule(given.value)
            // A rule that was over days before, in whatever zone, has nothing that could be looked for.
            if let until = read?.until, until.civil < from.adding(days: -2) { continue }
            guard let rule = read, rule.isExpanded else { throw .rule }
            if start.civil < to { rules.append(rule) }
        }
        try count(rules)
        let own: Zone = start.isUTC ? .utc : line["TZID"].flatMap { Zone($0) } ?? zone
        let series = Series(start: start.civil, isAllDay: start.isDate, rules: rules, zone: own)
        let found = series.occurrences(from: from, to: to, max: (length + 2) * Limits.ruleTimesPerDayMax)
        guard !found.isCut else { throw .rule }
        let all = found.all.compactMap {
            day(of: ICalTime($0, isDate: start.isDate, isUTC: start.isUTC).description)
        }
        return Set(all).union(named("RDATE", of: event)).filter { window.contains($0) }
    }

    /// Counts rules that are followed. A rule with a COUNT is looked through from its start on, so that only then it is
    /// known whether it is over. Where that is short, such rules have a number of their own: a calendar keeps those of
    /// years.
    private mutating func count(_ rules: [RecurrenceRule]) throws(Unfollowed) {
        let areShort = rules.allSatisfy { ($0.count ?? .max) <= Limits.menuShortCountMax }
        if areShort, shortCount + rules.count <= Limits.menuShortSeriesMax {
            shortCount += rules.count
        } else if longCount + rules.count <= Limits.menuSeriesMax {
            longCount += rules.count
        } else {
            throw .tooMany
        }
    }

    /// The days of RDATE or EXDATE.
    private func named(_ name: String, of event: ICalComponent) -> [String] {
        event.all(name).flatMap { ICalText.parts($0.value) }.prefix(Limits.seriesDatesMax).compactMap { day(of: $0) }
    }

    private static func text(_ day: Civil) -> String { String(day.description.prefix(10)) }

    /// The day of a start. A start with a zone of its own, or with none, has the day that is written. A start in
    /// universal time has the day of the reader's zone.
    private func day(of start: String) -> String? {
        let digits = start.prefix(8)
        guard digits.count == 8,
            let written = Self.day(digits.prefix(4), digits.dropFirst(4).prefix(2), digits.suffix(2))
        else { return nil }
        let clock = Array(start.dropFirst(9))
        guard start.count == 16, start.hasSuffix("Z"),
            let moment = Instant("\(written)T\(String(clock[0..<2])):\(String(clock[2..<4])):\(String(clock[4..<6]))Z")
        else { return written }
        return MealDay.checked(String(zone.civil(at: moment).description.prefix(10)))
    }

    // MARK: Rows

    /// Reads the rows. The first row may name the columns; otherwise they are the day, the dish and the price. A file
    /// with no day in any row is not a menu with mistakes but something else: it is refused whole, without a reason
    /// for each of its rows.
    private mutating func readRows(_ bytes: [UInt8]) {
        guard !bytes.contains(where: Self.isOfNoText) else {
            isForeign = true
            return
        }
        var hasDay = false
        defer {
            if !hasDay, !items.isEmpty { (items, isCut, isForeign) = ([], false, true) }
        }
        let rows = Self.rows(of: String(decoding: bytes, as: UTF8.self))
        var columns = (day: 0, dish: 1, price: Optional(2))
        var isFirst = true
        for row in rows {
            if row.allSatisfy({ $0.allSatisfy(\.isWhitespace) }) { continue }
            defer { isFirst = false }
            if isFirst, let named = Self.columns(row) {
                columns = named
                continue
            }
            func cell(_ index: Int?) -> String {
                index.flatMap { row.indices.contains($0) ? row[$0] : nil } ?? ""
            }
            let day = cell(columns.day)
            let date = Self.day(day)
            if date != nil { hasDay = true }
            add(
                date, cell(columns.dish), cell(columns.price),
                isWrong: "\(Text.quoted(String(day.prefix(20)))) is no day; write 2026-11-24 or 24.11.2026.")
            if isCut { return }
        }
    }

    /// Bytes that no text has: control characters beside tab, the ends of lines and of pages, and the end of a file.
    private static func isOfNoText(_ byte: UInt8) -> Bool {
        (byte < 0x20 && !(0x09...0x0D).contains(byte) && byte != 0x1A) || byte == 0x7F
    }

    private static func columns(_ row: [String]) -> (day: Int, dish: Int, price: Int?)? {
        let names = row.map { $0.lowercased().split(separator: " ").joined() }
        guard let day = names.firstIndex(where: { ["date", "day", "datum", "tag"].contains($0) }),
            let dish = names.firstIndex(where: {
                ["dish", "meal", "menu", "text", "gericht", "essen", "speise", "menü"].contains($0)
            })
        else { return nil }
        return (day, dish, names.firstIndex { ["price", "preis"].contains($0) })
    }

    /// `2026-11-24`, `24.11.2026`, `Mo 24.11.26`. A date with slashes is refused: `11/12/2026` may begin with its day
    /// or with its month.
    static func day(_ text: String) -> String? {
        let digits = text.split { !$0.isASCII || !$0.isNumber }
        guard digits.count == 3, let mark = text.first(where: { $0 == "-" || $0 == "." }), !text.contains("/") else {
            return nil
        }
        if mark == "-" { return day(digits[0], digits[1], digits[2]) }
        return day(digits[2].count == 2 ? "20" + digits[2] : digits[2], digits[1], digits[0])
    }

    private static func day(
        _ year: some StringProtocol, _ month: some StringProtocol, _ day: some StringProtocol
    ) -> String? {
        func two(_ text: some StringProtocol) -> String { text.count == 1 ? "0" + text : String(text) }
        return MealDay.checked("\(year)-\(two(month))-\(two(day))")
    }

    /// The cells of all rows (RFC 4180). The separator is the one that the first row has.
    static func rows(of text: String) -> [[String]] {
        let first = text.prefix { !$0.isNewline }
        let divider = [Character(";"), "\t", ","].max { one, other in
            first.count { $0 == one } < first.count { $0 == other }
        }
        var rows: [[String]] = []
        var row: [String] = []
        var cell = ""
        var isQuoted = false
        var wasQuote = false
        for character in text {
            if isQuoted {
                if character == "\"" {
                    (isQuoted, wasQuote) = (false, true)
                } else {
                    cell.append(character)
                }
                continue
            }
            defer { wasQuote = false }
            if character == "\"", wasQuote || cell.isEmpty {
                if wasQuote { cell.append(character) }
                isQuoted = true
            } else if character == divider {
                row.append(cell)
                cell = ""
            } else if character.isNewline {
                rows.append(row + [cell])
                (row, cell) = ([], "")
                if rows.count > Limits.menuRowsMax * 2 { return rows }
            } else {
                cell.append(character)
            }
        }
        return cell.isEmpty && row.isEmpty ? rows : rows + [row + [cell]]
    }

    /// Checks that a file keeps what is promised, for the fuzzer.
    static let judge: @Sendable ([UInt8], Bool) -> Void = { input, isPlanted in
        // Of any day: what repeats is looked for around it.
        guard let today = Civil(year: 2026, month: 11, day: 24) else { return }
        let file = MenuFile(input, today: today)
        for (index, row) in file.items.enumerated() {
            precondition(row.number == index + 1 && !(row.date == nil && row.remarks.isEmpty))
            precondition(!isPlanted || row.text != "planted", "a planted bug")
            guard let date = row.date else { continue }
            if row.isEmptied {
                precondition(!file.items.contains { $0.date == date && !$0.isEmptied }, "its day has no dish")
                continue
            }
            let line = MenuLine(
                id: Identifier(high: 0, low: 0), source: "?", date: date, text: row.text, price: row.price)
            precondition((try? MenuLine.shape.check(line.json, field: "line")) != nil, "a row is within bounds")
        }
    }
}

/// One row of a menu, or a day that is left without dishes.
struct MenuRow: ImportedItem {
    let number: Int
    /// The day of the row; `nil` if the row is refused.
    private(set) var date: String?
    let text: String
    let price: String?
    /// Whether the file calls off what the day had, and has nothing else for it.
    let isEmptied: Bool
    /// All dishes that the file has for the day.
    fileprivate(set) var day: [String] = []
    private(set) var remarks: [String] = []

    fileprivate init(number: Int, date: String?, text: String, price: String?) {
        (self.number, self.date, self.text, self.price) = (number, date, text, price)
        isEmptied = false
    }

    fileprivate init(number: Int, emptied day: String) {
        (self.number, text, price, isEmptied) = (number, "", nil, true)
        date = day
        note("What was there is called off; the day has no dish.")
    }

    var name: String {
        if isEmptied, let date { return date }
        return text.isEmpty ? "?" : String(text.prefix(60))
    }

    fileprivate mutating func refuse(_ sentence: String) {
        date = nil
        note(sentence)
    }

    fileprivate mutating func note(_ sentence: String) { remarks.append(sentence) }
}
