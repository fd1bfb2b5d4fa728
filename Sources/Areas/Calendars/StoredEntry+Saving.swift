import KinCalendar
import KinICal
import KinKeeper
import KinModel
import KinStore

extension StoredEntry {
    /// Writes it down. Tells members who see it, members who come to see it, and members who no longer see it. `before`
    /// is its former state. With `isTold` false nobody is told: the caller then has them list entries again.
    mutating func save(
        instead before: StoredEntry?, in calendar: inout StoredCalendar, seenBy formerly: Audience = Audience(),
        except leaving: Audience = Audience(), isTold: Bool = true, _ act: Act
    ) throws(Rejection) {
        try calendar.ensure(act)
        wire.calendar = calendar.id
        let changes = before.map { wire.changes(from: $0.wire) } ?? []
        var isOther = true
        if let before, changes.isEmpty, before.raw == raw, before.slot == slot,
            before.wire.meeting == wire.meeting
        {
            guard before.sharedWith != sharedWith else { return }
            isOther = false
        }
        if changes.contains(where: { [.times, .exceptions, .place, .status].contains($0) }) { wire.sequence += 1 }
        // To members who saw it before and still see it, it is unchanged if only others can see it besides.
        if isOther { wire.changed = act.now }
        guard wire.json.bytes.count + (raw?.utf8.count ?? 0) <= Limits.entryBytesMax else {
            throw Rejection(
                .tooLarge, "An entry has \(Limits.entryBytesMax >> 10) KiB at most; say less in it.", field: "note")
        }
        let next = act.logPosition + 1
        if isOther { position = next }
        let roster = try act.roster
        try write(calendar.number, instead: before?.wire, changes, roster, act)
        let now = seers(in: calendar, roster).subtracting(leaving)
        let (gained, lost) = (now.subtracting(formerly), formerly.subtracting(now))
        let about = Calendars.about(wire.id)
        // Members who no longer see it are not told the former text either, however long they were away.
        if let before, before.wire.calendar != calendar.id {
            try ShelfTrace.leave(wire.id, from: before.wire.calendar, sightOf: formerly, at: next, act)
        } else {
            try ShelfTrace.leave(wire.id, from: calendar.id, sightOf: lost, at: next, act)
        }
        var isStarLost = false
        if !lost.isEmpty {
            try act.narrow(about: about, by: lost)
            try forget(lost, act)
            let blind = Set(roster.entries(in: lost).map(\.id))
            isStarLost = wire.stars.contains { blind.contains($0) }
            wire.stars.removeAll { blind.contains($0) }
        }
        if before != nil {
            // The former words are in no row of the log any more. Members who were away get the entry by this event
            // alone.
            if changes.contains(where: { [.subject, .note, .place, .exceptions].contains($0) }) {
                try act.erase(about: about, of: [Entry.added, Entry.updated, Entry.shown])
            }
            let told = isOther ? now : roster.only(wire.owner).intersection(now)
            try act.emit(
                Entry.updated, .init(entry: wire, changes: changes), about: about,
                to: isTold ? told.intersection(formerly) : Audience(), title: wire.subject, owner: wire.owner)
            // If nothing else has changed, this has: a member who no longer sees the entry no longer has a star on it.
            if isStarLost, !isOther {
                try act.emit(
                    Entry.starred, .init(entry: wire.id, stars: wire.stars), about: about,
                    to: isTold ? now.intersection(formerly) : Audience())
            }
            try show(to: isTold ? gained : Audience(), act)
            // The entry's state is the same as before, so calendar programs of members who see it now are made to look
            // anew.
            if !isOther { try ShelfTrace.turn(gained, in: calendar.id, act) }
        } else {
            try act.emit(
                Entry.added, .init(entry: wire), about: about, to: isTold ? gained : Audience(), title: wire.subject,
                owner: wire.owner)
        }
        // The event is about no entry: it must outlive this one in the log, for members who are away until both are
        // gone.
        try act.emit(
            Entry.hidden, .init(entry: wire.id, meeting: wire.meeting), about: "entries", to: lost, isHeard: true)
        if changes.contains(.subject) { try act.retitle(about, wire.subject) }
        if changes.contains(where: { [.times, .exceptions, .status].contains($0) }) { try remindAll(act) }
    }

