import KinModel

extension Command {
    static let found = Command(
        name: "found", summary: "found the family, its first household and its first admin",
        usage: ["found [FAMILY] [--household NAME] [--username NAME] [--display-name NAME]"],
        options: [
            .value("household", "NAME", "the first household"),
            .value("username", "NAME", "what the first admin signs in with: a-z 0-9 . _ -"),
            .value("display-name", "NAME", "what others read; the username if left out"),
            .value("link", "LINK", "the set-up link that the daemon printed, when this is not its machine"),
        ] + Option.password,
        details: "Asks for what is missing when run on a terminal. Once per daemon, at its machine as root or its own user.",
        words: 0...1, run: { (call) throws(Problem) in try Founding.run(call) })
}

private enum Founding {
    static func run(_ call: Invocation) throws(Problem) {
        let name: String
        if let word = call.words.first {
            name = word
        } else {
            guard Input.isTerminal else { throw .usage("The family's name is missing: kin found NAME.") }
            call.output.draw("The family's name: ")
            guard let line = readLine(), !line.isEmpty else { throw .usage("Nothing was entered; nothing was done.") }
            name = line
        }
        let household = try Input.text(call, "household", ask: "The first household's name")
        let username = try Input.text(call, "username", ask: "Your username (a-z 0-9 . _ -)")
        let displayName: String
        if let given = call.value("display-name") {
            displayName = given
        } else if Input.isTerminal {
            call.output.draw("Your name as others read it [\(username)]: ")
            displayName = readLine().flatMap { $0.isEmpty ? nil : $0 } ?? username
        } else {
            displayName = username
        }
        let password = try Input.password(call, isNew: true)
        let result = try call.call(
            "family.found",
            .object(leavingOut: [
                "name": .string(name), "household": .string(household), "username": .string(username),
                "password": .string(password), "displayName": .string(displayName),
                "link": call.value("link").map { .string(code(of: $0)) },
            ]))
        if call.wantsJSON { return call.output.say(result) }
        call.output.say(
            "The family \(Plain.line(name)) is founded, with the household \(Plain.line(household)) and "
                + "\(Plain.line(displayName)) as its admin.")
        call.output.say("Next: kin invite --as \(username)")
    }

    /// The secret at the end of a set-up link, or the text itself.
    private static func code(of link: String) -> String {
        String(link.prefix { $0 != "#" }.split(separator: "/").last ?? "")
    }
}
