import KinLoop
import KinModel
import KinWords

/// Addresses by which a phone's or a watch's shortcut raises an alarm, without an app of ours.
enum ShortcutCommands {
    private static let kinds = ["sos": Alarm.Kind.sos, "come": .come, "way": .onTheWay, "check": .check]

    static func run(_ call: Invocation) throws(Problem) {
        let words = call.words.dropFirst()
        switch (words.first ?? "list", words.count) {
        case ("list", ...1): try list(call)
        case ("add", 3...): try add(call, Array(words.dropFirst()))
        case ("remove", 2...): try remove(call, words.dropFirst().joined(separator: " "))
        default: throw call.misused
        }
    }

    private static func add(_ call: Invocation, _ words: [String]) throws(Problem) {
        guard let kind = kinds[words[1].lowercased()] else { throw call.misused }
        let site = try Site(call.door())
        let to = try AlarmCommands.called(call, People(call))
        let text = words.dropFirst(2).joined(separator: " ")
        let made = try call.call(
            "alarm.addShortcut",
            .object(leavingOut: [
                "name": .string(words[0]), "kind": .string(kind.rawValue), "text": text.isEmpty ? nil : .string(text),
                "to": to.isEmpty ? nil : .array(to.map { .id($0) }),
            ]))
        let address = "\(site.url)/alarm/\(made["secret"]?.string ?? "")"
        if call.wantsJSON {
            guard case .object(var result) = made else { return call.output.say(made) }
            result["url"] = .string(address)
            return call.output.say(.object(result))
        }
        let out = call.output
        out.say(phrase("alarm.shortcut.added"))
        out.say("  \(address)")
        out.draw(qr: address)
        site.sayReach(call)
        if site.fingerprint != nil { out.say(phrase("alarm.shortcut.trust", ["url": site.url])) }
        out.say(phrase("alarm.shortcut.where"))
        out.say(phrase("alarm.shortcut.once"))
    }

    private static func all(_ call: Invocation) throws(Problem) -> [JSON] {
        try call.call("alarm.shortcuts")["shortcuts"]?.array ?? []
    }

    private static func list(_ call: Invocation) throws(Problem) {
        let shortcuts = try all(call)
        if call.wantsJSON { return call.output.say(["shortcuts": .array(shortcuts)]) }
        guard !shortcuts.isEmpty else { return call.output.say(phrase("alarm.shortcut.none")) }
        let now = LocalTime.now
        var table = Table("shortcut", "raises", "last-pressed")
        for shortcut in shortcuts {
            let kind = kinds.first { $0.value.rawValue == shortcut["kind"]?.string }?.key ?? ""
            let text = shortcut["text"]?.string.map { " " + Plain.line($0) } ?? ""
            let used = shortcut["used"]?.instant.map { Words.age($0, now: now) } ?? phrase("age.never")
            table.add(Plain.line(shortcut["name"]?.string ?? ""), kind + text, used)
        }
        table.print(to: call.output)
    }

    private static func remove(_ call: Invocation, _ name: String) throws(Problem) {
        let id = try Device.id(name, among: try all(call), by: "name")
        call.answer(
            try call.call("alarm.removeShortcut", ["shortcut": .string(id)]),
            phrase("alarm.shortcut.removed", ["shortcut": Plain.line(name)]))
    }
}
