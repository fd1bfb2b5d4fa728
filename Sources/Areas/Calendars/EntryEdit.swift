import KinCalendar
import KinICal
import KinKeeper
import KinModel

/// Reads the fields of requests into an entry.
enum EntryEdit {
    /// The words for rules that people use often.
    static let words = ["daily", "weekly", "biweekly", "monthly", "yearly"]

    /// The fields of an entry in a request.
    static func fields(isNew: Bool) -> [Field] {
        func field(_ name: String, _ shape: Shape, _ summary: String = "") -> Field {
            .optional(name, isNew ? shape : .nullable(shape), summary)
        }
        return [
            .optional("calendar", .id, isNew ? "The caller's own if left out." : ""),
            .optional("minutes", EntryTimes.minutesForm.shape, "How long it lasts; 60 if nothing is said."),
            .optional(
                "end", EntryTimes.civilForm.shape,
                "When it ends, instead of minutes or days; of whole days the last one."),
            .optional("days", EntryTimes.daysForm.shape, "How many whole days it is."),
            .optional("zone", .token(max: 64), "The IANA zone of start and end; the caller's if left out."),
            field(
                "repeat", .token(max: Limits.entryRuleCharactersMax),
                "\(words.joined(separator: ", ")), or an RRULE of RFC 5545. Monthly on the 29th to 31st is on the month's last day where it has no such day."
            ),
            .optional("until", EntryTimes.civilForm.shape, "The last day on which it repeats, where repeat is a word."),
            .optional(
                "dates", .list(EntryTimes.civilForm.shape, max: Limits.entryDatesMax),
                "Times beside the rule, written as start is and behind it (RDATE): all there are."),
            field("category", Entry.categoryForm.shape), field("note", Entry.noteForm.shape),
            field("place", EntryPlace.textForm.shape), field("lat", .number(-90...90), "Degrees north, with lon."),
            field("lon", .number(-180...180), "Degrees east."), field("mapPlace", .id, "A place of the map."),
            .optional("status", Form<Entry.Status>.word.shape), .optional("privacy", Form<Entry.Privacy>.word.shape),
            .optional("invitees", .list(.id, max: Limits.membersMax)),
            field(
                "audience", SharedWith.shape,
                "Who of those who may read the calendar sees that it is there at all: everyone (every non-guest), household (the owner's, its guests included), or members; with the owner always. All of them if left out. Its owner and admins choose."
            ),
        ]
    }

    /// The times that a request gives a new entry.
    static func times(_ params: Params, _ act: Act) throws(Rejection) -> EntryTimes {
        let start = try params.string("start")
        let isAllDay = start.utf8.count == 10
        var times = EntryTimes(start: start, zone: isAllDay ? nil : try zone(params, act))
        try take(length: params, into: &times)
        if times.minutes == nil, times.days == nil {
            if isAllDay { times.days = 1 } else { times.minutes = 60 }
        }
        try take(rule: params, into: &times)
        try take(dates: params, into: &times)
        try check(times, act)
        return times
    }

    /// The zone a request names, or the caller's.
    static func zone(_ params: Params, _ act: Act) throws(Rejection) -> String {
        guard let name = params.optionalString("zone") else {
            return try Calendars.zone(of: try act.member.id, act).name
        }
        guard Zone(name) != nil else {
            guard Zone.areInstalled else {
                throw Rejection(
                    .unavailable, "This machine knows no time zones; install Debian's package tzdata on it.")
            }
            throw Rejection(
                .invalid, "There is no time zone \(Text.quoted(name)); give one such as Europe/Berlin.", field: "zone")
        }
        return name
    }

