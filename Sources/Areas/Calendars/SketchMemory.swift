import KinKeeper
import KinModel
import KinStore

/// Sketches in memory: of all entries that repeat or last long, and of short ones that occur once, by the stretch of
/// time in which they begin. Each group is read when it is first asked for.
struct SketchMemory {
    /// All entries that repeat or last long, by number; `nil` until they are read.
    private var lasting: [Int64: EntrySketch]?
    private var stretches: [Int64: [Int64: EntrySketch]] = [:]
    /// The number of sketches in the stretches.
    private var held = 0
    private static let stretchesMost = 200

    /// Replaces the entries with these numbers by those that were read anew; the others among them are gone.
    mutating func replace(_ numbers: Set<Int64>, by anew: [EntrySketch]) {
        for number in numbers {
            lasting?[number] = nil
            for stretch in Array(stretches.keys) {
                if stretches[stretch]?.removeValue(forKey: number) != nil { held -= 1 }
            }
        }
        for one in anew {
            let stretch = Self.stretch(of: one.first)
            if one.isLong {
                lasting?[one.number] = one
            } else if stretches[stretch] != nil {
                stretches[stretch]?[one.number] = one
                held += 1
            }
        }
        if (lasting?.count ?? 0) > Int(Limits.entriesRememberedMax) { lasting = nil }
        if held > Int(Limits.entriesRememberedMax) { forgetStretches() }
    }

    /// Entries that repeat or last long and may be on in a time. If there are more than
    /// ``KinModel/Limits/entriesRememberedMax``, they are read each time.
    mutating func long(
        from: Instant, to: Instant, _ almanac: Almanac, _ act: Act
    ) throws(Rejection) -> [EntrySketch] {
        if lasting == nil {
            let count = try act.first("SELECT count(*) FROM entries WHERE is_long = 1") { row in row.int(0) } ?? 0
            guard count <= Limits.entriesRememberedMax else {
                return try act.ask { (database) throws(StoreFailure) in
                    try EntrySketch.rows(
                        "WHERE e.is_long = 1 AND e.last >= ? AND e.first < ?", [.time(from), .time(to)], almanac,
                        database)
                }
            }
            let all = try act.ask { (database) throws(StoreFailure) in
                try EntrySketch.rows("WHERE e.is_long = 1", [], almanac, database)
            }
            lasting = Self.byNumber(all)
        }
        return (lasting ?? [:]).values.filter { $0.last >= from && $0.first < to }
    }

    /// Short entries that do not repeat and may be on between two moments. For a very long time, those that begin in it
    /// are read anew each time.
    mutating func short(
        from: Instant, to: Instant, _ almanac: Almanac, _ act: Act
    ) throws(Rejection) -> [EntrySketch] {
        let early = from.adding(milliseconds: -Calendars.shortMilliseconds)
        let (first, last) = (Self.stretch(of: max(early, .earliest)), Self.stretch(of: to))
        guard last - first < 20 else {
            return try Self.read(beginning: early, to, almanac, act).filter { $0.last >= from }
        }
        var found: [EntrySketch] = []
        for stretch in first...max(first, last) {
            for one in try begun(in: stretch, almanac, act).values
            where one.first >= early && one.first < to && one.last >= from {
                found.append(one)
            }
        }
        return found
    }

    private mutating func begun(
        in stretch: Int64, _ almanac: Almanac, _ act: Act
    ) throws(Rejection) -> [Int64: EntrySketch] {
        if let known = stretches[stretch] { return known }
        let begin = Instant.earliest.adding(milliseconds: stretch * Calendars.shortMilliseconds)
        let found = Self.byNumber(
            try Self.read(beginning: begin, begin.adding(milliseconds: Calendars.shortMilliseconds), almanac, act))
        if held + found.count > Int(Limits.entriesRememberedMax) || stretches.count >= Self.stretchesMost {
            forgetStretches()
        }
        held += found.count
        stretches[stretch] = found
        return found
    }

    private mutating func forgetStretches() {
        stretches.removeAll()
        held = 0
    }

    /// The number of the stretch of time in which a moment lies.
    private static func stretch(of moment: Instant) -> Int64 {
        (moment.milliseconds - Instant.earliest.milliseconds) / Calendars.shortMilliseconds
    }

    private static func byNumber(_ some: [EntrySketch]) -> [Int64: EntrySketch] {
        Dictionary(some.map { ($0.number, $0) }) { one, _ in one }
    }

    private static func read(
        beginning from: Instant, _ to: Instant, _ almanac: Almanac, _ act: Act
    ) throws(Rejection) -> [EntrySketch] {
        try act.ask { (database) throws(StoreFailure) in
            try EntrySketch.rows(
                "WHERE e.is_long = 0 AND e.first >= ? AND e.first < ?", [.time(from), .time(to)], almanac, database)
        }
    }
}
