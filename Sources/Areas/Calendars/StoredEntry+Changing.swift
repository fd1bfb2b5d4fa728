import KinCalendar
import KinICal
import KinKeeper
import KinModel
import KinStore

/// Changes to one occurrence, to it and all later ones, or to the whole entry.
extension StoredEntry {
    /// The calendar of the entry, or the one to which a request moves it.
    private func calendar(_ params: Params?, _ act: Act) throws(Rejection) -> StoredCalendar {
        if let id = params?.optionalID("calendar"), id != wire.calendar {
            return try StoredCalendar.allowed(id, .write, act)
        }
        guard let calendar = try StoredCalendar.find(wire.calendar, act) else {
            throw Rejection.notFound("calendar", wire.calendar.description, field: "calendar")
        }
        return calendar
    }

    /// Changes the whole entry. If the request names an occurrence, the occurrence's new start says by how much all of
    /// them move.
    func changeAll(_ params: Params, from occurrence: Civil?, _ act: Act) throws(Rejection) -> StoredEntry {
        var changed = self
        let seers = try seers(act)
        var calendar = try calendar(params, act)
        if let occurrence { changed.forget(params, of: occurrence) }
        let seconds = try changed.take(times: params, from: occurrence, act)
        try EntryEdit.take(params, into: &changed.wire, act)
        try changed.take(audience: params, act)
        if changed.wire.place != wire.place { changed.forgetLocations() }
        changed.dropStray()
        try EntryAlarms.moveDays(of: number, by: seconds, changed.wire.times.zone, act)
        if calendar.id != wire.calendar {
            try changed.requireFit(for: calendar, insteadOf: self, act)
            try changed.giveWay(in: calendar, act)
        }
        try changed.save(instead: self, in: &calendar, seenBy: seers, act)
        try changed.remindInvited(besides: wire.invitees, in: calendar, act)
        return changed
    }

    /// Takes another UID if an entry of the calendar has this one. The caller does not learn of an entry that the
    /// caller does not see.
    mutating func giveWay(in calendar: StoredCalendar, _ act: Act) throws(Rejection) {
        guard let known = try namesake(in: calendar, act) else { return }
        shownUID = try CalendarSight(act).sees(known) ? nil : uid
        uid = "\(wire.id)@kinwire"
    }

    /// The same in the calendar of a member who sees all entries there.
    mutating func giveWayInSight(in calendar: StoredCalendar, _ act: Act) throws(Rejection) {
        guard try namesake(in: calendar, act) != nil else { return }
        shownUID = nil
        uid = "\(wire.id)@kinwire"
    }

    /// Another entry of a calendar with the UID of this one.
    private func namesake(in calendar: StoredCalendar, _ act: Act) throws(Rejection) -> StoredEntry? {
        try act.ask { (database) throws(StoreFailure) in
            try StoredEntry.rows(
                "WHERE e.calendar = ? AND e.uid = ? AND e.number <> ?",
                [.int(calendar.number), .text(uid), .int(number)], hasStars: false, database
            ).first
        }
    }

