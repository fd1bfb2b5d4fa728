/// Where a daemon is reached.
public enum Address: Sendable, Hashable {
    /// A Unix socket on this machine.
    case unix(path: String)
    /// A port of TCP, and how the bytes travel there.
    case tcp(host: String, port: UInt16, isTLS: Bool, envelope: Envelope)

    /// How messages are told apart on a stream.
    public enum Envelope: Sendable, Hashable {
        /// One message a line: the simplest, for a daemon that is reached directly.
        case lines
        /// One message a text frame (RFC 6455): also passes through proxies that speak HTTP only.
        case webSocket
    }

    /// The port a daemon listens on unless told otherwise.
    public static let portDefault: UInt16 = 5469

    /// Reads `https://host:5469`, `http://127.0.0.1:5469`, `wss://…`, `ws://…`, `unix:/path`, `/path`, or `host` with or
    /// without a port, which means TLS on Kinwire's port. A URL without a port means its scheme's own, and WebSocket,
    /// since what listens there is a proxy. What follows the host (a path, `?`, `#`) is passed over.
    public init(_ text: some StringProtocol) throws(ClientFailure) {
        let text = String(text)
        if text.hasPrefix("unix:") || text.hasPrefix("/") {
            var path = text.hasPrefix("unix:") ? String(text.dropFirst(5)) : text
            if path.hasPrefix("//") { path.removeFirst(2) }
            guard path.hasPrefix("/"), path.utf8.count <= 107, !path.utf8.contains(0) else {
                throw .badAddress(text)
            }
            self = .unix(path: path)
            return
        }
        var rest = Substring(text)
        var isTLS = true
        var schemePort: UInt16?
        var envelope = Envelope.lines
        if let range = text.firstRange(of: "://") {
            switch text[..<range.lowerBound].lowercased() {
            case "https": schemePort = 443
            case "http": (isTLS, schemePort) = (false, 80)
            case "wss": (schemePort, envelope) = (443, .webSocket)
            case "ws": (isTLS, schemePort, envelope) = (false, 80, .webSocket)
            default: throw .badAddress(text)
            }
            rest = rest[range.upperBound...]
        }
        rest = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let (host, port) = Self.split(rest) else { throw .badAddress(text) }
        if port == nil, schemePort != nil { envelope = .webSocket }
        self = .tcp(host: host, port: port ?? schemePort ?? Self.portDefault, isTLS: isTLS, envelope: envelope)
    }

    /// `host`, `host:port`, `[v6]`, `[v6]:port`; no user name, no blank, no port 0.
    private static func split(_ text: Substring) -> (host: String, port: UInt16?)? {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "@") && $0 != UInt8(ascii: "\\") })
        else { return nil }
        var host = text
        var digits: Substring?
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<end]
            guard host.contains(":"), host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else { return nil }
            let after = text[text.index(after: end)...]
            guard after.isEmpty || after.hasPrefix(":") else { return nil }
            if !after.isEmpty { digits = after.dropFirst() }
        } else if let colon = text.lastIndex(of: ":") {
            host = text[..<colon]
            digits = text[text.index(after: colon)...]
            guard !host.contains(":") else { return nil }
        }
        guard !host.isEmpty, host.utf8.count <= 253 else { return nil }
        guard let digits else { return (host.lowercased(), nil) }
        guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(digits), port > 0
        else { return nil }
        return (host.lowercased(), port)
    }

    /// The host as it stands in a URL or a `Host` field, with its port unless that is the scheme's own.
    public var authority: String {
        switch self {
        case .unix: return "localhost"
        case .tcp(let host, let port, let isTLS, _):
            let name = host.contains(":") ? "[\(host)]" : host
            return port == (isTLS ? 443 : 80) ? name : "\(name):\(port)"
        }
    }

    /// Whether nobody but this machine can read along.
    public var isLocal: Bool {
        switch self {
        case .unix: true
        case .tcp(let host, _, _, _): host == "localhost" || host == "::1" || host.hasPrefix("127.")
        }
    }

    /// Whether what is sent is enciphered, or never leaves this machine.
    public var isConfidential: Bool {
        if case .tcp(_, _, isTLS: true, _) = self { true } else { isLocal }
    }
}

extension Address: CustomStringConvertible {
    /// A form that is read back as the same address.
    public var description: String {
        switch self {
        case .unix(let path): "unix:\(path)"
        case .tcp(_, let port, let isTLS, let envelope):
            switch envelope {
            case .lines: "\(isTLS ? "https" : "http")://\(authority)\(port == (isTLS ? 443 : 80) ? ":\(port)" : "")"
            case .webSocket: "\(isTLS ? "wss" : "ws")://\(authority)"
            }
        }
    }
}
