/// The link that a person was sent: `https://host:5469/join/CODE#sha256=HEX` to join, or `/setup/CODE` to found the
/// family.
public struct Link: Sendable, Hashable {
    /// What it is for.
    public enum Purpose: String, Sendable {
        /// To join with an invite.
        case join
        /// To found the family.
        case setup
    }

    /// What it is for.
    public let purpose: Purpose
    /// Where the daemon is.
    public let address: Address
    /// The invite's or the set-up's code.
    public let code: String
    /// The root certificate's fingerprint, which makes a look at it unnecessary; `nil` when the link has none.
    public let fingerprint: Fingerprint?

    /// Reads a link; `nil` when the text is no link. Nor is it one if its fragment is no fingerprint: it was cut or
    /// changed.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        guard let start = parts[0].firstRange(of: "://"),
            let slash = parts[0][start.upperBound...].firstIndex(of: "/"),
            let address = try? Address(parts[0][..<slash])
        else { return nil }
        let path = parts[0][parts[0].index(after: slash)...].prefix { $0 != "?" }.split(separator: "/")
        guard path.count == 2, let purpose = Purpose(rawValue: String(path[0])), path[1].utf8.count <= 128,
            path[1].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "%") })
        else { return nil }
        if parts.count == 2, !parts[1].isEmpty {
            guard let fingerprint = Fingerprint(parts[1]) else { return nil }
            self.fingerprint = fingerprint
        } else {
            fingerprint = nil
        }
        self.purpose = purpose
        self.address = address
        code = String(path[1])
    }
}
