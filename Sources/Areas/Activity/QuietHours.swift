import KinCalendar
import KinKeeper
import KinModel

/// The hours in which a member is not to be told: civil times in a zone, every day or on some days of the week. `from`
/// belongs to them, `to` does not; `to` before `from` means the next day's.
struct QuietHours: WireRecord {
    /// Minutes of the day, 0 to 1439.
    let from: Int
    let to: Int
    /// The zone's name.
    let zone: String
    /// The days of the week on which they begin, 1 for Monday; `nil`: every day.
    let days: [Int]?

    /// The names of the days, from Monday.
    static let dayWords = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// From the columns of a row; `nil` if one of them is missing.
    init?(from: Int64?, to: Int64?, zone: String?, days: String?) {
        guard let from = from.flatMap({ Int(exactly: $0) }), let to = to.flatMap({ Int(exactly: $0) }), let zone else {
            return nil
        }
        (self.from, self.to, self.zone) = (from, to, zone)
        self.days = days?.split(separator: " ").compactMap { Int($0) }
    }

    private init(from: Int, to: Int, zone: String, days: [Int]?) {
        (self.from, self.to, self.zone, self.days) = (from, to, zone, days)
    }

    static let fields = Fields<QuietHours>(
        nil,
        { (from: Int, to: Int, zone: String, days: [Int]?) in
            QuietHours(from: from, to: to, zone: zone, days: days)
        },
        .required("from", \.from, timeOfDay, "Civil time, such as 22:00."),
        .required("to", \.to, timeOfDay, "Civil time; earlier than from means the next day."),
        .required(
            "zone", \.zone, .token(max: 64), "The IANA time zone the times are of, such as Europe/Berlin."),
        .optional("days", \.days, .list(day, max: 7), "The days on which they begin; absent: every day."))

    /// Minutes of the day as `22:00`.
    private static let timeOfDay = Form<Int>(
        .token(max: 5), read: { $0.string.flatMap { QuietHours.minutes($0) } }, write: { .string(QuietHours.text($0)) })
    /// A day of the week by its word.
    private static let day = Form<Int>(
        .oneOf(dayWords), read: { $0.string.flatMap { QuietHours.dayWords.firstIndex(of: $0) }.map { $0 + 1 } },
        write: { .string(QuietHours.dayWords[$0 - 1]) })

    private static func minutes(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        let digits = bytes.map { Int($0) - 48 }
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":"),
            [0, 1, 3, 4].allSatisfy({ (0...9).contains(digits[$0]) }), digits[0] * 10 + digits[1] < 24, digits[3] < 6
        else { return nil }
        return (digits[0] * 10 + digits[1]) * 60 + digits[3] * 10 + digits[4]
    }

    /// Reads what was asked for, whose shape was checked; what makes no sense is refused.
    init(asked json: JSON) throws(Rejection) {
        func minutes(_ field: String) throws(Rejection) -> Int {
            guard let minutes = Self.minutes(json[field]?.string ?? "") else {
                throw Rejection(
                    .invalid, "quiet.\(field) must be a time of day such as 22:00.", field: "quiet.\(field)")
            }
            return minutes
        }
        from = try minutes("from")
        to = try minutes("to")
        guard from != to else {
            throw Rejection(
                .invalid, "quiet.from and quiet.to are the same time; mute kinds to be told nothing.", field: "quiet.to"
            )
        }
        let name = json["zone"]?.string ?? ""
        guard let known = Zone(name) else {
            throw Rejection(
                .invalid, "There is no time zone \(Text.quoted(name)); name one such as Europe/Berlin.",
                field: "quiet.zone")
        }
        zone = known.name
        let words = json["days"]?.array?.compactMap(\.string)
        if let words, words.isEmpty {
            throw Rejection(.invalid, "quiet.days names no day; leave it out for every day.", field: "quiet.days")
        }
        let days = words.map { words in (1...7).filter { words.contains(Self.dayWords[$0 - 1]) } }
        self.days = days?.count == 7 ? nil : days
    }

    /// As the column has them.
    var daysText: String? { days.map { $0.map { "\($0)" }.joined(separator: " ") } }

    private static func text(_ minutes: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return two(minutes / 60) + ":" + two(minutes % 60)
    }

    /// When the hours end that `now` lies in; `nil` outside of them, and where the zone is no longer known.
    ///
    /// An end that daylight saving skips is the moment the clock was put forward past it; of a repeated one the first.
    func end(at now: Instant) -> Instant? {
        guard let zone = Zone(zone) else { return nil }
        let civil = zone.civil(at: now)
        let minute = civil.hour * 60 + civil.minute
        let isQuiet = from < to ? (from..<to).contains(minute) : minute >= from || minute < to
        guard isQuiet, let midnight = Civil(year: civil.year, month: civil.month, day: civil.day) else { return nil }
        // Hours that go on after midnight began on the day before.
        let began = from < to || minute >= from ? midnight : midnight.adding(days: -1)
        if let days, !days.contains(began.weekday) { return nil }
        let day = minute < to ? midnight : midnight.adding(days: 1)
        guard let end = Civil(year: day.year, month: day.month, day: day.day, hour: to / 60, minute: to % 60) else {
            return nil
        }
        let moment: Instant =
            switch zone.instant(of: end) {
            case .one(let instant), .skipped(_, after: let instant): instant
            case .repeated(let first, _): first
            }
        // In the second turn of a repeated hour its first end is over: look again in a minute.
        return max(moment, now.adding(seconds: 60))
    }
}
