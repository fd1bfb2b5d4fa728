import KinCalendar
import KinICal
import KinModel

/// The zones of a file, found by their names in IANA's list or in Windows, or as the file itself describes them.
final class FileZones {
    /// The zone of times that name none.
    let reader: Zone
    /// The file's descriptions of its zones, by their names.
    private let described: [String: ICalComponent]
    /// Results so far, by name and year.
    private var found: [String: Found] = [:]
    /// The number of zones that are looked for in one file; times of further ones are read in the reader's zone.
    private static let foundMax = 200

    init(reader: Zone, _ described: [String: ICalComponent] = [:]) {
        self.reader = reader
        self.described = described
    }

    /// The findings about a zone of the file.
    struct Found {
        /// The zone in which its times are read.
        var zone: Zone
        /// Whether that is the zone with this name.
        var isKnown = true
        /// The zone by the file's own rules, if no zone known here has such rules.
        var rules: ICalZone?
        /// Whether the moments of its times are certain, by the file's own rules or by a known zone.
        var isPlaced: Bool
    }

    /// The zone with a name, around a time.
    func find(_ name: String, near civil: Civil) -> Found {
        if let zone = Self.known(name) { return Found(zone: zone, isPlaced: true) }
        let key = "\(civil.year) \(name)"
        if let known = found[key] { return known }
        guard found.count < Self.foundMax, (1600...2500).contains(civil.year) else {
            return Found(zone: reader, isKnown: false, isPlaced: false)
        }
        let one = place(name, near: civil)
        found[key] = one
        return one
    }

    private func place(_ name: String, near civil: Civil) -> Found {
        guard let rules = described[name].flatMap({ ICalZone($0) }) else {
            return Found(zone: reader, isKnown: false, isPlaced: false)
        }
        if let alike = alike(rules, near: civil) { return Found(zone: alike, isKnown: false, isPlaced: true) }
        return Found(zone: reader, isKnown: false, rules: rules, isPlaced: true)
    }

    /// The zone that a name means here.
    static func known(_ name: String) -> Zone? {
        if let zone = Zone(name) ?? WindowsZones.names[name].flatMap({ Zone($0) }) { return zone }
        // Some programs write a path before the name, such as /freeassociation.sourceforge.net/Europe/Berlin.
        let parts = name.split(separator: "/")
        return parts.count > 2 ? Zone(parts.suffix(2).joined(separator: "/")) : nil
    }

    /// The description to be written beside times in an unknown zone: the file's own, or else the way it is read here.
    func description(of name: String, near civil: Civil) -> ICalComponent {
        if let given = described[name] { return given }
        var made = ZoneWriter.component(reader, now: Timing.moment(civil, reader))
        made.lines = [ICalLine("TZID", text: name)]
        return made
    }

    /// A zone whose clocks follow these rules in the three years from a time on. The reader's zone is tried first.
    private func alike(_ rules: ICalZone, near civil: Civil) -> Zone? {
        guard let from = Civil(year: civil.year, month: 1, day: 1),
            let to = Civil(year: civil.year + 3, month: 1, day: 1)
        else { return nil }
        let changes = rules.changes(from: from, to: to)
        let months = (0..<36).map { from.adding(days: 15 + $0 * 30) }.map { ($0, rules.offset(at: $0)) }
        func isAlike(_ zone: Zone) -> Bool {
            func offset(_ civil: Civil, _ seconds: Int, _ more: Int64 = 0) -> Int {
                zone.offset(at: Timing.moment(civil, .utc).adding(seconds: more - Int64(seconds)))
            }
            return months.allSatisfy { offset($0.0, $0.1) == $0.1 }
                && changes.allSatisfy {
                    offset($0.at, $0.before, -1) == $0.before && offset($0.at, $0.before) == $0.after
                }
        }
        if isAlike(reader) { return reader }
        return Self.candidates.lazy.compactMap { Zone($0) }.first(where: isAlike)
    }

    private static let candidates = Set(WindowsZones.common.values).sorted()
}