    /// Takes the length. `begin` is the beginning to which a given end belongs, if that is not the entry's first time.
    static func take(
        length params: Params, from begin: Civil? = nil, into times: inout EntryTimes
    ) throws(Rejection) {
        let given = ["minutes", "days", "end"].filter { params.has($0) }
        guard given.count <= 1 else {
            throw Rejection(.invalid, "Give one of minutes, days and end.", field: given.last ?? "end")
        }
        guard let start = begin ?? Civil.read(times.start) else { throw badTime("start") }
        if let text = params.optionalString("end") {
            guard let end = Civil.read(text), (text.utf8.count == 10) == times.isAllDay else { throw badTime("end") }
            guard times.isAllDay ? end >= start : end > start else {
                throw Rejection(.invalid, "It ends before it begins.", field: "end")
            }
            if times.isAllDay {
                times.days = Int64(end.days(since: start)) + 1
            } else {
                // The length is measured in elapsed time. In a night in which clocks change, it differs from the clock
                // times.
                let zone = times.zone.flatMap { Zone($0) } ?? .utc
                let lasts = Timing.moment(end, zone).milliseconds(since: Timing.moment(start, zone))
                times.minutes = max(0, lasts / 60_000)
            }
        } else if let minutes = params.optionalInt("minutes") {
            guard !times.isAllDay else {
                throw Rejection(.invalid, "Whole days are counted in days, not in minutes.", field: "minutes")
            }
            times.minutes = minutes
        } else if let days = params.optionalInt("days") {
            guard times.isAllDay else {
                throw Rejection(
                    .invalid, "days is for whole days: give start as a date such as 2026-11-24.", field: "days")
            }
            times.days = days
        }
        if times.isAllDay { times.minutes = nil } else { times.days = nil }
    }

    /// Takes the rule by which the entry repeats.
    static func take(rule params: Params, into times: inout EntryTimes) throws(Rejection) {
        guard let given = params["repeat"] else {
            if params.has("until") {
                throw Rejection(.invalid, "until is how long something repeats; give repeat too.", field: "until")
            }
            return
        }
        guard let text = given.string else {
            times.repeats = nil
            return
        }
        guard words.contains(text) else {
            guard let rule = RecurrenceRule(text), !params.has("until") else {
                throw Rejection(
                    .invalid, "repeat is \(words.joined(separator: ", ")), or a rule such as FREQ=WEEKLY;BYDAY=TU.",
                    field: "repeat")
            }
            times.repeats = rule.description
            return
        }
        guard let start = Civil.read(times.start) else { throw badTime("start") }
        var rule =
            switch text {
            case "daily": RecurrenceRule("FREQ=DAILY")
            case "weekly": RecurrenceRule("FREQ=WEEKLY")
            case "biweekly": RecurrenceRule("FREQ=WEEKLY;INTERVAL=2")
            case "monthly": RecurrenceRule.monthly(clampedTo: start.day) ?? RecurrenceRule("FREQ=MONTHLY")
            default:
                start.month == 2 && start.day == 29
                    ? RecurrenceRule("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1")
                    : RecurrenceRule("FREQ=YEARLY")
            }
        if let text = params.optionalString("until") {
            guard let until = Civil.read(text), until >= start.startOfDay else {
                throw Rejection(.invalid, "until is a day such as 2027-06-30, and not before start.", field: "until")
            }
            // The rule lasts to the end of that day, in the entry's zone.
            let last = until.startOfDay.adding(seconds: 86_399)
            rule = rule?.ending(
                at: times.zone.flatMap { Zone($0) }.map { zone in
                    ICalTime(Zone.utc.civil(at: Timing.moment(last, zone)), isUTC: true)
                } ?? ICalTime(until, isDate: true))
        }
        times.repeats = rule?.description
    }

    /// Takes the times beside the rule.
    static func take(dates params: Params, into times: inout EntryTimes) throws(Rejection) {
        guard let given = params["dates"]?.array else { return }
        guard let start = Civil.read(times.start) else { throw badTime("start") }
        var dates: Set<Civil> = []
        for text in given.compactMap(\.string) {
            guard let civil = Civil.read(text), (text.utf8.count == 10) == times.isAllDay, civil >= start,
                civil.year <= 2500
            else {
                throw Rejection(
                    .invalid, "dates are behind start, and written as it is: all of them times, or all of them days.",
                    field: "dates")
            }
            if civil != start { dates.insert(civil) }
        }
        times.dates = dates.sorted().map { times.name(of: $0) }
    }

