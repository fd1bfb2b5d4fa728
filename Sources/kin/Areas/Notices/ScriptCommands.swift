import KinLoop
import KinModel
import KinWords

/// Scripts of the house: programs that send their member messages by ntfy's interface.
enum ScriptCommands {
    static func add(_ call: Invocation) throws(Problem) {
        let site = try Site(call.door())
        let name = call.words.dropFirst().joined(separator: " ")
        let made = try call.call("notice.addScript", ["name": .string(name)])
        let topic = made["topic"]?.string ?? ""
        let address = "\(site.url)/\(topic)"
        if call.wantsJSON {
            guard case .object(var result) = made else { return call.output.say(made) }
            result["url"] = .string(address)
            return call.output.say(.object(result))
        }
        let out = call.output
        out.say(phrase("script.added"))
        // If the certificate is the family's own, the root that vouches for it can be loaded from the daemon by
        // everybody.
        let trust = site.fingerprint == nil ? "" : "--cacert kinwire-ca.crt "
        out.say("  curl \(trust)-d \"\(phrase("script.example"))\" \(address)")
        if site.fingerprint != nil { out.say(phrase("script.trust", ["url": site.url])) }
        out.say(phrase("script.once"))
    }

    private static func all(_ call: Invocation) throws(Problem) -> [JSON] {
        try call.call("notice.scripts")["scripts"]?.array ?? []
    }

    static func list(_ call: Invocation) throws(Problem) {
        let scripts = try all(call)
        if call.wantsJSON { return call.output.say(["scripts": .array(scripts)]) }
        guard !scripts.isEmpty else { return call.output.say(phrase("script.none")) }
        let now = LocalTime.now
        var table = Table("script", "last-message")
        for script in scripts {
            let used = script["used"]?.instant.map { Words.age($0, now: now) } ?? phrase("age.never")
            table.add(Plain.line(script["name"]?.string ?? ""), used)
        }
        table.print(to: call.output)
    }

    static func remove(_ call: Invocation) throws(Problem) {
        let name = call.words.dropFirst().joined(separator: " ")
        let id = try Device.id(name, among: try all(call), by: "name")
        call.answer(
            try call.call("notice.removeScript", ["script": .string(id)]),
            phrase("script.removed", ["script": Plain.line(name)]))
    }

    static func messages(_ call: Invocation) throws(Problem) {
        let answer = try call.call("notice.messages")
        if call.wantsJSON { return call.output.say(answer) }
        let messages = (answer["messages"]?.array ?? []).compactMap(HouseMessage.init)
        guard !messages.isEmpty else { return call.output.say(phrase("script.no-messages")) }
        let now = LocalTime.now
        for message in messages.reversed() {
            let title = message.title.map { Plain.line($0) + ": " } ?? ""
            call.output.say(
                phrase(
                    "script.message",
                    [
                        "age": Words.age(message.at, now: now), "script": Plain.line(message.script),
                        "text": title + Plain.line(message.text),
                    ]))
        }
    }
}
