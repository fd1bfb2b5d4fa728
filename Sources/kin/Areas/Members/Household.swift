import KinModel
import KinWords

extension Command {
    static let household = Command(
        name: "household",
        usage: [
            "household [list]", "household found NAME [--stay] [--yes]", "household rename HOUSEHOLD NAME",
            "household move MEMBER HOUSEHOLD", "household requests", "household admit MEMBER [HOUSEHOLD]",
            "household refuse MEMBER [HOUSEHOLD]",
        ],
        options: [.flag("stay"), .flag("yes")], words: 0...3,
        run: { (call) throws(Problem) in
            switch (call.words.first ?? "list", call.words.count) {
            case ("list", ...1): try Homes.list(call)
            case ("found", 2): try Homes.found(call)
            case ("rename", 3):
                let household = try People(call).household(call.words[1])
                let result = try call.call(
                    "household.rename", ["household": .id(household.id), "name": .string(call.words[2])])
                call.answer(
                    result,
                    phrase(
                        "household.renamed",
                        ["former": Plain.line(household.name), "household": Plain.line(call.words[2])]))
            case ("move", 3): try Moving.move(call)
            case ("requests", 1): try Moving.requests(call)
            case ("admit", 2...3): try Moving.admit(call, true)
            case ("refuse", 2...3): try Moving.admit(call, false)
            default: throw call.misused
            }
        })

    static let role = Command(
        name: "role", usage: ["role [MEMBER]", "role MEMBER admin|head|member|guest"], words: 0...2,
        run: { (call) throws(Problem) in
            guard call.words.count == 2 else { return try Homes.roles(call) }
            guard let role = Role(rawValue: call.words[1].lowercased()) else {
                throw .usage(phrase("role.unknown", ["role": Plain.line(call.words[1])]))
            }
            let member = try People(call).member(call.words[0])
            let result = try call.call("member.setRole", ["member": .id(member.id), "role": .string(role.rawValue)])
            call.answer(
                result,
                phrase(
                    "role.set",
                    ["member": Plain.line(member.displayName), "role": phrase("rank.\(role.rawValue)")]))
        })
}

/// Households, and the roles of their members.
private enum Homes {
    static func list(_ call: Invocation) throws(Problem) {
        if call.wantsJSON {
            return call.output.say(["households": try call.call("family.show")["households"] ?? []])
        }
        let people = try People(call)
        let names = people.names
        var table = Table("household", "members", "heads")
        for household in people.households.sorted(by: { $0.name < $1.name }) {
            let living = people.members.filter { $0.household == household.id && $0.kind != .wall }.sorted {
                $0.displayName < $1.displayName
            }
            let heads = living.filter { $0.role == .head || $0.role == .admin }.map { names.member($0.id) }
            table.add(household.name, "\(living.count)", heads.joined(separator: ", "))
        }
        table.print(to: call.output)
    }

    static func found(_ call: Invocation) throws(Problem) {
        let stays = call.has("stay")
        if !stays { try settleMove(call) }
        let result = try call.call(
            "household.found",
            .object(leavingOut: ["name": .string(call.words[1]), "stay": stays ? true : nil]))
        let name = Plain.line(call.words[1])
        call.answer(result, phrase(stays ? "household.founded-empty" : "household.founded", ["household": name]))
    }

    /// Asks a member who would move out of a household, and says what ends with that.
    private static func settleMove(_ call: Invocation) throws(Problem) {
        guard !call.has("yes"), let username = try call.door().username else { return }
        let people = try People(call)
        let names = people.names
        guard let me = people.members.first(where: { $0.username == username }) else { return }
        var question = phrase(
            "household.moves-out",
            ["former": names.household(me.household), "household": Plain.line(call.words[1])])
        for child in people.members where child.kind == .child && child.household == me.household {
            let sharing = try? call.call("sharing.show", ["member": .id(child.id)])["sharing"]
            guard sharing?["heldBy"]?.identifier == me.id else { continue }
            question += " " + phrase("household.hold-ends", ["child": names.member(child.id)])
        }
        guard !Input.confirms(call, question + " " + phrase("household.found-it")) else { return }
        throw .usage(Input.isTerminal ? phrase("input.undone") : question + " " + phrase("input.say-yes"))
    }

    /// Shows the roles of one member, or of all.
    static func roles(_ call: Invocation) throws(Problem) {
        let people = try People(call)
        // A screen on a wall decides nothing, so its role is not shown.
        let shown =
            try call.words.first.map { (text) throws(Problem) in [try people.member(text)] }
            ?? people.members.filter { $0.kind != .wall }
        if call.wantsJSON {
            let roles: [JSON] = shown.map { member in
                [
                    "member": .id(member.id), "username": .string(member.username),
                    "role": .string(member.role.rawValue),
                ]
            }
            return call.output.say(["roles": .array(roles)])
        }
        let names = people.names
        var table = Table("name", "role", "may")
        for member in shown.sorted(by: { $0.displayName < $1.displayName }) {
            let role = member.role.rawValue
            table.add(names.member(member.id), phrase("rank.\(role)"), phrase("rank.\(role).may"))
        }
        table.print(to: call.output)
    }
}
