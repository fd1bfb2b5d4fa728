import KinKeeper
import KinModel
import KinStore

/// The memory of entries. When one entry changes, only that one is read again (``EntryChanges``). Before each answer
/// the memory is brought up to the database's present state, within the same transaction.
final class EntryMemory {
    private var changes = EntryChanges()
    private var sketches = SketchMemory()
    private var wires: [Int64: ToldEntry] = [:]
    private var findings: [Asked: Finding] = [:]
    private let almanac: Almanac

    private static let findingsMost = 16
    /// Places in one result that is remembered. A month has fewer; a year of a large family has more.
    private static let findingPlacesMost = 2500
    /// Entries that may have changed since a result was found. If there are more, the question is answered anew.
    private static let findingChangesMost = 100

    /// A question about a time and nothing else, with the member who asks.
    struct Asked: Hashable {
        let reader: Identifier
        let from: Instant
        let to: Instant
        /// The zone in which whole days are read.
        let zone: String
    }

    /// The result at that time.
    struct Finding {
        /// The reader's sight of the calendars at that time.
        let sight: CalendarSight
        let found: EntryQuestion.Found
        /// The entries that changed since, by their numbers. Their part of the result is found anew.
        var changed: Set<Int64> = []
    }

    /// An entry in the form that members who see it are told, ready for the wire.
    struct ToldEntry {
        let entry: Entry
        let json: JSON
    }

    init(_ almanac: Almanac) { self.almanac = almanac }

    /// Forgets results that were calculated with an almanac that is no longer in use.
    func forgetTimes() {
        sketches = SketchMemory()
        findings.removeAll()
    }

    /// Brings the memory up to the present state of the database.
    private func catchUp(_ act: Act) throws(Rejection) {
        let (news, next) = try changes.news(act)
        switch news {
        case .nothing: break
        case .anything:
            forgetTimes()
            wires.removeAll()
        case .entries(let numbers):
            // The entries are read before anything is changed here, because reading can fail.
            let anew = try act.ask { (database) throws(StoreFailure) in
                try EntrySketch.rows(
                    "WHERE e.number IN (SELECT value FROM json_each(?))", [Self.list(Array(numbers))], almanac,
                    database)
            }
            sketches.replace(numbers, by: anew)
            for number in numbers { wires[number] = nil }
            for asked in Array(findings.keys) { findings[asked]?.changed.formUnion(numbers) }
            findings = findings.filter { $0.value.changed.count <= Self.findingChangesMost }
        }
        changes = next
    }

    /// The result for a question, if the reader still sees the same of the calendars. The next page of a list, and the
    /// marks of its days, are made from the result of the page before.
    func finding(of asked: Asked, _ sight: CalendarSight, _ act: Act) throws(Rejection) -> Finding? {
        try catchUp(act)
        return findings[asked].flatMap { $0.sight == sight ? $0 : nil }
    }

    /// Remembers a result.
    func remember(_ finding: Finding, of asked: Asked) {
        findings[asked] = nil
        guard max(finding.found.count, finding.found.sketches.count) <= Self.findingPlacesMost else { return }
        if findings.count >= Self.findingsMost { findings.removeAll() }
        findings[asked] = finding
    }

    /// Sketches of entries that may be on between two moments: those that begin then or not long before, and those that
    /// repeat or last long.
    func near(_ from: Instant, _ to: Instant, _ act: Act) throws(Rejection) -> [EntrySketch] {
        try catchUp(act)
        return try sketches.long(from: from, to: to, almanac, act) + sketches.short(from: from, to: to, almanac, act)
    }

    /// Entries by their numbers, in the form in which they are told. Each of a family looks at a month again and again,
    /// so this form is remembered until the entry changes. Long entries are read anew each time.
    func told(_ numbers: [Int64], _ act: Act) throws(Rejection) -> [Int64: ToldEntry] {
        try catchUp(act)
        var found: [Int64: ToldEntry] = [:]
        found.reserveCapacity(numbers.count)
        var missing: [Int64] = []
        for number in numbers {
            if let known = wires[number] { found[number] = known } else { missing.append(number) }
        }
        guard !missing.isEmpty else { return found }
        let stored = try act.ask { (database) throws(StoreFailure) in
            try StoredEntry.rows(
                "WHERE e.number IN (SELECT value FROM json_each(?)) ORDER BY e.number", [Self.list(missing)], database)
        }
        for one in stored {
            let entry = ToldEntry(entry: one.wire, json: one.wire.json)
            found[one.number] = entry
            let parts = one.wire.exceptions.count + one.wire.answers.count + one.wire.times.dates.count
            guard parts <= 50 else { continue }
            if wires.count >= Limits.entriesToldMax { wires.removeAll() }
            wires[one.number] = entry
        }
        return found
    }

    private static func list(_ numbers: [Int64]) -> Value { .text(JSON.array(numbers.map { .int($0) }).text) }
}
