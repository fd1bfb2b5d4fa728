import KinModel
import KinWords

extension Command {
    static let members = Command(
        name: "members", usage: ["members"], words: 0...0,
        run: { (call) throws(Problem) in
            if call.wantsJSON { return call.output.say(try call.call("member.list")) }
            let people = try People(call)
            if let family = people.family {
                let title = phrase("members.family", ["family": Plain.line(family.name)])
                call.output.say(call.output.styled(title, "1"))
                call.output.say("")
            }
            let names = people.names
            var table = Table("household", "name", "username", "role", "")
            for household in people.households.sorted(by: { $0.name < $1.name }) {
                let living = people.members.filter { $0.household == household.id }
                    .sorted { $0.displayName < $1.displayName }
                for (index, member) in living.enumerated() {
                    // Nobody signs in as a screen on a wall, and it decides nothing: its username and its role are not
                    // shown.
                    let isPerson = member.kind != .wall
                    table.add(
                        index == 0 ? household.name : "", names.member(member.id), isPerson ? member.username : "",
                        isPerson ? phrase("rank.\(member.role.rawValue)") : "", Self.sort(of: member))
                }
                if living.isEmpty { table.add(household.name, phrase("members.nobody"), "", "", "") }
            }
            table.print(to: call.output)
        })

    /// The word for a member who is no adult.
    private static func sort(of member: Member) -> String {
        switch member.kind {
        case .adult: ""
        case .child: phrase("members.child")
        case .wall: phrase("members.wall")
        }
    }

    static let member = Command(
        name: "member",
        usage: [
            "member add USERNAME [--display-name NAME] [--household HOUSEHOLD] [--role ROLE] [--kind adult|child]",
            "member rename MEMBER NAME", "member grown", "member grown MEMBER yes|no",
            "member remove MEMBER --keep hand-over|delete [--to MEMBER]",
        ],
        options: [
            .value("display-name", "NAME"), .value("household", "HOUSEHOLD"),
            .value("role", "admin|head|member|guest"), .value("kind", "adult|child"),
            .value("keep", "hand-over|delete"), .value("to", "MEMBER"), .flag("yes"),
        ] + Option.password, words: 1...3,
        run: { (call) throws(Problem) in
            switch (call.words[0], call.words.count) {
            case ("add", 2): try Roster.add(call)
            case ("rename", 3):
                let member = try People(call).member(call.words[1])
                let result = try call.call(
                    "member.update", ["member": .id(member.id), "displayName": .string(call.words[2])])
                call.answer(result, phrase("member.renamed", ["name": Plain.line(call.words[2])]))
            case ("grown", 1): try Grown.ask(call)
            case ("grown", 3): try Grown.answer(call)
            case ("remove", 2): try Roster.remove(call)
            default: throw call.misused
            }
        })
}

/// The members of the family.
private enum Roster {
    static func add(_ call: Invocation) throws(Problem) {
        let people = try People(call)
        let household: Household
        if let text = call.value("household") {
            household = try people.household(text)
        } else {
            household = try people.ownHousehold()
        }
        let username = call.words[1]
        let name = call.value("display-name") ?? username
        // This is checked before a password is typed twice for nothing.
        guard !people.members.contains(where: { $0.username == username }) else {
            throw Problem(.refused, phrase("member.there-already", ["name": Plain.line(username)]))
        }
        if people.members.contains(where: { $0.displayName.lowercased() == name.lowercased() }) {
            call.output.warn(phrase("member.same-name", ["name": Plain.line(name)]))
        }
        let password = try Input.password(call, isNew: true)
        let result = try call.call(
            "member.add",
            [
                "username": .string(username), "password": .string(password), "displayName": .string(name),
                "household": .id(household.id), "role": .string(call.value("role") ?? Role.member.rawValue),
                "kind": .string(call.value("kind") ?? "adult"),
            ])
        call.answer(
            result,
            phrase("member.added", ["name": Plain.line(name), "household": Plain.line(household.name)]))
    }

    static func remove(_ call: Invocation) throws(Problem) {
        guard let keep = call.value("keep") else { throw .usage(phrase("member.keep-missing")) }
        let people = try People(call)
        let member = try people.member(call.words[1])
        let name = Plain.line(member.displayName)
        let to = try call.value("to").map { (text) throws(Problem) in JSON.id(try people.member(text).id) }
        if Input.isTerminal, !Input.confirms(call, phrase("member.remove-ask", ["name": name])) {
            return call.output.warn(phrase("sharing.unchanged"))
        }
        let result = try call.call(
            "member.remove", .object(leavingOut: ["member": .id(member.id), "keep": .string(keep), "to": to]))
        call.answer(result, phrase("member.removed", ["name": name]))
    }
}
