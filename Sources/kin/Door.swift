import Glibc
import KinClient
import KinLoop

/// Which daemon a command talks to, and as whom.
struct Door {
    let address: Address
    let trust: Trust
    let credential: Credential
    /// The saved sign-in, when it is what counts.
    let login: Login?

    /// `--socket`, then `--url`, then `--as` (which needs the socket), then the saved sign-in, then the socket.
    init(_ call: Invocation) throws(Problem) {
        let member = call.value("as")
        let socket = call.value("socket")
        if let url = call.value("url"), socket == nil {
            let address = try client { () throws(ClientFailure) in try Address(url) }
            if case .tcp = address {
                guard member == nil else {
                    throw .usage(phrase("door.as-and-url", ["url": url]))
                }
                let saved = try client { () throws(ClientFailure) in try Login.saved(at: Login.path) }
                let login = saved.flatMap { $0.address == address ? $0 : nil }
                self.init(address: address, login: login)
                return
            }
            self.init(address: address, member: member)
            return
        }
        if socket == nil, member == nil,
            let saved = try client({ () throws(ClientFailure) in try Login.saved(at: Login.path) })
        {
            self.init(address: saved.address, login: saved)
            return
        }
        guard let path = socket ?? Self.socketPath() else {
            throw Problem(
                .notReachable,
                phrase("door.nobody"))
        }
        self.init(address: try client { () throws(ClientFailure) in try Address("unix:\(path)") }, member: member)
    }

    private init(address: Address, login: Login?) {
        self.address = address
        self.login = login
        trust = login?.trust ?? .system
        credential = login.map { .token($0.token) } ?? .none
    }

    private init(address: Address, member: String?) {
        self.address = address
        login = nil
        trust = .system
        credential = member.map { .member($0.lowercased()) } ?? .none
    }

    /// Whom the daemon takes the caller for, when it is a member.
    var username: String? {
        if case .member(let username) = credential { username } else { login?.username }
    }

    var isUnix: Bool { if case .unix = address { true } else { false } }

    /// Where this machine's daemon has its socket: the first that this user may talk to, in the places where the daemon
    /// puts it.
    static func socketPath() -> String? {
        for variable in ["KINWIRE_SOCKET", "KINWIRE_UNIX"] {
            if let path = Machine.environment(variable), !path.isEmpty { return path }
        }
        return runtimeFolders.map { "\($0)/kinwire.sock" }.first { access($0, R_OK | W_OK) == 0 }
    }

    private static var runtimeFolders: [String] {
        var folders = ["/run/kinwire"]
        if let folder = Machine.environment("XDG_RUNTIME_DIR"), !folder.isEmpty { folders.append("\(folder)/kinwire") }
        return folders + ["/tmp/kinwire-\(Machine.effectiveUserID)"]
    }
}
