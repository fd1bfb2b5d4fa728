import KinModel

extension Command {
    static let sharing = Command(
        name: "sharing",
        usage: ["sharing", "sharing on [--until 2h|18:00]", "sharing off"],
        options: [
            .value("until", "WHEN"),
            .flag("yes"),
        ], words: 0...1,
        run: { (call) throws(Problem) in
            guard let state = call.words.first else {
                let shown = try call.call("sharing.show")
                return say(call, shown)
            }
            guard state == "on" || state == "off" else {
                throw call.misused
            }
            var until: JSON?
            if let text = call.value("until") {
                guard let time = Words.ahead(text, now: LocalTime.now) else {
                    throw .usage(phrase("usage.no-time", ["option": "--until", "text": Plain.line(text)]))
                }
                until = .time(time)
            }
            if state == "on" {
                let names = viewers(try call.call("sharing.show"))
                call.output.warn(
                    names.isEmpty ? phrase("sharing.alone") : phrase("sharing.seen", ["names": names]))
                if Input.isTerminal, !call.has("yes"), !Input.confirms(call, phrase("sharing.ask")) {
                    return call.output.warn(phrase("sharing.unchanged"))
                }
            }
            say(call, try call.call("sharing.set", .object(leavingOut: ["state": .string(state), "until": until])))
        })
}

private func viewers(_ shown: JSON) -> String {
    (shown["sharing"]?["seenBy"]?.array ?? []).compactMap { $0["displayName"]?.string.map { Plain.line($0) } }
        .joined(separator: ", ")
}

private func say(_ call: Invocation, _ shown: JSON) {
    if call.wantsJSON { return call.output.say(shown) }
    let sharing = shown["sharing"].flatMap(Sharing.init) ?? .off
    var sentence = Sentence.state(of: sharing)
    if sharing.isOn, !viewers(shown).isEmpty { sentence += ": \(viewers(shown))" }
    if shown["sharing"]?["paused"]?.bool == true { sentence += phrase("sharing.paused") }
    call.output.say("\(sentence).")
    if let waiting = Pins.waiting(shown["sharing"]) { call.output.say(waiting) }
}
