import KinClient
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
        ] + Option.trust + Option.password,
        details: """
            Asks for what is missing when run on a terminal. Once per daemon: at its machine, as root or its own user, or
            from anywhere with the set-up link that it printed at its first start.
            """,
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
        let params: JSON = [
            "name": .string(name), "household": .string(household), "username": .string(username),
            "password": .string(password), "displayName": .string(displayName),
        ]
        var result = try found(call, params, username: username)
        // Kept in the sign-in, not to be shown.
        result["token"] = nil
        if call.wantsJSON { return call.output.say(result) }
        call.output.say(
            "The family \(Plain.line(name)) is founded, with the household \(Plain.line(household)) and "
                + "\(Plain.line(displayName)) as its admin.")
        call.output.say("Next: kin invite" + (call.value("link") == nil ? " --as \(username)" : ""))
    }

    /// At the machine, or with a link from anywhere; the link signs in too.
    private static func found(_ call: Invocation, _ params: JSON, username: String) throws(Problem) -> JSON {
        guard let text = call.value("link") else { return try call.call("family.found", params) }
        guard let link = Link(text), link.purpose == .setup else {
            throw .usage("--link is not a whole set-up link; copy it again, from https to its end.")
        }
        let pin = try SignIn.pin(call, link.address, given: link.fingerprint)
        var params = params
        params["link"] = .string(link.code)
        params["device"] = SignIn.device
        let conversation = try SignIn.open(link.address, pin: pin)
        let result = try client { () throws(ClientFailure) in try conversation.call("family.found", params) }
        try SignIn.keep(result, link.address, pin: pin, username: username)
        return result
    }
}
