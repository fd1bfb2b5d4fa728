import KinCalendar
import KinKeeper
import KinModel
import KinStore

/// Reminders of members. There is one piece of due work for each entry and member, and it is for the next time alone,
/// so that a rule without end costs one row.
extension StoredEntry {
    /// The minutes before it at which a member wants to be reminded, the longest first.
    func reminders(of member: Identifier, _ act: Act) throws(Rejection) -> [Int64] {
        try act.rows(
            "SELECT minutes FROM entry_reminders WHERE entry = ? AND member = ? ORDER BY minutes DESC", .int(number),
            .id(member)
        ) { row in row.int(0) }
    }

    /// The members who want to be reminded of it.
    func reminded(_ act: Act) throws(Rejection) -> [Identifier] {
        try act.rows("SELECT DISTINCT member FROM entry_reminders WHERE entry = ?", .int(number)) { row in
            row.identifier(0)
        }
    }

    /// The members who set reminders for it, with their times, as the bin keeps them beside the entry.
    func wishes(_ act: Act) throws(Rejection) -> [JSON] {
        try act.rows("SELECT member, minutes FROM entry_reminders WHERE entry = ?", .int(number)) { row in
            ["member": .id(row.identifier("member")), "minutes": .int(row.int("minutes"))]
        }
    }

    /// Sets the reminders and alarms of an entry that was brought back, for the members who see it now.
    func remindAgain(_ wishes: [JSON], _ alarms: [JSON], _ act: Act) throws(Rejection) {
        let (roster, seers) = (try act.roster, try seers(act))
        func seer(_ one: JSON) -> Identifier? {
            guard let member = one["member"]?.identifier, let reader = roster[member], seers.contains(reader.number)
            else { return nil }
            return member
        }
        for one in wishes {
            guard let member = seer(one), let minutes = one["minutes"]?.int else { continue }
            try act.run(
                "INSERT OR IGNORE INTO entry_reminders (entry, member, minutes) VALUES (?, ?, ?)", .int(number),
                .id(member), .int(minutes))
        }
        for one in alarms {
            guard let member = seer(one), let text = one["text"]?.string else { continue }
            try EntryAlarms.set(text, of: member, for: number, act)
        }
        try remindAll(act)
    }

    /// Sets other reminders for a member.
    func setReminders(_ minutes: [Int64], of member: Identifier, _ act: Act) throws(Rejection) {
        try act.run("DELETE FROM entry_reminders WHERE entry = ? AND member = ?", .int(number), .id(member))
        for minutes in Set(minutes) {
            try act.run(
                "INSERT INTO entry_reminders (entry, member, minutes) VALUES (?, ?, ?)", .int(number), .id(member),
                .int(minutes))
        }
        guard minutes.isEmpty else { return try remind(member, act) }
        try act.unplan(Calendars.remindDue, about: Calendars.about(wire.id, member))
    }

    /// Plans anew the next reminder of each member who wants one.
    func remindAll(_ act: Act) throws(Rejection) {
        for member in try reminded(act) { try remind(member, act) }
    }

    /// Plans the next reminder of a member; nothing, if there is none any more or the member does not want it.
    func remind(_ member: Identifier, _ act: Act) throws(Rejection) {
        let minutes = try reminders(of: member, act)
        guard !minutes.isEmpty else { return }
        try act.plan(
            Calendars.remindDue, about: Calendars.about(wire.id, member),
            at: try next(of: member, minutes, after: act.now, act)?.at)
    }

    /// The next time after a moment to remind a member, and the occurrence that it is about.
    func next(
        of member: Identifier, _ minutes: [Int64], after now: Instant, _ act: Act
    ) throws(Rejection) -> (at: Instant, occurrence: OccurrenceTime)? {
        guard wire.status != .cancelled, let most = minutes.max() else { return nil }
        let reader = try Calendars.zone(of: member, act)
        var best: (at: Instant, occurrence: OccurrenceTime)?
        // The first occurrences that may still be announced. A member who does not come is not reminded.
        let ahead = Expansion(self, reader: reader, act.almanac).occurrences(
            from: now.adding(seconds: -Calendars.lateSeconds),
            to: .latest, max: Int(Limits.remindersMax) + 40)
        for occurrence in ahead.all where wire.answer(of: member, to: occurrence.name) != .declined {
            for minutes in minutes {
                let at = occurrence.start.adding(seconds: -minutes * 60)
                if at > now, best.map({ at < $0.at }) ?? true { best = (at, occurrence) }
            }
            if let best, occurrence.start.adding(seconds: -most * 60) > best.at { break }
        }
        return best
    }
}

extension Calendars {
    static let remindDue = "entry.reminds"
    /// Seconds after its time for which a reminder is still useful, if its occurrence is not over.
    static let lateSeconds: Int64 = 86_400

    /// The subject of a reminder's due work.
    static func about(_ entry: Identifier, _ member: Identifier) -> String { "entry/\(entry)/\(member)" }

    /// A reminder is due. The member is reminded once of an occurrence that is not over yet, if the reminder is not
    /// later than ``lateSeconds``. Then the next time is planned.
    static func remind(_ act: Act, _ about: String) throws(Rejection) {
        let parts = about.split(separator: "/")
        guard parts.count == 3, let member = Identifier(parts[2]), let reader = try act.roster[member],
            let stored = try StoredEntry.of(about, act),
            let calendar = try StoredCalendar.find(stored.wire.calendar, act), stored.isSeen(by: reader, in: calendar)
        else { return }
        let minutes = try stored.reminders(of: member, act)
        let zone = try Calendars.zone(of: member, act)
        let near = Expansion(stored, reader: zone, act.almanac).occurrences(
            from: act.now, to: act.now.adding(seconds: ((minutes.max() ?? 0) + 1) * 60), max: 100)
        // If several are due, it is the one whose time came last: the member was reminded of earlier ones then.
        var due: (late: Int64, occurrence: OccurrenceTime)?
        for occurrence in near.all
        where occurrence.end > act.now && stored.wire.answer(of: member, to: occurrence.name) != .declined {
            for minutes in minutes {
                let late = act.now.milliseconds(since: occurrence.start.adding(seconds: -minutes * 60))
                guard (0...lateSeconds * 1000).contains(late), due.map({ late < $0.late }) ?? true else { continue }
                due = (late, occurrence)
            }
        }
        if let due = due?.occurrence, stored.wire.status != .cancelled {
            try act.emit(
                Entry.reminded, .init(entry: stored.wire.id, occurrence: due.name, start: due.start),
                about: Calendars.about(stored.wire.id), to: try act.roster.only(member), isHeard: true,
                title: due.subject, owner: stored.wire.owner)
        }
        try stored.remind(member, act)
    }

    /// The zone of a member's settings, or else this machine's.
    static func zone(of member: Identifier, _ act: Act) throws(Rejection) -> Zone {
        let own = try act.hooks.settings?(act, member).zone
        return own.flatMap { Zone($0) } ?? Zone.system ?? .utc
    }
}
