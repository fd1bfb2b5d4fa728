import KinModel
import KinWords

extension Command {
    static let session = Command(
        name: "session",
        usage: [
            "session [list]", "session revoke ID|DEVICE", "session link MEMBER", "session trust [MEMBER] [ID|DEVICE]",
        ],
        words: 0...3,
        run: { (call) throws(Problem) in
            switch (call.words.first ?? "list", call.words.count) {
            case ("list", ...1): try SignIns.list(call)
            case ("revoke", 2):
                let sessions = try call.call("session.list")["sessions"]?.array ?? []
                let id = try Device.id(call.words[1], among: sessions)
                call.answer(try call.call("session.revoke", ["session": .string(id)]), phrase("done.revoked"))
            case ("link", 2): try SignIns.link(call)
            case ("trust", 1...3): try SignIns.trust(call)
            default: throw call.misused
            }
        })

    static let password = Command(
        name: "password",
        usage: ["password", "password reset MEMBER"],
        options: [
            .value("old-password-file", "FILE"),
            .flag("old-password-stdin"), .flag("keep-phones"),
        ] + Option.password,
        words: 0...2,
        run: { (call) throws(Problem) in
            let result: JSON
            switch (call.words.first, call.words.count) {
            case (nil, _):
                let old = try Input.password(call, "old-password", isNew: false)
                let new = try Input.password(call, isNew: true)
                result = try call.call("password.change", ["old": .string(old), "new": .string(new)])
            case ("reset", 2):
                let new = try Input.password(call, isNew: true)
                result = try call.callAtMachine(
                    "password.reset",
                    .object(leavingOut: [
                        "username": .string(call.words[1]), "password": .string(new),
                        "keepAppPasswords": call.has("keep-phones") ? true : nil,
                    ]))
            default: throw call.misused
            }
            call.answer(result, phrase("password.done"))
        })
}

/// The sign-ins of a member, and links that sign in without a password.
private enum SignIns {
    static func list(_ call: Invocation) throws(Problem) {
        let result = try call.call("session.list")
        if call.wantsJSON { return call.output.say(result) }
        let now = LocalTime.now
        var table = Table("device", "from", "last-used", "", "id")
        for session in result["sessions"]?.array ?? [] {
            // The use of a session is noted once an hour, but this one is used now.
            let isThisOne = session["isThisOne"]?.bool == true
            table.add(
                session["device"]?.string ?? "", session["address"]?.string ?? "",
                isThisOne ? phrase("age.now") : session["usedAt"]?.instant.map { Words.age($0, now: now) } ?? "",
                isThisOne ? phrase("session.this") : "", session["id"]?.string ?? "")
        }
        if table.rows.isEmpty { return call.output.say(phrase("session.none")) }
        table.print(to: call.output)
        for sentence in try Waiting.sentences(call, result) { call.output.say(sentence) }
    }

    /// Confirms that a waiting session is a member's own doing: the caller's, or that of a member of the household.
    static func trust(_ call: Invocation) throws(Problem) {
        let waiting = try call.call("session.waiting")["sessions"]?.array ?? []
        var words = call.words.dropFirst()
        var member: Identifier?
        if let first = words.first, words.count == 2 || !waiting.contains(where: { Device.names($0, first) }) {
            member = try People(call).member(first).id
            words.removeFirst()
        }
        let theirs = waiting.filter { member == nil || $0["member"]?.identifier == member }
        var params: JSON = .object(leavingOut: ["member": member.map { .id($0) }])
        if let text = words.first {
            let named = theirs.filter { Device.names($0, text) }
            guard named.count == 1, let one = named.first else {
                throw Problem(.refused, phrase("session.not-waiting", ["device": Plain.line(text)]))
            }
            params["session"] = one["session"]
            params["member"] = one["member"]
        }
        let result = try call.call("session.trust", params)
        let count = result["trusted"]?.array?.count ?? 0
        call.answer(result, phrase(count > 0 ? "session.trusted" : "session.none-waiting"))
    }

    static func link(_ call: Invocation) throws(Problem) {
        let member = try People(call).member(call.words[1])
        var result = try call.call("session.link", ["member": .id(member.id)])
        let site = try Site(call.door())
        let link = site.link("signin/\(result["link"]?.string ?? "")")
        if call.wantsJSON {
            result["link"] = .string(link)
            return call.output.say(result)
        }
        call.output.say(link)
        let until = result["expires"]?.instant.map { LocalTime.long($0) } ?? ""
        call.output.say(phrase("session.link-good", ["name": Plain.line(member.displayName), "time": until]))
        site.draw(qr: link, call)
        site.sayReach(call)
    }
}
