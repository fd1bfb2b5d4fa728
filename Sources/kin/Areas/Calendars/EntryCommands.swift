import KinCalendar
import KinModel
import KinWords

/// Adds and changes entries. An entry is named by its number in the last agenda. For a repeating entry, `EntryPart`
/// gives the part that is meant.
enum EntryCommands {
    static func add(_ call: Invocation) throws(Problem) {
        let subject = call.words.dropFirst().joined(separator: " ")
        var params: JSON = ["subject": .string(subject)]
        guard call.value("at") != nil || call.value("day") != nil else { throw .usage(phrase("calendar.no-time")) }
        try take(times: call, of: nil, into: &params)
        try take(more: call, into: &params)
        let result = try call.call("entry.add", params)
        if call.wantsJSON { return call.output.say(result) }
        let entry = result["entry"].flatMap(Entry.init)
        let names = try People(call).names
        let start = entry.map { Reader.here.start(of: $0.times) } ?? ""
        let all = (try call.call("calendar.list")["calendars"]?.array ?? []).compactMap(FamilyCalendar.init)
        guard let into = all.first(where: { $0.id == entry?.calendar }), into.id != names.me else {
            return call.output.say(phrase("calendar.added-own", ["subject": Plain.line(subject), "time": start]))
        }
        let calendar = names.calendar(into, .here)
        call.output.say(
            phrase("calendar.added", ["subject": Plain.line(subject), "calendar": calendar, "time": start]))
    }

    static func show(_ call: Invocation) throws(Problem) {
        let id = try find(call.words[1], call)
        let result = try call.call("entry.show", ["entry": .id(id)])
        if call.wantsJSON { return call.output.say(result) }
        guard let entry = result["entry"].flatMap(Entry.init) else { return }
        let names = try People(call).names
        call.output.say(call.output.styled(Plain.line(entry.subject), "1"))
        call.output.say(time(of: entry.times))
        if let rule = entry.times.repeats {
            call.output.say(
                RepeatWords.said(rule).map { phrase("calendar.repeats", ["rule": $0]) }
                    ?? phrase("calendar.repeats-otherwise", ["rule": Plain.line(rule)]))
        }
        let others = otherDays(entry.times)
        if !others.isEmpty { call.output.say(phrase("calendar.also-on", ["days": others])) }
        for line in moved(entry) + different(entry) { call.output.say(line) }
        if entry.status != .confirmed { call.output.say(phrase("calendar.status.\(entry.status.rawValue)")) }
        if let place = entry.place {
            let known = EntrySpot.names(of: [place], call)
            if let said = EntrySpot.whole(place, known) { call.output.say(Plain.line(said)) }
        }
        for line in (entry.note ?? "").split(whereSeparator: \.isNewline) { call.output.say(Plain.line(String(line))) }
        if let category = entry.category, !category.hasSameBytes(as: "none") {
            call.output.say(phrase("calendar.shown-category", ["category": Plain.line(category)]))
        }
        let calendars = (try call.call("calendar.list")["calendars"]?.array ?? []).compactMap(FamilyCalendar.init)
        if let calendar = calendars.first(where: { $0.id == entry.calendar }) {
            call.output.say(phrase("calendar.shown-in", ["calendar": names.calendar(calendar, .here)]))
        }
        call.output.say(phrase("calendar.owner", ["name": names.member(entry.owner)]))
        if let whom = result["audience"] { call.output.say(AudienceWords.said(whom, names)) }
        if entry.privacy != .public { call.output.say(phrase("calendar.privacy.\(entry.privacy.rawValue)")) }
        for invitee in entry.invitees {
            let said = phrase("calendar.invitee.\(invitee.answer.rawValue)", ["name": names.member(invitee.member)])
            call.output.say([said, invitee.note.map { Plain.line($0) }].compactMap(\.self).joined(separator: " "))
        }
        if !entry.stars.isEmpty {
            let starred = entry.stars.map { names.member($0) }.joined(separator: ", ")
            call.output.say(phrase("calendar.interested", ["names": starred]))
        }
        for minutes in (result["remind"]?.array ?? []).compactMap(\.int) {
            call.output.say(
                minutes == 0
                    ? phrase("calendar.reminds-at-start")
                    : phrase(
                        "calendar.reminds",
                        ["span": Reader.here.span(seconds: minutes * 60, isAfterPreposition: false)]))
        }
    }

