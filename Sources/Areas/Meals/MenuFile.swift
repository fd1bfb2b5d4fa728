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
    /// The zone by which a moment of universal time is on the day that is meant: many programs write midnight that way.
    private let zone: Zone
    /// The days for which a dish that repeats is taken: from a week before today on.
    private let window: ClosedRange<String>
    private let windowStart: Civil
    /// Dishes that repeat, so far.
    private var seriesCount = 0

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
            readRows(String(decoding: bytes, as: UTF8.self))
        }
        settle()
    }

    /// Marks for each row the dishes of its day, and whether it is the day's first or last.
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
            let day = self.day(of: event["RECURRENCE-ID"]?.value ?? "")
            guard let day, let uid = event["UID"]?.value else { continue }
            otherwise[uid, default: []].insert(day)
        }
        for event in events where !isCut { take(event, except: event["UID"].flatMap { otherwise[$0.value] } ?? []) }
    }

    private mutating func take(_ event: ICalComponent, except others: Set<String>) {
        let text = event["SUMMARY"]?.text ?? event["DESCRIPTION"]?.text ?? ""
        let isOther = event["RECURRENCE-ID"] != nil
        if isOther, event["STATUS"]?.value.uppercased() == "CANCELLED" { return }
        let repeats = !isOther && (event["RRULE"] != nil || event["RDATE"] != nil)
        if repeats { seriesCount += 1 }
        let isOneTooMany = seriesCount > Limits.menuSeriesMax
        guard repeats, !isOneTooMany, let days = days(of: event, except: others) else {
            let why = isOneTooMany ? "the file has too many that do" : "its rule is not followed here"
            return add(
                day(of: event["DTSTART"]?.value ?? ""), text, nil,
                isWrong: "It has no day: DTSTART is missing or is none.",
                remark: repeats ? "It repeats; \(why), so only its first day is taken." : nil)
        }
        let span = "from \(window.lowerBound) to \(window.upperBound)"
        guard let first = days.first else { return add(nil, text, nil, isWrong: "It repeats, on no day \(span).") }
        let how = days.count == 1 ? "on one day" : "on \(days.count) days, a row each"
        add(first, text, nil, isWrong: "", remark: "It repeats; \(span) it is \(how).")
        for day in days.dropFirst() { add(day, text, nil, isWrong: "") }
    }

    /// The days in the window on which an event is that repeats; `nil` for one without a start, or by a rule that is not
    /// expanded.
    private func days(of event: ICalComponent, except others: Set<String>) -> [String]? {
        guard let line = event["DTSTART"], let start = ICalTime(line.value) else { return nil }
        let given = event.all("RRULE")
        let rules = given.compactMap { RecurrenceRule($0.value) }.filter(\.isExpanded)
        guard rules.count == given.count else { return nil }
        let own: Zone = start.isUTC ? .utc : line["TZID"].flatMap { Zone($0) } ?? zone
        let series = Series(start: start.civil, isAllDay: start.isDate, rules: rules, zone: own)
        // One in universal time may be on the day before or after in the reader's zone.
        let length = Int(Limits.mealDaysShown) + Limits.menuRepeatDaysMax
        let found = series.occurrences(
            from: windowStart.adding(days: -1), to: windowStart.adding(days: length + 1),
            max: (length + 2) * Limits.ruleTimesPerDayMax)
        func named(_ name: String) -> [String] {
            let values = event.all(name).flatMap { ICalText.parts($0.value) }
            return values.prefix(Limits.seriesDatesMax).compactMap { day(of: $0) }
        }
        let all = Set(
            found.all.compactMap {
                day(of: ICalTime($0, isDate: start.isDate, isUTC: start.isUTC).description)
            })
        return all.union(named("RDATE")).subtracting(named("EXDATE")).subtracting(others)
            .filter { window.contains($0) }.sorted()
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

    /// Reads the rows. The first row may name the columns; otherwise they are the day, the dish and the price.
    private mutating func readRows(_ text: String) {
        let rows = Self.rows(of: text)
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
            add(
                Self.day(day), cell(columns.dish), cell(columns.price),
                isWrong: "\(Text.quoted(String(day.prefix(20)))) is no day; write 2026-11-24 or 24.11.2026.")
            if isCut { return }
        }
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
            let line = MenuLine(
                id: Identifier(high: 0, low: 0), source: "?", date: date, text: row.text, price: row.price)
            precondition((try? MenuLine.shape.check(line.json, field: "line")) != nil, "a row is within bounds")
        }
    }
}

/// One row of a menu.
struct MenuRow: ImportedItem {
    let number: Int
    /// The day of the row; `nil` if the row is refused.
    private(set) var date: String?
    let text: String
    let price: String?
    /// All dishes that the file has for the day.
    fileprivate(set) var day: [String] = []
    private(set) var remarks: [String] = []

    fileprivate init(number: Int, date: String?, text: String, price: String?) {
        (self.number, self.date, self.text, self.price) = (number, date, text, price)
    }

    var name: String { text.isEmpty ? "?" : String(text.prefix(60)) }

    fileprivate mutating func refuse(_ sentence: String) {
        date = nil
        note(sentence)
    }

    fileprivate mutating func note(_ sentence: String) { remarks.append(sentence) }
}
