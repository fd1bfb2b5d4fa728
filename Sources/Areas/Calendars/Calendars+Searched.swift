import KinCalendar
import KinICal
import KinKeeper
import KinModel
import KinStore

extension Calendars {
    /// Entries are found by members who see them whole. A member who sees only the times finds nothing. The time of an
    /// entry is its first beginning.
    static let searched = Searched(
        "entry", table: "entries",
        read: { (database, number) throws(StoreFailure) in
            guard
                let entry = try StoredEntry.rows(
                    "WHERE e.number = ?", [.int(number)], hasStars: false, database
                ).first?.wire
            else { return nil }
            let timing = Timing(entry.times)
            let first = timing.map { $0.span(of: $0.series.start, reader: .utc).start }
            let others = entry.exceptions
            let places = ([entry.place] + others.map(\.place)).compactMap { $0?.text }
            let rest = others.compactMap(\.subject) + places + ([entry.note] + others.map(\.note)).compactMap(\.self)
            return Searched.Thing(
                id: entry.id, at: first ?? entry.changed, isDay: entry.times.isAllDay, author: entry.owner,
                within: "calendar/\(entry.calendar)",
                title: entry.subject, text: rest.joined(separator: "\n"))
        },
        seen: { (act, numbers) throws(Rejection) in
            let sight = try CalendarSight(act)
            let list = JSON.array(numbers.map { .int($0) }).text
            let found = try act.ask { (database) throws(StoreFailure) in
                try StoredEntry.rows(
                    "WHERE e.number IN (SELECT value FROM json_each(?))", [.text(list)], hasStars: false, database)
            }
            return Set(found.filter { sight.sees($0) }.map(\.number))
        })
}
