/// The way to machines outside the house, for work on a worker's own thread. The implementation decides which machines may
/// be asked.
public protocol OutsideDesk: Sendable {
    /// Sends a letter, and waits for the answer.
    func send(_ letter: OutsideLetter) -> OutsideAnswer
    /// Asks for something that a machine shows, or takes an answer that was kept; waits.
    func look(_ look: OutsideLook) -> OutsideSight
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
    /// Hosts that an admin listed for this purpose: `push.home.arpa`, `192.168.1.5:8443`. Those of the house are asked only
    /// where they are permitted too.
    public let inside: [String]
    /// Milliseconds for the whole exchange.
    public let milliseconds: Int
    /// The machines of the house that admins allow to be asked, for any purpose. No other machine of the house is
    /// asked.
    public private(set) var permitted: [OutsideHost] = []

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

extension OutsideLetter {
    /// The letter with the admins' present permission.
    func permitting(_ places: [OutsideHost]) -> OutsideLetter {
        var letter = self
        letter.permitted = places
        return letter
    }
}

/// A desk that adds the admins' permission to each letter and each look.
package struct PermittedDesk: OutsideDesk {
    private let desk: any OutsideDesk
    private let places: [OutsideHost]

    /// A desk for the work of one request.
    package init(_ desk: any OutsideDesk, _ places: [OutsideHost]) {
        self.desk = desk
        self.places = places
    }

    package func send(_ letter: OutsideLetter) -> OutsideAnswer { desk.send(letter.permitting(places)) }
    package func look(_ look: OutsideLook) -> OutsideSight { desk.look(look.permitting(places)) }
}

/// A machine of the house that the daemon may ask for the family, by an admin's word: a name or an address, perhaps with
/// a port. Everything else of the house is closed to it, whatever an area wants to ask (``OutsideDesk``).
public struct OutsideHost: Sendable, Hashable {
    /// `nas.local`, `192.168.1.5`, `nas.local:5232`, `[fd00::5]:5232`. Without a port the usual ones are meant.
    public let place: String
    /// Whether it may be asked by `http://` too.
    public let isPlain: Bool

    /// A place as an admin wrote it.
    public init(_ place: String, isPlain: Bool) {
        self.place = place
        self.isPlain = isPlain
    }

    /// Whether an admin may write it: one machine, and no network or pattern.
    static func isPlace(_ text: String) -> Bool {
        guard (1...255).contains(text.utf8.count),
            text.utf8.allSatisfy({ byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
                    true
                default: false
                }
            })
        else { return false }
        var rest = text[...]
        if rest.hasPrefix("[") {
            guard let end = rest.firstIndex(of: "]"), rest[..<end].dropFirst().contains(":") else { return false }
            rest = rest[rest.index(after: end)...]
        } else {
            let host = rest.prefix { $0 != ":" }
            guard !host.isEmpty, !host.contains("["), !host.contains("]") else { return false }
            rest = rest.dropFirst(host.count)
        }
        if rest.isEmpty { return true }
        let port = rest.dropFirst()
        return rest.hasPrefix(":") && port.utf8.allSatisfy { (0x30...0x39).contains($0) }
            && (1...65_535).contains(Int(port) ?? 0)
    }
}

/// The answer to a letter.
public enum OutsideAnswer: Sendable, Hashable {
    /// The machine answered with this status; and in how many seconds to try again, where it said so.
    case answered(status: Int, retryAfterSeconds: Int64?)
    /// The machine did not answer, or was not asked. The sentence names the host at most.
    case failed(String)
}
