import KinCalendar
import KinICal
import KinKeeper
import KinModel
import KinStore

/// The alarms of an entry in a member's programs (VALARM), as the programs wrote them. They belong to that member
/// alone, and nobody else gets them.
enum EntryAlarms {
    /// Sets a member's alarms from now on; `nil`: none. Answers whether the member had other alarms before.
    @discardableResult
    static func set(_ text: String?, of member: Identifier, for entry: Int64, _ act: Act) throws(Rejection) -> Bool {
        guard let text, text.utf8.count <= Limits.entryAlarmsBytesMax else {
            return try act.run("DELETE FROM entry_alarms WHERE entry = ? AND member = ?", .int(entry), .id(member)) > 0
        }
        return try act.run(
            """
            INSERT INTO entry_alarms (entry, member, text) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET text = excluded.text WHERE text <> excluded.text
            """, .int(entry), .id(member), .text(text)) > 0
    }

    /// Takes the alarms of an entry that a member's program wrote. An alarm that goes off so many minutes before the entry is
    /// a reminder of that member's (``Calendars/remind``); all others are kept as they came. `entry` is the entry as it is
    /// from now on. Answers whether anything changed.
    static func say(
        _ text: String?, of member: Identifier, for stored: StoredEntry, _ entry: Entry, _ act: Act
    ) throws(Rejection) -> Bool {
        var kept = text.flatMap { try? ICalComponent($0.utf8) } ?? ICalComponent("VEVENT")
        let said = kept.components.compactMap { minutes(of: $0, entry.times) }
        let wanted = Array(Set(said).sorted().prefix(Int(Limits.remindersMax)).reversed())
        let subjects = [entry.subject] + entry.exceptions.compactMap(\.subject)
        func isOwnWord(_ part: ICalComponent) -> Bool {
            guard let ahead = minutes(of: part, entry.times), wanted.contains(ahead) else { return true }
            return !subjects.contains { part == alarm(ahead, of: $0) }
        }
        kept.keep(isOwnWord)
        let isOther = try set(kept.isBare ? nil : kept.text, of: member, for: stored.number, act)
        guard try stored.reminders(of: member, act) != wanted else { return isOther }
        try stored.setReminders(wanted, of: member, act)
        return true
    }

    /// A member has set reminders elsewhere. Of the alarms that the member's programs wrote, those with other minutes before
    /// the entry are removed, and all others are kept.
    static func leaveReminders(of member: Identifier, for stored: StoredEntry, _ act: Act) throws(Rejection) {
        let text = try act.first(
            "SELECT text FROM entry_alarms WHERE entry = ? AND member = ?", .int(stored.number), .id(member)
        ) { row in row.text(0) }
        guard let text, var kept = try? ICalComponent(text.utf8) else { return }
        let now = Set(try stored.reminders(of: member, act))
        func isLeft(_ part: ICalComponent) -> Bool {
            minutes(of: part, stored.wire.times).map { now.contains($0) } ?? true
        }
        kept.keep(isLeft)
        try set(kept.isBare ? nil : kept.text, of: member, for: stored.number, act)
    }

    /// The minutes before an event's beginning at which an alarm shows or sounds; `nil` for any other, such as one that
    /// goes off later, sends mail, or was put off (RFC 9074, 7.1).
    static func minutes(of alarm: ICalComponent, _ times: EntryTimes) -> Int64? {
        guard alarm.name == "VALARM", let trigger = alarm["TRIGGER"], alarm["RELATED-TO"] == nil,
            ["DISPLAY", "AUDIO"].contains(alarm["ACTION"]?.value.uppercased() ?? "DISPLAY")
        else { return nil }
        let seconds: Int64
        if trigger.value.hasPrefix("1") || trigger.value.hasPrefix("2"), let at = ICalTime(trigger.value) {
            // A moment can be so many minutes before a single event only.
            guard at.isUTC, times.repeats == nil, times.dates.isEmpty, let start = Civil.read(times.start),
                let zone = times.zone.flatMap({ Zone($0) })
            else { return nil }
            seconds = Timing.moment(start, zone).milliseconds(since: Timing.moment(at.civil, .utc)) / 1000
        } else {
            guard let given = ICalText.seconds(ofDuration: trigger.value) else { return nil }
            let isOfEnd = trigger["RELATED"]?.uppercased() == "END"
            guard !isOfEnd || !times.isAllDay else { return nil }
            seconds = -(Int64(given) + (isOfEnd ? (times.minutes ?? 0) * 60 : 0))
        }
        guard seconds >= 0, seconds % 60 == 0, seconds / 60 <= Limits.reminderMinutesMax else { return nil }
        return seconds / 60
    }

    /// An alarm that shows a text so many minutes before an event.
    static func alarm(_ minutes: Int64, of subject: String) -> ICalComponent {
        ICalComponent(
            "VALARM",
            [
                ICalLine("ACTION", value: "DISPLAY"), ICalLine("DESCRIPTION", text: subject),
                ICalLine("TRIGGER", value: ICalText.duration(seconds: Int(minutes) * -60)),
            ])
    }