    /// The time of an entry, by the reader's clock.
    private static func time(of times: EntryTimes) -> String {
        guard let zone = times.zone.flatMap({ Zone($0) }), let civil = Civil(times.start) else {
            return Reader.here.start(of: times)
        }
        let start: Instant
        switch zone.instant(of: civil) {
        case .one(let instant), .repeated(let instant, _), .skipped(_, let instant): start = instant
        }
        return LocalTime.span(start, start.adding(milliseconds: (times.minutes ?? 0) * 60_000))
    }

    /// The days beside the rule, of which the next ten are shown.
    private static func otherDays(_ times: EntryTimes) -> String {
        let today = LocalTime.civil(LocalTime.now)
        let days = times.dates.compactMap { Civil($0.prefix(10) + "T00:00") }.filter { $0 >= today.startOfDay }
        return days.prefix(10).map { "\(Reader.here.weekday($0)) \(Reader.here.day($0, today: today))" }
            .joined(separator: ", ")
    }

    /// The days that have another time than the rest, of which the next ten are shown.
    private static func moved(_ entry: Entry) -> [String] {
        let today = LocalTime.civil(LocalTime.now)
        return otherwise(entry, today) { $0.start != nil || $0.minutes != nil }.map { day, one in
            var times = entry.times
            times.start = one.start ?? one.occurrence
            times.minutes = one.minutes ?? times.minutes
            let name = "\(Reader.here.weekday(day)) \(Reader.here.day(day, today: today))"
            return phrase("calendar.moved", ["day": name, "time": time(of: times)])
        }
    }

    /// The days that a calendar program marked as less certain, or as another kind, of which the next ten are shown.
    private static func different(_ entry: Entry) -> [String] {
        let today = LocalTime.civil(LocalTime.now)
        return otherwise(entry, today) { $0.status != nil || $0.category != nil }.map { day, one in
            let status: String? =
                switch one.status {
                case .tentative: phrase("agenda.tentative")
                case .confirmed: phrase("calendar.certain")
                case .cancelled, nil: nil
                }
            let what = [status, one.category.map { Plain.line($0) }].compactMap(\.self).joined(separator: ", ")
            let name = "\(Reader.here.weekday(day)) \(Reader.here.day(day, today: today))"
            return phrase("calendar.day-otherwise", ["day": name, "what": what])
        }
    }

    /// The next ten days that differ in some way.
    private static func otherwise(
        _ entry: Entry, _ today: Civil, _ isMeant: (EntryException) -> Bool
    ) -> [(day: Civil, one: EntryException)] {
        let all = entry.exceptions.filter { !$0.isRemoved && isMeant($0) }.compactMap { one in
            Civil(one.occurrence.prefix(10) + "T00:00").map { (day: $0, one: one) }
        }
        return Array(all.filter { $0.day >= today.startOfDay }.sorted { $0.day < $1.day }.prefix(10))
    }

    /// The options that change an existing entry, besides those that say which part of it, and when to remind.
    private static let changes = [
        "at", "day", "days", "repeat", "until", "dates", "for", "in", "place", "map-place", "note", "category", "with",
        "privacy", "subject",
    ]

    static func edit(_ call: Invocation) throws(Problem) {
        let id = try find(call.words[1], call)
        // Reminders are the caller's own, even for an entry that the caller may not change.
        let minutes = try reminders(call)
        func remind() throws(Problem) -> JSON? {
            guard let minutes else { return nil }
            return try call.call("entry.remind", ["entry": .id(id), "minutes": minutes])
        }
        if minutes != nil, !changes.contains(where: { call.value($0) != nil }) {
            return call.answer(try remind() ?? [:], phrase("calendar.changed"))
        }
        let isOfMore = ["repeat", "until", "dates", "for", "in", "with", "category", "privacy"].contains {
            call.value($0) != nil
        }
        let part = try EntryPart(call, of: id, shown: shown(call), isOfMore: isOfMore)
        var params: JSON = ["entry": .id(id)]
        if let subject = call.value("subject") { params["subject"] = .string(subject) }
        try take(times: call, of: part, into: &params)
        try take(more: call, into: &params)
        part.name(in: &params)
        // The daemon may refuse the change of the entry. So the reminders are changed after it.
        let updated = try call.call("entry.update", params)
        _ = try remind()
        call.answer(updated, phrase("calendar.changed"))
    }

