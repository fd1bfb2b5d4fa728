import KinWords

/// One word of a time as people type it, in English or German.
enum TimeWord: Equatable {
    /// 1 for Monday to 7 for Sunday.
    case weekday(Int)
    /// Days from today.
    case relative(Int)
    /// A month by its name.
    case month(Int)
    /// `2026-12-24`, `24.12.2026`, `24.12.`; without a year the next.
    case date(year: Int?, month: Int, day: Int)
    /// `2026` after a month's name.
    case year(Int)
    /// `24.` before a month's name.
    case day(Int)
    /// `18`, `18:30`, `6pm`. `isBare` means that only a number was typed. Hour 24 is the end of a day.
    case clock(hour: Int, minute: Int, half: Half?, isBare: Bool)
    /// `am` or `pm` by itself.
    case half(Half)
    /// `2h`, `90m`.
    case span(Int64)
    case dash
    /// `evening`, `abends`.
    case part(DayPart)
    /// `tonight`.
    case tonight
    /// `next`, `nächsten`.
    case next
    /// `in`, before a span.
    case ahead
    /// `an` or `einer`, for one of the unit that follows.
    case one
    /// `half`, `halben`.
    case halved
    /// `minutes`, `Stunden`, `days`.
    case unit(Unit)
    /// A number that is no hour: `90`.
    case number(Int)
    /// A word without a meaning of its own: `at`, `um`, `Uhr`.
    case filler
    /// A word with two meanings, which are both given.
    case ambiguous(String, String)
    case unknown

    enum Half { case morning, afternoon }

    /// A part of a day. Its value is the hour at which it begins, if no hour is typed.
    enum DayPart: Int {
        case morning = 9
        case afternoon = 15
        case evening = 19
    }

    enum Unit: Int64 {
        case minutes = 60
        case hours = 3_600
        case days = 86_400
        case weeks = 604_800
    }

    /// Reads a word, in lower case and without commas.
    init(_ text: String, _ order: DateOrder? = nil) {
        // `Dez.` and `So.`, but not `24.`.
        let bare = text.last == "." && text.dropLast().allSatisfy(\.isLetter) ? String(text.dropLast()) : text
        if let word = Self.words[bare] {
            self = word
        } else if let clock = Self.clock(text) {
            self = clock
        } else if let year = text.wholeMatch(of: /[12]\d{3}/).flatMap({ Int($0.output) }) {
            self = .year(year)
        } else if let date = Self.date(text, order) {
            self = date
        } else if let seconds = Words.seconds(text.hasPrefix("+") ? String(text.dropFirst()) : text) {
            self = .span(seconds)
        } else if text.utf8.count <= 3, let number = Int(text), number > 0 {
            self = .number(number)
        } else {
            self = .unknown
        }
    }

    private static let words: [String: TimeWord] = {
        var words: [String: TimeWord] = [
            "today": .relative(0), "heute": .relative(0), "tomorrow": .relative(1), "morgen": .relative(1),
            "yesterday": .relative(-1), "gestern": .relative(-1), "vorgestern": .relative(-2),
            "übermorgen": .relative(2), "uebermorgen": .relative(2), "-": .dash, "to": .dash, "until": .dash,
            "till": .dash, "bis": .dash, "am": .half(.morning), "pm": .half(.afternoon), "noon": .noon, "mittag": .noon,
            "midnight": .midnight, "mitternacht": .midnight, "tonight": .tonight, "in": .ahead, "half": .halved,
            "halben": .halved, "0h": .clock(hour: 0, minute: 0, half: nil, isBare: false),
        ]
        let parts: [(String, TimeWord)] = [
            ("morning früh frueh morgens vormittag vormittags", .part(.morning)),
            ("afternoon nachmittag nachmittags", .part(.afternoon)), ("evening abend abends", .part(.evening)),
            ("next nächsten nächste nächster nächstes naechsten naechste naechster", .next),
            ("a an one ein eine einem einen einer", .one),
            ("m min mins minute minutes minuten", .unit(.minutes)),
            ("h hr hrs hour hours std stunde stunden", .unit(.hours)), ("day days tag tage tagen", .unit(.days)),
            ("week weeks woche wochen", .unit(.weeks)),
        ]
        for (names, word) in parts { for name in names.split(separator: " ") { words[String(name)] = word } }
        for word in [
            "at", "um", "on", "from", "von", "ab", "uhr", "o'clock", "the", "den", "der", "for", "für", "this",
            "coming", "diesen",
            "diese", "dieser", "kommenden", "kommende", "kommender", "im", "zum", "and", "und",
        ] {
            words[word] = .filler
        }
        let days = [
            "mon monday mo montag", "tue tues tuesday di dienstag", "wed wednesday mi mittwoch",
            "thu thur thurs thursday do donnerstag", "fri friday fr freitag", "sat saturday sa samstag sonnabend",
            "sun sunday so sonntag",
        ]
        let months = [
            "jan january januar jänner", "feb february februar", "mar march mär märz maerz", "apr april", "may mai",
            "jun june juni", "jul july juli", "aug august", "sep sept september", "oct october okt oktober",
            "nov november", "dec december dez dezember",
        ]
        for (index, names) in days.enumerated() {
            for name in names.split(separator: " ") { words[String(name)] = .weekday(index + 1) }
        }
        for (index, names) in months.enumerated() {
            for name in names.split(separator: " ") { words[String(name)] = .month(index + 1) }
        }
        return words
    }()

