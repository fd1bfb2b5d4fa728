import KinCalendar
import KinModel
import Testing

@testable import KinICal

/// The same chances for the same seed (SplitMix64).
struct Chance {
    var state: UInt64

    mutating func roll(_ sides: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((bits ^ (bits >> 31)) % UInt64(sides))
    }
}

/// What is remembered of series is what they come to.
@Suite struct SeriesMemoryTests {
    /// A rule by chance, of the sorts that calendars have.
    static func rule(_ dice: inout Chance) -> RecurrenceRule? {
        func some(_ all: [String], _ most: Int, _ dice: inout Chance) -> String {
            (0...dice.roll(most)).map { _ in all[dice.roll(all.count)] }.joined(separator: ",")
        }
        let days = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
        let frequency = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"][dice.roll(4)]
        var parts = ["FREQ=\(frequency)"]
        if dice.roll(2) == 0 { parts.append("INTERVAL=\(1 + dice.roll(5))") }
        switch dice.roll(4) {
        case 0: parts.append("COUNT=\(1 + dice.roll(200))")
        case 1: parts.append("UNTIL=20\(20 + dice.roll(20))0\(1 + dice.roll(9))15T120000Z")
        default: break
        }
        if dice.roll(3) == 0 { parts.append("BYMONTH=\(some((1...12).map(String.init), 3, &dice))") }
        switch (frequency, dice.roll(4)) {
        case ("WEEKLY", 0...1): parts.append("BYDAY=\(some(days, 3, &dice));WKST=\(days[dice.roll(7)])")
        case ("WEEKLY", 2): parts.append("BYDAY=\(some(days, 3, &dice));BYSETPOS=\(["1", "-1", "2"][dice.roll(3)])")
        case ("MONTHLY", 0), ("YEARLY", 0):
            parts.append("BYDAY=\(some(days.flatMap { ["1" + $0, "-1" + $0, "3" + $0] }, 2, &dice))")
        case ("MONTHLY", 1):
            parts.append("BYDAY=\(some(days, 3, &dice));BYSETPOS=\(["1", "-1", "2"][dice.roll(3)])")
        case ("MONTHLY", 2), ("YEARLY", 1):
            parts.append("BYMONTHDAY=\(some(["1", "13", "28", "29", "31", "-1", "-7"], 2, &dice))")
        case ("DAILY", 0): parts.append("BYDAY=\(some(days, 3, &dice))")
        case ("DAILY", 2): parts.append("BYMONTHDAY=\(some(["1", "-1", "-3"], 2, &dice))")
        case ("DAILY", 1): parts.append("BYHOUR=\(some(["7", "12", "19"], 2, &dice))")
        default: break
        }
        return RecurrenceRule(parts.joined(separator: ";"))
    }

    @Test(arguments: 1...4) func `what is remembered is what the series comes to, whatever is asked when`(
        _ seed: UInt64
    ) throws {
        var dice = Chance(state: seed)
        let memory = SeriesMemory()
        for _ in 0..<120 {
            guard let rule = Self.rule(&dice) else { continue }
            let start = try #require(Civil("2015-01-01T00:00")).adding(
                seconds: dice.roll(12 * 365) * 86_400 + dice.roll(96) * 900)
            var series = Series(
                start: start, rules: [rule], zone: Zone(["Europe/Vienna", "America/New_York"][dice.roll(2)]))
            if dice.roll(4) == 0 { series.dates = (0..<3).map { start.adding(days: 40 * $0 + 3) } }
            if dice.roll(4) == 0 {
                series.exceptions = Set(series.occurrences(from: start, to: start.adding(days: 900), max: 4).all)
            }
            let whole = series.occurrences(from: start, to: start.adding(days: 30 * 366), max: 20_000)
            for _ in 0..<6 {
                let from = start.adding(days: dice.roll(14 * 365) - 400).adding(seconds: dice.roll(86_400))
                let to = from.adding(days: 1 + dice.roll(60))
                // Each time another object: what is remembered belongs to the series, not to who asks.
                let found = memory.years(of: series).occurrences(from: from, to: to, max: 1000)
                #expect(found == series.occurrences(from: from, to: to, max: 1000), "\(rule) \(start) \(from) \(to)")
                #expect(found.all == whole.all.filter { from <= $0 && $0 < to }, "\(rule) \(start) \(from) \(to)")
                let few = memory.years(of: series).occurrences(from: from, to: to, max: 2)
                #expect(few.all == Array(found.all.prefix(2)) && few.isCut == (found.all.count > 2))
            }
        }
    }

    @Test func `what has too many, goes on for years or falls out of the memory is the same`() throws {
        let start = try #require(Civil("2020-01-01T08:00"))
        let memory = SeriesMemory()
        let often = Series(
            start: start, rules: [try #require(RecurrenceRule("FREQ=DAILY;BYHOUR=8,9,10;BYMINUTE=0,15,30,45"))])
        let daily = Series(start: start, rules: [try #require(RecurrenceRule("FREQ=DAILY"))])
        let held = memory.years(of: daily)
        for (days, series) in [(40, often), (20 * 366, daily), (40, daily)] {
            let (from, to) = (start.adding(days: 500), start.adding(days: 500 + days))
            let found = memory.years(of: series).occurrences(from: from, to: to, max: 10_000)
            #expect(found == series.occurrences(from: from, to: to, max: 10_000) && !found.all.isEmpty)
        }
        memory.forget()
        #expect(
            held.occurrences(from: start, to: start.adding(days: 3), max: 9).all
                == (0..<3).map { start.adding(days: $0) })
        // Nine years of ninety series are more than is kept.
        for number in 0..<90 {
            let series = Series(start: start.adding(seconds: 60 * number), rules: daily.rules)
            for year in 0..<10 {
                let from = start.adding(days: 366 * year)
                #expect(
                    memory.years(of: series).occurrences(from: from, to: from.adding(days: 2), max: 9).all.count == 2)
            }
        }
        #expect(held.occurrences(from: start, to: start.adding(days: 3), max: 9).all.count == 3)
    }
}
