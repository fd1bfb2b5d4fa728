import KinModel

extension Command {
    static let session = Command(
        name: "session", summary: "list or revoke the places you are signed in at",
        usage: ["session list", "session revoke ID"], words: 1...2,
        run: { (call) throws(Problem) in
            switch (call.words[0], call.words.count) {
            case ("list", 1):
                let result = try call.call("session.list")
                if call.wantsJSON { return call.output.say(result) }
                let now = LocalTime.now
                var table = Table("ID", "DEVICE", "FROM", "LAST USED", "")
                for session in result["sessions"]?.array ?? [] {
                    table.add(
                        session["id"]?.string ?? "", session["device"]?.string ?? "",
                        session["address"]?.string ?? "",
                        session["usedAt"]?.instant.map { Words.age($0, now: now) } ?? "",
                        session["isThisOne"]?.bool == true ? "this one" : "")
                }
                if table.rows.isEmpty { return call.output.say("You are signed in nowhere.") }
                table.print(to: call.output)
            case ("revoke", 2):
                let result = try call.call("session.revoke", ["session": .string(call.words[1])])
                if call.wantsJSON { call.output.say(result) } else { call.output.say("Revoked.") }
            default: throw .usage("kin session list or kin session revoke ID.")
            }
        })

    static let password = Command(
        name: "password", summary: "change your password, or reset a member's at the machine",
        usage: ["password", "password reset MEMBER"],
        options: [
            .value("old-password-file", "FILE", "read the present password from this file's first line"),
            .flag("old-password-stdin", "read the present password from the input, before the new one"),
        ] + Option.password,
        details: "Your other sessions end. A reset works at the daemon's machine, as root or its own user.",
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
                result = try call.call(
                    "password.reset", ["username": .string(call.words[1]), "password": .string(new)])
            default: throw .usage("kin password or kin password reset MEMBER.")
            }
            if call.wantsJSON { call.output.say(result) } else { call.output.say("The password is changed.") }
        })
}
