import KinCalendar
import KinModel
import KinWords

/// Shows calendars: days, months, and who is free.
enum CalendarCommands {
    static var zone: Zone { LocalTime.zone ?? .utc }

    // MARK: What is on

    static func agenda(_ call: Invocation) throws(Problem) {
        let first = try day(call.words.joined(separator: " "))
        let days = try count(call, most: 366) ?? 7
        let result = try EntryPages.all(window(first, days), call)
        if call.wantsJSON { return call.output.say(result) }
        try show(result, call, none: phrase("agenda.none", ["n": days]))
    }

    /// Searches entries. Words, members, categories and days narrow the search, in any combination.
    static func search(_ call: Invocation) throws(Problem) {
        let words = call.words.dropFirst().joined(separator: " ")
        let narrows = ["with", "category", "in", "from", "until"].filter { call.value($0) != nil }
        guard !words.isEmpty || !narrows.isEmpty else { throw call.misused }
        let today = LocalTime.civil(LocalTime.now).startOfDay
        let (from, until) = (try day(named: "from", call), try day(named: "until", call))
        let first = from ?? min(today.adding(days: -30), until?.adding(days: -394) ?? today)
        let last = until ?? first.adding(days: 394)
        guard last >= first else { throw .usage(phrase("calendar.search-ends-before")) }
        var params: JSON = ["from": .day(first), "to": .day(last), "zone": .string(zone.name)]
        if !words.isEmpty { params["words"] = .string(words) }
        if let names = call.value("with") { params["members"] = .array(try EntryCommands.members(names, call)) }
        if let names = call.value("category") {
            params["categories"] = .array(names.split(separator: ",").map { .string(Plain.trimmed(String($0))) })
        }
        if let name = call.value("in") { params["calendars"] = [.id(try find(name, call).id)] }
        let result = try EntryPages.all(params, call)
        if call.wantsJSON { return call.output.say(result) }
        let none = phrase("calendar.none-found", ["from": Reader.here.date(first), "until": Reader.here.date(last)])
        try show(result, call, none: none)
    }

    /// Shows an answer of `entry.list` by days. The entries get numbers for later commands.
    private static func show(_ result: JSON, _ call: Invocation, none: String) throws(Problem) {
        let occurrences = (result["occurrences"]?.array ?? []).compactMap(EntryOccurrence.init)
        let all = (result["entries"]?.array ?? []).compactMap(Entry.init)
        let entries = Dictionary(all.map { ($0.id, $0) }) { one, _ in one }
        let birthdays = birthdays(result)
        let busy = try busy(result, call)
        guard !occurrences.isEmpty || !birthdays.isEmpty || !busy.isEmpty else { return call.output.say(none) }
        for line in birthdays { call.output.say(line) }
        for line in busy { call.output.say(line) }
        guard !occurrences.isEmpty else { return }
        var ids: [Identifier] = []
        var first: [String] = []
        var numbers: [Identifier: Int] = [:]
        for one in occurrences where numbers[one.entry] == nil {
            ids.append(one.entry)
            first.append(one.occurrence)
            numbers[one.entry] = ids.count
        }
        // For a repeating entry, the number stands for the first day that was shown.
        LastList(call, "entries")?.keep(ids, first)
        let known = EntrySpot.names(of: occurrences.map(\.place), call)
        // The caller's own identifier, needed only if a member has starred something.
        let me = try all.contains { !$0.stars.isEmpty } ? People(call).names.me : nil
        let now = LocalTime.now
        var day: Civil?
        for one in occurrences {
            let begins = LocalTime.civil(one.start)
            if day.map({ !$0.isSameDay(as: begins) }) ?? true {
                day = begins
                let today = LocalTime.civil(now)
                call.output.say(
                    call.output.styled(
                        "\(Reader.here.weekday(begins)) \(Reader.here.day(begins, today: today))", "1"))
            }
            let entry = entries[one.entry]
            let isAllDay = entry?.times.isAllDay ?? false
            let time =
                isAllDay
                ? phrase("agenda.all-day") : "\(Reader.here.time(begins))–\(Reader.here.time(LocalTime.civil(one.end)))"
            var line = Plain.padded("\(numbers[one.entry] ?? 0)", 4) + Plain.padded(time, 13)
            line += Plain.line(one.subject)
            if let place = EntrySpot.brief(one.place, known) { line += " · " + Plain.line(place) }
            if one.status == .tentative { line += " · " + phrase("agenda.tentative") }
            if let answer = one.answer {
                line += " · " + phrase("agenda.answer.\(answer.rawValue)")
            } else if let me, entry?.stars.contains(me) == true {
                line += " · " + phrase("agenda.interested")
            }
            call.output.say(line)
        }
        call.output.say(phrase(result["next"] == nil ? "agenda.hint" : "agenda.hint-more"))
    }