    static func remove(_ call: Invocation) throws(Problem) {
        let id = try find(call.words[1], call)
        let part = try EntryPart(call, of: id, shown: shown(call), isOfMore: false)
        var params: JSON = ["entry": .id(id)]
        part.name(in: &params)
        guard Input.confirms(call, phrase("calendar.remove")) else { throw Input.kept(phrase("calendar.kept")) }
        call.answer(try call.call("entry.remove", params), phrase("calendar.removed"))
    }

    static func answer(_ call: Invocation) throws(Problem) {
        let id = try find(call.words[1], call)
        let answers: [String: Entry.Answer] = [
            "yes": .accepted, "y": .accepted, "ja": .accepted, "j": .accepted, "maybe": .tentative,
            "vielleicht": .tentative, "no": .declined, "n": .declined, "nein": .declined, "none": .none, "keine": .none,
        ]
        guard let answer = answers[call.words[2].lowercased()] else { throw call.misused }
        var params: JSON = ["entry": .id(id), "answer": .string(answer.rawValue)]
        if let day = call.value("on") {
            params["occurrence"] = .string(try EntryPart.occurrence(on: day, of: id, call))
        }
        if let note = call.value("note") { params["note"] = .string(note) }
        call.answer(try call.call("entry.answer", params), phrase("calendar.answered.\(answer.rawValue)"))
    }

    /// Sets or removes the caller's star, by which an uninvited member shows interest.
    static func star(_ call: Invocation, isOn: Bool) throws(Problem) {
        let id = try find(call.words[1], call)
        call.answer(
            try call.call("entry.star", ["entry": .id(id), "on": .bool(isOn)]),
            phrase(isOn ? "calendar.starred" : "calendar.unstarred"))
    }

    static func bin(_ call: Invocation) throws(Problem) {
        let result = try call.call("entry.bin")
        if call.wantsJSON { return call.output.say(result) }
        let gone = (result["entries"]?.array ?? []).compactMap { one in
            one["entry"].flatMap(Entry.init).map { (entry: $0, at: one["at"]?.instant ?? LocalTime.now) }
        }
        guard !gone.isEmpty else { return call.output.say(phrase("calendar.bin-empty")) }
        LastList(call, "bin")?.keep(gone.map(\.entry.id))
        for (index, one) in gone.enumerated() {
            call.output.say(
                Plain.padded("\(index + 1)", 4) + Plain.line(one.entry.subject) + " · " + LocalTime.near(one.at))
        }
    }

    static func restore(_ call: Invocation) throws(Problem) {
        let id = try find(call.words[1], call, in: "bin")
        call.answer(try call.call("entry.restore", ["entry": .id(id)]), phrase("calendar.restored"))
    }

    /// Erases an entry for good. Its owner, or the calendar's owner, need not wait until the week is over.
    static func erase(_ call: Invocation) throws(Problem) {
        let id = try find(call.words[1], call, in: "bin")
        guard Input.confirms(call, phrase("calendar.erase")) else { throw Input.kept(phrase("calendar.not-erased")) }
        call.answer(try call.call("entry.erase", ["entry": .id(id)]), phrase("calendar.erased"))
    }

    // MARK: What is typed

    /// `part` is the part of an existing entry. The times of one of its days are in the zone of the whole entry.
    private static func take(times call: Invocation, of part: EntryPart?, into params: inout JSON) throws(Problem) {
        let zone = CalendarCommands.zone
        if let text = call.value("at") {
            guard call.value("day") == nil else { throw .usage(phrase("calendar.day-or-time")) }
            let typed = try time(text, on: part?.day, zone)
            if part?.day != nil, let own = part?.zone {
                params["start"] = .string(own.civil(at: typed.start).description)
            } else {
                params["start"] = .string(zone.civil(at: typed.start).description)
                params["zone"] = .string(zone.name)
            }
            if !typed.isEndAssumed || call.words.first == "add" {
                params["minutes"] = .int(max(1, typed.end.milliseconds(since: typed.start) / 60_000))
            }
        } else if let text = call.value("day") {
            params["start"] = .day(try CalendarCommands.day(text))
            if let days = try CalendarCommands.count(call, most: 366) { params["days"] = .int(Int64(days)) }
        }
        if let rule = call.value("repeat") { params["repeat"] = rule == "none" ? .null : .string(rule) }
        if let until = call.value("until") { params["until"] = .day(try CalendarCommands.day(until)) }
        if let days = call.value("dates") {
            params["dates"] = try dates(days, like: params["start"]?.string ?? part?.start ?? "")
        }
    }

