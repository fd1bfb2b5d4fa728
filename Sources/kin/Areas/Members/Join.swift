import KinClient
import KinLoop
import KinModel
import KinWords

extension Command {
    static let join = Command(
        name: "join",
        usage: ["join LINK [--username NAME] [--display-name NAME] [--as-child]", "join CODE --url URL"],
        options: [
            .value("username", "NAME"),
            .value("display-name", "NAME"), .flag("as-child"),
        ] + Option.trust + Option.password,
        words: 1...1, run: { (call) throws(Problem) in try Joining.run(call) })
}

enum Joining {
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
        let code = JSON.string(link?.code ?? call.words[0])
        let conversation = try SignIn.openFamily(address, pin: pin)
        let invite = try client { () throws(ClientFailure) in
            try conversation.call("invite.show", ["code": code])
        }
        let isForChild = invite["kind"]?.string == MemberKind.child.rawValue
        if isForChild, !call.has("as-child") {
            guard Input.isTerminal else { throw .usage(phrase("join.as-child-missing")) }
            guard Input.confirms(call, phrase("join.as-child-ask")) else {
                throw Problem(.refused, phrase("join.not-as-child"))
            }
        }
        var username = try Input.username(call)
        let displayName = try Input.displayName(call, username)
        let password = try Input.password(call, isNew: true)
        var params: JSON = [
            "code": code, "password": .string(password), "displayName": .string(displayName), "device": SignIn.device,
        ]
        if isForChild { params["asChild"] = true }
        var joined: JSON?
        while joined == nil {
            params["username"] = .string(username)
            do throws(ClientFailure) {
                // Typing takes longer than a connection may last without a sign-in.
                joined = try Conversation.open(address, trust: SignIn.trust(pin)).call("member.join", params)
            } catch {
                // The username is taken, so only another username is asked for.
                guard case .refused(let rejection) = error, rejection.data["field"]?.string == "username",
                    Input.isTerminal, call.value("username") == nil
                else { throw Problem(error) }
                call.output.warn(Problem(error).sentence)
                username = try Input.line(call, phrase("ask.username") + ":")
            }
        }
        let result = joined ?? .null
        // At the daemon's machine, --as is enough. With a sign-in every later command would go over the network.
        if door?.isUnix != true { try SignIn.keep(result, address, pin: pin, username: username) }
        if call.wantsJSON {
            var shown = result
            shown["token"] = nil
            return call.output.say(shown)
        }
        let name = Plain.line(result["member"]?["displayName"]?.string ?? username)
        call.output.say(phrase("join.welcome", ["name": name]))
        let machine = door?.isUnix == true ? " --as \(Machine.quoted(username))" : ""
        let socket = call.value("socket").map { " --socket \(Machine.quoted($0))" } ?? ""
        let page = door?.isUnix != true ? try? Site(call.door()).url : nil
        next(call, kin: Machine.typed("kin") + (machine.isEmpty ? "" : socket + machine), page: page)
    }

    /// The next steps for somebody who has just joined.
    static func next(_ call: Invocation, kin: String, page: String?) {
        var steps = NextSteps()
        steps.add("found.next.page", page.map { "\($0)/" })
        steps.add("next.votes", "\(kin) meet")
        steps.add("next.where", "\(kin) where")
        steps.add("found.next.phone", "\(kin) phone add \(phrase("found.next.phone-name"))")
        steps.add("next.share", "\(kin) sharing on")
        steps.add("next.tail", "\(kin) tail")
        steps.say(call)
    }
}
