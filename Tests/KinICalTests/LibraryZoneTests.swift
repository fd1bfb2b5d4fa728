import CICal
import Glibc
import KinCalendar
import KinModel
import Testing

@testable import KinICal

/// Zones as `KinCalendar` reads them, beside libical's own, which go wrong after 2037: every zone that `zone1970.tab` lists,
/// on every tenth day, and in the seconds before and at each change of clocks.
@Suite struct LibraryZoneTests {
    /// The years in which libical's own zone says otherwise: it makes a rule of changes that lie alike in years that follow
    /// each other, and takes one year too many or too few. Python's `zoneinfo` says there what `KinCalendar` says
    /// (`RuleComparisonTests`).
    private static let different = [
        "America/Asuncion": [2014], "America/Campo_Grande": [2014], "America/Cuiaba": [2006, 2014],
        "America/Sao_Paulo": [2014], "Asia/Damascus": [2000, 2001, 2002, 2003, 2004, 2005], "Asia/Gaza": [2017],
        "Asia/Hebron": [2017], "Asia/Jerusalem": [2013, 2014, 2015, 2016], "Asia/Tehran": [2002, 2018, 2019],
        "Pacific/Easter": [2020, 2021, 2022], "Pacific/Fiji": [2011, 2012, 2017],
    ]

    private static let names: [String] = {
        let file = open("/usr/share/zoneinfo/zone1970.tab", O_RDONLY)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 17)
        let count = read(file, &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        return Set(lines.compactMap { $0.split(separator: "\t").dropFirst(2).first.map { String($0) } }).sorted()
    }()

    /// How far a clock is ahead of universal time at a second, as libical's zone says.
    private static func offset(_ zone: OpaquePointer, at second: Int) -> Int {
        var time = unsafe icaltime_from_timet_with_zone(time_t(second), 0, icaltimezone_get_utc_timezone())
        return unsafe Int(icaltimezone_get_utc_offset_of_utc_time(zone, &time, nil))
    }

    /// The same as `KinCalendar` says.
    private static func offset(_ zone: Zone, at second: Int) -> Int {
        zone.offset(at: Instant(milliseconds: Int64(second) * 1000))
    }

    /// The years in which they differ.
    private static func years(_ name: String) throws -> [Int] {
        let zone = try #require(Zone(name))
        let other = try #require(unsafe icaltimezone_get_builtin_timezone(name), "\(name)")
        let first = try #require(Instant("2000-01-01T00:00:00Z")).milliseconds / 1000
        let last = try #require(Instant("2037-12-31T00:00:00Z")).milliseconds / 1000
        let step = 10 * 86_400
        var years: Set<Int> = []
        func compare(_ second: Int, _ said: Int) {
            guard unsafe offset(other, at: second) != said else { return }
            years.insert(Zone.utc.civil(at: Instant(milliseconds: Int64(second) * 1000)).year)
        }
        var before: Int?
        for second in stride(from: Int(first), to: Int(last), by: step) {
            let now = offset(zone, at: second)
            compare(second, now)
            if let before, before != now {
                var (low, high) = (second - step, second)
                while high - low > 1 {
                    let middle = (low + high) / 2
                    if offset(zone, at: middle) == before { low = middle } else { high = middle }
                }
                compare(low, before)
                compare(high, offset(zone, at: high))
            }
            before = now
        }
        return years.sorted()
    }

    @Test func `until 2037 libical's zones say the same, but for those that are listed with their years`() throws {
        try #require(Library.isReady)
        try #require(Self.names.count > 300, "Debian's tzdata is not installed")
        var found: [String: [Int]] = [:]
        for name in Self.names {
            let years = try Self.years(name)
            if !years.isEmpty { found[name] = years }
        }
        #expect(found == Self.different)
    }
}
