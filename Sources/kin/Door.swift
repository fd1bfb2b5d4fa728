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
                    throw .usage("--as works over the Unix socket only; leave --url out, or sign in: kin login \(url)")
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
                "No daemon was found on this machine and nobody is signed in. Start kinwired, or run: kin login URL.")
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

    /// Where this machine's daemon has its socket: the first that this user may talk to, by the same rule as the
    /// daemon's choice of its runtime directory.
    static func socketPath() -> String? {
        if let path = Machine.environment("KINWIRE_SOCKET"), !path.isEmpty { return path }
        return runtimeFolders.map { "\($0)/kinwire.sock" }.first { access($0, R_OK | W_OK) == 0 }
    }

    private static var runtimeFolders: [String] {
        var folders: [String] = []
        if let folder = Machine.environment("KINWIRE_RUNTIME"), !folder.isEmpty { folders.append(folder) }
        folders.append("/run/kinwire")
        if let folder = Machine.environment("XDG_RUNTIME_DIR"), !folder.isEmpty { folders.append("\(folder)/kinwire") }
        let temporary = Machine.environment("TMPDIR") ?? "/tmp"
        folders.append("\(temporary)/kinwire-\(Machine.effectiveUserID)")
        return folders
    }
}
