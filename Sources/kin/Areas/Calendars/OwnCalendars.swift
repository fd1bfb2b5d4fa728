import KinModel
import KinWords

/// Calendars that the caller owns: adds, renames and removes them, and sets their colour and reminders. Also sets the
/// caller's own reminders for new entries in any calendar that the caller reads.
enum OwnCalendars {
    static func new(_ call: Invocation) throws(Problem) {
        let name = call.words.dropFirst().joined(separator: " ")
        var params: JSON = ["name": .string(name)]
        if let color = call.value("color") { params["color"] = .string(color) }
        if let minutes = try EntryCommands.reminders(call) { params["remind"] = minutes }
        call.answer(
            try call.call("calendar.add", params), phrase("calendar.made", ["calendar": Plain.line(name)]))
    }

    /// Changes a calendar; properties that are not named stay.
    static func change(_ call: Invocation) throws(Problem) {
        var params: JSON = ["calendar": .id(try CalendarCommands.find(call.words[1], call).id)]
        guard ["name", "color", "remind"].contains(where: { call.value($0) != nil }) else {
            throw .usage(phrase("calendar.change-how"))
        }
        if let name = call.value("name") { params["name"] = .string(name) }
        if let color = call.value("color") { params["color"] = color == "none" ? .null : .string(color) }
        if let minutes = try EntryCommands.reminders(call) { params["remind"] = minutes }
        call.answer(try call.call("calendar.update", params), phrase("calendar.calendar-changed"))
    }

    /// Sets the reminders for the caller alone; `default` means those of the calendar's owner.
    static func remind(_ call: Invocation) throws(Problem) {
        let minutes: JSON = try call.words[2] == "default" ? .null : EntryCommands.minutes(call.words[2])
        let calendar = JSON.id(try CalendarCommands.find(call.words[1], call).id)
        let result = try call.call("calendar.remind", ["calendar": calendar, "minutes": minutes])
        if call.wantsJSON { return call.output.say(result) }
        let now = (result["remind"]?.array ?? []).compactMap(\.int)
        guard !now.isEmpty else { return call.output.say(phrase("calendar.reminds-of-nothing")) }
        for line in lines(now) { call.output.say(line) }
    }

    /// The default reminders of a calendar, a line each.
    static func lines(_ minutes: [Int64]) -> [String] {
        minutes.map { minutes in
            minutes == 0
                ? phrase("calendar.reminds-of-new-at-start")
                : phrase(
                    "calendar.reminds-of-new",
                    ["span": Reader.here.span(seconds: minutes * 60, isAfterPreposition: false)])
        }
    }

    static func drop(_ call: Invocation) throws(Problem) {
        let calendar = try CalendarCommands.find(call.words[1], call)
        guard calendar.kind != .subscribed else { return try OutsideCalendars.remove(call) }
        let keeps = call.has("keep")
        guard Input.confirms(call, phrase(keeps ? "calendar.drop-keeping" : "calendar.drop-whole")) else {
            throw Input.kept(phrase("calendar.calendar-kept"))
        }
        call.answer(
            try call.call("calendar.remove", ["calendar": .id(calendar.id), "keep": .bool(keeps)]),
            phrase(keeps ? "calendar.dropped-keeping" : "calendar.dropped"))
    }
}
