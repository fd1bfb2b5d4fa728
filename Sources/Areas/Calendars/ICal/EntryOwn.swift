import KinCalendar
import KinCrypto
import KinICal
import KinKeeper
import KinModel
import KinStore

/// The parts of entries that one reader is told differently from others: the reader's alarms, the places on the map
/// that the reader sees, and the names of those who are asked, as far as the reader is told them. They are part of the
/// state that this reader's programs know, and nobody else's.
struct EntryOwn {
    /// The reader's alarms as the reader's programs wrote them, by the entries' numbers.
    private(set) var alarms: [Int64: String] = [:]
    /// The minutes before an entry at which the reader is reminded, by the entries' numbers; the longest first.
    private(set) var reminders: [Int64: [Int64]] = [:]
    /// The places of the map that these entries name and the reader sees.
    private(set) var places: [Identifier: Place] = [:]
    /// Names of members, as far as the reader is told them, where somebody is asked to one of the entries.
    private(set) var names: [Identifier: String] = [:]

    /// The parts that everybody sees.
    init() {}

    /// The parts that a reader is told of these entries. A waiting session, which somebody else opened, is told of no
    /// place.
    init(of reader: Identifier, _ entries: [StoredEntry], _ act: Act) throws(Rejection) {
        let hook = PlacesOfMap(act).hook
        let names = try Self.names(in: entries, to: reader, act)
        self = try act.ask { (database) throws(StoreFailure) in
            try EntryOwn(of: reader, entries, names: names, places: hook, database)
        }
    }

    private static func names(
        in entries: [StoredEntry], to reader: Identifier, _ act: Act
    ) throws(Rejection) -> [Identifier: String] {
        guard entries.contains(where: \.isPlanned), let entry = try act.roster[reader] else { return [:] }
        return try CalendarFile.names(to: entry, act)
    }

    init(
        of reader: Identifier, _ entries: [StoredEntry], names: [Identifier: String] = [:],
        places hook: Area.PlacesHook?, _ database: Database
    ) throws(StoreFailure) {
        self.names = names
        guard !entries.isEmpty else { return }
        let numbers = Value.text(JSON.array(entries.map { .int($0.number) }).text)
        for (entry, text) in try database.rows(
            "SELECT entry, text FROM entry_alarms WHERE member = ? AND entry IN (SELECT value FROM json_each(?))",
            .id(reader), numbers, map: { row in (row.int("entry"), row.text("text")) })
        {
            alarms[entry] = text
        }
        for (entry, minutes) in try database.rows(
            """
            SELECT entry, minutes FROM entry_reminders WHERE member = ? AND entry IN (SELECT value FROM json_each(?))
            ORDER BY entry, minutes DESC
            """, .id(reader), numbers, map: { row in (row.int("entry"), row.int("minutes")) })
        {
            reminders[entry, default: []].append(minutes)
        }
        let named = Set(entries.flatMap(\.wire.mapPlaces))
        guard !named.isEmpty, let hook else { return }
        for place in try hook(database, reader, named.sorted()) { places[place.id] = place }
    }

    /// A digest of what only the reader is told of an entry; `nil`: nothing.
    func digest(of stored: StoredEntry) -> String? {
        var said: [String] = []
        if let text = alarms[stored.number] { said.append(text) }
        for minutes in reminders[stored.number] ?? [] { said.append("\(minutes)") }
        for id in stored.wire.mapPlaces {
            if let place = places[id] { said.append("\(id) \(place.lat) \(place.lon) \(place.name)") }
        }
        // CN is part of the object, so that another name is another state (RFC 4791, 5.3.4).
        if !names.isEmpty, stored.isPlanned {
            for member in [stored.wire.owner] + stored.wire.invitees.map(\.member) {
                if let name = names[member] { said.append("\(member) \(name)") }
            }
        }
        guard !said.isEmpty else { return nil }
        return Hex.encode(Array(Digest.sha256(Array(said.joined(separator: "\n").utf8)).prefix(6)))
    }
}

extension Entry {
    /// The places of the map that it names, for the whole entry and for single days, each once.
    var mapPlaces: [Identifier] {
        var ids: [Identifier] = []
        for place in [place] + exceptions.map(\.place) {
            if let id = place?.mapPlace, !ids.contains(id) { ids.append(id) }
        }
        return ids
    }

    /// The place of one of its days; `nil` also for a day that is left out.
    fileprivate func place(on occurrence: String) -> EntryPlace? {
        guard let other = exceptions.first(where: { $0.occurrence.hasSameBytes(as: occurrence) }) else { return place }
        return other.isRemoved ? nil : other.place ?? place
    }
}

