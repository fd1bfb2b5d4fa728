import KinCalendar
import KinCodec
import KinCrypto
import KinICal
import KinKeeper
import KinModel

/// The calendar of birthdays. It is made from members' profiles and from contacts whenever it is read, and never
/// stored. Each member sees the birthdays that the member may know anyway.
struct Birthdays {
    /// One birthday in one year.
    struct Day {
        let date: Civil
        let known: KnownBirthday

        /// The part of it that its reader is told.
        struct Told: WireRecord {
            let date: String
            let name: String
            let member: Identifier?
            let contact: Identifier?
            let years: Int64?

            static let fields = Fields(
                nil, Told.init(date:name:member:contact:years:), .required("date", \.date, EntryTimes.civilForm),
                .required("name", \.name, .line(max: 400)),
                .optional("member", \.member, .id, "Whose it is, where it is a member's."),
                .optional("contact", \.contact, .id, "Whose it is, where it is a contact's."),
                .optional(
                    "years", \.years, Form<Int64>.integer(0...10_000), "How old they become, where that is known."))
        }

        var told: Told {
            Told(
                date: date.written(isAllDay: true), name: known.name, member: known.isMembers ? known.id : nil,
                contact: known.isMembers ? nil : known.id, years: known.birthday.year.map { Int64(date.year - $0) })
        }
    }

    /// The category of birthdays.
    static let category = "celebration"

    private let all: [KnownBirthday]

    /// The birthdays that the caller may know and that a question asks for.
    init(_ params: Params, _ act: Act) throws(Rejection) {
        let calendars = params["calendars"]?.array?.compactMap(\.identifier)
        let categories = params["categories"]?.array?.compactMap(\.string)
        if let calendars, let family = try act.memory(CalendarMemory.self).known(act).implied.first?.id,
            !calendars.contains(StoredCalendar.birthdays(family))
        {
            all = []
            return
        }
        let leftOut = try act.memory(CalendarMemory.self).leftOut(of: try act.member.id, act)
        if calendars == nil, leftOut.contains(.birthdays) {
            all = []
            return
        }
        if let categories, !categories.contains(where: { $0.hasSameBytes(as: Self.category) }) {
            all = []
            return
        }
        let members = params["members"]?.array.map { Set($0.compactMap(\.identifier)) }
        let words = params.optionalString("words")?.lowercased().split(separator: " ").map { String($0) }
        var known: [KnownBirthday] = []
        for hook in act.hooks.birthdays { known += try hook(act, try act.member.id) }
        all = known.filter { one in
            if let members, !one.isMembers || !members.contains(one.id) { return false }
            guard let words else { return true }
            let parts = one.name.lowercased().split(separator: " ")
            return words.allSatisfy { word in parts.contains { $0.hasPrefix(word) } }
        }
    }

    /// The birthdays on the days between two moments. A birthday on 29 February is on the 28th in other years.
    func days(from: Instant, to: Instant, _ zone: Zone) -> [Day] {
        guard !all.isEmpty, from < to else { return [] }
        let (first, last) = (zone.civil(at: from), zone.civil(at: to))
        var days: [Day] = []
        for year in first.year...last.year {
            for one in all where one.birthday.year.map({ $0 <= year }) ?? true {
                guard
                    let date = Civil(year: year, month: one.birthday.month, day: one.birthday.day)
                        ?? Civil(year: year, month: one.birthday.month, day: one.birthday.day - 1),
                    date >= first.startOfDay, date < last
                else { continue }
                days.append(Day(date: date, known: one))
            }
        }
        return days.sorted { ($0.date, $0.known.name, $0.known.id) < ($1.date, $1.known.name, $1.known.id) }
    }
}

/// A birthday as calendar programs read it: an all-day entry that repeats every year. It is not stored, and nobody can
/// change it.
struct BirthdayEntry {
    /// The birthday as an entry.
    let stored: StoredEntry

    /// All birthdays that a member may know, in a fixed order.
    static func all(to member: Identifier, _ act: Act) throws(Rejection) -> [BirthdayEntry] {
        var known: [KnownBirthday] = []
        for hook in act.hooks.birthdays { known += try hook(act, member) }
        let calendar = try act.memory(CalendarMemory.self).known(act).implied.first { $0.kind == .birthdays }
        guard let calendar else { return [] }
        return known.sorted { ($0.id, $0.birthday.text) < ($1.id, $1.birthday.text) }.compactMap {
            BirthdayEntry($0, in: calendar.id)
        }
    }

    /// No birthday begins before the first of these years, so that programs need not count from there. A birthday
    /// without a year begins in the second one, a leap year.
    private static let (firstYear, someYear) = (1900, 2000)

    private init?(_ known: KnownBirthday, in calendar: Identifier) {
        let birthday = known.birthday
        let year = birthday.year.map { max($0, Self.firstYear) } ?? Self.someYear
        guard
            let start = Civil(year: year, month: birthday.month, day: birthday.day)
                ?? Civil(year: year, month: birthday.month, day: birthday.day - 1)
        else { return nil }
        let isLeap = birthday.month == 2 && birthday.day == 29
        let times = EntryTimes(
            start: start.written(isAllDay: true), days: 1,
            repeats: isLeap ? "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1" : "FREQ=YEARLY")
        // A sign instead of a word, for a program of any language.
        let name = "🎂 " + known.name + (birthday.year.map { " (\($0))" } ?? "")
        var stored = StoredEntry(
            Entry(
                id: known.id, calendar: calendar, owner: known.id, subject: name, category: Birthdays.category,
                times: times, changed: Instant(milliseconds: 0)),
            uid: "birthday-\(known.id)@kinwire")
        stored.raw = ICalComponent("VEVENT", [ICalLine("TRANSP", value: "TRANSPARENT")]).text
        self.stored = stored
    }

    /// The name of its item on a shelf.
    var name: String { "\(stored.wire.id)\(ShelfName.suffix)" }

    /// A validator of its state.
    var tag: String {
        let said = stored.wire.times.start + " " + stored.wire.subject
        return "\"b\(Hex.encode(Array(Digest.sha256(Array(said.utf8)).prefix(12))))\""
    }

    /// A digest of all birthdays together.
    static func digest(_ all: [BirthdayEntry]) -> String {
        guard !all.isEmpty else { return "0" }
        return Hex.encode(Array(Digest.sha256(Array(all.map { $0.name + $0.tag }.joined().utf8)).prefix(8)))
    }
}