    /// Moves alarms that an older version kept with the entry itself to its owner.
    static func takeOver(_ stored: StoredEntry, _ act: Act) throws(Rejection) {
        guard let raw = stored.raw, raw.hasBytes(of: "BEGIN:VALARM"), var kept = try? ICalComponent(raw.utf8) else {
            return
        }
        kept.lines = []
        kept.components = kept.components.compactMap { part in
            guard part.name == "VEVENT" else { return part.name == "VALARM" ? part : nil }
            let ringing = part.components.filter { $0.name == "VALARM" }
            guard !ringing.isEmpty, let line = part["RECURRENCE-ID"] else { return nil }
            return ICalComponent(part.name, [line], components: ringing)
        }
        guard !kept.components.isEmpty else { return }
        try set(kept.text, of: stored.wire.owner, for: stored.number, act)
    }

    /// The alarms of an entry, each with its member, in the form in which the bin keeps them beside the entry.
    static func all(of entry: Int64, _ act: Act) throws(Rejection) -> [JSON] {
        try act.rows("SELECT member, text FROM entry_alarms WHERE entry = ? ORDER BY member", .int(entry)) { row in
            ["member": .id(row.identifier("member")), "text": .string(row.text("text"))]
        }
    }

    /// Copies the alarms of one entry to another.
    static func copy(from entry: Int64, to other: Int64, _ act: Act) throws(Rejection) {
        try act.run(
            "INSERT OR IGNORE INTO entry_alarms (entry, member, text) SELECT ?, member, text FROM entry_alarms WHERE entry = ?",
            .int(other), .int(entry))
    }
}

extension ICalComponent {
    /// Whether nothing is in it.
    fileprivate var isBare: Bool { lines.isEmpty && components.isEmpty }

    /// Removes alarms that are not wanted, and components of single times that are empty after that.
    fileprivate mutating func keep(_ isWanted: (ICalComponent) -> Bool) {
        components = components.compactMap { part in
            guard part.name == "VEVENT" else { return isWanted(part) ? part : nil }
            let own = ICalComponent(part.name, part.lines, components: part.components.filter(isWanted))
            return own.components.isEmpty && own.lines.count <= 1 ? nil : own
        }
    }
}

extension ICalLine {
    /// Whether the line is a note of a member's program that an alarm was seen or put off. Like alarms, it belongs to
    /// that member.
    var isOfRinging: Bool {
        name == "X-MOZ-LASTACK" || name == "X-MOZ-GENERATION" || name.hasPrefix("X-MOZ-SNOOZE-TIME")
    }
}

extension StoredEntry {
    /// Gives the entry another state for one member alone, so that this member's programs read it anew.
    func touch(of member: Identifier, _ act: Act) throws(Rejection) {
        try act.emit(
            Entry.updated, .init(entry: wire, changes: []), about: Calendars.about(wire.id),
            to: try act.roster.only(member), title: wire.subject, owner: wire.owner)
        try act.run(
            """
            INSERT INTO entry_touched (entry, member, position) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET position = excluded.position
            """, .int(number), .id(member), .int(act.logPosition))
    }

    /// Gives the entry another validator although it is the same. A member's program wrote something that was not kept,
    /// and reads the entry anew. Programs of others read it anew as well, and find nothing else.
    func giveBack(to member: Identifier, _ act: Act) throws(Rejection) {
        try act.run(
            "UPDATE entries SET position = ? WHERE number = ?", .int(act.logPosition + 1), .int(number))
        try touch(of: member, act)
    }
}

extension Calendars {
    /// The events that change what programs are told of places. They hold for the members who receive these events.
    static let mapPlaces: [String: @Sendable (Act, Told) throws(Rejection) -> Void] = [
        Place.updated.name: { (act, told) throws(Rejection) in try turn(told[Place.updated]?.place.id, told, act) },
        Place.shown.name: { (act, told) throws(Rejection) in try turn(told[Place.shown]?.place.id, told, act) },
        Place.hidden.name: { (act, told) throws(Rejection) in try turn(told[Place.hidden]?.place, told, act) },
        Place.removed.name: { (act, told) throws(Rejection) in try turn(told[Place.removed]?.place, told, act) },
    ]

    /// Gives entries with a place another state, for members who were just told of the place.
    private static func turn(_ place: Identifier?, _ told: Told, _ act: Act) throws(Rejection) {
        guard let place else { return }
        let entries = try act.rows(
            """
            SELECT number FROM entries WHERE map_place = ?1 UNION
            SELECT number FROM entries WHERE instr(exceptions, '"place":{') > 0 AND instr(exceptions, ?2) > 0
            """, .id(place), .text(place.description)
        ) { row in row.int(0) }
        guard !entries.isEmpty else { return }
        let numbers = Value.text(JSON.array(entries.map { .int($0) }).text)
        for member in try act.roster.entries(in: told.audience) {
            try act.run(
                """
                INSERT INTO entry_touched (entry, member, position) SELECT value, ?1, ?2 FROM json_each(?3) WHERE true
                ON CONFLICT DO UPDATE SET position = excluded.position
                """, .id(member.id), .int(act.logPosition), numbers)
        }
    }
}