    /// The times of entries of which the caller sees only the times, a line each.
    private static func busy(_ result: JSON, _ call: Invocation) throws(Problem) -> [String] {
        let spans = (result["busy"]?.array ?? []).compactMap { one -> (JSON?, Instant, Instant)? in
            guard let start = one["start"]?.instant, let end = one["end"]?.instant else { return nil }
            return (one["calendar"], start, end)
        }
        guard !spans.isEmpty else { return [] }
        let all = (try call.call("calendar.list")["calendars"]?.array ?? []).compactMap(FamilyCalendar.init)
        let names = try People(call).names
        return spans.sorted { $0.1 < $1.1 }.map { id, start, end in
            let calendar = all.first { $0.id == id?.identifier }
            return LocalTime.span(start, end) + " · "
                + phrase("agenda.busy", ["calendar": calendar.map { names.calendar($0, .here) } ?? ""])
        }
    }

    /// Birthdays, a line each, before everything else.
    private static func birthdays(_ result: JSON) -> [String] {
        let today = LocalTime.civil(LocalTime.now)
        return (result["birthdays"]?.array ?? []).compactMap { one in
            guard let date = one["date"]?.string.flatMap({ Civil($0 + "T00:00") }), let name = one["name"]?.string
            else {
                return nil
            }
            let years = one["years"]?.int ?? 0
            let text = phrase(
                years > 0 ? "calendar.birthday-years" : "calendar.birthday", ["name": Plain.line(name), "n": years])
            return "\(Reader.here.weekday(date)) \(Reader.here.day(date, today: today)) · \(text)"
        }
    }

    /// Shows a month, with a mark at each day that has something.
    static func month(_ call: Invocation) throws(Problem) {
        let day = try day(call.words.joined(separator: " "))
        guard let first = Civil(year: day.year, month: day.month, day: 1) else { throw call.misused }
        let result = try call.call("entry.days", window(first, first.daysInMonth))
        if call.wantsJSON { return call.output.say(result) }
        var counts: [Int: Int64] = [:]
        for one in result["days"]?.array ?? [] {
            if let date = one["date"]?.string.flatMap({ Civil($0 + "T00:00") }), date.month == first.month {
                counts[date.day] = one["count"]?.int ?? 0
            }
        }
        let (today, weekStart) = (LocalTime.civil(LocalTime.now), try weekStart(call))
        for line in lines(of: first, counts, today: today, weekStart: weekStart, call) { call.output.say(line) }
        call.output.say(phrase(counts.isEmpty ? "calendar.empty" : "calendar.hint"))
    }

    /// The first day of the caller's weeks, 1 for Monday: by the caller's setting, or else Monday.
    private static func weekStart(_ call: Invocation) throws(Problem) -> Int {
        switch try call.call("settings.show")["settings"]?["weekStart"]?.string {
        case "saturday": 6
        case "sunday": 7
        default: 1
        }
    }

