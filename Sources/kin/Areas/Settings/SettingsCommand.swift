import KinModel
import KinWords

extension CommandArea {
    /// Members' settings for how clients look and speak, the same on every device.
    static let settings = CommandArea(
        name: "Settings", group: .family, commands: [.settings],
        file: "settings")
}

extension Command {
    static let settings = Command(
        name: "settings",
        usage: [
            "settings [list]", "settings set language en|de", "settings set zone ZONE", "settings set text-size NUMBER",
            "settings set theme light|dark|device", "settings set week-start monday|saturday|sunday",
            "settings set clock 12|24", "settings set tabs NAME…", "settings set leave-out to-decide|birthdays…",
            "settings unset language|zone|text-size|theme|week-start|clock|tabs|leave-out",
        ], words: 0...20,
        run: { (call) throws(Problem) in
            switch (call.words.first ?? "list", call.words.count) {
            case ("list", ...1): OwnSettings.say(call, try call.call("settings.show"))
            case ("set", 3...): try OwnSettings.set(call)
            case ("unset", 2): try OwnSettings.unset(call)
            default: throw call.misused
            }
        })
}

/// The caller's settings.
enum OwnSettings {
    /// The names of settings as they are typed, and on the wire.
    static let names: KeyValuePairs = [
        "language": "language", "zone": "zone", "text-size": "textSize", "theme": "theme", "week-start": "weekStart",
        "clock": "clock", "tabs": "tabs", "leave-out": "leftOut",
    ]

    static func set(_ call: Invocation) throws(Problem) {
        let name = try name(call)
        let words = call.words.dropFirst(2)
        let text = words.joined(separator: " ")
        let value: JSON =
            switch name {
            case "tabs": .array(words.flatMap { $0.split(separator: ",") }.map { .string(String($0)) })
            case "leftOut": .array(try words.flatMap { $0.split(separator: ",") }.map(calendar))
            case "textSize": try size(text)
            case "theme":
                try word(
                    text,
                    [
                        "light": "light", "hell": "light", "dark": "dark", "dunkel": "dark", "device": "device",
                        "gerät": "device",
                    ])
            case "weekStart":
                try word(
                    text,
                    [
                        "monday": "monday", "montag": "monday", "saturday": "saturday", "samstag": "saturday",
                        "sunday": "sunday", "sonntag": "sunday",
                    ])
            case "clock":
                try word(
                    text, ["12": "hours12", "24": "hours24", "hours12": "hours12", "hours24": "hours24"],
                    shown: ["12", "24"])
            default: .string(text)
            }
        say(call, try call.call("settings.set", [name: value]))
    }

    /// A calendar that may be left out, in either language.
    private static func calendar(_ typed: Substring) throws(Problem) -> JSON {
        try word(
            String(typed),
            [
                "to-decide": "toDecide", "todecide": "toDecide", "offene-abstimmungen": "toDecide",
                "birthdays": "birthdays", "geburtstage": "birthdays",
            ], shown: ["birthdays", "to-decide"])
    }

    /// The word on the wire for a typed one, in either language.
    private static func word(
        _ text: String, _ words: [String: String], shown: [String]? = nil
    ) throws(Problem) -> JSON {
        guard let word = words[text.lowercased()] else {
            let all = (shown ?? Set(words.values).sorted()).joined(separator: ", ")
            throw .usage(phrase("settings.no-word", ["text": Plain.line(text), "words": all]))
        }
        return .string(word)
    }

    private static func size(_ text: String) throws(Problem) -> JSON {
        guard let number = Int64(text) else { throw .usage(phrase("settings.no-number", ["text": Plain.line(text)])) }
        return .int(number)
    }

    static func unset(_ call: Invocation) throws(Problem) {
        say(call, try call.call("settings.set", [try name(call): .null]))
    }

    private static func name(_ call: Invocation) throws(Problem) -> String {
        let typed = call.words[1].lowercased()
        guard let name = names.first(where: { $0.key == typed || $0.value.lowercased() == typed }) else {
            let all = names.map(\.key).joined(separator: ", ")
            throw .usage(phrase("settings.unknown", ["name": Plain.line(call.words[1]), "names": all]))
        }
        return name.value
    }

    static func say(_ call: Invocation, _ result: JSON) {
        if call.wantsJSON { return call.output.say(result) }
        call.output.say(lines(result["settings"] ?? [:]))
    }

    private static func said(_ list: [String], of field: String) -> String {
        guard !list.isEmpty else { return phrase("settings.nothing") }
        return list.map { field == "leftOut" && $0 == "toDecide" ? "to-decide" : $0 }.joined(separator: ", ")
    }

    /// `12` of `hours12`; other words are typed as they are on the wire.
    private static func typed(_ word: String) -> String { word.hasPrefix("hours") ? String(word.dropFirst(5)) : word }

    /// A line for each setting, in the form in which it is typed.
    static func lines(_ settings: JSON) -> [String] {
        names.map { name, field in
            let value = settings[field]
            let text =
                value?.array.map { said($0.compactMap(\.string), of: field) } ?? value?.string.map { typed($0) }
                ?? value?.int.map { "\($0)" } ?? phrase("settings.unset")
            return Plain.padded(name, 12) + Plain.line(text)
        }
    }
}
