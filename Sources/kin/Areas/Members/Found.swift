import KinClient
import KinLoop
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
        words: 0...1, run: { (call) throws(Problem) in try Founding(call).run() })
}

/// The first command of a family. It looks for the daemon before it asks anything, and repeats only the questions whose
/// answers were wrong.
struct Founding {
    private let call: Invocation
    /// The daemon's address.
    private let address: Address
    private let pin: Fingerprint?
    /// The code of the set-up link; `nil` at the machine.
    private let code: String?

    init(_ call: Invocation) throws(Problem) {
        self.call = call
        if let text = call.value("link") {
            guard let link = Link(text), link.purpose == .setup else { throw .usage(phrase("found.link-broken")) }
            address = link.address
            pin = try SignIn.pin(call, link.address, given: link.fingerprint)
            code = link.code
        } else {
            // Neither a sign-in elsewhere nor --as decides where a family is founded.
            address = try Door.machine(call)
            pin = nil
            code = nil
        }
    }

    func run() throws(Problem) {
        let state = try client { () throws(ClientFailure) in
            try Conversation.open(address, trust: SignIn.trust(pin)).call(
                "setUp.show", ["link": .string(code ?? "none")])
        }["state"]?.string
        if state == "founded" { throw Problem(.refused, phrase("found.already")) }
        if code != nil, state == "old" { throw Problem(.refused, phrase("found.link-old")) }
        var answers = try Answers(call)
        var result: JSON = .null
        // Typing takes longer than a connection may last without a sign-in, so each try opens a new one.
        var conversation = try SignIn.open(address, pin: pin)
        while true {
            do throws(ClientFailure) {
                result = try conversation.call("family.found", answers.params(code), timeoutMilliseconds: 60_000)
                break
            } catch {
                guard case .refused(let rejection) = error, try answers.corrects(rejection) else {
                    throw Problem(error)
                }
                conversation = try SignIn.open(address, pin: pin)
            }
        }
        let isSignedIn = try signIn(&result, answers, conversation)
        if call.wantsJSON { return call.output.say(result) }
        call.output.say(
            phrase(
                "found.done",
                [
                    "family": Plain.line(answers.name), "household": Plain.line(answers.household),
                    "name": Plain.line(answers.displayName),
                ]))
        try sayNext(isSignedIn, answers.username)
    }

    // MARK: Signed in from here on

    /// Keeps a sign-in for the founder; under `sudo`, for the user who called it. A sign-in that exists already stays.
    private func signIn(
        _ result: inout JSON, _ answers: Answers, _ conversation: Conversation
    ) throws(Problem) -> Bool {
        let person = Machine.caller
        let path = person.map { "\($0.home)/.config/kinwire/login.json" } ?? Login.path
        if code != nil {
            try SignIn.keep(result, address, pin: pin, username: answers.username)
            result["token"] = nil
            return true
        }
        result["token"] = nil
        guard let path, !Files.exists(path) else { return false }
        // The user who called sudo may not open the socket. So that user's sign-in uses the address that others use.
        let site = person == nil ? nil : try? Site(Door(at: address))
        guard let door = person == nil ? address : site.flatMap({ try? Address($0.url) }),
            let opened = try? conversation.call(
                "session.open",
                [
                    "username": .string(answers.username), "password": .string(answers.password),
                    "device": SignIn.device,
                ]),
            let token = opened["token"]?.string
        else { return false }
        let login = Login(address: door, pin: site?.fingerprint, token: token, username: answers.username)
        func isKept() -> Bool { (try? login.save(at: path)) != nil }
        guard let person else { return isKept() }
        return Machine.with(rightsOf: person, isKept) ?? false
    }

    /// Prints three steps, each to be typed or opened as it stands.
    private func sayNext(_ isSignedIn: Bool, _ username: String) throws(Problem) {
        let kin = Machine.typed("kin")
        let socket = call.value("socket").map { " --socket \(Machine.quoted($0))" } ?? ""
        let rest = isSignedIn ? "" : "\(socket) --as \(username)"
        let sudo = !isSignedIn && Machine.caller != nil ? "sudo " : ""
        let site = code == nil ? try? Site(Door(at: address)) : try? Site(call.door())
        var steps = NextSteps()
        steps.add("found.next.page", site.map { "\($0.url)/" })
        steps.add("found.next.phone", "\(sudo)\(kin) phone add \(phrase("found.next.phone-name"))\(rest)")
        steps.add("found.next.invite", "\(sudo)\(kin) invite\(rest)")
        steps.say(call)
    }
}

/// The fields of a new family and its first admin.
private struct Answers {
    private let call: Invocation
    private(set) var name: String
    private(set) var household: String
    private(set) var username: String
    private(set) var displayName: String
    private(set) var password: String

    init(_ call: Invocation) throws(Problem) {
        self.call = call
        if let word = call.words.first {
            name = word
        } else {
            guard Input.isTerminal else { throw .usage(phrase("found.missing")) }
            name = try Input.line(call, phrase("found.ask"))
        }
        household = try Input.text(call, "household", ask: phrase("found.ask-household"))
        username = try Input.username(call)
        displayName = try Input.displayName(call, username)
        password = try Input.password(call, isNew: true)
    }

    func params(_ code: String?) -> JSON {
        .object(leavingOut: [
            "name": .string(name), "household": .string(household), "username": .string(username),
            "password": .string(password), "displayName": .string(displayName), "link": code.map { .string($0) },
            "device": code.map { _ in SignIn.device },
        ])
    }

    /// Asks again at the terminal, only for the field that was refused. Answers `false` if nobody can be asked.
    mutating func corrects(_ rejection: Rejection) throws(Problem) -> Bool {
        guard Input.isTerminal, let field = rejection.field else { return false }
        call.output.warn(Problem(rejection).sentence)
        switch field {
        case "name": name = try Input.line(call, phrase("found.ask"))
        case "household": household = try Input.line(call, phrase("found.ask-household") + ":")
        case "username": username = try Input.line(call, phrase("ask.username") + ":")
        case "displayName": displayName = try Input.askedName(call, username)
        case "password": password = try Input.newPassword()
        default: return false
        }
        return true
    }
}