    /// The columns of the row besides those of the wire value.
    private static let beside = [
        "calendar", "uid", "start", "dates", "exceptions", "answers", "slot", "made_at", "position", "raw", "shown_uid",
        "first", "last", "is_long", "audience", "audience_ids",
    ]
    private static let insert = """
        INSERT INTO entries (\(columns.names), \(times.names), \(places.names), \(beside.joined(separator: ", ")))
        VALUES (\(columns.placeholders), \(times.placeholders), \(places.placeholders),
        \(beside.map { _ in "?" }.joined(separator: ", ")))
        """
    private static let update = """
        UPDATE entries SET \(columns.assignments), \(times.assignments), \(places.assignments),
        \(beside.map { $0 + " = ?" }.joined(separator: ", ")) WHERE number = ?
        """

    private mutating func write(
        _ calendar: Int64, instead before: Entry?, _ changes: [Entry.Changed.Part], _ roster: Roster, _ act: Act
    ) throws(Rejection) {
        guard let timing else { throw Rejection(.invalid, "The entry has no time that can be read.", field: "start") }
        let bounds = timing.bounds(wire.exceptions)
        let isLong =
            !timing.series.rules.isEmpty || !timing.series.dates.isEmpty
            || bounds.last.milliseconds(since: bounds.first) > Calendars.shortMilliseconds
        func text(_ list: [JSON]) -> Value { list.isEmpty ? .null : .text(JSON.array(list).text) }
        var values = Self.columns.values(of: wire)
        values += Self.times.values(of: wire.times) + Self.places.values(of: wire.place)
        // These values are in the order of the columns above.
        values += [
            .int(calendar), .text(uid), .int(timing.series.start.secondsSince1970),
            text(wire.times.dates.map { .string($0) }), text(wire.exceptions.map(\.json)),
            text(wire.answers.map(\.json)), Value(slot), .time(made), .int(position), Value(raw), Value(shownUID),
            .time(bounds.first), .time(bounds.last), .bool(isLong),
        ]
        values += EntryAudience.values(sharedWith, roster)
        if number == 0 {
            try act.run(Self.insert, values: values)
            number = act.database.lastInsertedRow
        } else {
            try act.run(Self.update, values: values + [.int(number)])
        }
        try write(people: before?.invitees ?? [], act)
        if before == nil || changes.contains(where: { [.subject, .note, .place, .exceptions].contains($0) }) {
            try EntryWords.put(self, act)
        }
    }

    /// Stores the invitees that have changed.
    private func write(people before: [EntryInvitee], _ act: Act) throws(Rejection) {
        let invited = Set(wire.invitees.map(\.member))
        for old in before where !invited.contains(old.member) {
            try act.run("DELETE FROM entry_people WHERE entry = ? AND member = ?", .int(number), .id(old.member))
        }
        let known = Dictionary(before.map { ($0.member, $0) }) { one, _ in one }
        for invitee in wire.invitees where known[invitee.member] != invitee {
            try act.run(
                """
                INSERT INTO entry_people (entry, \(Self.invitees.names)) VALUES (?, \(Self.invitees.placeholders))
                ON CONFLICT DO UPDATE SET answer = excluded.answer, note = excluded.note
                """, values: [.int(number)] + Self.invitees.values(of: invitee))
        }
    }

    /// Writes answers of invitees, and tells the members who see the entry.
    mutating func answer(
        _ answer: Entry.Answer, of member: Identifier, to occurrence: String?, note: String?, _ act: Act
    ) throws(Rejection) {
        let before = wire
        wire.take(answer, of: member, to: occurrence, note: note)
        guard wire != before else { return }
        guard wire.answers.count <= Limits.entryAnswersMax else {
            throw Rejection(
                .tooLarge, "So many answers to single dates no entry holds; answer for all.", field: "occurrence")
        }
        position = act.logPosition + 1
        try act.run(
            "UPDATE entries SET answers = ?, position = ? WHERE number = ?",
            wire.answers.isEmpty ? .null : .text(JSON.array(wire.answers.map(\.json)).text), .int(position),
            .int(number))
        try write(people: before.invitees, act)
        try act.emit(
            Entry.answered,
            .init(
                entry: wire.id, member: member, occurrence: occurrence, answer: answer, note: note,
                tally: EntryTally(wire.invitees), meeting: wire.meeting), about: Calendars.about(wire.id),
            to: try seers(act),
            title: wire.subject, owner: wire.owner)
        try remind(member, act)
    }

