public import KinCalendar
public import KinLoop

/// The names and URLs of a family.
public struct Site: Sendable {
    /// The URL that links and QR codes carry, such as `https://kin.local:5469`.
    public let canonicalURL: String
    /// Every URL it is reached by from other devices, the canonical one first.
    let urls: [String]
    /// Host and port of every URL that the family is reached by: the origins of our own pages.
    let hosts: Set<String>
    /// Host names that are ours, in lower case: from `--url`, the machine's name, its `.local` name.
    public let names: Set<String>
    /// This machine's addresses.
    public let addresses: @Sendable () -> [IPAddress]
    /// SHA-256 of the local authority's root in hexadecimal; `nil` with a public certificate.
    public let rootSHA256: String?
    /// The local authority's root as PEM.
    public let rootPEM: [UInt8]?

    /// The machine's time zone. Pages use it for visitors whose own zone is not known.
    public let zone: Zone

    /// A site. `urls` are its URLs besides the canonical one.
    public init(
        canonicalURL: String, urls: [String] = [], names: Set<String>, addresses: @escaping @Sendable () -> [IPAddress],
        rootSHA256: String?, rootPEM: [UInt8]?, zone: Zone = .utc
    ) {
        self.canonicalURL = canonicalURL
        self.urls = urls.first == canonicalURL ? urls : [canonicalURL] + urls
        hosts = Set(([canonicalURL] + urls).map { Self.host(ofURL: $0) })
        self.names = names
        self.addresses = addresses
        self.rootSHA256 = rootSHA256
        self.rootPEM = rootPEM
        self.zone = zone
    }

    /// The root that devices must trust before they use the canonical address; `nil` where that is not encrypted, or
    /// has a public certificate.
    var pinnedRoot: String? { canonicalURL.hasPrefix("https:") ? rootSHA256 : nil }

    /// Host and port of a URL or origin, in lower case; empty when there is none. The scheme's own port is left out, as
    /// browsers do.
    static func host(ofURL url: String) -> String {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[0].hasSuffix(":"), parts[1].isEmpty else { return "" }
        let host = parts[2].prefix { $0 != "?" && $0 != "#" }.lowercased()
        let ownPort = parts[0].lowercased() == "https:" ? ":443" : ":80"
        return host.hasSuffix(ownPort) ? String(host.dropLast(ownPort.count)) : host
    }

    /// Host without the port and without an IPv6 address's brackets, in lower case.
    static func name(ofHost host: String) -> String {
        let host = host.lowercased()
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
            return String(host[host.index(after: host.startIndex)..<end])
        }
        return String(host.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)[0])
    }
}