extension EntryPlace {
    /// The place in the form for the programs of a reader who sees some places of the map: its own words and
    /// coordinates, or else those of the place on the map.
    func told(_ seen: [Identifier: Place]) -> EntryPlace {
        var told = EntryPlace(text: text, lat: lat, lon: lon)
        guard let shown = mapPlace.flatMap({ seen[$0] }) else { return told }
        if text == nil { told.text = shown.name }
        if lat == nil || lon == nil { (told.lat, told.lon) = (shown.lat, shown.lon) }
        return told
    }

    /// Whether it names a place of the map that a reader does not see.
    func isHidden(_ seen: [Identifier: Place]) -> Bool { mapPlace.map { seen[$0] == nil } ?? false }
}

extension ICalLine {
    /// Whether the line repeats the place, as some programs do beside LOCATION (X-APPLE-STRUCTURED-LOCATION).
    var isOfLocation: Bool { name != "LOCATION" && name.hasBytes(of: "LOCATION") }
}

extension ICalComponent {
    /// The same without lines and components that repeat the place.
    var withoutLocations: ICalComponent {
        ICalComponent(
            name, lines.filter { !$0.isOfLocation }, components: components.filter { $0.name != "VLOCATION" })
    }

    /// The same without everything that names the place.
    var withoutPlaces: ICalComponent {
        var rest = withoutLocations
        rest.lines.removeAll { $0.name == "LOCATION" || $0.name == "GEO" }
        return rest
    }

    /// Takes over another component's lines that repeat the place, if it has none itself. Answers whether it took any.
    fileprivate mutating func takeLocations(of other: ICalComponent) -> Bool {
        let (own, parts) = (other.lines.filter(\.isOfLocation), other.components.filter { $0.name == "VLOCATION" })
        guard !own.isEmpty || !parts.isEmpty, !lines.contains(where: \.isOfLocation),
            !components.contains(where: { $0.name == "VLOCATION" })
        else { return false }
        lines += own
        components += parts
        return true
    }
}

extension StoredEntry {
    /// Keeps the positions that programs wrote beside LOCATION, of the entry and of its single days. The member who
    /// writes the entry now was not told about places of the map outside of `seen`, and so left them unchanged.
    mutating func keepLocations(of before: StoredEntry, seeing seen: [Identifier: Place]) {
        guard before.wire.mapPlaces.contains(where: { seen[$0] == nil }),
            let old = before.raw.flatMap({ try? ICalComponent($0.utf8) })
        else { return }
        var kept = raw.flatMap { try? ICalComponent($0.utf8) } ?? ICalComponent("VEVENT")
        var isOther = false
        if wire.place == before.wire.place, wire.place?.isHidden(seen) == true {
            isOther = kept.takeLocations(of: old)
        }
        for day in hiddenDays(of: before, old, seen) {
            let place = kept.components.firstIndex {
                $0.name == "VEVENT" && $0["RECURRENCE-ID"] == day["RECURRENCE-ID"]
            }
            if let index = place {
                if kept.components[index].takeLocations(of: day) { isOther = true }
                continue
            }
            var own = ICalComponent("VEVENT", [day["RECURRENCE-ID"]].compactMap(\.self))
            guard own.takeLocations(of: day) else { continue }
            kept.components.append(own)
            isOther = true
        }
        // No more is kept than of a file (``ICalItem``).
        let text = kept.text
        if isOther, text.utf8.count <= Limits.entryBytesMax / 4 * 3 { raw = text }
    }

    /// The kept lines of single days at a place that a reader does not see, where the day is still at that place.
    private func hiddenDays(
        of before: StoredEntry, _ old: ICalComponent, _ seen: [Identifier: Place]
    ) -> [ICalComponent] {
        let days = old.components.filter { $0.name == "VEVENT" }
        guard !days.isEmpty, wire.times.zone == before.wire.times.zone, let series = Timing(wire.times)?.series else {
            return []
        }
        return days.filter { day in
            guard let civil = day["RECURRENCE-ID"].flatMap({ ICalTime($0.value) })?.civil, series.contains(civil) else {
                return false
            }
            let name = wire.times.name(of: civil)
            let place = before.wire.place(on: name)
            return place?.isHidden(seen) == true && wire.place(on: name) == place
        }
    }

    /// Forgets the positions that programs wrote beside LOCATION, of the whole entry or of one day, because its place
    /// has changed.
    mutating func forgetLocations(of occurrence: String? = nil) {
        guard let kept = raw, var component = try? ICalComponent(kept.utf8) else { return }
        if let occurrence {
            guard let civil = Civil.read(occurrence) else { return }
            let line = EntryWriter.time("RECURRENCE-ID", civil, wire.times.zone)
            for index in component.components.indices where component.components[index]["RECURRENCE-ID"] == line {
                component.components[index] = component.components[index].withoutLocations
            }
        } else {
            component = component.withoutLocations
        }
        raw = component.lines.isEmpty && component.components.isEmpty ? nil : component.text
    }
}