    /// Days beside the rule, at the time of day at which all of it begins.
    private static func dates(_ text: String, like start: String) throws(Problem) -> JSON {
        guard text != "none" else { return [] }
        var dates: [JSON] = []
        for part in text.split(separator: ",") {
            let day = try CalendarCommands.day(String(part.drop { $0 == " " }))
            dates.append(.string(day.isoDay + start.dropFirst(10)))
        }
        return .array(dates)
    }

    /// Reads the time of an entry. A time without a day is on the day that is changed.
    private static func time(_ text: String, on day: Civil?, _ zone: Zone) throws(Problem) -> TypedTime {
        if let day {
            let whole = "\(day.isoDay) \(text)"
            if let typed = try? TypedTime(whole, now: LocalTime.now, zone: zone) { return typed }
        }
        return try TypedTime(text, now: LocalTime.now, zone: zone)
    }

    private static func take(more call: Invocation, into params: inout JSON) throws(Problem) {
        for name in ["place", "note", "category"] {
            if let text = call.value(name) { params[name] = .string(text) }
        }
        try EntrySpot.take(call, into: &params)
        if let whom = call.value("for"), whom != "calendar" || call.words.first != "add" {
            params["audience"] = try whom == "calendar" ? .null : AudienceWords.typed(whom, call)
        }
        if let text = call.value("privacy") {
            guard Entry.Privacy(rawValue: text) != nil else { throw .usage(phrase("calendar.bad-privacy")) }
            params["privacy"] = .string(text)
        }
        if let name = call.value("in") { params["calendar"] = .id(try CalendarCommands.find(name, call).id) }
        if let names = call.value("with") { params["invitees"] = .array(try members(names, call)) }
        if call.words.first == "add", let minutes = try reminders(call) { params["remind"] = minutes }
    }

    /// Members named in a text, separated by commas.
    static func members(_ names: String, _ call: Invocation) throws(Problem) -> [JSON] {
        let people = try People(call)
        var members: [JSON] = []
        for name in names.split(separator: ",") {
            members.append(.id(try people.member(String(name.drop { $0 == " " })).id))
        }
        return members
    }

    /// Minutes before the entry at which the caller is reminded; `none` for no reminder.
    static func reminders(_ call: Invocation) throws(Problem) -> JSON? {
        guard let text = call.value("remind") else { return nil }
        return try minutes(text)
    }

    /// Minutes as people type them, separated by commas; `none` for none.
    static func minutes(_ text: String) throws(Problem) -> JSON {
        guard text != "none" else { return [] }
        var minutes: [JSON] = []
        for part in text.split(separator: ",") {
            guard let number = Int64(part), number >= 0 else { throw .usage(phrase("calendar.bad-minutes")) }
            minutes.append(.int(number))
        }
        return .array(minutes)
    }

    /// The day for which an entry's number stood in the list, as the name of its occurrence.
    private static func shown(_ call: Invocation) -> String? {
        let words = LastList(call, "entries")?.words ?? []
        guard Identifier(call.words[1]) == nil, let number = Int(call.words[1]), words.indices.contains(number - 1)
        else { return nil }
        return words[number - 1]
    }

    static func find(
        _ text: String, _ call: Invocation, in list: String = "entries"
    ) throws(Problem) -> Identifier {
        if let id = Identifier(text) { return id }
        let ids = LastList(call, list)?.ids ?? []
        guard let number = Int(text), ids.indices.contains(number - 1) else {
            throw Problem(.refused, phrase("calendar.no-number", ["number": Plain.line(text)]))
        }
        return ids[number - 1]
    }
}
