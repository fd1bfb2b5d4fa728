import KinModel

extension Command {
    static let sharing = Command(
        name: "sharing", summary: "show your position to the family, or to nobody",
        usage: ["sharing", "sharing on [--until 2h|18:00]", "sharing off"],
        options: [
            .value("until", "WHEN", "when it ends by itself: a time span (2h), a time, a day"),
            .flag("yes", "do not ask"),
        ],
        details: "Says who will see it before it is switched on.", words: 0...1,
        run: { (call) throws(Problem) in
            guard let state = call.words.first else {
                let shown = try call.call("sharing.show")
                return say(call, shown)
            }
            guard state == "on" || state == "off" else {
                throw .usage("kin sharing, kin sharing on or kin sharing off.")
            }
            var until: JSON?
            if let text = call.value("until") {
                guard let time = Words.ahead(text, now: LocalTime.now) else {
                    throw .usage("--until \(Plain.line(text)) is no time; write 2h, 18:00 or 2026-11-20.")
                }
                until = .time(time)
            }
            if state == "on" {
                let names = viewers(try call.call("sharing.show"))
                call.output.warn(
                    names.isEmpty ? "Nobody else is in the family yet." : "This will see your position: \(names).")
                if Input.isTerminal, !call.has("yes"), !Input.confirms(call, "Switch it on?") {
                    return call.output.warn("Nothing was changed.")
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
    if shown["sharing"]?["paused"]?.bool == true { sentence += "; paused by a restore until you set it again" }
    call.output.say("\(sentence).")
}
