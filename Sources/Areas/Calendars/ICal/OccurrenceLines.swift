import KinCalendar
import KinICal
import KinKeeper
import KinModel
import KinStore

/// What calendar programs say of a single time of an event and nothing here says of single days: which state it is in, and
/// of which kind it is. It is kept with that time's other lines, and given back whatever becomes of all of the event.
enum OccurrenceLines {
    private static let names = ["STATUS", "CATEGORIES"]

    /// Those that are otherwise than of all of the event.
    static func own(_ other: ICalComponent, beside master: ICalComponent) -> [ICalLine] {
        names.flatMap { name -> [ICalLine] in
            let said = other.all(name)
            return said == master.all(name) ? [] : said
        }
    }

    /// What is given back of those that are kept: what is called off as a whole is so on each day.
    static func told(_ kept: [ICalLine], of entry: Entry) -> [ICalLine] {
        kept.filter { $0.name != "RECURRENCE-ID" && ($0.name != "STATUS" || entry.status != .cancelled) }
    }
}

extension ICalComponent {
    /// What is kept of single times is of those times still, where all of them move.
    mutating func moveDays(by seconds: Int, _ zone: String?) {
        for index in components.indices where components[index].name == "VEVENT" {
            let lines = components[index].lines
            guard let place = lines.firstIndex(where: { $0.name == "RECURRENCE-ID" }),
                let civil = ICalTime(lines[place].value)?.civil
            else { continue }
            components[index].lines[place] = EntryWriter.time(
                "RECURRENCE-ID", civil.adding(seconds: seconds), zone)
        }
    }
}

extension EntryAlarms {
    /// What rings on single days rings on them still, where all of them move.
    static func moveDays(of entry: Int64, by seconds: Int, _ zone: String?, _ act: Act) throws(Rejection) {
        guard seconds != 0 else { return }
        let all = try act.rows(
            "SELECT member, text FROM entry_alarms WHERE entry = ? AND instr(text, 'RECURRENCE-ID') > 0", .int(entry)
        ) { row in (member: row.identifier(0), text: row.text(1)) }
        for (member, text) in all {
            guard var kept = try? ICalComponent(text.utf8) else { continue }
            kept.moveDays(by: seconds, zone)
            try set(kept.text, of: member, for: entry, act)
        }
    }
}

extension Entry.Privacy {
    /// Reads a CLASS: what is none of these counts as private (RFC 5545, 3.8.1.3).
    init(class event: ICalComponent) {
        guard let word = event["CLASS"]?.value else {
            self = .public
            return
        }
        self = Self(rawValue: word.lowercased()) ?? .private
    }

    /// The one that shows less.
    func stricter(_ other: Self) -> Self {
        let order = Self.allCases
        return (order.firstIndex(of: self) ?? 0) < (order.firstIndex(of: other) ?? 0) ? other : self
    }
}
