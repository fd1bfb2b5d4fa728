import KinClient
import KinModel

extension Command {
    static let join = Command(
        name: "join",
        usage: ["join LINK [--username NAME] [--display-name NAME]", "join CODE --url URL"],
        options: [
            .value("username", "NAME"),
            .value("display-name", "NAME"),
        ] + Option.trust + Option.password,
        words: 1...1, run: { (call) throws(Problem) in try Joining.run(call) })
}

private enum Joining {
    static func run(_ call: Invocation) throws(Problem) {
        let link = Link(call.words[0])
        guard link != nil || !call.words[0].contains("/") else {
            throw .usage(phrase("join.link-broken"))
        }
        if link?.purpose == .setup {
            throw .usage(phrase("join.link-founds", ["link": Plain.line(call.words[0])]))
        }
        let door = link == nil ? try call.door() : nil
        guard let address = link?.address ?? door?.address else { return }
        var pin = door?.login?.pin
        if pin == nil { pin = try SignIn.pin(call, address, given: link?.fingerprint) }
        let username = try Input.text(call, "username", ask: phrase("ask.username"))
        let password = try Input.password(call, isNew: true)
        let conversation = try SignIn.open(address, pin: pin)
        let params: JSON = [
            "code": .string(link?.code ?? call.words[0]), "username": .string(username),
            "password": .string(password), "displayName": .string(call.value("display-name") ?? username),
            "device": SignIn.device,
        ]
        let result = try client { () throws(ClientFailure) in try conversation.call("member.join", params) }
        // At the daemon's machine --as does; a sign-in would send every later command over the network.
        if door?.isUnix != true { try SignIn.keep(result, address, pin: pin, username: username) }
        if call.wantsJSON {
            var shown = result
            shown["token"] = nil
            return call.output.say(shown)
        }
        let name = Plain.line(result["member"]?["displayName"]?.string ?? username)
        call.output.say(phrase("join.welcome", ["name": name]) + (door?.isUnix == true ? " --as \(username)" : ""))
    }
}