    /// The lines of a month. A day has a dot for each entry, three at most.
    private static func lines(
        of first: Civil, _ counts: [Int: Int64], today: Civil, weekStart: Int, _ call: Invocation
    ) -> [String] {
        let title = "\(phrase("calendar.month.\(first.month)")) \(first.year)"
        var lines = [call.output.styled(title, "1")]
        let lead = (first.weekday - weekStart + 7) % 7
        let head = first.adding(days: -lead)
        lines.append(
            (0..<7).map { Plain.padded(Reader.here.weekday(head.adding(days: $0)), 7) }.joined().trimmedBehind)
        var week = String(repeating: " ", count: lead * 7)
        for day in 1...first.daysInMonth {
            let date = first.adding(days: day - 1)
            let dots = String(repeating: "•", count: Int(min(3, counts[day] ?? 0)))
            let number = date.isSameDay(as: today) ? "[\(day)]" : "\(day)"
            let cell = Plain.padded(number + dots, 7)
            week += counts[day] == nil ? cell : call.output.styled(cell, "1")
            if (lead + day) % 7 == 0 || day == first.daysInMonth {
                lines.append(week.trimmedBehind)
                week = ""
            }
        }
        return lines
    }

    static func free(_ call: Invocation) throws(Problem) {
        let people = try People(call)
        var members: [Member] = []
        for name in call.words[0].split(separator: ",") {
            members.append(try people.member(String(name.drop { $0 == " " })))
        }
        let first = try day(call.words.dropFirst().joined(separator: " "))
        let days = try count(call, most: 31) ?? 1
        var params = window(first, days)
        params["members"] = .array(members.map { .id($0.id) })
        let result = try call.call("entry.free", params)
        if call.wantsJSON { return call.output.say(result) }
        let names = people.names
        for one in result["members"]?.array ?? [] {
            let name = names.member(one["member"]?.identifier)
            guard one["known"]?.bool == true else {
                call.output.say(phrase("free.unknown", ["name": name, "span": span(first, days)]))
                continue
            }
            let busy = one["busy"]?.array ?? []
            guard !busy.isEmpty else {
                call.output.say(phrase("free.free", ["name": name, "span": span(first, days)]))
                continue
            }
            call.output.say(phrase("free.busy", ["name": name]))
            for span in busy {
                guard let start = span["start"]?.instant, let end = span["end"]?.instant else { continue }
                call.output.say("  " + LocalTime.span(start, end))
            }
        }
    }

    /// `Thu 26 Nov`, or `Thu 26 Nov – Sun 29 Nov` for several days.
    private static func span(_ first: Civil, _ days: Int) -> String {
        let today = LocalTime.civil(LocalTime.now)
        func said(_ day: Civil) -> String { "\(Reader.here.weekday(day)) \(Reader.here.day(day, today: today))" }
        return days == 1 ? said(first) : "\(said(first)) – \(said(first.adding(days: days - 1)))"
    }

    // MARK: Calendars

    static func list(_ call: Invocation) throws(Problem) {
        let result = try call.call("calendar.list")
        if call.wantsJSON { return call.output.say(result) }
        let names = try People(call).names
        let outside = result["subscribed"]?.array ?? []
        for calendar in (result["calendars"]?.array ?? []).compactMap(FamilyCalendar.init) {
            let one = outside.first { $0["calendar"]?.identifier == calendar.id }
            let name = OutsideCalendars.name(calendar, one, names)
            call.output.say("\(name) · \(phrase("calendar.right.\(calendar.right.rawValue)"))")
            let own = result["reminders"]?.array?.first { $0["calendar"]?.identifier == calendar.id }
            let minutes = own.map { ($0["remind"]?.array ?? []).compactMap(\.int) } ?? calendar.remind
            for line in OwnCalendars.lines(minutes) { call.output.say("  " + line) }
            guard let one else { continue }
            for line in OutsideCalendars.lines(one) { call.output.say("  " + line) }
        }
    }

