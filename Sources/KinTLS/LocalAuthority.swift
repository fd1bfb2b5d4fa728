/// A certificate authority for one family, made at first start (ECDSA P-256). Its root signs one intermediate with
/// critical name constraints, then the root's key is destroyed: a phone that trusts this root trusts it for the
/// family's names, `.local` names and private addresses, and for nothing else.
///
/// Files in its folder: `root.crt`, `intermediate.crt`, `intermediate.key`, `leaf.crt` (the chain), `leaf.key`;
/// certificates 0644, keys 0600. The root's key is never written.
public struct LocalAuthority: Sendable, Equatable {
    /// What ``open(directory:names:addresses:permittedAddresses:now:)`` did.
    public enum Change: Sendable, Equatable {
        /// Everything was there and fits.
        case kept
        /// A new leaf was made: make a new ``TLSContext``.
        case leafMade
        /// First start: everything was made.
        case founded
    }
    /// What happened.
    public let change: Change
    /// The chain to serve, PEM: leaf, intermediate, root (sent so that a client can pin it).
    public let chainPEM: [UInt8]
    /// The leaf's key, PEM.
    public let keyPEM: [UInt8]
    /// The root certificate as PEM, for `/ca.crt`.
    public let rootPEM: [UInt8]
    /// The root certificate as DER.
    public let rootDER: [UInt8]
    /// SHA-256 of ``rootDER``: 64 lower-case hexadecimal digits.
    public let rootSHA256: String
    /// ``rootSHA256`` as people compare it: `AA:BB:…`.
    public let fingerprint: String
    /// Names and addresses the leaf is good for, sorted.
    public let names: [String]
    /// Names and addresses that were asked for but lie outside of what the intermediate may sign, or are no host
    /// names: no certificate for them is possible without a new root, which every phone would have to trust anew.
    public let outside: [String]
    /// When the leaf ends, milliseconds since 1970.
    public let notAfter: Int64

    /// No clock that shows less is right: 2026-01-01T00:00:00Z. Also the begin of roots and intermediates, so that a
    /// clock that ran ahead at the founding does no lasting harm.
    static let clockMin: Int64 = 1_767_225_600_000
    static let day: Int64 = 86_400_000
    /// Root and intermediate can't be renewed: the root's key is gone. 30 years.
    static let authorityDays: Int64 = 30 * 365
    /// Apple accepts at most 398.
    static let leafDays: Int64 = 397
    /// A leaf with less left than this is made anew.
    static let renewalDays: Int64 = 30

    /// Opens the authority in this directory (made if absent), founds it when the directory holds none, and makes the
    /// leaf anew when names or addresses changed or it ends within 30 days. A few milliseconds when nothing changed: call
    /// it at start, when addresses change, and once a day.
    ///
    /// - Parameters:
    ///   - names: DNS names. At the founding they become the constraints, besides `local` and `localhost`.
    ///   - addresses: IPv4 and IPv6 addresses as text; those outside of private ranges end up in ``outside``.
    ///   - permittedAddresses: public addresses that are permitted too, at the founding (those in `--url`).
    ///   - now: milliseconds since 1970; a clock that was never set is taken for ``clockMin``.
    public static func open(
        directory: String, names: [String], addresses: [String], permittedAddresses: [String] = [], now: Int64
    ) throws(TLSFailure) -> LocalAuthority {
        let folder = try Folder(directory)
        let now = min(max(now, clockMin), clockMin + authorityDays * day)
        var wanted: [ServedName] = [.dns("localhost")]
        var refused: [String] = []
        for name in names {
            if let name = ServedName(dns: name) { wanted.append(name) } else { refused.append(name) }
        }
        for address in addresses + permittedAddresses {
            if let address = ServedName(address: address) { wanted.append(address) } else { refused.append(address) }
        }
        var seen: Set<ServedName> = []
        wanted = wanted.filter { seen.insert($0).inserted }

        var change = Change.kept
        let signer: Signer
        if let kept = try Signer(in: folder) {
            signer = kept
        } else {
            signer = try Signer(founding: wanted, permitted: permittedAddresses.compactMap { ServedName(address: $0) })
            try signer.write(to: folder)
            change = .founded
        }
        refused += wanted.filter { !signer.intermediate.permits($0) }.map(\.text)
        let served = wanted.filter { signer.intermediate.permits($0) }
        if change == .kept, let leaf = try Leaf(in: folder, of: signer), leaf.isGood(for: served, now: now) {
            return try LocalAuthority(change, signer, leaf, outside: refused)
        }
        let leaf = try Leaf(for: served, signer: signer, now: now)
        try leaf.write(to: folder, signer: signer)
        return try LocalAuthority(change == .kept ? .leafMade : change, signer, leaf, outside: refused)
    }

    private init(_ change: Change, _ signer: Signer, _ leaf: Leaf, outside: [String]) throws(TLSFailure) {
        self.change = change
        chainPEM = try leaf.chain(signer)
        keyPEM = try leaf.key.pem()
        rootPEM = try signer.root.pem()
        rootDER = try signer.root.der()
        rootSHA256 = hexadecimal(signer.root.sha256)
        fingerprint = hexadecimal(signer.root.sha256, separator: ":").uppercased()
        names = leaf.certificate.names.map(\.text).sorted()
        self.outside = outside
        notAfter = leaf.certificate.notAfter
    }
}
