import KinCalendar
import KinICal
import KinKeeper
import KinModel
import KinStore

extension Calendars {
    static let file = FileImport(
        "ics", of: "event", as: "entry", bytesMax: Limits.importBytesMax, linesMax: Limits.importItemsMax + 1,
        remarksMax: Limits.importRemarksMax)

    static let takeIn = Method.command(
        "calendar.import",
        "Takes events out of a file of iCalendar (RFC 5545) into a calendar, and reports on each.", access: .family,
        note: """
            Who may write into the calendar. Each event is taken by itself, whole or not at all: one that is refused stops no \
            other. An event with the UID of an entry of that calendar is that entry: so a file may be imported again. What \
            nothing else here says is kept, and given back by calendar.export as it came. A file of more than \
            \(Limits.itemsPerTurn) events is kept until all of it is taken: what a crash interrupts is finished after it.
            """,
        [
            file.field(
                "The file in base64, at most \(Limits.importItemsMax) events and \(Limits.importBytesMax >> 20) MiB before encoding."
            ),
            .optional("calendar", .id, "The caller's own if left out."),
        ],
        result: file.result(
            .optional("remarks", .list(.text(max: 400), max: 1), "What the file says of itself and was not taken.")),
        route: Route("POST", "/api/calendars/import"), events: [Entry.added, Entry.updated], isSlow: true,
        again: { (_, ids) throws(Rejection) in file.again(ids) },
        apply: { (act, params) throws(Rejection) in
            let member = try act.member.id
            let calendar = try StoredCalendar.allowed(params.optionalID("calendar") ?? member, .write, act)
            let reader = try zone(of: member, act)
            return try file.carryOut(
                ICalFile.self, act, params, read: { read($0, reader: reader) },
                keeping: kept.keeping([("calendar", .id(calendar.id))])
            ) { (item, remarks) throws(Rejection) in try take(item, into: calendar.id, &remarks, act) }
        }
    ).takingParcel(as: "ics", bytesMax: Limits.importBytesMax, mediaTypes: ["text/calendar"])

    /// Reads a file, on a worker. Times without a zone are in the reader's.
    private static func read(_ bytes: [UInt8], reader: Zone) -> SlowResult {
        let file = ICalFile(bytes, reader: reader)
        guard !file.isCut else {
            return .refused("ics has more than \(Limits.importItemsMax) events; send them in several files.")
        }
        guard !file.items.isEmpty else { return .refused("ics holds no event: nothing begins with BEGIN:VEVENT.") }
        return .made(file)
    }

    static func take(
        _ item: ICalItem, into id: Identifier, _ remarks: inout [String], _ act: Act
    ) throws(Rejection) -> (FileImport.Outcome, Identifier?) {
        // The calendar may have been taken away between two turns.
        var calendar = try StoredCalendar.allowed(id, .write, act)
        guard item.entry != nil else { return (.refused, nil) }
        var known: StoredEntry?
        let named = item.uid ?? item.madeUID
        if let uid = named, calendar.number != 0 {
            known = try act.ask { (database) throws(StoreFailure) in
                try StoredEntry.rows(
                    "WHERE c.number = ? AND e.uid = ?", [.int(calendar.number), .text(uid)], database
                ).first
            }
        }
        func refused(_ sentence: String) -> (FileImport.Outcome, Identifier?) {
            remarks = remarks.prefix(Limits.importRemarksMax - 1) + [sentence]
            return (.refused, nil)
        }
        var uid = named
        let memory = act.memory(CalendarMemory.self)
        let held = try memory.held(act)
        if let one = known, let reader = try act.roster[try act.member.id], !one.isSeen(by: reader, in: calendar) {
            // The caller must not learn that a hidden entry has this UID, so this entry gets another one.
            (known, uid) = (nil, nil)
        }
        if let known {
            do throws(Rejection) { try known.requireChangeable(act) } catch {
                guard error.kind == .forbidden || error.kind == .conflict else { throw error }
                return refused("It is there already, and you cannot change it.")
            }
        } else {
            guard held < Limits.entriesMax else {
                return refused("The family's calendars hold \(Limits.entriesMax) entries at most.")
            }
        }
        guard let made = try made(of: item, instead: known?.wire, in: id, act) else { return (.refused, nil) }
        guard made.json.bytes.count + (item.raw?.utf8.count ?? 0) <= Limits.entryBytesMax else {
            return refused("It has more than \(Limits.entryBytesMax >> 10) KiB.")
        }
        var stored = known ?? StoredEntry(made, uid: uid)
        let seers = try known?.seers(act) ?? Audience()
        stored.wire = made
        stored.raw = item.raw
        if let known, !known.wire.mapPlaces.isEmpty {
            let seen = try EntryOwn(of: try act.member.id, [known], act).places
            stored.keepLocations(of: known, seeing: seen)
        }
        try stored.takeCategory(act)
        if let known, GivenLines.isSame(known.raw, stored.raw), stored.wire.changes(from: known.wire).isEmpty {
            let member = try act.member.id
            if let alarms = item.alarms, try EntryAlarms.set(alarms, of: member, for: known.number, act) {
                try known.touch(of: member, act)
            }
            return (.same, made.id)
        }
        if let known { try EntryAlarms.takeOver(known, act) }
        try stored.save(instead: known, in: &calendar, seenBy: seers, act)
        memory.hold(held + (known == nil ? 1 : 0), act)
        if let alarms = item.alarms { try EntryAlarms.set(alarms, of: try act.member.id, for: stored.number, act) }
        return (known == nil ? .added : .changed, made.id)
    }

