import KinICal
import KinKeeper
import KinModel
import KinStore

extension StoredEntry {
    /// Whether it makes nobody busy: a calendar program said so, as it does of most whole days (RFC 5545, 3.8.2.7).
    var isTransparent: Bool { Self.isTransparent(raw) }

    private static let word = "TRANSPARENT"

    /// Few have that word, so that few are read.
    private static func isTransparent(_ raw: String?) -> Bool {
        guard let raw, raw.hasBytes(of: word), let kept = try? ICalComponent(raw.utf8) else { return false }
        return kept["TRANSP"]?.value.hasSameBytes(as: word) == true
    }

    /// Those of some that make nobody busy, by their numbers.
    static func transparent(among numbers: Set<Int64>, _ act: Act) throws(Rejection) -> Set<Int64> {
        let list = JSON.array(numbers.sorted().map { .int($0) }).text
        let kept = try act.rows(
            "SELECT number, raw FROM entries WHERE number IN (SELECT value FROM json_each(?)) AND instr(raw, ?) > 0",
            .text(list), .text(word)
        ) { row in (number: row.int(0), raw: row.optionalText(1)) }
        return Set(kept.filter { isTransparent($0.raw) }.map(\.number))
    }
}