    /// Takes the times of a request. Answers by how many seconds the entry's single days move.
    private mutating func take(times params: Params, from occurrence: Civil?, _ act: Act) throws(Rejection) -> Int {
        let before = wire.times
        var isTurned = false
        if let text = params.optionalString("start") {
            guard let start = Civil.read(text) else { throw EntryEdit.badTime("start") }
            let isAllDay = text.utf8.count == 10
            isTurned = isAllDay != before.isAllDay
            if let occurrence, let first = Civil.read(before.start) {
                if start.startOfDay != occurrence.startOfDay, !params.has("repeat"),
                    before.repeats.map({ $0.hasBytes(of: ";BY") }) == true
                {
                    throw Rejection(
                        .invalid, "The rule names days; to move all to another day, say how it repeats then.",
                        field: "repeat")
                }
                let days = start.startOfDay.days(since: occurrence.startOfDay)
                let moved =
                    isTurned
                    ? first.startOfDay.adding(days: days).adding(seconds: start.seconds(since: start.startOfDay))
                    : first.adding(seconds: start.seconds(since: occurrence))
                wire.times.start = moved.written(isAllDay: isAllDay)
            } else {
                wire.times.start = text
            }
            if isTurned {
                wire.times.zone = isAllDay ? nil : try EntryEdit.zone(params, act)
                wire.times.minutes = isAllDay ? nil : 60
                wire.times.days = isAllDay ? 1 : nil
            }
        }
        if params.has("zone") {
            guard !wire.times.isAllDay else {
                throw Rejection(.invalid, "Whole days have no zone.", field: "zone")
            }
            wire.times.zone = try EntryEdit.zone(params, act)
        }
        let begin = params.optionalString("start").flatMap { Civil.read($0) } ?? occurrence
        try EntryEdit.take(length: params, from: occurrence == nil ? nil : begin, into: &wire.times)
        try EntryEdit.take(rule: params, into: &wire.times)
        let (old, new) = (Civil.read(before.start), Civil.read(wire.times.start))
        if isTurned, let old, let new { turnDays(from: old, to: new) }
        try EntryEdit.take(dates: params, into: &wire.times)
        guard wire.times != before else { return 0 }
        let isSameRule = wire.times.repeats == before.repeats
        // This comes before the check: a rule that ended before the new start would never repeat.
        if isSameRule, let old, let new { moveEnd(of: before, from: old, to: new) }
        try EntryEdit.check(wire.times, isSameRule: isSameRule, act)
        guard let old, let new else { return 0 }
        let seconds = new.seconds(since: old)
        if isTurned { return seconds }
        // Changed occurrences move along if all occurrences did.
        guard isSameRule, seconds != 0 || wire.times.zone != before.zone else { return 0 }
        move(by: seconds, withDates: !params.has("dates"))
        return seconds
    }

    /// Moves the end of the rule along with the start and the zone, so that as many occurrences are left. A day, or the
    /// end of a day, moves by days; a moment moves by seconds. For whole days it is a day, and for times a moment (RFC
    /// 5545, 3.3.10).
    private mutating func moveEnd(of before: EntryTimes, from old: Civil, to new: Civil) {
        guard old != new || wire.times.zone != before.zone,
            let rule = before.repeats.flatMap({ RecurrenceRule($0) }), let until = rule.until
        else { return }
        let days = new.startOfDay.days(since: old.startOfDay)
        let (left, here) = (before.zone.flatMap { Zone($0) }, wire.times.zone.flatMap { Zone($0) })
        var wall = until.civil
        if until.isUTC, let left { wall = left.civil(at: Timing.moment(wall, .utc)) }
        func moment(_ wall: Civil) -> ICalTime {
            here.map { ICalTime(Zone.utc.civil(at: Timing.moment(wall, $0)), isUTC: true) } ?? ICalTime(wall)
        }
        let isEvening = until.isDate || wall == wall.startOfDay.adding(seconds: 86_399)
        let end: ICalTime
        if before.isAllDay != wire.times.isAllDay {
            // This is the last day that it may be on. If the end is earlier in the day than the beginning, it is the
            // day before.
            let isBehind = !isEvening && wall.seconds(since: wall.startOfDay) < old.seconds(since: old.startOfDay)
            let last = wall.startOfDay.adding(days: isBehind ? days - 1 : days)
            end = wire.times.isAllDay ? ICalTime(last, isDate: true) : moment(last.adding(seconds: 86_399))
        } else {
            let moved = isEvening ? wall.adding(days: days) : wall.adding(seconds: new.seconds(since: old))
            let isMoment = until.isUTC && left != nil
            end = isMoment ? moment(moved) : ICalTime(moved, isDate: until.isDate, isUTC: until.isUTC)
        }
        if let ended = rule.ending(at: end) { wire.times.repeats = ended.description }
    }

