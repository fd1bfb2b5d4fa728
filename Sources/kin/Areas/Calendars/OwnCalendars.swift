import KinModel
import KinWords

/// Calendars that the caller owns: made, given another name or colour, and removed.
enum OwnCalendars {
    static func new(_ call: Invocation) throws(Problem) {
        let name = call.words.dropFirst().joined(separator: " ")
        var params: JSON = ["name": .string(name)]
        if let color = call.value("color") { params["color"] = .string(color) }
        call.answer(
            try call.call("calendar.add", params), phrase("calendar.made", ["calendar": Plain.line(name)]))
    }

    /// What is not said stays.
    static func change(_ call: Invocation) throws(Problem) {
        var params: JSON = ["calendar": .id(try CalendarCommands.find(call.words[1], call).id)]
        guard call.value("name") != nil || call.value("color") != nil else {
            throw .usage(phrase("calendar.change-how"))
        }
        if let name = call.value("name") { params["name"] = .string(name) }
        if let color = call.value("color") { params["color"] = color == "none" ? .null : .string(color) }
        call.answer(try call.call("calendar.update", params), phrase("calendar.calendar-changed"))
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
