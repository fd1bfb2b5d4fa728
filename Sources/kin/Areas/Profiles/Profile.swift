import KinModel
import KinWords

extension CommandArea {
    /// The commands for members' profiles.
    static let profiles = CommandArea(
        name: "Profiles", group: .family, commands: [.profile],
        file: "profiles")
}

extension Command {
    static let profile = Command(
        name: "profile",
        usage: [
            "profile [MEMBER]", "profile set about|birthday TEXT [--for everyone|household|me|MEMBER,…]",
            "profile add phone|email|address|link TEXT [--label NAME] [--for everyone|household|me|MEMBER,…]",
            "profile share NUMBER everyone|household|me|MEMBER,…", "profile remove NUMBER",
        ],
        options: [.value("for", "MEMBER,…"), .value("label", "NAME")], words: 0...200,
        run: { (call) throws(Problem) in
            switch (call.words.first ?? "", call.words.count) {
            case ("set", 3...): try ProfileCommands.add(call, among: [.about, .birthday])
            case ("add", 3...): try ProfileCommands.add(call, among: [.phone, .email, .address, .link])
            case ("share", 3): try ProfileCommands.share(call)
            case ("remove", 2): try ProfileCommands.remove(call)
            case (_, 0...1): try ProfileCommands.show(call)
            default: throw call.misused
            }
        })
}

/// Shows and changes members' profiles.
enum ProfileCommands {
    static func show(_ call: Invocation) throws(Problem) {
        let people = try People(call)
        let member = try call.words.first.map { (text) throws(Problem) in try people.member(text) }
        let whose = member?.id ?? people.names.me
        let result = try call.call("profile.list", .object(leavingOut: ["member": whose.map { .id($0) }]))
        if call.wantsJSON { return call.output.say(result) }
        let entries = result["profiles"]?.array ?? []
        guard !entries.isEmpty else {
            return call.output.say(
                member.map { phrase("profile.none-of", ["name": Plain.line($0.displayName)]) }
                    ?? phrase("profile.none"))
        }
        LastList(call, "profile")?.keep(entries.compactMap { $0["id"]?.identifier })
        for (index, entry) in entries.enumerated() {
            call.output.say(line(entry, number: index + 1, people.names))
        }
    }

    /// `1  phone (work): +49 … · for everyone`.
    static func line(_ json: JSON, number: Int, _ names: Names) -> String {
        guard let entry = ProfileEntry(json) else { return "" }
        let label = entry.label.map { " (\(Plain.line($0)))" } ?? ""
        let value = entry.value.split(whereSeparator: \.isNewline).map { Plain.line(String($0)) }.joined(separator: " ")
        let start = "\(number)  \(phrase("profile.kind.\(entry.kind.rawValue)"))\(label): \(value)"
        return json["audience"].map { start + " · " + AudienceWords.said($0, names) } ?? start
    }

    static func add(_ call: Invocation, among kinds: [ProfileEntry.Kind]) throws(Problem) {
        guard let kind = ProfileEntry.Kind(rawValue: call.words[1].lowercased()), kinds.contains(kind) else {
            throw call.misused
        }
        var params: JSON = [
            "kind": .string(kind.rawValue), "value": .string(call.words.dropFirst(2).joined(separator: " ")),
        ]
        if kind == .birthday, let day = birthday(call.words.dropFirst(2).joined(separator: " ")) {
            params["value"] = .string(day)
        }
        if let label = call.value("label") { params["label"] = .string(label) }
        if let text = call.value("for") { params["audience"] = try AudienceWords.typed(text, call) }
        try say(call, try call.call("profile.add", params))
    }

    /// Turns `4.3.1985` and `4.3.` into the daemon's form of a birthday; `nil` for anything else, which the daemon
    /// judges.
    static func birthday(_ text: String) -> String? {
        guard let match = text.wholeMatch(of: /(\d{1,2})\.\s*(\d{1,2})\.\s*(\d{4})?/), let day = Int(match.output.1),
            let month = Int(match.output.2)
        else { return nil }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(match.output.3.map { String($0) + "-" } ?? "--")\(two(month))-\(two(day))"
    }

    static func share(_ call: Invocation) throws(Problem) {
        let entry = try Self.entry(call)
        let whom = try AudienceWords.typed(call.words[2], call)
        try say(call, try call.call("profile.update", ["entry": .id(entry), "audience": whom]))
    }

    static func remove(_ call: Invocation) throws(Problem) {
        let result = try call.call("profile.remove", ["entry": .id(try entry(call))])
        call.answer(result, phrase("profile.removed"))
    }

    private static func say(_ call: Invocation, _ result: JSON) throws(Problem) {
        if call.wantsJSON { return call.output.say(result) }
        let names = try People(call).names
        let whom = result["entry"]?["audience"].map { AudienceWords.said($0, names) } ?? ""
        call.output.say(phrase("profile.set", ["audience": whom]))
    }

    /// The entry with this number in the last list, or with this id.
    private static func entry(_ call: Invocation) throws(Problem) -> Identifier {
        let text = call.words[1]
        if let id = Identifier(text) { return id }
        let last = LastList(call, "profile")?.ids ?? []
        guard let number = Int(text), last.indices.contains(number - 1) else {
            throw .usage(phrase("profile.no-number", ["number": Plain.line(text)]))
        }
        return last[number - 1]
    }
}
