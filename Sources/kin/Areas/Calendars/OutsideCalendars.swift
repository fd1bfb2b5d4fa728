import KinModel
import KinWords

/// Calendars that the daemon reads outside, at an address.
enum OutsideCalendars {
    static func subscribe(_ call: Invocation) throws(Problem) {
        var params: JSON = ["address": .string(call.words[1])]
        if let name = call.value("name") { params["name"] = .string(name) }
        let made = try call.call("calendar.subscribe", params)
        try read(made["calendar"]?["id"] ?? .null, call)
    }

    static func refresh(_ call: Invocation) throws(Problem) {
        try read(.id(try CalendarCommands.find(call.words[1], call).id), call)
    }

    /// Has the calendar read now, and reports the result.
    private static func read(_ calendar: JSON, _ call: Invocation) throws(Problem) {
        let result = try call.call("calendar.refresh", ["calendar": calendar], timeoutMilliseconds: 90_000)
        if call.wantsJSON { return call.output.say(result) }
        let names = try People(call).names
        let subscription = result["subscription"] ?? [:]
        let name = result["calendar"].flatMap(FamilyCalendar.init).map { self.name($0, subscription, names) } ?? ""
        if subscription["trouble"] == nil {
            let every = Words.span(seconds: subscription["every"]?.int ?? 0)
            call.output.say(phrase("calendar.read", ["calendar": name, "every": every]))
        } else {
            let isNew = subscription["refreshed"] == nil
            call.output.say(phrase(isNew ? "calendar.not-read" : "calendar.unread", ["calendar": name]))
        }
        for line in lines(subscription) { call.output.say("  " + line) }
    }

    static func move(_ call: Invocation) throws(Problem) {
        let calendar = JSON.id(try CalendarCommands.find(call.words[1], call).id)
        _ = try call.call("calendar.update", ["calendar": calendar, "address": .string(call.words[2])])
        try read(calendar, call)
    }

    static func remove(_ call: Invocation) throws(Problem) {
        let calendar = try CalendarCommands.find(call.words[1], call)
        guard calendar.kind == .subscribed else {
            throw Problem(.refused, phrase("calendar.not-outside", ["calendar": Plain.line(call.words[1])]))
        }
        let done = try call.call("calendar.remove", ["calendar": .id(calendar.id), "keep": false])
        call.answer(done, phrase("calendar.unsubscribed"))
    }

    /// Allows or forbids that calendars are read outside.
    static func allow(_ call: Invocation) throws(Problem) {
        guard ["on", "off"].contains(call.words[1]) else { throw call.misused }
        let isOn = call.words[1] == "on"
        let done = try call.call("calendar.allowOutside", ["on": .bool(isOn)])
        call.answer(done, phrase(isOn ? "calendar.outside-on" : "calendar.outside-off"))
    }

    /// The name of a calendar. A calendar from outside that has not given its name yet is called by its host.
    static func name(_ calendar: FamilyCalendar, _ subscription: JSON?, _ names: Names) -> String {
        guard calendar.kind == .subscribed, calendar.name == nil,
            let rest = subscription?["address"]?.string?.split(separator: "/").dropFirst().first
        else { return names.calendar(calendar, .here) }
        return Plain.line(String(rest))
    }

    /// The time of the last reading, the address, and the present trouble.
    static func lines(_ subscription: JSON) -> [String] {
        var lines: [String] = []
        let refreshed = subscription["refreshed"]?.instant.map { LocalTime.near($0) }
        if let trouble = subscription["trouble"]?.string.flatMap({ FamilyCalendar.Trouble(rawValue: $0) }) {
            // A calendar that was never read cannot have gone.
            let isNew = refreshed == nil && trouble == .gone
            lines.append(isNew ? phrase("calendar.no-calendar-there") : phrase("calendar.trouble.\(trouble.rawValue)"))
            if let refreshed { lines.append(phrase("calendar.stays", ["time": refreshed])) }
        } else {
            lines.append(refreshed.map { phrase("calendar.last-read", ["time": $0]) } ?? phrase("calendar.never-read"))
        }
        let left = subscription["leftOut"]?.int ?? 0
        if left > 0 { lines.append(phrase("calendar.left-out", ["n": left])) }
        if let address = subscription["address"]?.string {
            lines.append(phrase("calendar.address", ["address": Plain.line(address)]))
        }
        return lines
    }
}