    /// The entry that an item makes, new or in the place of an earlier one; `nil` if the item has none. A copy has the
    /// same place on the map as its original, so that nobody learns of a place that they do not see.
    static func made(
        of item: ICalItem, instead old: Entry?, copying original: Entry? = nil, in calendar: Identifier, _ act: Act
    ) throws(Rejection) -> Entry? {
        guard item.entry != nil else { return nil }
        let owner = if let old { old.owner } else { try act.member.id }
        var seen: [Identifier: Place] = [:]
        if let known = original ?? old, !known.mapPlaces.isEmpty {
            seen = try EntryOwn(of: try act.member.id, [StoredEntry(known)], act).places
        }
        return made(
            of: item, instead: old, copying: original, in: calendar, owner: owner,
            invitees: try invitees(item, instead: old, owner: owner, act), seeing: seen, act)
    }

    /// The same for an owner, with the invitees. `seen` has the places of the map that the owner's program was told.
    static func made(
        of item: ICalItem, instead old: Entry?, copying original: Entry? = nil, in calendar: Identifier,
        owner: Identifier, invitees: [EntryInvitee], seeing seen: [Identifier: Place] = [:], _ act: Act
    ) -> Entry? {
        guard var entry = item.entry else { return nil }
        entry.owner = owner
        entry.invitees = invitees
        let series = Timing(entry.times)?.series
        if let known = original ?? old { entry.keepMapPlaces(of: known, series, seen) }
        let answers = (old?.answers ?? []).filter { answer in
            entry.invitees.contains { $0.member == answer.member }
                && Civil.read(answer.occurrence).map { series?.contains($0) ?? false } ?? false
        }
        return Entry(
            id: old?.id ?? act.newIdentifier(), calendar: calendar, owner: entry.owner, subject: entry.subject,
            note: entry.note, category: entry.category, status: entry.status, privacy: entry.privacy,
            times: entry.times, place: entry.place, exceptions: entry.exceptions, invitees: entry.invitees,
            answers: answers, stars: old?.stars ?? [], sequence: old?.sequence ?? 0,
            changed: old?.changed ?? act.now)
    }

    /// The invitees: members whom the file names, as far as the caller sees them. Nobody answers for them. Members who
    /// are invited already stay, whether the caller sees them or not.
    private static func invitees(
        _ item: ICalItem, instead old: Entry?, owner: Identifier, _ act: Act
    ) throws(Rejection) -> [EntryInvitee] {
        let roster = try act.roster
        return Set(item.members).subtracting([owner]).sorted().compactMap { id in
            guard let entry = roster[id] else { return nil }
            if let known = old?.invitees.first(where: { $0.member == id }) { return known }
            return act.sight?.contains(entry.household) == true && !entry.isWall ? EntryInvitee(member: id) : nil
        }
    }
}

extension Entry {
    /// Keeps the places on the map, which calendar programs do not know. If a program repeats the place that it was
    /// told, the place on the map stays. If it names another place, that one counts.
    fileprivate mutating func keepMapPlaces(of old: Entry, _ series: Series?, _ seen: [Identifier: Place]) {
        let said = place
        if let before = old.place, before.mapPlace != nil { place = before.read(said, seen) }
        for other in old.exceptions where !other.isRemoved {
            guard let before = other.place, before.mapPlace != nil || place?.mapPlace != nil else { continue }
            let isSaidOfAll = before.told(seen) == EntryPlace() || before.isSaid(by: said, seen)
            if let index = exceptions.firstIndex(where: { $0.occurrence.hasSameBytes(as: other.occurrence) }) {
                guard !exceptions[index].isRemoved else { continue }
                guard let own = exceptions[index].place else {
                    if isSaidOfAll { exceptions[index].place = before }
                    continue
                }
                exceptions[index].place = before.read(own, seen)
            } else if exceptions.count < Limits.entryExceptionsMax, isSaidOfAll,
                let civil = Civil.read(other.occurrence), series?.contains(civil) == true
            {
                // The occurrence differed in nothing else, so the client was told the entry's place for it.
                var one = EntryException(occurrence: other.occurrence)
                one.place = before
                exceptions.append(one)
            }
        }
        exceptions.sort { $0.occurrence < $1.occurrence }
    }
}

extension EntryPlace {
    /// Reads the place that a program writes after it was told one. The same place again changes nothing. A different
    /// place does not get this one's coordinates, which programs leave in when they know no others.
    fileprivate func read(_ said: EntryPlace?, _ seen: [Identifier: Place]) -> EntryPlace? {
        guard !isSaid(by: said, seen) else { return self }
        guard let given = said, lat == nil, let shown = mapPlace.flatMap({ seen[$0] }), let north = given.lat,
            let east = given.lon, Self.isNear(north, shown.lat), Self.isNear(east, shown.lon)
        else { return said }
        return given.text.map { EntryPlace(text: $0) }
    }

    /// Whether a program that was told the place writes the same one; programs may leave coordinates out.
    fileprivate func isSaid(by said: EntryPlace?, _ seen: [Identifier: Place]) -> Bool {
        let told = told(seen)
        guard told.text == said?.text else { return false }
        guard let north = said?.lat, let east = said?.lon else { return true }
        guard let lat = told.lat, let lon = told.lon else { return false }
        return Self.isNear(lat, north) && Self.isNear(lon, east)
    }

    private static func isNear(_ one: Double, _ other: Double) -> Bool { abs(one - other) < 0.00001 }
}