    /// Refuses times that are not valid. A rule that was there before may have only one time left, because the later
    /// ones became an entry of their own, or were removed.
    static func check(_ times: EntryTimes, isSameRule: Bool = false, _ act: Act) throws(Rejection) {
        guard let start = Civil.read(times.start), (times.start.utf8.count == 10) == times.isAllDay,
            (1900...2500).contains(start.year)
        else { throw badTime("start") }
        if let zone = times.zone.flatMap({ Zone($0) }), case .skipped = zone.instant(of: start) {
            throw Rejection(
                .invalid,
                "start is \(start), which is skipped in \(zone.name) when the clocks go forward; give another time.",
                field: "start")
        }
        guard let text = times.repeats else { return }
        guard let rule = RecurrenceRule(text) else {
            throw Rejection(.invalid, "repeat is no rule of RFC 5545.", field: "repeat")
        }
        guard rule.isExpanded else {
            throw Rejection(
                .invalid, "What repeats by the hour or more often stands in no calendar; repeat it by the day.",
                field: "repeat")
        }
        let series = Timing(times)?.series
        guard rule.count == 1 || (isSameRule ? series?.mayRepeat : series?.repeatsEver) ?? false else {
            throw Rejection(
                .invalid, "By this rule it never repeats; give another, or none.", field: "repeat")
        }
    }

    static func badTime(_ field: String) -> Rejection {
        Rejection(
            .invalid, "\(field) is a time such as 2026-11-24T18:00, or a day such as 2026-11-24.", field: field)
    }

    /// Takes the other fields.
    static func take(_ params: Params, into entry: inout Entry, _ act: Act) throws(Rejection) {
        if let subject = params.optionalString("subject") { entry.subject = subject }
        if let note = params["note"] { entry.note = note.string.flatMap { $0.isEmpty ? nil : $0 } }
        if let category = params["category"] {
            entry.category = category.string
            if let name = category.string { try Calendars.checkCategory(name, act) }
        }
        if let status = params.optionalString("status").flatMap(Entry.Status.init) { entry.status = status }
        if let privacy = params.optionalString("privacy").flatMap(Entry.Privacy.init) { entry.privacy = privacy }
        entry.place = try place(params, instead: entry.place, act)
        if let invitees = params["invitees"]?.array {
            var now: [EntryInvitee] = []
            for id in Set(invitees.compactMap(\.identifier)).sorted() where id != entry.owner {
                let known = entry.invitees.first { $0.member == id }
                if let known {
                    now.append(known)
                } else {
                    let invited = try act.member(id, field: "invitees").id
                    try act.roster[invited]?.mustAnswer(field: "invitees")
                    now.append(EntryInvitee(member: invited))
                }
            }
            entry.invitees = now
            let invited = Set(now.map(\.member))
            entry.answers.removeAll { !invited.contains($0.member) }
        }
    }

    /// Takes the place.
    static func place(_ params: Params, instead before: EntryPlace?, _ act: Act) throws(Rejection) -> EntryPlace? {
        var place = before ?? EntryPlace()
        if let text = params["place"] { place.text = text.string }
        if params["lat"] != nil || params["lon"] != nil {
            guard params.has("lat") == params.has("lon") else {
                throw Rejection(.invalid, "lat and lon go together.", field: params.has("lat") ? "lon" : "lat")
            }
            place.lat = params.optionalDouble("lat")
            place.lon = params.optionalDouble("lon")
        }
        if let given = params["mapPlace"] {
            place.mapPlace = given.identifier
            if let id = given.identifier {
                guard let reader = try act.roster[try act.member.id],
                    let sees = act.areas.lazy.compactMap({ $0.sees["place"] }).first, try sees(act, id, reader) == true
                else { throw Rejection.notFound("place", id.description, field: "mapPlace") }
            }
        }
        return place == EntryPlace() ? nil : place
    }
}
