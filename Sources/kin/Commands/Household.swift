import KinModel

extension Command {
    static let household = Command(
        name: "household", summary: "found or rename a household, or move a member",
        usage: ["household found NAME [--stay]", "household rename HOUSEHOLD NAME", "household move MEMBER HOUSEHOLD"],
        options: [.flag("stay", "with found: nobody moves in, it waits for an invite; for admins")],
        details: "Who founds a household moves into it as its head.", words: 2...3,
        run: { (call) throws(Problem) in
            let result: JSON
            switch (call.words[0], call.words.count) {
            case ("found", 2):
                result = try call.call(
                    "household.found",
                    .object(leavingOut: ["name": .string(call.words[1]), "stay": call.has("stay") ? true : nil]))
            case ("rename", 3):
                let household = try People(call).household(call.words[1])
                result = try call.call(
                    "household.rename", ["household": .id(household.id), "name": .string(call.words[2])])
            case ("move", 3):
                let people = try People(call)
                result = try call.call(
                    "household.move",
                    [
                        "member": .id(try people.member(call.words[1]).id),
                        "household": .id(try people.household(call.words[2]).id),
                    ])
            default: throw .usage("kin household found NAME, rename HOUSEHOLD NAME or move MEMBER HOUSEHOLD.")
            }
            if call.wantsJSON { call.output.say(result) } else { call.output.say("Done.") }
        })

    static let role = Command(
        name: "role", summary: "say what a member may do", usage: ["role MEMBER admin|head|member|guest"], words: 2...2,
        run: { (call) throws(Problem) in
            guard let role = Role(rawValue: call.words[1]) else {
                throw .usage("\(Plain.line(call.words[1])) is no role; there are admin, head, member and guest.")
            }
            let member = try People(call).member(call.words[0])
            let result = try call.call("member.setRole", ["member": .id(member.id), "role": .string(role.rawValue)])
            if call.wantsJSON { return call.output.say(result) }
            call.output.say("\(Plain.line(member.displayName)) is now \(role.rawValue).")
        })
}
