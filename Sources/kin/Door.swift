import Glibc
import KinClient
import KinLoop

/// The daemon to which a command talks, and the member in whose name.
struct Door {
    let address: Address
    let trust: Trust
    let credential: Credential
    /// The saved sign-in, if it is the one that is used.
    let login: Login?

    /// `--socket`, then `--url`, then `--as` (which needs the socket), then the saved sign-in, then the socket.
    init(_ call: Invocation) throws(Problem) {
        // KINWIRE_AS means the same as --as. An address that was typed has a sign-in of its own.
        let twin = Machine.environment("KINWIRE_AS").flatMap { $0.isEmpty || call.value("url") != nil ? nil : $0 }
        let member = call.value("as") ?? twin
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
            self.init(address: Self.current(saved.address), login: saved)
            return
        }
        self.init(address: try Self.unix(socket), member: member)
    }

    /// The current address of a saved sign-in. This machine's daemon may have moved its socket since the sign-in was
    /// saved, for instance when a trial was installed. The token is valid there or nowhere.
    private static func current(_ saved: Address) -> Address {
        guard case .unix(let path) = saved, access(path, F_OK) != 0, let found = socketPath(),
            let address = try? Address("unix:\(found)")
        else { return saved }
        return address
    }

    /// A door to the daemon at this address, in nobody's name or the machine's.
    init(at address: Address) { self.init(address: address, member: nil) }

    /// This machine's daemon, whoever is signed in elsewhere: at the socket that was typed, or the one that is found.
    static func machine(_ call: Invocation) throws(Problem) -> Address {
        if let url = call.value("url"), call.value("socket") == nil {
            return try client { () throws(ClientFailure) in try Address(url) }
        }
        return try unix(call.value("socket"))
    }

    private static func unix(_ given: String?) throws(Problem) -> Address {
        if let path = given ?? socketPath() {
            return try client { () throws(ClientFailure) in try Address("unix:\(whole(path))") }
        }
        // A socket that this user may not open, because of itself or of the folder around it.
        let closed = runtimeFolders.first {
            access($0, F_OK) == 0 && access("\($0)/kinwire.sock", R_OK | W_OK) != 0 && errno == EACCES
        }
        throw Problem(
            .notReachable,
            closed == nil ? phrase("door.nobody") : phrase("door.closed", ["kin": Machine.typed("kin")]))
    }

    /// A path from the folder that the command is called in becomes one from the root.
    private static func whole(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
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

    /// The username of the caller, if the daemon takes the caller for a member.
    var username: String? {
        if case .member(let username) = credential { username } else { login?.username }
    }

    var isUnix: Bool { if case .unix = address { true } else { false } }

    /// The socket of this machine's daemon: the first that this user may connect to, among the places where the daemon
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
