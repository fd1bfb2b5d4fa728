import KinModel
import KinWords

/// The kinds of entries that the family added, each with a colour and a sign.
enum CategoryCommands {
    /// Lists the kinds that the family added.
    static func list(_ call: Invocation) throws(Problem) {
        let result = try call.call("category.list")
        if call.wantsJSON { return call.output.say(result) }
        let own = (result["categories"]?.array ?? []).filter { $0["color"] != nil || $0["icon"] != nil }
        guard !own.isEmpty else { return call.output.say(phrase("calendar.no-categories")) }
        for one in own {
            let parts = [one["icon"]?.string, one["name"]?.string, one["color"]?.string].compactMap(\.self)
            call.output.say(parts.map { Plain.line($0) }.joined(separator: " "))
        }
    }

    /// Adds a kind, or changes its colour or sign; properties that are not named stay.
    static func set(_ call: Invocation) throws(Problem) {
        let name = call.words.dropFirst().joined(separator: " ")
        let known = (try call.call("category.list")["categories"]?.array ?? []).first { $0["name"]?.string == name }
        var (color, icon) = (JSON.null, JSON.null)
        if !call.has("remove") {
            color = call.value("color").map { .string($0) } ?? known?["color"] ?? .null
            icon = call.value("icon").map { .string($0) } ?? known?["icon"] ?? .null
            guard color != .null || icon != .null else { throw .usage(phrase("calendar.category-how")) }
        }
        call.answer(
            try call.call("category.set", ["category": .string(name), "color": color, "icon": icon]),
            phrase(
                call.has("remove") ? "calendar.category-gone" : "calendar.category-there", ["name": Plain.line(name)]))
    }
}
