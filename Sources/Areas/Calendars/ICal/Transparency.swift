import KinCalendar
import KinICal
import KinKeeper
import KinModel
import KinStore

/// Whether an entry, or a single day of it, makes nobody busy. Calendar programs say this of most all-day entries (RFC
/// 5545, 3.8.2.7).
struct Transparency {
    private var all = false
    /// Single days with a value of their own, by the time at which they begin by the rule.
    private var days: [Civil: Bool] = [:]

    private static let word = "TRANSPARENT"

    /// Few entries have that word, so few are parsed.
    init(_ raw: String?) {
        guard let raw, raw.hasBytes(of: Self.word), let kept = try? ICalComponent(raw.utf8) else { return }
        all = Self.said(kept) ?? false
        for day in kept.components where day.name == "VEVENT" {
            guard let isFree = Self.said(day), let civil = day["RECURRENCE-ID"].flatMap({ ICalTime($0.value) })?.civil
            else { continue }
            days[civil] = isFree
        }
    }

    private static func said(_ event: ICalComponent) -> Bool? { event["TRANSP"]?.value.hasSameBytes(as: word) }

    /// Whether an occurrence makes nobody busy.
    func isFree(at occurrence: Civil) -> Bool { days[occurrence] ?? all }

    /// The same, by the occurrence's name.
    func isFree(at occurrence: String) -> Bool {
        days.isEmpty ? all : Civil.read(occurrence).flatMap { days[$0] } ?? all
    }

    /// The values of those among some entries that have one, by the entries' numbers.
    static func among(_ numbers: Set<Int64>, _ act: Act) throws(Rejection) -> [Int64: Transparency] {
        let list = JSON.array(numbers.sorted().map { .int($0) }).text
        let kept = try act.rows(
            "SELECT number, raw FROM entries WHERE number IN (SELECT value FROM json_each(?)) AND instr(raw, ?) > 0",
            .text(list), .text(word)
        ) { row in (number: row.int("number"), raw: row.optionalText("raw")) }
        return Dictionary(kept.map { ($0.number, Transparency($0.raw)) }) { one, _ in one }
    }
}
