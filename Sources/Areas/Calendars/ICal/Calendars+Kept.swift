import KinCalendar
import KinKeeper
import KinModel
import KinStore

extension Calendars {
    /// The files that are kept during their import, each with the calendar that it goes into.
    static let kept = KeptFiles<CalendarMemory>(
        in: "imports", parts: "import_parts", finishedBy: "calendar.finishImport")

    /// The daemon calls this itself after an interruption, as the member who gave the file.
    static let finishImport = Method.command(
        "calendar.finishImport", "Takes what is left of a file whose import was interrupted.", access: .family,
        note: "the daemon itself", [], result: .nothing, route: nil, events: [Entry.added, Entry.updated], isSlow: true,
        apply: { (act, _) throws(Rejection) in
            try file.goOn(
                ICalFile.self, act,
                from: { () throws(Rejection) in
                    let reader = try zone(of: try act.member.id, act)
                    return try kept.interrupted(act) { bytes, number in
                        var whole = ICalFile(bytes, reader: reader)
                        whole.kept = number
                        return .made(whole)
                    }
                },
                take: { (item, read) throws(Rejection) in
                    guard let number = read.kept,
                        let calendar = try act.first(
                            "SELECT calendar FROM imports WHERE number = ?", .int(number),
                            map: {
                                row in row.identifier(0)
                            })
                    else { throw Rejection.notFound("import", "", field: "import") }
                    kept.goesOn(number, act)
                    var remarks: [String] = []
                    _ = try take(item, into: calendar, &remarks, act)
                },
                end: { (read) throws(Rejection) in
                    if let number = read.kept { try kept.end(number, act) }
                    kept.finishNext(act)
                })
        }
    ).forGateways()
}
