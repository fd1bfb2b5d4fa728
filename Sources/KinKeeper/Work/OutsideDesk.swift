/// What work may ask of machines outside the house, on a worker's own thread. The implementation decides which machines
/// may be asked.
public protocol OutsideDesk: Sendable {
    /// Sends a letter, and waits for the answer.
    func send(_ letter: OutsideLetter) -> OutsideAnswer
}

/// A message to a machine outside, which an admin permitted.
public struct OutsideLetter: Sendable {
    /// The address. It may be a secret, and is never logged.
    public let address: String
    /// Fields of its head.
    public let headers: [(name: String, value: String)]
    /// The body.
    public let content: [UInt8]
    /// Its purpose, as part of a sentence: `push services`.
    public let purpose: String
    /// The only hosts that may be asked: `push.example.com`, `*.example.com`.
    public let hosts: [String]
    /// Hosts that an admin listed and that may be inside the home's network: `push.home.arpa`, `192.168.1.5:8443`.
    public let inside: [String]
    /// Milliseconds for the whole exchange.
    public let milliseconds: Int

    /// A letter.
    public init(
        to address: String, headers: [(name: String, value: String)], content: [UInt8], purpose: String,
        hosts: [String], inside: [String], milliseconds: Int
    ) {
        self.address = address
        self.headers = headers
        self.content = content
        self.purpose = purpose
        self.hosts = hosts
        self.inside = inside
        self.milliseconds = milliseconds
    }
}

/// The answer to a letter.
public enum OutsideAnswer: Sendable, Hashable {
    /// The machine answered with this status; and in how many seconds to try again, where it said so.
    case answered(status: Int, retryAfterSeconds: Int64?)
    /// The machine did not answer, or was not asked. The sentence names the host at most.
    case failed(String)
}