    /// If times become whole days, or whole days get a time, changes of single occurrences stay with their days.
    private mutating func turnDays(from old: Civil, to new: Civil) {
        let (isAllDay, days) = (wire.times.isAllDay, new.startOfDay.days(since: old.startOfDay))
        func turned(_ text: String) -> String {
            guard let day = Civil.read(text)?.startOfDay.adding(days: days) else { return text }
            return day.adding(seconds: new.seconds(since: new.startOfDay)).written(isAllDay: isAllDay)
        }
        let exceptions = wire.exceptions
        wire.exceptions = []
        for one in exceptions {
            let name = turned(one.occurrence)
            let start = one.start.map(turned)
            put(
                EntryException(
                    occurrence: name, isRemoved: one.isRemoved, start: start == name ? nil : start,
                    subject: one.subject, note: one.note, place: one.place, category: one.category, status: one.status))
        }
        wire.answers = wire.answers.map {
            EntryAnswer(occurrence: turned($0.occurrence), member: $0.member, answer: $0.answer)
        }
        wire.times.dates = wire.times.dates.map(turned)
        moveKept(by: new.seconds(since: old))
    }

    private mutating func move(by seconds: Int, withDates: Bool) {
        let isAllDay = wire.times.isAllDay
        func moved(_ text: String) -> String {
            Civil.read(text)?.adding(seconds: seconds).written(isAllDay: isAllDay) ?? text
        }
        wire.exceptions = wire.exceptions.map { old in
            EntryException(
                occurrence: moved(old.occurrence), isRemoved: old.isRemoved, start: old.start, minutes: old.minutes,
                days: old.days, subject: old.subject, note: old.note, place: old.place, category: old.category,
                status: old.status)
        }
        wire.answers = wire.answers.map {
            EntryAnswer(occurrence: moved($0.occurrence), member: $0.member, answer: $0.answer)
        }
        if withDates { wire.times.dates = wire.times.dates.map(moved) }
        moveKept(by: seconds)
    }

    /// Lines that programs wrote about single occurrences stay with their occurrences.
    private mutating func moveKept(by seconds: Int) {
        guard let raw, raw.hasBytes(of: "RECURRENCE-ID"), var kept = try? ICalComponent(raw.utf8) else { return }
        kept.moveDays(by: seconds, wire.times.zone)
        self.raw = kept.text
    }

    /// Drops changes and answers of occurrences that no longer exist.
    private mutating func dropStray() {
        guard !wire.exceptions.isEmpty || !wire.answers.isEmpty, let timing = Timing(wire.times) else { return }
        func isOne(_ text: String) -> Bool { Civil.read(text).map { timing.series.contains($0) } ?? false }
        wire.exceptions.removeAll { !isOne($0.occurrence) }
        wire.answers.removeAll { !isOne($0.occurrence) }
    }

    /// Changes one occurrence alone.
    func changeOne(_ occurrence: Civil, _ params: Params, _ act: Act) throws(Rejection) -> StoredEntry {
        for field in [
            "repeat", "until", "dates", "zone", "calendar", "invitees", "category", "status", "privacy", "audience",
        ] where params[field] != nil {
            throw Rejection(
                .invalid,
                "Only the time, the place, the subject and the note can be otherwise on a single day; change the rest for all days, or from one day on.",
                field: field)
        }
        var changed = self
        let seers = try seers(act)
        var calendar = try calendar(nil, act)
        let name = wire.times.name(of: occurrence)
        var one =
            wire.exceptions.first { $0.occurrence.hasSameBytes(as: name) } ?? EntryException(occurrence: name)
        var times = EntryTimes(
            start: one.start ?? name, zone: wire.times.zone, minutes: one.minutes ?? wire.times.minutes,
            days: one.days ?? wire.times.days)
        if let start = params.optionalString("start") {
            times.start = start
            try EntryEdit.check(times, act)
        }
        try EntryEdit.take(length: params, into: &times)
        one.start = times.start.hasSameBytes(as: name) ? nil : times.start
        one.minutes = times.minutes == wire.times.minutes ? nil : times.minutes
        one.days = times.days == wire.times.days ? nil : times.days
        if let subject = params.optionalString("subject") {
            one.subject = subject.hasSameBytes(as: wire.subject) ? nil : subject
        }
        if let note = params["note"] { one.note = note.string }
        if params["place"] != nil || params["lat"] != nil || params["lon"] != nil || params["mapPlace"] != nil {
            one.place = try EntryEdit.place(params, instead: one.place ?? wire.place, act)
            changed.forgetLocations(of: name)
        }
        changed.put(one)
        guard changed.wire.exceptions.count <= Limits.entryExceptionsMax else {
            throw Rejection(
                .tooLarge, "\(Limits.entryExceptionsMax) occurrences of one entry are otherwise at most.",
                field: "occurrence")
        }
        try changed.save(instead: self, in: &calendar, seenBy: seers, act)
        return changed
    }

