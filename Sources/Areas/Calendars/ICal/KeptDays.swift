import KinCalendar
import KinICal
import KinKeeper
import KinModel
import KinStore

/// States and kinds of single days from calendar programs, as versions before migration 99 kept them: in kept lines,
/// and nowhere else. Those days were shown as all others until somebody wrote the entry again.
enum KeptDays {
    /// Due work that reads these lines, of some entries at a time. It is about the entry behind which it goes on.
    static let due = "entries.readDays"

    /// Entries in one turn.
    private static let most = 25

    static let migration = Migration(
        number: 99, name: "the state and kind of single days, read anew", tables: ["due"], reading: ["entries"],
        sql: """
            INSERT INTO due (at, kind, about) SELECT 0, '\(due)', 'entries'
            WHERE EXISTS (SELECT 1 FROM entries WHERE instr(raw, 'RECURRENCE-ID') > 0);
            """)

    static func read(_ about: String, _ act: Act) throws(Rejection) {
        let after = about.split(separator: "/").last.flatMap { Int64($0) } ?? 0
        let some = try act.ask { (database) throws(StoreFailure) in
            try StoredEntry.rows(
                """
                WHERE instr(e.raw, 'RECURRENCE-ID') > 0 AND (instr(e.raw, 'STATUS') > 0 OR instr(e.raw, 'CATEGORIES') > 0)
                AND e.number > ?1 ORDER BY e.number LIMIT \(most)
                """, [.int(after)], database)
        }
        for var stored in some {
            let before = stored.wire.exceptions
            stored.takeStatesOfDays()
            try stored.takeCategoriesOfDays(act)
            guard stored.wire.exceptions != before else { continue }
            // Nobody has changed the entry: its sequence stays, and inboxes are told nothing. Programs and pages read
            // it anew.
            stored.position = act.logPosition + 1
            try act.run(
                "UPDATE entries SET exceptions = ?, position = ? WHERE number = ?",
                .text(JSON.array(stored.wire.exceptions.map(\.json)).text), .int(stored.position), .int(stored.number))
            try stored.remindAll(act)
            try act.emit(
                Entry.updated, .init(entry: stored.wire, changes: []), about: Calendars.about(stored.wire.id),
                to: try stored.seers(act), title: stored.wire.subject, owner: stored.wire.owner)
        }
        guard some.count == most, let last = some.last else { return }
        try act.plan(due, about: "entries/\(last.number)", at: act.now)
    }
}

extension StoredEntry {
    /// Takes the states and kinds of single days from kept lines, for days without a state or kind here.
    fileprivate mutating func takeStatesOfDays() {
        guard let raw, let kept = try? ICalComponent(raw.utf8), let series = Timing(wire.times)?.series else { return }
        for day in kept.components where day.name == "VEVENT" {
            guard let civil = day["RECURRENCE-ID"].flatMap({ ICalTime($0.value) })?.civil, series.contains(civil) else {
                continue
            }
            let name = wire.times.name(of: civil)
            let place = wire.exceptions.firstIndex { $0.occurrence.hasSameBytes(as: name) }
            let known = place.map { wire.exceptions[$0] } ?? EntryException(occurrence: name)
            var read = known
            // The kept lines of a day are those that differ from the whole event.
            OccurrenceLines.take(day, beside: ICalComponent("VEVENT"), of: wire, into: &read)
            read.status = known.status ?? read.status
            read.category = known.category ?? read.category
            guard read != known, !known.isRemoved else { continue }
            if let place {
                wire.exceptions[place] = read
            } else if wire.exceptions.count < Limits.entryExceptionsMax {
                wire.exceptions.append(read)
            }
        }
        wire.exceptions.sort { $0.occurrence < $1.occurrence }
    }
}
