import KinModel

extension Command {
    static let members = Command(
        name: "members", summary: "list the family by household", usage: ["members"], words: 0...0,
        run: { (call) throws(Problem) in
            if call.wantsJSON { return call.output.say(try call.call("member.list")) }
            let people = try People(call)
            if let family = people.family {
                call.output.say(call.output.styled("The family \(Plain.line(family.name))", "1"))
                call.output.say("")
            }
            var table = Table("HOUSEHOLD", "NAME", "USERNAME", "ROLE", "")
            for household in people.households.sorted(by: { $0.name < $1.name }) {
                let living = people.members.filter { $0.household == household.id }
                    .sorted { $0.displayName < $1.displayName }
                for (index, member) in living.enumerated() {
                    table.add(
                        index == 0 ? household.name : "", member.displayName, member.username, member.role.rawValue,
                        member.kind == .child ? "child" : "")
                }
                if living.isEmpty { table.add(household.name, "(nobody)", "", "", "") }
            }
            table.print(to: call.output)
        })
}