    /// Sets or removes a member's star, and tells the members who see the entry.
    mutating func star(
        _ isOn: Bool, _ member: Identifier, except leaving: Audience = Audience(), _ act: Act
    ) throws(Rejection) {
        guard isOn != wire.stars.contains(member) else { return }
        wire.stars = (wire.stars.filter { $0 != member } + (isOn ? [member] : [])).sorted()
        try act.run(
            isOn
                ? "INSERT INTO entry_stars (entry, member) VALUES (?, ?)"
                : "DELETE FROM entry_stars WHERE entry = ? AND member = ?", .int(number), .id(member))
        try act.emit(
            Entry.starred, .init(entry: wire.id, stars: wire.stars), about: Calendars.about(wire.id),
            to: try seers(act).subtracting(leaving))
    }

    /// Forgets the wishes of members who no longer see it.
    func forget(_ lost: Audience, _ act: Act) throws(Rejection) {
        for entry in try act.roster.entries(in: lost) {
            try act.run("DELETE FROM entry_reminders WHERE entry = ? AND member = ?", .int(number), .id(entry.id))
            try EntryAlarms.set(nil, of: entry.id, for: number, act)
            try act.run("DELETE FROM entry_touched WHERE entry = ? AND member = ?", .int(number), .id(entry.id))
            try act.run("DELETE FROM entry_stars WHERE entry = ? AND member = ?", .int(number), .id(entry.id))
            try act.unplan(Calendars.remindDue, about: Calendars.about(wire.id, entry.id))
        }
    }

    /// Removes it. It can be brought back for a week, unless it is erased at once. Its removal is remembered longer, but not
    /// that of an entry from outside. With `isTold` false nobody is told: the caller then has them list entries again.
    func remove(
        erasing: Bool, except leaving: Audience = Audience(), isTold: Bool = true, _ act: Act
    ) throws(Rejection) {
        let seers = try seers(act)
        let about = Calendars.about(wire.id)
        let isAhead = try isAhead(act)
        let reminded = try reminded(act)
        var bare = wire
        bare.stars = []
        var body = bare.json
        if !reminded.isEmpty { body["remind"] = .array(try wishes(act)) }
        let alarms = try EntryAlarms.all(of: number, act)
        if !alarms.isEmpty { body["alarms"] = .array(alarms) }
        try act.run(
            """
            INSERT OR REPLACE INTO entries_gone
            (id, calendar, owner, uid, remover, at, position, body, raw, audience, audience_ids)
            SELECT id, calendar, owner, uid, ?, ?, ?, ?, ?, audience, audience_ids FROM entries
            WHERE number = ? AND calendar NOT IN (SELECT calendar FROM calendar_subscriptions)
            """, Value(act.caller.memberID), .time(act.now), .int(act.logPosition + 1),
            erasing ? .null : .text(body.text), erasing ? .null : Value(raw), .int(number))
        try act.run("DELETE FROM entries WHERE number = ?", .int(number))
        if isTold { try ShelfTrace.leave(wire.id, from: wire.calendar, sightOf: seers, at: act.logPosition + 1, act) }
        try EntryWords.remove(number, act)
        for member in reminded { try act.unplan(Calendars.remindDue, about: Calendars.about(wire.id, member)) }
        try act.narrow(about: about, by: Audience(try act.roster.entries.map(\.number)).union(seers))
        try act.erase(about: about)
        try act.emit(
            Entry.removed,
            .init(
                entry: wire.id, invitees: isAhead && wire.meeting == nil ? wire.invitees.map(\.member) : [],
                meeting: wire.meeting),
            about: about, to: isTold ? seers.subtracting(leaving) : Audience(), isHeard: true, title: wire.subject,
            owner: wire.owner)
    }

    /// Whether something of it is still to come.
    private func isAhead(_ act: Act) throws(Rejection) -> Bool {
        timing.map { $0.bounds(wire.exceptions).last > act.now } ?? false
    }
}

extension Entry {
    /// The fields that differ.
    func changes(from old: Entry) -> [Changed.Part] {
        var changes: [Changed.Part] = []
        func compare(_ part: Changed.Part, _ isOther: Bool) { if isOther { changes.append(part) } }
        compare(.subject, !subject.hasSameBytes(as: old.subject))
        compare(.note, note != old.note)
        compare(.category, category != old.category)
        compare(.status, status != old.status)
        compare(.privacy, privacy != old.privacy)
        compare(.times, times != old.times)
        compare(.place, place != old.place)
        compare(.exceptions, exceptions != old.exceptions)
        compare(.invitees, invitees != old.invitees)
        compare(.owner, owner != old.owner)
        compare(.calendar, calendar != old.calendar)
        return changes
    }
}
