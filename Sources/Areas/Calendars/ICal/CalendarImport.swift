import KinCalendar
import KinCrypto
import KinICal
import KinKeeper
import KinModel
import KinStore

extension Calendars {
    private static let line = Shape.object([
        .required("number", .integer(1...Int64(Limits.importItemsMax + 1)), "The event's place in the file."),
        .required("name", .text(max: 64), "What it calls itself, shortened."),
        .required(
            "outcome", .oneOf(CalendarImport.Outcome.allCases.map(\.rawValue)),
            "same: it was there already; refused: nothing of it was taken."),
        .optional("entry", .id, "The entry it is now."),
        .required(
            "remarks", .list(.text(max: 400), max: Limits.importRemarksMax),
            "What was not taken as it is, and why: a sentence each."),
    ])

    static let takeIn = Method.command(
        "calendar.import",
        "Takes events out of a file of iCalendar (RFC 5545) into a calendar, and reports on each.", access: .family,
        note: """
            Who may write into the calendar. Each event is taken by itself, whole or not at all: one that is refused stops no \
            other. An event with the UID of an entry of that calendar is that entry: so a file may be imported again. What \
            nothing else here says is kept, and given back by calendar.export as it came.
            """,
        [
            .required(
                "ics", .token(max: (Limits.importBytesMax + 2) / 3 * 4),
                "The file in base64, at most \(Limits.importItemsMax) events and \(Limits.importBytesMax >> 20) MiB before encoding."
            ),
            .optional("calendar", .id, "The caller's own if left out."),
        ],
        result: .object([
            .required("taken", .integer(0...Int64(Limits.importItemsMax + 1)), "Events that are entries now."),
            .required(
                "entries", .list(line, max: Limits.importItemsMax + 1),
                "A line for each event, in their order; none where the same op is repeated."),
        ]),
        route: Route("POST", "/api/calendars/import"), events: [Entry.added, Entry.updated], isSlow: true,
        again: { (_, ids) throws(Rejection) in ["taken": .int(Int64(ids.count)), "entries": []] },
        apply: { (act, params) throws(Rejection) in
            let member = try act.member.id
            let calendar = try StoredCalendar.allowed(params.optionalID("calendar") ?? member, .write, act)
            if act.isFirstWay {
                let source = try source(try params.string("ics"), act)
                return .later(ICalWork(source: source, reader: try zone(of: member, act)))
            }
            var run: CalendarImport
            if let carried = act.carried as? CalendarImport {
                run = carried
            } else {
                run = CalendarImport(try file(act.work))
            }
            guard try run.goOn(into: calendar.id, act) else { return .later(.rest(after: run.done, carrying: run)) }
            return .done(run.report, ids: run.ids)
        }
    ).takingParcel(as: "ics", bytesMax: Limits.importBytesMax)

    private static func source(_ text: String, _ act: Act) throws(Rejection) -> ICalWork.Source {
        if let parcel = act.parcel, parcel.name == text { return .parcel(parcel) }
        guard let bytes = Base64.decode(text), !bytes.isEmpty else {
            throw Rejection(.invalid, "ics must be base64 with padding.", field: "ics")
        }
        return .bytes(bytes)
    }

    /// What a worker read.
    private static func file(_ work: SlowResult?) throws(Rejection) -> ICalFile {
        if let file = work?.made(ICalFile.self) { return file }
        switch work {
        case .refused(let sentence): throw Rejection(.invalid, sentence, field: "ics")
        case .failed(let sentence): throw Rejection(.unavailable, sentence)
        case .crowdedOut:
            throw Rejection(
                .slowDown, "Several of your files wait to be read already; send this one again in a minute.",
                retryAfter: 30)
        default: throw Rejection(.unavailable, "The file could not be read; try again.")
        }
    }
}

/// An import on its way: some events in each turn of the keeper, each of them whole.
struct CalendarImport: Sendable {
    /// What became of an event.
    enum Outcome: String, CaseIterable, Sendable {
        case added, changed, same, refused
    }

    private let file: ICalFile
    /// How many are done.
    private(set) var done = 0
    /// The entries they are now.
    private(set) var ids: [Identifier] = []
    private var lines: [JSON] = []

    init(_ file: ICalFile) { self.file = file }

    var report: JSON { ["taken": .int(Int64(ids.count)), "entries": .array(lines)] }

