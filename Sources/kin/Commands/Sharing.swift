import KinModel

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
        try say(shown)
        if child == nil { try sayChildren() }
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
            let shown = try ask("sharing.show")
            let names = viewers(shown)
            call.output.warn(names.isEmpty ? phrase("sharing.alone") : phrase("sharing.seen", ["names": names]))
            if Input.isTerminal, !call.has("yes"), !Input.confirms(call, phrase("sharing.ask")) {
                return call.output.warn(phrase("sharing.unchanged"))
            }
            // Who comes in between was not on the list, and waits.
            confirms = .array((shown["sharing"]?["seenBy"]?.array ?? []).compactMap { $0["id"] })
        }
        let result = try ask(
            "sharing.set",
            .object(leavingOut: ["state": .string(state), "until": until, "confirms": confirms]))
        if call.wantsJSON { return call.output.say(result) }
        try say(result)
    }

    func answer(_ name: String, admit: Bool) throws(Problem) {
        let viewer = try People(call).member(name)
        let result = try ask("sharing.admit", ["viewer": .id(viewer.id), "admit": .bool(admit)])
        let seen = result["sharing"]?["seenBy"]?.array?.first { $0["id"]?.identifier == viewer.id }
        let what = Shares.word(seen?["precision"]?.string ?? "off")
        let key = admit && seen != nil ? "sharing.admitted" : "sharing.refused"
        call.answer(result, phrase(key, ["name": Plain.line(viewer.displayName), "what": what]))
    }

    // MARK: Saying

    private func viewers(_ shown: JSON) -> String {
        (shown["sharing"]?["seenBy"]?.array ?? []).compactMap { $0["displayName"]?.string.map { Plain.line($0) } }
            .joined(separator: ", ")
    }

    private func say(_ shown: JSON) throws(Problem) {
        let sharing = shown["sharing"].flatMap(Sharing.init) ?? .off
        var sentence = Sentence.state(of: sharing)
        if let child {
            sentence = phrase(
                sharing.isOn ? "sharing.child-on" : "sharing.child-off", ["name": Plain.line(child.displayName)])
        }
        if sharing.isOn, !viewers(shown).isEmpty { sentence += ": \(viewers(shown))" }
        if shown["sharing"]?["paused"]?.bool == true { sentence += phrase("sharing.paused") }
        call.output.say("\(sentence).")
        try sayQuestions(shown["sharing"] ?? [:], of: child)
        if let waiting = Pins.waiting(shown["sharing"]) { call.output.say(waiting) }
    }

    /// What waits for an answer: who would see it, what is to be confirmed, and whose the settings are.
    private func sayQuestions(_ sharing: JSON, of child: Member?) throws(Problem) {
        let waiting = sharing["waiting"]?.array ?? []
        let declined = (sharing["declined"]?.array ?? []).compactMap {
            $0["displayName"]?.string.map { Plain.line($0) }
        }
        let parents = sharing["parents"]?.array ?? []
        let confirmBy = sharing["confirmBy"]?.instant
        guard !waiting.isEmpty || !declined.isEmpty || !parents.isEmpty || confirmBy != nil || sharing["heldBy"] != nil
        else { return }
        let people = try People(call)
        let (names, now) = (people.names, LocalTime.now)
        let of = child.map { " --of \(typed($0))" } ?? ""
        if let holder = sharing["heldBy"]?.identifier {
            call.output.say(phrase("share.held", ["name": names.member(holder)]))
        }
        if let until = sharing["heldUntil"]?.instant {
            let time = LocalTime.short(until, now: now)
            call.output.say(
                phrase("sharing.hold-by", ["time": time, "child": child.map { typed($0) } ?? phrase("word.MEMBER")]))
        }
        if !parents.isEmpty {
            let asked = parents.map { names.member($0.identifier) }.joined(separator: ", ")
            call.output.say(phrase("sharing.parents", ["names": asked]))
        }
        if let confirmBy {
            call.output.say(phrase("sharing.confirm-by", ["time": LocalTime.short(confirmBy, now: now), "of": of]))
        }
        for viewer in waiting {
            let who = people.members.first { $0.id == viewer["id"]?.identifier }
            let username = who.map { typed($0) } ?? phrase("word.MEMBER")
            let group = viewer["group"]?.string == "household" ? "household" : "everyone"
            call.output.say(
                phrase(
                    "sharing.waits-\(group)",
                    [
                        "name": Plain.line(viewer["displayName"]?.string ?? ""), "username": username, "of": of,
                        "what": Shares.word(viewer["precision"]?.string ?? ""),
                    ]))
        }
        if !declined.isEmpty {
            call.output.say(phrase("sharing.declined", ["names": declined.joined(separator: ", "), "of": of]))
        }
    }

    /// Children whose settings the caller holds or is to decide about, where something waits for an answer.
    private func sayChildren() throws(Problem) {
        for child in try People(call).members where child.kind == .child {
            // Who may not see a child's settings has nothing to answer there.
            guard let shown = try? call.call("sharing.show", ["member": .id(child.id)])["sharing"],
                shown["waiting"]?.array?.isEmpty == false || shown["parents"] != nil || shown["heldUntil"] != nil
                    || shown["confirmBy"] != nil
            else { continue }
            call.output.say("")
            call.output.say("\(Plain.line(child.displayName)):")
            try sayQuestions(shown, of: child)
        }
    }

    /// As it can be typed.
    private func typed(_ member: Member) -> String {
        Plain.line(member.username.isEmpty ? "\"\(member.displayName)\"" : member.username)
    }
}
