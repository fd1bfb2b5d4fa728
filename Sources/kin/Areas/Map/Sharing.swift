import KinModel
import KinWords

extension Command {
    static let sharing = Command(
        name: "sharing", aliases: ["share"],
        usage: [
            "sharing [--of CHILD]", "sharing MEMBER [--of CHILD]",
            "sharing on [--until 2h|18:00] [--yes] [--of CHILD]", "sharing off [--of CHILD]",
            "sharing household|everyone|MEMBER off|home|place|coarse|exact [--until WHEN] [--history] [--of CHILD]",
            "sharing remove household|everyone|MEMBER [--of CHILD]",
            "sharing admit MEMBER [--of CHILD]", "sharing refuse MEMBER [--of CHILD]", "sharing looks [--of CHILD]",
            "sharing link exact|coarse --until WHEN [--name NAME] [--place PLACE]", "sharing links [--of CHILD]",
            "sharing revoke ID",
            "sharing hold MEMBER", "sharing hand-over MEMBER MEMBER", "sharing release MEMBER",
        ],
        options: [
            .value("until", "WHEN"), .flag("history"), .value("of", "MEMBER"), .flag("yes"), .value("name", "NAME"),
            .value("place", "PLACE"),
        ], words: 0...3,
        run: { (call) throws(Problem) in
            let sharing = try OwnSharing(call)
            let first = call.words.first ?? ""
            switch (first, call.words.count) {
            case ("", 0): try sharing.show()
            case ("on", 1): try sharing.turnOn()
            case ("off", 1): try sharing.change(["state": "off"])
            case ("looks", 1): try Shares.looks(call)
            case ("links", 1): try Shares.links(call)
            case ("link", 2): try Shares.link(call, call.words[1])
            case ("revoke", 2):
                guard Identifier(call.words[1]) != nil else {
                    throw Device.noIdentifier(call.words[1], "kin sharing links")
                }
                let result = try call.call("guestLink.revoke", ["guestLink": .string(call.words[1])])
                call.answer(result, phrase("done.revoked"))
            case ("admit", 2), ("refuse", 2): try sharing.answer(call.words[1], admit: first == "admit")
            case ("remove", 2): try sharing.set(call.words[1], nil)
            case ("hold", 2), ("release", 2): try Shares.hold(call, call.words[1], first == "hold")
            case ("hand-over", 3): try Shares.hold(call, call.words[1], by: call.words[2])
            case (_, 1): try sharing.show(with: first)
            case (_, 2): try sharing.set(first, call.words[1])
            default: throw call.misused
            }
        })
}

/// A member's sharing: whether the position is shown, to which members and by which rules, and which members wait to
/// see it.
struct OwnSharing {
    private let call: Invocation
    private let people: People
    /// The child whose settings are meant, where they are not the caller's own.
    private let child: Member?

    init(_ call: Invocation) throws(Problem) {
        self.call = call
        people = try People(call)
        let people = people
        child = try call.value("of").map { (text) throws(Problem) in try people.member(text) }
    }

    private func ask(_ method: String, _ params: JSON = [:]) throws(Problem) -> JSON {
        var params = params
        if let child { params["member"] = .id(child.id) }
        return try call.call(method, params)
    }

    private var screen: SharingScreen { SharingScreen(people, now: LocalTime.now) }

    private func say(_ lines: [String]) {
        for line in lines { call.output.say(Plain.wrapped(line, call.output.width, indent: 2)) }
    }

    // MARK: Looking

    func show() throws(Problem) {
        let shown = try ask("sharing.show")
        if call.wantsJSON { return call.output.say(shown) }
        say(screen.lines(shown["sharing"] ?? [:], of: child))
        guard child == nil else { return }
        sayChildren()
        // A member who moves in sees by the household's rules, once the move is admitted.
        let moves = (try? Moving.answerable(call, people)) ?? []
        if !moves.isEmpty { say([""] + moves) }
    }

