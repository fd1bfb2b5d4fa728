import KinModel
import KinWords

extension Command {
    static let sharing = Command(
        name: "sharing",
        usage: [
            "sharing [--of MEMBER]", "sharing on [--until 2h|18:00] [--of MEMBER]", "sharing off [--of MEMBER]",
            "sharing admit MEMBER [--of MEMBER]", "sharing refuse MEMBER [--of MEMBER]",
        ],
        options: [
            .value("until", "WHEN"), .value("of", "MEMBER"),
            .flag("yes"),
        ], words: 0...2,
        run: { (call) throws(Problem) in
            let sharing = try OwnSharing(call)
            switch (call.words.first, call.words.count) {
            case (nil, _): try sharing.show()
            case ("on", 1), ("off", 1): try sharing.set(call.words[0])
            case ("admit", 2), ("refuse", 2): try sharing.answer(call.words[1], admit: call.words[0] == "admit")
            default: throw call.misused
            }
        })
}

/// Whether a position is shown, to whom, and who waits to see it.
struct OwnSharing {
    private let call: Invocation
    /// The child whose settings are meant, where they are not the caller's own.
    private let child: Member?

    init(_ call: Invocation) throws(Problem) {
        self.call = call
        child = try call.value("of").map { (text) throws(Problem) in try People(call).member(text) }
    }

    private func ask(_ method: String, _ params: JSON = [:]) throws(Problem) -> JSON {
        var params = params
        if let child { params["member"] = .id(child.id) }
        return try call.call(method, params)
    }

    func show() throws(Problem) {
        let shown = try ask("sharing.show")
        if call.wantsJSON { return call.output.say(shown) }
        let screen = try screen()
        for line in screen.lines(shown["sharing"] ?? [:], of: child) { call.output.say(line) }
        if child == nil { try sayChildren(screen) }
    }

    func set(_ state: String) throws(Problem) {
        var until: JSON?
        if let text = call.value("until") {
            guard let time = Words.ahead(text, now: LocalTime.now) else {
                throw .usage(phrase("usage.no-time", ["option": "--until", "text": Plain.line(text)]))
            }
            until = .time(time)
        }
        var confirms: JSON?
        if state == "on" {
            let shown = try ask("sharing.show")["sharing"] ?? [:]
            let screen = try screen()
            let names = screen.viewers(shown)
            call.output.warn(
                names.isEmpty
                    ? phrase("sharing.alone")
                    : child.map { phrase("sharing.seen-child", ["child": screen.names.member($0.id), "names": names]) }
                        ?? phrase("sharing.seen", ["names": names]))
            if Input.isTerminal, !call.has("yes"), !Input.confirms(call, phrase("sharing.ask")) {
                return call.output.warn(phrase("sharing.unchanged"))
            }
            // Who comes in between was not on the list, and waits.
            confirms = .array((shown["seenBy"]?.array ?? []).compactMap { $0["id"] })
        }
        let result = try ask(
            "sharing.set",
            .object(leavingOut: ["state": .string(state), "until": until, "confirms": confirms]))
        if call.wantsJSON { return call.output.say(result) }
        for line in try screen().lines(result["sharing"] ?? [:], of: child) { call.output.say(line) }
    }

    func answer(_ name: String, admit: Bool) throws(Problem) {
        let people = try People(call)
        let viewer = try people.member(name)
        let result = try ask("sharing.admit", ["viewer": .id(viewer.id), "admit": .bool(admit)])
        let seen = result["sharing"]?["seenBy"]?.array?.first { $0["id"]?.identifier == viewer.id }
        let what = Shares.word(seen?["precision"]?.string ?? "off")
        let key = admit && seen != nil ? "sharing.admitted" : "sharing.refused"
        call.answer(result, phrase(key, ["name": people.names.member(viewer.id), "what": what]))
    }

    // MARK: Saying

    private func screen() throws(Problem) -> SharingScreen {
        SharingScreen(try People(call), now: LocalTime.now)
    }

    /// Children whose settings the caller holds or is to decide about, where something waits for an answer.
    private func sayChildren(_ screen: SharingScreen) throws(Problem) {
        for child in screen.people.members where child.kind == .child {
            // Who may not see a child's settings has nothing to answer there.
            guard let shown = try? call.call("sharing.show", ["member": .id(child.id)])["sharing"],
                SharingScreen.asks(shown)
            else { continue }
            call.output.say("")
            call.output.say("\(screen.names.member(child.id)):")
            for line in screen.questions(shown, of: child) { call.output.say(line) }
        }
    }
}
