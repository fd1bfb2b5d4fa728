import KinCalendar
import KinICal
import KinKeeper
import KinModel
import KinStore

/// Properties of a single occurrence that only calendar programs write: its status, and its category. They are shown
/// (``EntryException``), kept with that occurrence's other lines, and given back whatever happens to the whole event.
enum OccurrenceLines {
    private static let names = ["STATUS", "CATEGORIES"]

    /// The lines that differ from those of the whole event.
    static func own(_ other: ICalComponent, beside master: ICalComponent) -> [ICalLine] {
        names.flatMap { name -> [ICalLine] in
            let said = other.all(name)
            return said == master.all(name) ? [] : said
        }
    }

    /// Takes from these lines what has a field here. A day whose category the family does not have gets none.
    static func take(
        _ other: ICalComponent, beside master: ICalComponent, of entry: Entry, into one: inout EntryException
    ) {
        for line in own(other, beside: master) where line.name == "STATUS" {
            let status = Entry.Status(rawValue: line.value.lowercased())
            one.status = status == entry.status ? nil : status
        }
        let lines = own(other, beside: master).filter { $0.name == "CATEGORIES" }
        guard !lines.isEmpty else { return }
        let names = lines.flatMap { ICalText.parts($0.value).map { ICalText.unescaped($0).lowercased() } }
        let known = names.first { name in Entry.categories.contains { $0.hasSameBytes(as: name) } }
        let category = known ?? (entry.category == nil ? nil : "none")
        one.category = category == entry.category ? nil : category
    }

    /// The kept lines that are given back. STATUS is left out if the whole entry is cancelled: that then holds for each
    /// day.
    static func told(_ kept: [ICalLine], of entry: Entry) -> [ICalLine] {
        kept.filter { $0.name != "RECURRENCE-ID" && ($0.name != "STATUS" || entry.status != .cancelled) }
    }
}

extension StoredEntry {
    /// Takes categories that the family added from the kept lines of single days.
    mutating func takeCategoriesOfDays(_ act: Act) throws(Rejection) {
        guard let kept = raw, kept.hasBytes(of: "RECURRENCE-ID"), let component = try? ICalComponent(kept.utf8) else {
            return
        }
        // The file names such a category for the whole entry, too. It was not known when the days were read.
        let isOwn = wire.category.map { name in !Entry.categories.contains { $0.hasSameBytes(as: name) } } ?? false
        for day in component.components where day.name == "VEVENT" {
            guard let text = day["CATEGORIES"]?.text, !text.isEmpty,
                let civil = day["RECURRENCE-ID"].flatMap({ ICalTime($0.value) })?.civil
            else { continue }
            let name = wire.times.name(of: civil)
            let place = wire.exceptions.firstIndex { $0.occurrence.hasSameBytes(as: name) }
            var one = place.map { wire.exceptions[$0] } ?? EntryException(occurrence: name)
            guard !one.isRemoved, one.category?.hasSameBytes(as: "none") ?? true,
                place != nil || wire.exceptions.count < Limits.entryExceptionsMax
            else { continue }
            let isKnown = try Calendars.hasCategory(text, act)
            guard isKnown || isOwn else { continue }
            let category = isKnown ? text : "none"
            guard wire.category?.hasSameBytes(as: category) != true else { continue }
            one.category = category
            if let place { wire.exceptions[place] = one } else { wire.exceptions.append(one) }
        }
        wire.exceptions.sort { $0.occurrence < $1.occurrence }
    }

    /// Forgets a program's lines with a name about a single day, because the day has another value now.
    mutating func forgetLines(_ name: String, of occurrence: Civil) {
        guard let kept = raw, kept.hasBytes(of: "RECURRENCE-ID"),
            var component = try? ICalComponent(kept.utf8)
        else { return }
        let line = EntryWriter.time("RECURRENCE-ID", occurrence, wire.times.zone)
        for index in component.components.indices where component.components[index]["RECURRENCE-ID"] == line {
            component.components[index].lines.removeAll { $0.name == name }
        }
        raw = component.text
    }
}

extension ICalComponent {
    /// Moves the names of single times, where the whole series moves: the kept lines then still belong to the same
    /// occurrences.
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
    /// Moves alarms on single days, where the whole entry moves.
    static func moveDays(of entry: Int64, by seconds: Int, _ zone: String?, _ act: Act) throws(Rejection) {
        guard seconds != 0 else { return }
        let all = try act.rows(
            "SELECT member, text FROM entry_alarms WHERE entry = ? AND instr(text, 'RECURRENCE-ID') > 0", .int(entry)
        ) { row in (member: row.identifier("member"), text: row.text("text")) }
        for (member, text) in all {
            guard var kept = try? ICalComponent(text.utf8) else { continue }
            kept.moveDays(by: seconds, zone)
            try set(kept.text, of: member, for: entry, act)
        }
    }
}

extension Entry.Privacy {
    /// Reads a CLASS. Any other value counts as private (RFC 5545, 3.8.1.3).
    init(class event: ICalComponent) {
        guard let word = event["CLASS"]?.value else {
            self = .public
            return
        }
        self = Self(rawValue: word.lowercased()) ?? .private
    }

    /// The one of two that shows less.
    func stricter(_ other: Self) -> Self {
        let order = Self.allCases
        return (order.firstIndex(of: self) ?? 0) < (order.firstIndex(of: other) ?? 0) ? other : self
    }
}
