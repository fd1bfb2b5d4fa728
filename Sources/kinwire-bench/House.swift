import Glibc
import KinClient
import KinModel

/// A daemon with a family of one admin, and ways to it.
final class House {
    static let username = "ada"
    static let password = "nine lanterns over the quiet harbour"

    let directory: String
    let child: Child
    let port: UInt16
    /// Microseconds from the start of the process to its words that it listens.
    let readyAfter: Double
    private let started: Double
    private let socketFolder: Place

    /// Starts a daemon on a directory. `counted`: this program as a daemon that tells its syncs.
    /// `traced`: where the C library says what it allocates, for the same.
    init(_ directory: String, _ options: Options, counted: Bool = false, traced: String? = nil) throws(Trouble) {
        self.directory = directory
        // A path that fits into a socket's address, wherever the data lies.
        socketFolder = try Place(in: "/tmp")
        started = Clock.microseconds
        let flags = ["--data", directory, "--listen", "127.0.0.1:0", "--unix", socketFolder.path + "/s"]
        if let traced {
            setenv("MALLOC_TRACE", traced, 1)
            setenv("LD_PRELOAD", "libc_malloc_debug.so.0", 1)
        }
        defer { for name in ["MALLOC_TRACE", "LD_PRELOAD"] where traced != nil { unsetenv(name) } }
        child =
            counted
            ? try Child(Place.program, ["counted-daemon", "--dir", directory, "--keep", socketFolder.path + "/s"])
            : try Child(options.daemon ?? Place.daemon, flags)
        var port: UInt16?
        var said = ""
        while port == nil, let line = child.line() {
            said = line
            guard let range = line.firstRange(of: "Listening on 127.0.0.1:") else { continue }
            port = UInt16(line[range.upperBound...].filter { $0.isNumber })
        }
        readyAfter = Clock.microseconds - started
        guard let port else { throw Trouble("The daemon did not start: \(said)") }
        self.port = port
    }

    /// How many syncs there were; for a daemon that counts them. `asking` it for something on the way.
    @discardableResult
    func syncs(asking line: String = "") throws(Trouble) -> Int {
        child.ask(line)
        while let line = child.line() {
            if line.hasPrefix("syncs "), let count = Int(line.dropFirst(6)) { return count }
        }
        throw Trouble("The daemon is gone.")
    }

    /// Microseconds since the process was started.
    var age: Double { Clock.microseconds - started }

    var unix: Address { .unix(path: socketFolder.path + "/s") }

    func conversation(as member: String? = nil) throws(Trouble) -> Conversation {
        try attempt { try Conversation.open(unix, credential: member.map { .member($0) } ?? .none) }
    }

    /// Founds the family.
    func found() throws(Trouble) {
        let machine = try conversation()
        try attempt {
            _ = try machine.call(
                "family.found",
                [
                    "name": "Lovelace", "household": "Harbour", "username": .string(Self.username),
                    "password": .string(Self.password), "displayName": "Ada",
                ])
        }
    }

    /// Signs the admin in; answers the token.
    func signIn() throws(Trouble) -> String {
        let line = try attempt {
            try Conversation.open(.tcp(host: "127.0.0.1", port: port, isTLS: false, envelope: .lines))
        }
        let opened = try attempt {
            try line.call(
                "session.open", ["username": .string(Self.username), "password": .string(Self.password)])
        }
        guard let token = opened["token"]?.string else { throw Trouble("The daemon gave no token.") }
        return token
    }

    /// A plain connection, signed in; following if asked.
    func client(_ envelope: Address.Envelope, token: String, follows: Bool) throws(Trouble) -> LeanClient {
        let client = try LeanClient(port: port, envelope)
        try client.open()
        try client.ask("session.resume", ["token": .string(token)])
        if follows { try client.ask("live.follow", ["since": .null]) }
        return client
    }
}
