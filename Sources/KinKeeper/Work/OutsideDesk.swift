/// What work may ask of machines outside the house, on a worker's own thread. What is behind it judges whom it asks.
public protocol OutsideDesk: Sendable {
    /// Sends a letter, and waits for what comes of it.
    func send(_ letter: OutsideLetter) -> OutsideAnswer
}

/// Something that is sent to a machine outside, by an admin's word.
public struct OutsideLetter: Sendable {
    /// Where to; it may be a secret, and stands in no log.
    public let address: String
    /// Fields of its head.
    public let headers: [(name: String, value: String)]
    /// What is sent.
    public let content: [UInt8]
    /// What it is for, as a sentence has it: `push services`.
    public let purpose: String
    /// The only hosts that are asked: `push.example.com`, `*.example.com`.
    public let hosts: [String]
    /// Places that an admin wrote down, which may lie within the house: `push.home.arpa`, `192.168.1.5:8443`.
    public let inside: [String]
    /// Milliseconds for all of it.
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

/// What came of it.
public enum OutsideAnswer: Sendable, Hashable {
    /// Somebody answered, with this status, and in how many seconds to come again where that was said.
    case answered(status: Int, retryAfterSeconds: Int64?)
    /// Nobody did, or nobody was asked. The sentence names the host at most.
    case failed(String)
}