    /// A change of several occurrences also counts for the one at which it was made, whatever was said of that one
    /// before.
    private mutating func forget(_ params: Params, of occurrence: Civil) {
        func says(_ fields: String...) -> Bool { fields.contains { params[$0] != nil } }
        if says("status") { forgetLines("STATUS", of: occurrence) }
        if says("category") { forgetLines("CATEGORIES", of: occurrence) }
        let name = wire.times.name(of: occurrence)
        guard var one = wire.exceptions.first(where: { $0.occurrence.hasSameBytes(as: name) }), !one.isRemoved else {
            return
        }
        if says("start") { one.start = nil }
        if says("end", "minutes", "days") { (one.minutes, one.days) = (nil, nil) }
        if says("subject") { one.subject = nil }
        if says("note") { one.note = nil }
        if says("place", "lat", "lon", "mapPlace") { one.place = nil }
        if says("category") { one.category = nil }
        if says("status") { one.status = nil }
        put(one)
    }

    private mutating func put(_ one: EntryException) {
        wire.exceptions.removeAll { $0.occurrence.hasSameBytes(as: one.occurrence) }
        if one != EntryException(occurrence: one.occurrence) { wire.exceptions.append(one) }
        wire.exceptions.sort { $0.occurrence < $1.occurrence }
    }

    /// Leaves one occurrence out. If it is the last one, the entry is removed.
    func leaveOut(_ occurrence: Civil, _ act: Act) throws(Rejection) {
        var changed = self
        let seers = try seers(act)
        var calendar = try calendar(nil, act)
        changed.put(EntryException(occurrence: wire.times.name(of: occurrence), isRemoved: true))
        changed.wire.answers.removeAll { Civil.read($0.occurrence) == occurrence }
        let left = changed.wire.exceptions.contains { !$0.isRemoved }
        guard left || changed.timing?.series.first(from: changed.timing?.series.start ?? occurrence) != nil else {
            return try remove(erasing: false, act)
        }
        guard changed.wire.exceptions.count <= Limits.entryExceptionsMax else {
            throw Rejection(
                .tooLarge, "\(Limits.entryExceptionsMax) occurrences of one entry are otherwise at most.",
                field: "occurrence")
        }
        try changed.save(instead: self, in: &calendar, seenBy: seers, act)
    }

    /// Ends it before an occurrence that is not its first.
    @discardableResult
    func end(before occurrence: Civil, _ act: Act) throws(Rejection) -> StoredEntry {
        var changed = self
        let seers = try seers(act)
        var calendar = try calendar(nil, act)
        changed.wire.times.repeats = try wire.times.repeats.flatMap { RecurrenceRule($0) }.map {
            (rule) throws(Rejection) in
            let last = occurrence.adding(seconds: wire.times.isAllDay ? -86_400 : -1)
            let until =
                wire.times.zone.flatMap { Zone($0) }.map { zone in
                    ICalTime(Zone.utc.civil(at: Timing.moment(last, zone)), isUTC: true)
                } ?? ICalTime(last, isDate: true)
            guard let ended = rule.ending(at: until) else {
                throw Rejection(.invalid, "This rule cannot be ended there; change all of it.", field: "occurrence")
            }
            return ended.description
        }
        changed.wire.times.dates.removeAll { Civil.read($0).map { $0 >= occurrence } ?? true }
        changed.wire.exceptions.removeAll { Civil.read($0.occurrence).map { $0 >= occurrence } ?? true }
        changed.wire.answers.removeAll { Civil.read($0.occurrence).map { $0 >= occurrence } ?? true }
        try changed.save(instead: self, in: &calendar, seenBy: seers, act)
        return changed
    }