    static func share(_ call: Invocation) throws(Problem) {
        let calendar = try find(call.words[1], call)
        guard let right = FamilyCalendar.Right(rawValue: call.words[3].lowercased()) else { throw call.misused }
        let with: JSON
        if call.words[2].lowercased() == "everyone" {
            with = "everyone"
        } else {
            let people = try People(call)
            let household = people.households.first { $0.name.lowercased() == call.words[2].lowercased() }
            with = if let household { .id(household.id) } else { .id(try people.member(call.words[2]).id) }
        }
        call.answer(
            try call.call(
                "calendar.share", ["calendar": .id(calendar.id), "with": with, "right": .string(right.rawValue)]),
            phrase("calendar.shared"))
    }

    /// The calendar with an identifier or a name.
    static func find(_ text: String, _ call: Invocation) throws(Problem) -> FamilyCalendar {
        let result = try call.call("calendar.list")
        let all = (result["calendars"]?.array ?? []).compactMap(FamilyCalendar.init)
        if let id = Identifier(text), let one = all.first(where: { $0.id == id }) { return one }
        let names = try People(call).names
        let outside = result["subscribed"]?.array ?? []
        func subscription(_ calendar: FamilyCalendar) -> JSON? {
            outside.first { $0["calendar"]?.identifier == calendar.id }
        }
        let typed = text.lowercased()
        var meant = all.filter { calendar in
            [OutsideCalendars.name(calendar, subscription(calendar), names), names.calendar(calendar, .here)].contains {
                $0.lowercased() == typed
            }
        }
        if meant.isEmpty { meant = all.filter { $0.kind.rawValue == typed } }
        // If several have the same name, the address tells them apart.
        if meant.isEmpty { meant = all.filter { subscription($0)?["address"]?.string?.lowercased() == typed } }
        guard let one = meant.first else {
            throw Problem(.refused, phrase("calendar.no-calendar", ["name": Plain.line(text)]))
        }
        guard meant.count == 1 else {
            let called = meant.map { OutsideCalendars.name($0, subscription($0), names) }
            let others = zip(meant, called).map { calendar, name in
                // Calendars from outside are told apart by the host, or else by the address.
                if name.lowercased() != typed, called.count(where: { $0 == name }) == 1 { return name }
                return subscription(calendar)?["address"]?.string.map { Plain.line($0) } ?? calendar.id.description
            }
            throw .usage(
                phrase("calendar.several", ["name": Plain.line(text), "names": others.joined(separator: ", ")]))
        }
        return one
    }

    // MARK: What is typed

    /// The midnight of a day as people type it: a date, a month, or a weekday; today if nothing is typed.
    static func day(_ text: String) throws(Problem) -> Civil {
        let today = LocalTime.civil(LocalTime.now)
        let start = Civil(year: today.year, month: today.month, day: today.day) ?? today
        if text.isEmpty { return start }
        if let civil = Civil(text + "T00:00") ?? Civil(text + "-01T00:00") { return civil }
        let moment = try TypedTime.moment(text, now: LocalTime.now, zone: zone)
        let civil = zone.civil(at: moment)
        return Civil(year: civil.year, month: civil.month, day: civil.day) ?? civil
    }

    /// The day in an option.
    private static func day(named name: String, _ call: Invocation) throws(Problem) -> Civil? {
        guard let text = call.value(name) else { return nil }
        return try day(text)
    }

    static func count(_ call: Invocation, most: Int) throws(Problem) -> Int? {
        guard let text = call.value("days") else { return nil }
        guard let count = Int(text), (1...most).contains(count) else {
            throw .usage(phrase("calendar.bad-count", ["n": most]))
        }
        return count
    }

    static func window(_ first: Civil, _ days: Int) -> JSON {
        [
            "from": .day(first), "to": .day(first.adding(days: days - 1)), "zone": .string(zone.name),
        ]
    }
}

extension String {
    /// The text without blanks at its end.
    fileprivate var trimmedBehind: String { Plain.trimmed(self) }
}
