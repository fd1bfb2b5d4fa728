public import KinLoop

/// The form in which a trusted proxy names its client. Any other statement about the client is the client's own claim.
public enum ProxyWord: String, Sendable {
    /// The header `X-Forwarded-For`, with `X-Forwarded-Proto`.
    case xForwardedFor = "x-forwarded-for"
    /// The header `Forwarded` (RFC 7239).
    case forwarded
    /// The PROXY protocol, version 1 or 2, before the first byte of the connection proper.
    case proxy
}

/// A network whose proxies are believed about their clients, and the form they use.
public struct TrustedProxy: Sendable, Hashable, CustomStringConvertible {
    /// The proxies' network.
    public let network: CIDR
    /// The form that is believed from there.
    public let word: ProxyWord

    /// Reads `127.0.0.1/32`, which means X-Forwarded-For, or a network with a form: `127.0.0.1/32=proxy`.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let network = CIDR(parts[0]),
            let word = parts.count == 1 ? .xForwardedFor : ProxyWord(rawValue: parts[1].lowercased())
        else { return nil }
        self.network = network
        self.word = word
    }

    /// As it is written.
    public var description: String { word == .xForwardedFor ? "\(network)" : "\(network)=\(word.rawValue)" }
}
