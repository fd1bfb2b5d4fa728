import Glibc
import KinCodec
import KinCrypto
import KinModel
import Testing

/// The real daemon with its folder, started and ended at will; it keeps its port.
final class House {
    let stage: Stage
    let data: String
    let socket: String
    private(set) var daemon: Program
    private(set) var port: UInt16 = 0
    /// What the first start printed: the set-up link among it.
    private(set) var firstWords = ""

    /// Beside those that every house has.
    private let flags: [String]
    /// What the daemon's environment has besides, as `NAME=value`.
    private let environment: [String]

    init(
        _ stage: Stage, data: String = "data", isNew: Bool = true, flags: [String] = [], environment: [String] = []
    ) throws {
        self.stage = stage
        self.environment = environment
        self.flags = flags
        self.data = stage.folder + "/" + data
        socket = stage.folder + "/kinwire.sock"
        daemon = stage.start(Self.command(self.data, socket, 0, environment) + flags)
        try started()
        guard isNew else { return }
        try stage.wait("the set-up link") { daemon.lines.contains { $0.contains("kin found") } }
        firstWords = daemon.lines.joined(separator: "\n")
    }

    static func command(
        _ data: String, _ socket: String, _ port: UInt16, _ environment: [String] = []
    ) -> [String] {
        (environment.isEmpty ? ["kinwired"] : ["env"] + environment + [Stage.built + "/kinwired"])
            + ["--data", data, "--listen", "127.0.0.1:\(port)", "--unix", socket]
    }

    /// Plain HTTP, which loopback may speak.
    var url: String { "http://127.0.0.1:\(port)" }

    /// SIGKILL: no goodbye.
    func kill() { daemon.kill() }

    /// On the same port and data.
    func start() throws {
        daemon = stage.start(Self.command(data, socket, port, environment) + flags)
        try started()
    }

    /// Starts it and kills it some microseconds later, in the middle of that.
    func startInVain(microseconds: UInt64) {
        let daemon = stage.start(Self.command(data, socket, port) + flags)
        let end = Stage.seconds + Double(microseconds) / 1e6
        while Stage.seconds < end { daemon.take() }
        daemon.kill()
    }

    private func started() throws {
        let daemon = daemon
        try stage.wait("the daemon") { daemon.said.contains("Listening on \(socket)") || daemon.status != nil }
        let lead = "Listening on 127.0.0.1:"
        let line = daemon.said.split(separator: "\n").first { $0.contains(lead) }
        port = try #require(
            line?.split(separator: ":").last.flatMap { UInt16($0.prefix { $0.isNumber }) }, "\(daemon.said)")
    }

    /// A connection over the Unix socket: the administrator at the machine, or a member.
    func door(as username: String? = nil) throws -> LineClient {
        let client = try LineClient(unix: socket)
        if let username { _ = try client.call("session.as", ["username": .string(username)]) }
        return client
    }

    /// The root's SHA-256, from the data directory.
    var fingerprint: String {
        get throws {
            let lines = try stage.run("cat", data + "/authority/root.crt").lines.filter { !$0.hasPrefix("-----") }
            return Hex.encode(Digest.sha256(try #require(Base64.decode(lines.joined()))))
        }
    }

    static let password = "correct horse battery staple"

    /// Founds the family with its admin, `ada`.
    func found() throws {
        _ = try door().call(
            "family.found",
            [
                "name": "Lovelace", "household": "Ockham", "username": "ada", "password": .string(Self.password),
                "displayName": "Ada",
            ])
    }

    /// Somebody joins with a code of an invite.
    func join(_ username: String) throws {
        let code = try door(as: "ada").call("invite.create", [:])["code"] ?? .null
        _ = try door().call(
            "member.join",
            [
                "code": code, "username": .string(username), "password": .string(Self.password),
                "displayName": .string(username.prefix(1).uppercased() + username.dropFirst()),
            ])
    }

    /// A session's token.
    func token(_ username: String) throws -> String {
        let result = try door().call(
            "session.open",
            ["username": .string(username), "password": .string(Self.password), "device": "test"])
        return try #require(result["token"]?.string)
    }

    /// What a member sees now.
    func snapshot(_ username: String) throws -> Snapshot {
        let result = try door(as: username).call("live.follow", ["since": .null])
        return try #require(result["snapshot"].flatMap(Snapshot.init))
    }
}
