import KinClient
import KinLoop
import KinModel
import KinWords

extension Command {
    static let login = Command(
        name: "login",
        usage: ["login URL [--username NAME] [--fingerprint SHA256]"],
        options: [.value("username", "NAME")] + Option.trust + Option.password,
        words: 1...1,
        run: { (call) throws(Problem) in
            let text = call.words[0]
            let address = try client { () throws(ClientFailure) in try Address(text) }
            let fragment = text.split(separator: "#", maxSplits: 1).dropFirst().first.flatMap { Fingerprint($0) }
            let pin = try SignIn.pin(call, address, given: fragment)
            _ = try SignIn.openFamily(address, pin: pin)
            let username = try Input.text(call, "username", ask: phrase("ask.own-username")).lowercased()
            let password = try Input.password(call, isNew: false)
            // Typing takes longer than a connection may last without a sign-in.
            let conversation = try SignIn.open(address, pin: pin)
            let known = KnownDevice.secret(of: username, at: address, in: KnownDevice.path)
            let result = try client { () throws(ClientFailure) in
                try conversation.call(
                    "session.open",
                    .object(leavingOut: [
                        "username": .string(username), "password": .string(password), "device": SignIn.device,
                        "knownDevice": known.map { .string($0) },
                    ]))
            }
            try SignIn.keep(result, address, pin: pin, username: username)
            if call.wantsJSON {
                return call.output.say(["member": result["member"] ?? .null, "url": .string(address.description)])
            }
            let name = Plain.line(result["member"]?["displayName"]?.string ?? username)
            call.output.say(phrase("login.done", ["name": name]))
            Joining.next(call, kin: Machine.typed("kin"), page: nil)
        })

    static let logout = Command(
        name: "logout", usage: ["logout"], words: 0...0,
        run: { (call) throws(Problem) in
            guard let path = KinClient.Login.path,
                let login = try client({ () throws(ClientFailure) in try KinClient.Login.saved(at: path) })
            else { throw Problem(.notSignedIn, phrase("logout.nobody")) }
            var ended = true
            do throws(ClientFailure) {
                let conversation = try Conversation.open(
                    login.address, trust: login.trust, credential: .token(login.token))
                _ = try conversation.call("session.close")
            } catch {
                if case .refused = error {} else { ended = false }
            }
            try client { () throws(ClientFailure) in try KinClient.Login.forget(at: path) }
            if !ended {
                call.output.warn(
                    phrase("logout.not-told"))
            }
            call.output.say(phrase("logout.done"))
        })
}
