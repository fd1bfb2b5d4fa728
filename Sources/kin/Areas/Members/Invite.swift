import KinClient
import KinLoop
import KinModel
import KinWords

extension Command {
    static let invite = Command(
        name: "invite",
        usage: [
            "invite [create] [--household HOUSEHOLD] [--role ROLE] [--kind adult|child] [--uses N] [--expires 7d]",
            "invite list", "invite revoke ID",
        ],
        options: [
            .value("household", "HOUSEHOLD"),
            .value("role", "admin|head|member|guest"),
            .value("kind", "adult|child"),
            .value("uses", "N"),
            .value("expires", "WHEN"),
        ],
        words: 0...2,
        run: { (call) throws(Problem) in
            switch (call.words.first ?? "create", call.words.count) {
            case ("create", ...1): try Invites.create(call)
            case ("list", 1): try Invites.list(call)
            case ("revoke", 2):
                guard Identifier(call.words[1]) != nil else {
                    throw Device.noIdentifier(call.words[1], "kin invite list")
                }
                let result = try call.call("invite.revoke", ["invite": .string(call.words[1])])
                call.answer(result, phrase("done.revoked"))
            default: throw call.misused
            }
        })
}

private enum Invites {
    static func create(_ call: Invocation) throws(Problem) {
        var household: JSON?
        if let name = call.value("household") {
            household = .id(try People(call).household(name).id)
        } else if try call.door().username == nil {
            // Who calls at the machine lives nowhere, so that the daemon takes no household for the caller's own.
            household = .id(try People(call).ownHousehold().id)
        }
        var uses: JSON?
        if let text = call.value("uses") {
            guard let number = Int64(text), number > 0 else { throw .usage(phrase("invite.uses-number")) }
            uses = .int(number)
        }
        var expires: JSON?
        if let text = call.value("expires") {
            guard let time = Words.ahead(text, now: LocalTime.now) else {
                throw .usage(phrase("usage.no-time", ["option": "--expires", "text": Plain.line(text)]))
            }
            expires = .time(time)
        }
        if let text = call.value("role"), Role(rawValue: text) == nil {
            throw .usage(phrase("role.unknown", ["role": Plain.line(text)]))
        }
        if let text = call.value("kind"), !["adult", "child"].contains(text) {
            throw .usage(phrase("invite.no-kind", ["text": Plain.line(text)]))
        }
        var result = try call.call(
            "invite.create",
            .object(leavingOut: [
                "household": household, "role": call.value("role").map { .string($0) },
                "kind": call.value("kind").map { .string($0) }, "uses": uses, "expires": expires,
            ]))
        let code = result["code"]?.string ?? ""
        let site = try Site(call.door())
        let link = site.link("join/\(code)")
        if call.wantsJSON {
            result["link"] = .string(link)
            return call.output.say(result)
        }
        let isForChild = result["invite"]?["kind"]?.string == MemberKind.child.rawValue
        if isForChild { call.output.say(phrase("invite.for-child")) }
        call.output.say(phrase("invite.code", ["code": code]))
        call.output.say(phrase("invite.link", ["link": link]))
        if let until = result["invite"]?["expires"]?.instant {
            call.output.say(phrase("invite.good", ["date": LocalTime.long(until)]))
        }
        site.draw(qr: link, call)
        site.sayReach(call)
        var steps = NextSteps()
        steps.add("invite.next.terminal", "kin join \(Machine.quoted(link))" + (isForChild ? " --as-child" : ""))
        let kin = NextSteps.kin(call)
        steps.add("invite.next.vote", "\(kin) meet propose \(phrase("invite.next.example")) --public")
        steps.add("next.tail", "\(kin) tail")
        steps.say(call)
    }

    static func list(_ call: Invocation) throws(Problem) {
        let result = try call.call("invite.list")
        if call.wantsJSON { return call.output.say(result) }
        let invites = result["invites"]?.array ?? []
        guard !invites.isEmpty else { return call.output.say(phrase("invite.none")) }
        let names = try People(call).names
        var table = Table("id", "household", "role", "kind", "used", "good-until")
        for invite in invites {
            table.add(
                invite["id"]?.string ?? "", names.household(invite["household"]?.identifier),
                phrase("rank.\(invite["role"]?.string ?? "member")"),
                phrase(invite["kind"]?.string == MemberKind.child.rawValue ? "members.child" : "members.adult"),
                phrase("invite.used", ["used": invite["used"]?.int ?? 0, "uses": invite["uses"]?.int ?? 0]),
                invite["expires"]?.instant.map { LocalTime.long($0) } ?? "")
        }
        table.print(to: call.output)
    }
}