    /// Shows what a member sees of the caller, and what the caller sees of the member.
    func show(with name: String) throws(Problem) {
        let member = try people.member(name)
        let shown = try ask("sharing.show")["sharing"] ?? [:]
        let seen = try child == nil ? call.call("sharing.seen", ["member": .id(member.id)]) : nil
        if call.wantsJSON {
            return call.output.say(.object(leavingOut: ["sharing": shown, "seen": seen]))
        }
        say(screen.lines(with: member, shown, of: child, seen: seen))
    }

    /// Shows the children whose settings the caller holds or is to decide about, if something waits for an answer.
    private func sayChildren() {
        for child in people.members where child.kind == .child {
            // A caller who may not see a child's settings has nothing to answer there.
            guard let shown = try? call.call("sharing.show", ["member": .id(child.id)])["sharing"],
                SharingScreen.asks(shown)
            else { continue }
            call.output.say("")
            call.output.say("\(screen.names.member(child.id)):")
            say(screen.questions(shown, of: child))
        }
    }

    // MARK: Changing

    /// Shows who will see the position, and asks for a confirmation.
    func turnOn() throws(Problem) {
        let until = try until()
        let shown = try ask("sharing.show")["sharing"] ?? [:]
        let screen = screen
        for line in screen.seen(shown, of: child) {
            call.output.warn(Plain.wrapped(line, call.output.width, indent: 2))
        }
        if !call.has("yes") {
            // Nobody's position is shown without a question. A script must confirm that somebody was asked.
            guard Input.isTerminal else { throw .usage(phrase("sharing.needs-yes")) }
            guard Input.confirms(call, phrase("sharing.ask")) else {
                return call.output.warn(phrase("sharing.unchanged"))
            }
        }
        // A member who joins in between was not on the list, and waits.
        let confirms = (shown["seenBy"]?.array ?? []).compactMap { $0["id"] }
        try change(
            .object(leavingOut: [
                "state": "on", "until": until.map { .time($0) }, "confirms": .array(confirms),
            ]), says: { _ in screen.next(try? ask("phone.list")) })
    }

    /// Adds, changes or removes a rule for somebody.
    func set(_ whom: String, _ precision: String?) throws(Problem) {
        if let precision { guard Precision(rawValue: precision) != nil else { throw call.misused } }
        let isGroup = whom == "everyone" || whom == "household"
        let viewer: JSON = isGroup ? .string(whom) : .id(try people.member(whom).id)
        let all = try ask("sharing.show")["sharing"]?["rules"]?.array ?? []
        // A rule that is over has no effect any more, and is not sent again.
        var rules = all.filter { $0["viewer"] != viewer && ($0["until"]?.instant).map { $0 > LocalTime.now } ?? true }
        if let precision {
            rules.append(
                .object(leavingOut: [
                    "viewer": viewer, "precision": .string(precision), "until": try until().map { .time($0) },
                    "history": .bool(call.has("history")),
                ]))
        } else if !all.contains(where: { $0["viewer"] == viewer }) {
            throw Problem(.refused, phrase("sharing.no-rule"))
        }
        try change(["rules": .array(rules)])
    }

    /// Makes a change, and says what it changes for other members.
    func change(_ params: JSON, says more: (JSON) -> [String] = { _ in [] }) throws(Problem) {
        let result = try ask("sharing.set", params)
        if call.wantsJSON { return call.output.say(result) }
        say(screen.effect(result, of: child))
        say(more(result))
        say(screen.questions(result["sharing"] ?? [:], of: child))
    }

    func answer(_ name: String, admit: Bool) throws(Problem) {
        let viewer = try people.member(name)
        let result = try ask("sharing.admit", ["viewer": .id(viewer.id), "admit": .bool(admit)])
        if call.wantsJSON { return call.output.say(result) }
        say(screen.effect(result, of: child))
    }

    private func until() throws(Problem) -> Instant? {
        guard let text = call.value("until") else { return nil }
        guard let time = Words.ahead(text, now: LocalTime.now) else {
            throw .usage(phrase("usage.no-time", ["option": "--until", "text": Plain.line(text)]))
        }
        return time
    }
}
