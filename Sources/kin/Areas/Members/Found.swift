import KinClient
import KinModel
import KinWords

extension Command {
    static let found = Command(
        name: "found",
        usage: ["found [FAMILY] [--household NAME] [--username NAME] [--display-name NAME]"],
        options: [
            .value("household", "NAME"),
            .value("username", "NAME"),
            .value("display-name", "NAME"),
            .value("link", "LINK"),
        ] + Option.trust + Option.password,
        words: 0...1, run: { (call) throws(Problem) in try Founding.run(call) })
}

private enum Founding {
    static func run(_ call: Invocation) throws(Problem) {
        let name: String
        if let word = call.words.first {
            name = word
        } else {
            guard Input.isTerminal else { throw .usage(phrase("found.missing")) }
            call.output.draw(phrase("found.ask") + " ")
            guard let line = readLine(), !line.isEmpty else { throw .usage(phrase("input.nothing")) }
            name = line
        }
        let household = try Input.text(call, "household", ask: phrase("found.ask-household"))
        let username = try Input.text(call, "username", ask: phrase("ask.username"))
        let displayName: String
        if let given = call.value("display-name") {
            displayName = given
        } else if Input.isTerminal {
            call.output.draw(phrase("found.ask-name", ["username": username]) + " ")
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
            phrase(
                "found.done",
                [
                    "family": Plain.line(name), "household": Plain.line(household), "name": Plain.line(displayName),
                ]))
        let next = "kin invite" + (call.value("link") == nil ? " --as \(username)" : "")
        call.output.say(phrase("found.next", ["command": next]))
    }

    /// At the machine, or with a link from anywhere; the link signs in too.
    private static func found(_ call: Invocation, _ params: JSON, username: String) throws(Problem) -> JSON {
        guard let text = call.value("link") else { return try call.call("family.found", params) }
        guard let link = Link(text), link.purpose == .setup else {
            throw .usage(phrase("found.link-broken"))
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
