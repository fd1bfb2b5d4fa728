/// How far the address of a link reaches.
public enum AddressReach: Sendable {
    /// This machine alone: a loopback address, or a name of one (RFC 6761 §6.3).
    case thisMachine
    /// The family's own network: a private address, or a name that only that network resolves.
    case ownNetwork
    /// Everywhere that the network reaches.
    case anywhere

    /// Names that are valid in one network only: RFC 6762, RFC 8375, ICANN's `internal`, and those of home routers.
    private static let homeSuffixes = [".local", ".home.arpa", ".internal", ".lan", ".home", ".fritz.box"]

    /// Of a URL such as `https://192.168.1.5:5469/join/X`.
    public init(url: String) {
        let parts = url.lowercased().split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        let authority = parts.count > 2 && parts[0].hasSuffix(":") ? parts[2] : parts.first ?? ""
        let rest = authority.prefix { $0 != "?" && $0 != "#" }
        let name =
            rest.hasPrefix("[") ? String(rest.dropFirst().prefix { $0 != "]" }) : String(rest.prefix { $0 != ":" })
        self.init(host: name)
    }

    /// Of a name or an address, without port and brackets.
    public init(host: String) {
        if let address = IPAddress(host) {
            self = address.isLoopback ? .thisMachine : address.isPrivate ? .ownNetwork : .anywhere
        } else if host == "localhost" || host.hasSuffix(".localhost") {
            self = .thisMachine
        } else {
            let isOfHome = !host.contains(".") || Self.homeSuffixes.contains { host.hasSuffix($0) }
            self = isOfHome ? .ownNetwork : .anywhere
        }
    }
}
