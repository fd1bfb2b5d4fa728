import KinModel
import Testing

@testable import KinCalendar

@Suite struct ZoneTests {
    static func zone(_ name: String) throws -> Zone { try #require(Zone(name)) }
    static func instant(_ text: String) throws -> Instant { try #require(Instant(text)) }
    static func civil(_ text: String) throws -> Civil { try #require(Civil(text)) }

    @Test(arguments: [
        "", "Nowhere/Land", "europe/berlin", "../etc/passwd", "/etc/passwd", "Europe/../Europe/Berlin",
        "Europe//Berlin",
        "Europe/", "Europe", "posix/Europe/Berlin", "right/Europe/Berlin", "zone.tab", "localtime", "Europe/Berlin\0",
        "Europe/Bérlin", ".", "Factory ",
    ])
    func `a name that is no zone's is none`(name: String) {
        #expect(Zone(name) == nil)
    }

    @Test(arguments: [
        "UTC", "Etc/UTC", "Etc/GMT+1", "America/Port-au-Prince", "EST5EDT", "America/Argentina/Buenos_Aires",
    ])
    func `a zone's name is one`(name: String) {
        #expect(Zone(name)?.name == name)
    }

    /// Offsets in seconds as Python's `zoneinfo` has them, on both sides of changes; from 2038 on some files have no
    /// more transitions but the rule at their end.
    @Test(arguments: [
        ("Europe/Berlin", "2026-03-29T00:59:59Z", 3600), ("Europe/Berlin", "2026-03-29T01:00:00Z", 7200),
        ("Europe/Berlin", "2026-10-25T00:59:59Z", 7200), ("Europe/Berlin", "2026-10-25T01:00:00Z", 3600),
        ("Europe/Berlin", "2040-10-28T00:59:59Z", 7200), ("Europe/Berlin", "2040-10-28T01:00:00Z", 3600),
        ("America/New_York", "2026-03-08T06:59:59Z", -18000), ("America/New_York", "2026-03-08T07:00:00Z", -14400),
        ("America/New_York", "2039-11-06T05:59:59Z", -14400), ("America/New_York", "2039-11-06T06:00:00Z", -18000),
        ("Pacific/Chatham", "2038-09-25T13:59:59Z", 45900), ("Pacific/Chatham", "2038-09-25T14:00:00Z", 49500),
        ("Pacific/Chatham", "2026-04-04T13:59:59Z", 49500), ("Pacific/Chatham", "2026-04-04T14:00:00Z", 45900),
        ("Australia/Lord_Howe", "2038-10-02T15:29:59Z", 37800), ("Australia/Lord_Howe", "2038-10-02T15:30:00Z", 39600),
        ("Africa/Casablanca", "2026-02-15T01:59:59Z", 3600), ("Africa/Casablanca", "2026-02-15T02:00:00Z", 0),
        ("Africa/Casablanca", "2026-03-22T01:59:59Z", 0), ("Africa/Casablanca", "2026-03-22T02:00:00Z", 3600),
        ("Asia/Kolkata", "2040-06-01T00:00:00Z", 19800), ("Asia/Kolkata", "1941-06-01T00:00:00Z", 19800),
        ("Europe/Dublin", "2026-01-01T00:00:00Z", 0), ("Europe/Dublin", "2026-07-01T00:00:00Z", 3600),
    ])
    func `a zone's offset is the database's`(name: String, at: String, offset: Int) throws {
        #expect(try Self.zone(name).offset(at: Self.instant(at)) == offset)
    }

    @Test(arguments: [
        "Europe/Berlin", "America/New_York", "Pacific/Chatham", "Africa/Casablanca", "Asia/Kolkata", "UTC",
    ])
    func `where no clock changes, times are found without looking for changes, and are the same`(name: String) throws {
        let zone = try Self.zone(name)
        var (month, count) = (try Self.instant("2025-12-15T11:23:00Z"), 0)
        for _ in 0..<180 {
            let next = month.adding(days: 31)
            if let steady = zone.steady(from: month, to: next) {
                count += 1
                for hours in stride(from: Int64(-24), through: 32 * 24, by: 7) {
                    let moment = month.adding(seconds: hours * 3600)
                    #expect(steady.civil(at: moment) == zone.civil(at: moment))
                    #expect(zone.instant(of: steady.civil(at: moment)) == .one(moment))
                    #expect(steady.instant(of: zone.civil(at: moment)) == moment)
                }
            }
            month = next
        }
        #expect(count >= (name == "UTC" || name == "Asia/Kolkata" ? 180 : 60))
    }

    @Test func `a civil time is one moment, or none, or two`() throws {
        let berlin = try Self.zone("Europe/Berlin")
        #expect(
            berlin.instant(of: try Self.civil("2026-11-22T18:00")) == .one(try Self.instant("2026-11-22T17:00:00Z")))
        #expect(
            berlin.instant(of: try Self.civil("2026-03-29T02:30"))
                == .skipped(
                    before: try Self.instant("2026-03-29T00:30:00Z"), after: try Self.instant("2026-03-29T01:30:00Z")))
        #expect(
            berlin.instant(of: try Self.civil("2026-10-25T02:30"))
                == .repeated(
                    first: try Self.instant("2026-10-25T00:30:00Z"), second: try Self.instant("2026-10-25T01:30:00Z")))
        // The edges: 02:00 is skipped and 03:00 is not; 02:00 is repeated and 03:00 is not.
        let edges: [(String, Bool, Bool)] = [
            ("2026-03-29T01:59:59", false, false), ("2026-03-29T02:00", true, false),
            ("2026-03-29T03:00", false, false), ("2026-10-25T01:59:59", false, false),
            ("2026-10-25T02:00", false, true), ("2026-10-25T02:59:59", false, true),
            ("2026-10-25T03:00", false, false),
        ]
        for (text, isSkipped, isRepeated) in edges {
            switch berlin.instant(of: try Self.civil(text)) {
            case .one: #expect(!isSkipped && !isRepeated, "\(text)")
            case .skipped: #expect(isSkipped, "\(text)")
            case .repeated: #expect(isRepeated, "\(text)")
            }
        }
    }