    /// Takes some more; answers whether those were all.
    mutating func goOn(into calendar: Identifier, _ act: Act) throws(Rejection) -> Bool {
        for item in file.items[done...].prefix(Limits.itemsPerTurn) {
            var remarks = item.remarks
            let (outcome, entry) = try take(item, into: calendar, &remarks, act)
            if let entry { ids.append(entry) }
            lines.append(
                .object(leavingOut: [
                    "number": .int(Int64(item.number)), "name": .string(item.name),
                    "outcome": .string(outcome.rawValue), "entry": entry.map { .id($0) },
                    "remarks": .array(remarks.prefix(Limits.importRemarksMax).map { .string($0) }),
                ]))
            done += 1
        }
        return done == file.items.count
    }

    private func take(
        _ item: ICalItem, into id: Identifier, _ remarks: inout [String], _ act: Act
    ) throws(Rejection) -> (Outcome, Identifier?) {
        // The calendar may have been taken away between two turns.
        var calendar = try StoredCalendar.allowed(id, .write, act)
        guard var entry = item.entry else { return (.refused, nil) }
        var known: StoredEntry?
        if let uid = item.uid, calendar.number != 0 {
            known = try act.ask { (database) throws(StoreFailure) in
                try StoredEntry.rows(
                    "WHERE c.number = ? AND e.uid = ?", [.int(calendar.number), .text(uid)], database
                ).first
            }
        }
        func refused(_ sentence: String) -> (Outcome, Identifier?) {
            remarks = remarks.prefix(Limits.importRemarksMax - 1) + [sentence]
            return (.refused, nil)
        }
        var uid = item.uid
        if let one = known, let reader = try act.roster[try act.member.id], !one.isSeen(by: reader, in: calendar) {
            // Nothing tells that something that is not seen has this UID: this one has another then.
            (known, uid) = (nil, nil)
        }
        if let known {
            do throws(Rejection) { try known.requireChangeable(act) } catch {
                guard error.kind == .forbidden || error.kind == .conflict else { throw error }
                return refused("It is there already, and you cannot change it.")
            }
        } else {
            let count = try act.first("SELECT count(*) FROM entries") { row in row.int(0) }
            guard count ?? 0 < Limits.entriesMax else {
                return refused("The family's calendars hold \(Limits.entriesMax) entries at most.")
            }
        }
        let old = known?.wire
        let member = try act.member.id
        entry.owner = old?.owner ?? member
        entry.invitees = try invitees(item, instead: old, owner: entry.owner, act)
        if entry.place?.text == old?.place?.text, let pin = old?.place?.place { entry.place?.place = pin }
        let series = Timing(entry.times)?.series
        let answers = (old?.answers ?? []).filter { answer in
            Civil.read(answer.occurrence).map { series?.contains($0) ?? false } ?? false
        }
        let made = Entry(
            id: old?.id ?? act.newIdentifier(), calendar: id, owner: entry.owner, subject: entry.subject,
            note: entry.note, category: entry.category, status: entry.status, privacy: entry.privacy,
            times: entry.times, place: entry.place, exceptions: entry.exceptions, invitees: entry.invitees,
            answers: answers, stars: old?.stars ?? [], sequence: old?.sequence ?? 0,
            changed: old?.changed ?? act.now)
        guard made.json.bytes.count + (item.raw?.utf8.count ?? 0) <= Limits.entryBytesMax else {
            return refused("It has more than \(Limits.entryBytesMax >> 10) KiB.")
        }
        var stored = known ?? StoredEntry(made, uid: uid)
        let seers = try known?.seers(act) ?? Audience()
        stored.wire = made
        stored.raw = item.raw
        if let known, known.raw == stored.raw, made.changes(from: known.wire).isEmpty { return (.same, made.id) }
        try stored.save(instead: known, in: &calendar, seenBy: seers, act)
        return (known == nil ? .added : .changed, made.id)
    }

    /// Members whom the file names are asked, as far as the caller sees them; nobody answers for them.
    private func invitees(
        _ item: ICalItem, instead old: Entry?, owner: Identifier, _ act: Act
    ) throws(Rejection) -> [EntryInvitee] {
        let roster = try act.roster
        return Set(item.members).subtracting([owner]).sorted().compactMap { id in
            guard let entry = roster[id], act.sight?.contains(entry.household) == true else { return nil }
            return old?.invitees.first { $0.member == id } ?? EntryInvitee(member: id)
        }
    }
}
