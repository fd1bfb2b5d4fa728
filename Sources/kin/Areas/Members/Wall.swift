import KinModel
import KinWords

extension Command {
    static let wall = Command(
        name: "wall",
        usage: ["wall [list]", "wall add NAME [--household HOUSEHOLD]", "wall pair MEMBER", "wall rm MEMBER"],
        options: [.value("household", "HOUSEHOLD")], words: 0...2,
        run: { (call) throws(Problem) in
            switch (call.words.first ?? "list", call.words.count) {
            case ("list", ...1): try Walls.list(call)
            case ("add", 2): try Walls.add(call)
            case ("pair", 2):
                let wall = try Walls.named(call.words[1], People(call))
                try Walls.show(try call.call("session.link", ["member": .id(wall.id)]), wall.displayName, call)
            case ("rm", 2):
                let wall = try Walls.named(call.words[1], People(call))
                let result = try call.call("member.remove", ["member": .id(wall.id), "keep": "delete"])
                call.answer(result, phrase("wall.removed", ["name": Plain.line(wall.displayName)]))
            default: throw call.misused
            }
        })
}

/// Screens on walls.
private enum Walls {
    static func list(_ call: Invocation) throws(Problem) {
        let result = try call.call("wall.list")
        if call.wantsJSON { return call.output.say(result) }
        let walls = result["walls"]?.array ?? []
        guard !walls.isEmpty else { return call.output.say(phrase("wall.none")) }
        let names = try People(call).names
        var table = Table("name", "household", "")
        for wall in walls {
            let paired = wall["pairedAt"]?.instant
            table.add(
                Plain.line(wall["name"]?.string ?? ""), names.household(wall["household"]?.identifier),
                paired.map { phrase("wall.paired", ["time": LocalTime.long($0)]) } ?? phrase("wall.not-paired"))
        }
        table.print(to: call.output)
    }

    static func add(_ call: Invocation) throws(Problem) {
        let people = try People(call)
        let household: Household
        if let text = call.value("household") {
            household = try people.household(text)
        } else if let own = people.members.first(where: { $0.username == people.username })?.household,
            let found = people.households.first(where: { $0.id == own })
        {
            household = found
        } else if people.households.count == 1 {
            household = people.households[0]
        } else {
            throw .usage(phrase("member.which-household"))
        }
        let name = call.words[1]
        try show(
            try call.call("wall.add", ["name": .string(name), "household": .id(household.id)]), name, call)
    }

    /// The link that pairs a device, as text and as a code to scan.
    static func show(_ made: JSON, _ name: String, _ call: Invocation) throws(Problem) {
        let site = try Site(call.door())
        let link = site.link("wall/\(made["link"]?.string ?? "")")
        if call.wantsJSON {
            var made = made
            made["link"] = .string(link)
            return call.output.say(made)
        }
        call.output.say(phrase("wall.link", ["name": Plain.line(name), "link": link]))
        if let until = made["expires"]?.instant {
            call.output.say(phrase("wall.good", ["date": LocalTime.long(until)]))
        }
        site.draw(qr: link, call)
        site.sayReach(call)
    }

    static func named(_ text: String, _ people: People) throws(Problem) -> Member {
        let walls = people.members.filter { $0.kind == .wall }
        let named = walls.filter { $0.id.description == text || $0.displayName.lowercased() == text.lowercased() }
        guard named.count == 1 else { throw Problem(.refused, phrase("wall.unknown", ["name": Plain.line(text)])) }
        return named[0]
    }
}