    private static let noon = TimeWord.clock(hour: 12, minute: 0, half: nil, isBare: false)
    private static let midnight = TimeWord.clock(hour: 24, minute: 0, half: nil, isBare: false)

    private static func clock(_ text: String) -> TimeWord? {
        guard let match = text.wholeMatch(of: /(\d{1,2})(?:[:h](\d{2}))?(am|pm|uhr)?/), let hour = Int(match.output.1),
            hour <= 24, let minute = Int(match.output.2 ?? "0"), minute < 60
        else { return nil }
        let suffix = match.output.3
        let half: Half? = suffix == "am" ? .morning : suffix == "pm" ? .afternoon : nil
        guard half == nil || (1...12).contains(hour), hour < 24 || minute == 0 else { return nil }
        return .clock(hour: hour, minute: minute, half: half, isBare: match.output.2 == nil && suffix == nil)
    }

    private static func date(_ text: String, _ order: DateOrder?) -> TimeWord? {
        func number(_ text: Substring) -> Int { Int(text) ?? 0 }
        if let match = text.wholeMatch(of: /(\d{4})-(\d{2})-(\d{2})/) {
            return .date(
                year: number(match.output.1), month: number(match.output.2), day: number(match.output.3))
        }
        if let match = text.wholeMatch(of: /(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})?/) {
            let year = match.output.3.map { $0.count == 2 ? 2000 + number($0) : number($0) }
            return .date(year: year, month: number(match.output.2), day: number(match.output.1))
        }
        if let match = text.wholeMatch(of: /(\d{1,2})\./) { return .day(number(match.output.1)) }
        if let match = text.wholeMatch(of: /(\d{1,2})(st|nd|rd|th)/) { return .day(number(match.output.1)) }
        // `18.30` is a time and `24.12` a date; `12.10` may be both.
        if let match = text.wholeMatch(of: /(\d{1,2})\.(\d{2})/) {
            let (left, right) = (number(match.output.1), number(match.output.2))
            let isClock = left < 24 && right < 60
            let isDate = (1...31).contains(left) && (1...12).contains(right)
            if isClock, isDate { return .ambiguous("\(left).\(right).", "\(left):\(match.output.2)") }
            if isDate { return .date(year: nil, month: right, day: left) }
            return isClock ? .clock(hour: left, minute: right, half: nil, isBare: false) : nil
        }
        if let match = text.wholeMatch(of: /(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d{2}))?/) {
            let (left, right) = (number(match.output.1), number(match.output.2))
            let year = match.output.3.map { $0.count == 2 ? 2000 + number($0) : number($0) }
            if let order {
                let (month, day) = order == .monthFirst ? (left, right) : (right, left)
                return .date(year: year, month: month, day: day)
            }
            return .ambiguous("\(match.output.1).\(match.output.2).", "\(match.output.2).\(match.output.1).")
        }
        return nil
    }

    /// The words of a text; a range without blanks becomes three.
    static func all(_ text: String, _ order: DateOrder? = nil) -> [(text: String, word: TimeWord)] {
        let lower = text.lowercased().replacing("–", with: "-").replacing("—", with: "-").replacing(",", with: " ")
        return lower.split(separator: " ").flatMap { part -> [String] in
            if part.wholeMatch(of: /\d{4}-\d{2}-\d{2}/) != nil || part == "-" { return [String(part)] }
            if let match = part.wholeMatch(of: /(\d{4}-\d{2}-\d{2})t(.+)/) {
                return [String(match.output.1)] + pieces(match.output.2)
            }
            return pieces(part)
        }.map { ($0, TimeWord($0, order)) }
    }

    private static func pieces(_ text: Substring) -> [String] {
        text.split(separator: "-", omittingEmptySubsequences: false).map { String($0) }.reduce(into: []) { all, part in
            if !all.isEmpty { all.append("-") }
            if !part.isEmpty { all.append(part) }
        }
    }
}