    /// Makes an entry of its own from an occurrence and all later ones, and changes it.
    func split(at occurrence: Civil, _ params: Params, _ act: Act) throws(Rejection) -> StoredEntry {
        guard let series = Timing(wire.times)?.series else { throw EntryEdit.badTime("start") }
        try end(before: occurrence, act)
        var entry = wire
        entry.times.start = wire.times.name(of: occurrence)
        var whole: Int?
        var remaining: Int?
        if let rule = wire.times.repeats.flatMap({ RecurrenceRule($0) }), let count = rule.count {
            var counted = series
            counted.dates = []
            let before = counted.occurrences(from: series.start, to: occurrence, max: count).all.count
            remaining = max(1, count - before)
            entry.times.repeats = rule.counting(remaining)?.description
            whole = count
        }
        func isBehind(_ text: String) -> Bool { Civil.read(text).map { $0 >= occurrence } ?? false }
        entry.times.dates.removeAll { Civil.read($0).map { $0 <= occurrence } ?? true }
        entry.exceptions.removeAll { !isBehind($0.occurrence) }
        entry.answers.removeAll { !isBehind($0.occurrence) }
        var behind = StoredEntry(
            Entry(
                id: act.newIdentifier(), calendar: entry.calendar, owner: entry.owner, subject: entry.subject,
                note: entry.note, category: entry.category, status: entry.status, privacy: entry.privacy,
                times: entry.times, place: entry.place, exceptions: entry.exceptions, invitees: entry.invitees,
                answers: entry.answers, changed: act.now))
        behind.raw = raw
        behind.sharedWith = sharedWith
        var calendar = try calendar(params, act)
        behind.forget(params, of: occurrence)
        let seconds = try behind.take(times: params, from: occurrence, act)
        // A new rule with the same count as the whole entry had continues that count.
        if params.has("repeat"), let whole, let rule = behind.wire.times.repeats.flatMap({ RecurrenceRule($0) }),
            rule.count == whole
        {
            behind.wire.times.repeats = rule.counting(remaining)?.description
        }
        try EntryEdit.take(params, into: &behind.wire, act)
        try behind.take(audience: params, act)
        if calendar.id != wire.calendar { try behind.requireFit(for: calendar, insteadOf: self, act) }
        behind.dropStray()
        try behind.save(instead: nil, in: &calendar, act)
        // Reminders are copied to the later part.
        for (member, minutes) in try act.rows(
            "SELECT member, minutes FROM entry_reminders WHERE entry = ?", .int(number),
            map: { row in (row.identifier("member"), row.int("minutes")) })
        {
            try act.run(
                "INSERT OR IGNORE INTO entry_reminders (entry, member, minutes) VALUES (?, ?, ?)", .int(behind.number),
                .id(member), .int(minutes))
        }
        try EntryAlarms.copy(from: number, to: behind.number, act)
        try EntryAlarms.moveDays(of: behind.number, by: seconds, behind.wire.times.zone, act)
        try behind.remindInvited(besides: wire.invitees, in: calendar, act)
        try behind.remindAll(act)
        // A member who starred the entry has the later part starred, too.
        let seers = try behind.seers(act)
        for member in wire.stars {
            guard let entry = try act.roster[member], seers.contains(entry.number) else { continue }
            try behind.star(true, member, act)
        }
        return behind
    }
}
