import KinCalendar
import KinKeeper
import KinModel
import KinStore

/// A long file that is taken in over many turns. All of it is kept before anything of it is taken, and until all is taken: so
/// what a crash interrupts is finished after it, and of a file that had not come whole nothing is there.
enum KeptImport {
    /// Seconds without a turn after which an import counts as interrupted.
    private static let restSeconds: Int64 = 60

    /// Where the files of one member are kept, for one calendar.
    static func keeping(of member: Identifier, into calendar: Identifier) -> FileImport.Keeping {
        FileImport.Keeping(
            begin: { (act) throws(Rejection) in
                try act.run("INSERT INTO imports (member, calendar) VALUES (?, ?)", .id(member), .id(calendar))
                return try act.first("SELECT last_insert_rowid()") { row in row.int(0) } ?? 0
            },
            add: { (act, number, bytes, isLast) throws(Rejection) in
                try act.run(
                    """
                    INSERT INTO import_parts (import, part, bytes)
                    VALUES (?1, (SELECT count(*) FROM import_parts WHERE import = ?1), ?2)
                    """, .int(number), .blob(bytes))
                if isLast { try act.run("UPDATE imports SET is_whole = 1 WHERE number = ?", .int(number)) }
                goesOn(number, act)
            },
            goesOn: { act, number in goesOn(number, act) },
            end: { (act, number) throws(Rejection) in try end(number, act) })
    }

    static func goesOn(_ number: Int64, _ act: Act) { act.memory(CalendarMemory.self).imports[number] = act.uptime }

    static func end(_ number: Int64, _ act: Act) throws(Rejection) {
        try act.run("DELETE FROM imports WHERE number = ?", .int(number))
        act.memory(CalendarMemory.self).imports[number] = nil
        act.truncateSoon()
    }

    private static func isUnderWay(_ number: Int64, _ act: Act) -> Bool {
        guard let last = act.memory(CalendarMemory.self).imports[number] else { return false }
        return act.uptime.milliseconds(since: last) < restSeconds * 1000
    }

    /// What was interrupted is gone on with, or forgotten where nothing of it was taken.
    static func lookAfter(_ act: Act) throws(Rejection) {
        let all = try act.rows("SELECT number, member, is_whole FROM imports ORDER BY number") { row in
            (number: row.int(0), member: row.identifier(1), isWhole: row.bool(2))
        }
        for one in all where !isUnderWay(one.number, act) {
            if one.isWhole {
                act.callOwn(Calendars.finishImport.name, as: one.member)
            } else {
                try end(one.number, act)
            }
        }
    }

    /// The calling member's first one that was interrupted, to be read again.
    static func interrupted(_ act: Act) throws(Rejection) -> (any SlowWork)? {
        let member = try act.member.id
        let all = try act.rows("SELECT number FROM imports WHERE member = ? AND is_whole ORDER BY number", .id(member))
        {
            row in row.int(0)
        }
        guard let number = all.first(where: { !isUnderWay($0, act) }) else { return nil }
        goesOn(number, act)
        return Rereading(number: number, zone: try Calendars.zone(of: member, act))
    }

    /// Reads a kept file again.
    struct Rereading: SlowWork {
        let number: Int64
        let zone: Zone

        var sort: WorkSort { .read }

        func run(at place: borrowing Workplace) -> SlowResult {
            guard let store = place.store else { return .failed("There is no store.") }
            do throws(StoreFailure) {
                let parts = try store.database.rows(
                    "SELECT bytes FROM import_parts WHERE import = ? ORDER BY part", values: [.int(number)]
                ) { (row) throws(StoreFailure) in row.blob(0) }
                var file = ICalFile(Array(parts.joined()), reader: zone)
                file.kept = number
                return .made(file)
            } catch { return .failed(error.sentence) }
        }
    }
}

extension Calendars {
    /// The daemon calls this itself after an interruption, as the member who gave the file.
    static let finishImport = Method.command(
        "calendar.finishImport", "Takes what is left of a file whose import was interrupted.", access: .family,
        note: "the daemon itself", [], result: .nothing, route: nil, events: [Entry.added, Entry.updated], isSlow: true,
        apply: { (act, _) throws(Rejection) in
            try file.goOn(
                ICalFile.self, act, from: { () throws(Rejection) in try KeptImport.interrupted(act) },
                take: { (item, read) throws(Rejection) in
                    guard let number = read.kept,
                        let calendar = try act.first(
                            "SELECT calendar FROM imports WHERE number = ?", .int(number),
                            map: {
                                row in row.identifier(0)
                            })
                    else { throw Rejection.notFound("import", "", field: "import") }
                    KeptImport.goesOn(number, act)
                    var remarks: [String] = []
                    _ = try take(item, into: calendar, &remarks, act)
                },
                end: { (read) throws(Rejection) in
                    if let number = read.kept { try KeptImport.end(number, act) }
                    // There may be another.
                    act.callOwn("calendar.finishImport", as: try act.member.id)
                })
        }
    ).forGateways()
}
