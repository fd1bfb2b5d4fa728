import KinClient
import KinLoop
import KinModel

/// The common part of `login` and `join`: deciding whom to trust, and keeping the token.
enum SignIn {
    /// The pin for an address: given, or fetched and compared by a person. It is `nil` without TLS, or if this
    /// machine's own certificates vouch for the daemon.
    static func pin(_ call: Invocation, _ address: Address, given: Fingerprint?) throws(Problem) -> Fingerprint? {
        guard case .tcp(_, _, isTLS: true, _) = address else {
            guard address.isLocal else {
                throw .usage(phrase("signin.plain", ["address": address]))
            }
            return nil
        }
        if let text = call.value("fingerprint") {
            guard let fingerprint = Fingerprint(text) else {
                throw .usage(phrase("signin.no-fingerprint"))
            }
            return fingerprint
        }
        if let given { return given }
        let authority = try client { () throws(ClientFailure) in try PinnedAuthority.fetch(from: address) }
        guard let authority else { return nil }
        call.output.warn(phrase("signin.authority", ["address": address]))
        for line in authority.fingerprint.lines { call.output.warn("    \(line)") }
        call.output.warn(phrase("signin.compare"))
        guard Input.confirms(call, phrase("signin.same")) else {
            throw Problem(
                .notReachable,
                phrase("signin.unconfirmed"))
        }
        return authority.fingerprint
    }

    static func trust(_ pin: Fingerprint?) -> Trust { pin.map { .pinned($0) } ?? .system }

    /// A conversation without a sign-in. The daemon ends it after half a minute, so a command opens it after its
    /// questions to a person.
    static func open(_ address: Address, pin: Fingerprint?) throws(Problem) -> Conversation {
        try client { () throws(ClientFailure) in
            try Conversation.open(address, trust: trust(pin))
        }
    }

    /// A conversation with a family, without a sign-in. A daemon without a family is refused here, before a password is
    /// typed.
    static func openFamily(_ address: Address, pin: Fingerprint?) throws(Problem) -> Conversation {
        let conversation = try open(address, pin: pin)
        guard try isFounded(conversation) else { throw Problem(.refused, phrase("signin.no-family")) }
        return conversation
    }

    /// Whether the daemon has a family.
    static func isFounded(_ conversation: Conversation) throws(Problem) -> Bool {
        try client { () throws(ClientFailure) in
            try conversation.call("setUp.show", ["link": "none"])["state"]?.string == "founded"
        }
    }

    /// Keeps the token that the daemon answered.
    static func keep(
        _ result: JSON, _ address: Address, pin: Fingerprint?, username: String
    ) throws(Problem) {
        guard let token = result["token"]?.string else {
            throw Problem(.notReachable, phrase("signin.no-token"))
        }
        guard let path = Login.path else { throw .failed(phrase("signin.no-home")) }
        let login = Login(address: address, pin: pin, token: token, username: username)
        try client { () throws(ClientFailure) in
            try login.save(at: path)
            guard let secret = result["knownDevice"]?.string, let path = KnownDevice.path else { return }
            try KnownDevice.keep(secret, of: username, at: address, in: path)
        }
    }

    /// The name of the session in the member's list.
    static var device: JSON { .string("kin on \(Machine.hostName)") }
}

extension Option {
    static let trust: [Option] = [
        .value("fingerprint", "SHA256"),
        .flag("yes"),
    ]
}
