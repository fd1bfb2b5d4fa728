import KinModel

extension Command {
    static let invite = Command(
        name: "invite", summary: "make, list or revoke invites",
        usage: [
            "invite [create] [--household NAME] [--role ROLE] [--kind adult|child] [--uses N] [--expires 7d]",
            "invite list", "invite revoke ID",
        ],
        options: [
            .value("household", "NAME", "the household to join; your own if left out"),
            .value("role", "ROLE", "admin, head, member or guest; member if left out"),
            .value("kind", "KIND", "adult or child; adult if left out"),
            .value("uses", "N", "how many may join with it; 1 if left out"),
            .value("expires", "WHEN", "a time span (7d), a time or a day"),
        ],
        details: "Prints the code, the link and, on a terminal, the QR code. The code is shown once and not kept.",
        words: 0...2,
        run: { (call) throws(Problem) in
            switch (call.words.first ?? "create", call.words.count) {
            case ("create", ...1): try Invites.create(call)
            case ("list", 1): try Invites.list(call)
            case ("revoke", 2):
                let result = try call.call("invite.revoke", ["invite": .string(call.words[1])])
                if call.wantsJSON { call.output.say(result) } else { call.output.say("Revoked.") }
            default: throw .usage("kin invite, kin invite list or kin invite revoke ID.")
            }
        })
}

private enum Invites {
    static func create(_ call: Invocation) throws(Problem) {
        var household: JSON?
        if let name = call.value("household") { household = .id(try People(call).household(name).id) }
        var uses: JSON?
        if let text = call.value("uses") {
            guard let number = Int64(text), number > 0 else { throw .usage("--uses is a number from 1.") }
            uses = .int(number)
        }
        var expires: JSON?
        if let text = call.value("expires") {
            guard let time = Words.ahead(text, now: LocalTime.now) else {
                throw .usage("--expires \(Plain.line(text)) is no time; write 7d, 18:00 or 2026-11-20.")
            }
            expires = .time(time)
        }
        var result = try call.call(
            "invite.create",
            .object(leavingOut: [
                "household": household, "role": call.value("role").map { .string($0) },
                "kind": call.value("kind").map { .string($0) }, "uses": uses, "expires": expires,
            ]))
        let code = result["code"]?.string ?? ""
        let link = try Site(call.door()).link("join/\(code)")
        if call.wantsJSON {
            result["link"] = .string(link)
            return call.output.say(result)
        }
        call.output.say("Code:  \(code)")
        call.output.say("Link:  \(link)")
        if let until = result["invite"]?["expires"]?.instant {
            call.output.say("Good until \(LocalTime.long(until)). Whoever has it can join; it is not shown again.")
        }
        call.output.draw(qr: link)
    }

    static func list(_ call: Invocation) throws(Problem) {
        let result = try call.call("invite.list")
        if call.wantsJSON { return call.output.say(result) }
        let invites = result["invites"]?.array ?? []
        guard !invites.isEmpty else { return call.output.say("There are no open invites.") }
        let names = try People(call).names
        var table = Table("ID", "HOUSEHOLD", "ROLE", "USED", "GOOD UNTIL")
        for invite in invites {
            table.add(
                invite["id"]?.string ?? "", names.household(invite["household"]?.identifier),
                invite["role"]?.string ?? "", "\(invite["used"]?.int ?? 0) of \(invite["uses"]?.int ?? 0)",
                invite["expires"]?.instant.map { LocalTime.long($0) } ?? "")
        }
        table.print(to: call.output)
    }
}