    @Test func `half an hour can be skipped too`() throws {
        let howe = try Self.zone("Australia/Lord_Howe")
        guard case .skipped = howe.instant(of: try Self.civil("2026-10-04T02:15")) else {
            Issue.record("02:15 is not there on that day")
            return
        }
        guard case .repeated = howe.instant(of: try Self.civil("2026-04-05T01:45")) else {
            Issue.record("01:45 is there twice on that day")
            return
        }
    }

    @Test(arguments: ["Europe/Berlin", "America/New_York", "Pacific/Chatham", "Africa/Casablanca", "Asia/Kolkata"])
    func `what the wall shows at a moment leads back to it`(name: String) throws {
        let zone = try Self.zone(name)
        var at = try Self.instant("2020-01-01T00:00:00Z")
        let end = try Self.instant("2041-01-01T00:00:00Z")
        while at < end {
            switch zone.instant(of: zone.civil(at: at)) {
            case .one(let found): #expect(found == at)
            case .repeated(let first, let second): #expect(first == at || second == at)
            case .skipped: Issue.record("\(at) is shown, so it is not skipped")
            }
            at = at.adding(seconds: 6 * 3600 + 1)
        }
    }

    @Test(arguments: [
        ("Europe/Berlin", "2026-01-15T12:00:00Z", "CET"), ("Europe/Berlin", "2026-07-15T12:00:00Z", "CEST"),
        ("Europe/Berlin", "2090-01-15T12:00:00Z", "CET"), ("Europe/Berlin", "2090-07-15T12:00:00Z", "CEST"),
        ("Europe/Berlin", "1880-01-01T00:00:00Z", "LMT"), ("America/New_York", "2026-07-15T12:00:00Z", "EDT"),
        ("Asia/Kolkata", "2026-07-15T12:00:00Z", "IST"), ("America/Sao_Paulo", "2026-07-15T12:00:00Z", "UTC-03"),
        ("UTC", "2026-07-15T12:00:00Z", "UTC"),
    ])
    func `a zone's time has a name`(zone: String, at: String, name: String) throws {
        #expect(try #require(Zone(zone)).abbreviation(at: try Self.instant(at)) == name)
    }

    @Test func `a damaged file is no zone`() {
        #expect(ZoneFile([]) == nil)
        #expect(ZoneFile(Array("TZif2".utf8)) == nil)
        #expect(ZoneFile([UInt8](repeating: 0xFF, count: 200)) == nil)
        let header = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
        // Counts that lead beyond the file.
        #expect(ZoneFile(header + [UInt8](repeating: 0x7F, count: 24)) == nil)
        #expect(ZoneFile(header + [UInt8](repeating: 0xFF, count: 24)) == nil)
    }

    @Test(arguments: [
        "", "CE-1", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.5.0,M10.5.0x",
        "CET-99999999999999999999", "<CET-1", "CET-1CEST,J0,J300",
    ])
    func `a rule that is none is not read`(text: String) {
        #expect(ZoneRule(Array(text.utf8)) == nil)
    }

    @Test func `days of the year count with and without the leap day`() throws {
        // From 1 March (day 60 without the leap day) to day 300 counted with it.
        let rule = try #require(ZoneRule(Array("AAA0BBB,J60,299".utf8)))
        func offset(_ text: String) throws -> Int64 { rule.offset(at: try Self.instant(text).milliseconds / 1000) }
        #expect(try offset("2028-02-29T23:00:00Z") == 0)
        #expect(try offset("2028-03-01T02:00:00Z") == 3600)
        #expect(try offset("2027-03-01T01:59:59Z") == 0)
        #expect(try offset("2027-03-01T02:00:00Z") == 3600)
        #expect(try offset("2028-10-26T00:59:59Z") == 3600)
        #expect(try offset("2028-10-26T01:00:00Z") == 0)
    }
}
