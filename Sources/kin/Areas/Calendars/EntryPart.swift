import KinCalendar
import KinModel
import KinWords

/// The part of an entry that is meant: one day of a repeating entry (`--on`), that day and all later ones (`--from`),
/// or the whole entry (`--all`). If no option says it, a person at a terminal is asked.
struct EntryPart {
    /// The scope for `entry.update`; `nil` for an entry that occurs once.
    private let scope: String?
    private let occurrence: String?
    /// The day that is changed, on the reader's clock, and the zone of the entry.
    let day: Civil?
    let zone: Zone?
    /// The beginning of the whole entry.
    let start: String

    /// `shown` is the occurrence for which the entry's number stood. `isOfMore` means that the change cannot be made on
    /// one day alone.
    init(_ call: Invocation, of id: Identifier, shown: String?, isOfMore: Bool) throws(Problem) {
        let ways = [call.value("on") != nil, call.value("from") != nil, call.has("all")]
        guard ways.count(where: { $0 }) <= 1 else { throw .usage(phrase("calendar.one-part")) }
        guard let entry = try call.call("entry.show", ["entry": .id(id)])["entry"].flatMap(Entry.init) else {
            throw call.misused
        }
        let times = entry.times
        zone = times.zone.flatMap { Zone($0) } ?? CalendarCommands.zone
        start = times.start
        if let text = call.value("on") ?? call.value("from") {
            scope = call.value("on") != nil ? "this" : "following"
            occurrence = try Self.occurrence(on: text, of: id, call)
            day = try CalendarCommands.day(text)
            return
        }
        guard times.repeats != nil || !times.dates.isEmpty else {
            (scope, occurrence, day) = (nil, nil, nil)
            return
        }
        let one = shown.flatMap { name in Self.moment(name, times).map { (name: name, day: $0) } }
        if call.has("all") {
            scope = "all"
        } else {
            guard Input.isTerminal, let one else {
                throw .usage(phrase("calendar.which", ["subject": Plain.line(entry.subject)]))
            }
            scope = try Self.asked(call, entry, one.day, isOfMore: isOfMore)
        }
        (occurrence, day) = (one?.name, one?.day)
    }

    private static func asked(
        _ call: Invocation, _ entry: Entry, _ day: Civil, isOfMore: Bool
    ) throws(Problem) -> String {
        let name = "\(Reader.here.weekday(day)) \(Reader.here.day(day, today: LocalTime.civil(LocalTime.now)))"
        let scopes = isOfMore ? ["following", "all"] : ["this", "following", "all"]
        call.output.say(phrase("calendar.repeats-which", ["subject": Plain.line(entry.subject)]))
        for (index, scope) in scopes.enumerated() {
            call.output.say("  \(index + 1)  " + phrase("calendar.scope.\(scope)", ["day": name]))
        }
        let answer = try Input.line(call, phrase("calendar.scope.number"))
        guard let number = Int(Plain.trimmed(answer)), scopes.indices.contains(number - 1) else {
            throw .usage(phrase("calendar.no-scope", ["n": scopes.count]))
        }
        return scopes[number - 1]
    }

    /// The time of an occurrence, on the reader's clock.
    private static func moment(_ name: String, _ times: EntryTimes) -> Civil? {
        guard !times.isAllDay else { return Civil(name + "T00:00") }
        guard let civil = Civil(name), let zone = times.zone.flatMap({ Zone($0) }) else { return nil }
        switch zone.instant(of: civil) {
        case .one(let instant), .repeated(let instant, _), .skipped(_, let instant): return LocalTime.civil(instant)
        }
    }

    /// The occurrence of an entry on a day.
    static func occurrence(on text: String, of id: Identifier, _ call: Invocation) throws(Problem) -> String {
        let day = try CalendarCommands.day(text)
        let found = try EntryPages.all(CalendarCommands.window(day, 1), call)
        let one = (found["occurrences"]?.array ?? []).compactMap(EntryOccurrence.init).first { $0.entry == id }
        guard let one else { throw Problem(.refused, phrase("calendar.not-on", ["day": Reader.here.date(day)])) }
        return one.occurrence
    }

    /// Writes the part into a request.
    func name(in params: inout JSON) {
        if let scope { params["scope"] = .string(scope) }
        if let occurrence { params["occurrence"] = .string(occurrence) }
    }
}
