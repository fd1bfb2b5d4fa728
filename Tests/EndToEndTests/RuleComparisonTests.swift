import Glibc
import KinCalendar
import KinCodec
import KinICal
import KinModel
import Testing

@testable import KinCalendars

/// What repeats, beside what PyPI's python-dateutil makes of the same rules and Python's zoneinfo of the same clocks: made by a
/// seed, ten thousand rules, or as many as `KINWIRE_RULES` says.
@Suite struct RuleComparisonTests {
    private static let python = Stage.root + "/.build/python/bin/python"
    private static let hasDateutil = access(Stage.root + "/.build/python/has-dateutil", F_OK) == 0
    private static let count = getenv("KINWIRE_RULES").flatMap { Int(String(cString: $0)) } ?? 10_000
    private static let batch = 250

    /// A rule, and what the other side makes of it.
    private struct Case {
        let json: JSON

        var rule: String { json["rule"]?.string ?? "" }
        var isAllDay: Bool { json["zone"]?.string == nil }
        var wall: [String] { json["wall"]?.array?.compactMap(\.string) ?? [] }
        var moments: [Int64] { json["moments"]?.array?.compactMap(\.int) ?? [] }

        func civil(_ name: String) throws -> Civil { try #require(Civil(json[name]?.string ?? "")) }

        private func part(_ name: String) -> [String] {
            let part = rule.split(separator: ";").first { $0.hasPrefix(name + "=") } ?? ""
            return part.dropFirst(name.utf8.count + 1).split(separator: ",").map(String.init)
        }

        /// Positions within weeks: the other side counts the first week from the start on, RFC 5545 from its first day.
        var isOfWeekPositions: Bool { rule.hasPrefix("FREQ=WEEKLY") && !part("BYSETPOS").isEmpty }

        /// The first week in every other year or less often: the other side goes by the year of a day, not of its week.
        var isOfFirstWeek: Bool { part("BYWEEKNO").contains("1") && !part("INTERVAL").isEmpty }

        /// What is named in the catalogue of calendars as read otherwise here.
        var isDocumented: Bool {
            // Weeks counted from the year's end, and those that may reach into the next year.
            if part("BYWEEKNO").contains(where: { Int($0).map { !(1...51).contains($0) } ?? true }) { return true }
            // Positions among several times of a day, but within weeks.
            if !part("BYSETPOS").isEmpty, !isOfWeekPositions, part("BYHOUR").count > 1 { return true }
            return (isOfWeekPositions || isOfFirstWeek) && !part("COUNT").isEmpty
        }

        /// What is compared of what either side found.
        func compared(_ found: [Civil]) throws -> [Civil] {
            if isOfFirstWeek { return Array(found.filter { $0.month != 12 || $0.day < 29 }.prefix(40)) }
            guard isOfWeekPositions else { return found }
            let later = try civil("start").startOfDay.adding(days: 7)
            return Array(found.filter { $0 >= later }.prefix(40))
        }
    }

    @Test(.enabled(if: hasDateutil, "PyPI's python-dateutil is not installed"))
    func `what repeats is what python-dateutil and zoneinfo say`() throws {
        let stage = try Stage()
        var (compared, occurrences, passedOver) = (0, 0, 0)
        for seed in 0..<max(1, Self.count / Self.batch) {
            let program = stage.start([
                Self.python, Stage.fixtures + "/rules.py", "\(seed)", "\(min(Self.batch, Self.count))",
            ])
            try stage.wait("the rules") { program.status != nil }
            program.take()
            try #require(program.status == 0, "\(program.said)")
            for line in program.lines {
                let one = Case(json: try JSON.parse(Array(line.utf8)))
                guard !one.isDocumented else {
                    passedOver += 1
                    continue
                }
                occurrences += try compare(one)
                compared += 1
            }
        }
        #expect(compared + passedOver == max(1, Self.count / Self.batch) * min(Self.batch, Self.count))
        #expect(occurrences > compared, "the rules come to something")
    }

    /// Expands it as an entry is expanded, and answers how many times it came to.
    private func compare(_ one: Case) throws -> Int {
        let zone = one.json["zone"]?.string
        let times = EntryTimes(
            start: try one.civil("start").written(isAllDay: one.isAllDay), zone: zone,
            minutes: one.isAllDay ? nil : 30, days: one.isAllDay ? 1 : nil, repeats: one.rule)
        try #require(RecurrenceRule(one.rule)?.isExpanded == true, "\(one.rule)")
        let timing = try #require(Timing(times))
        let found = timing.series.occurrences(
            from: try one.civil("from"), to: try one.civil("to"), max: Int(one.json["max"]?.int ?? 0))
        let wanted = try one.wall.map { text in try #require(Civil(text)) }
        let name = "\(one.rule) from \(times.start) in \(zone ?? "no zone"), looked at from \(try one.civil("from"))"
        let (ours, theirs) = (try one.compared(found.all), try one.compared(wanted))
        if ours != theirs {
            let index = zip(ours, theirs).prefix { $0 == $1 }.count
            Issue.record(
                "\(name): \(ours.count) times, not \(theirs.count); at \(index): \(ours.dropFirst(index).prefix(3)), not \(theirs.dropFirst(index).prefix(3))"
            )
            return ours.count
        }
        if let zone, found.all == wanted {
            let place = try #require(Zone(zone))
            let moments = found.all.map { timing.span(of: $0, reader: place).start.milliseconds / 1000 }
            if moments != one.moments {
                let index = zip(moments, one.moments).prefix { $0 == $1 }.count
                Issue.record("\(name): \(found.all[index]) is \(moments[index]), not \(one.moments[index])")
            }
        }
        return found.all.count
    }
}
