import KinCalendar
import KinICal
import KinKeeper
import KinModel
import KinStore

/// Whether something makes nobody busy: a calendar program said so, as it does of most whole days (RFC 5545, 3.8.2.7), of all
/// of it or of single days.
struct Transparency {
    private var all = false
    /// Single days of which something is said, by when they begin by the rule.
    private var days: [Civil: Bool] = [:]

    private static let word = "TRANSPARENT"

    /// Few have that word, so that few are read.
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

    /// Whether nobody is busy on a day.
    func isFree(at occurrence: Civil) -> Bool { days[occurrence] ?? all }

    /// The same, by the occurrence's name.
    func isFree(at occurrence: String) -> Bool {
        days.isEmpty ? all : Civil.read(occurrence).flatMap { days[$0] } ?? all
    }

    /// Of those of some entries of which something is said, by their numbers.
    static func among(_ numbers: Set<Int64>, _ act: Act) throws(Rejection) -> [Int64: Transparency] {
        let list = JSON.array(numbers.sorted().map { .int($0) }).text
        let kept = try act.rows(
            "SELECT number, raw FROM entries WHERE number IN (SELECT value FROM json_each(?)) AND instr(raw, ?) > 0",
            .text(list), .text(word)
        ) { row in (number: row.int("number"), raw: row.optionalText("raw")) }
        return Dictionary(kept.map { ($0.number, Transparency($0.raw)) }) { one, _ in one }
    }
}
