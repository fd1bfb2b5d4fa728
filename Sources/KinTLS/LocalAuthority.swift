internal import COpenSSL
internal import Glibc

/// A certificate authority for one family, made at first start (ECDSA P-256). Its root signs one intermediate with
/// critical name constraints, then the root's key is destroyed: a phone that trusts this root trusts it for the
/// family's names, `.local` names and private addresses, and for nothing else.
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
    /// Names and addresses the leaf is good for.
    public let names: [String]
    /// Names and addresses that were asked for but lie outside of what the intermediate may sign: no certificate
    /// for them is possible without a new root, which every phone would have to trust anew.
    public let outside: [String]
    /// When the leaf ends, milliseconds since 1970.
    public let notAfter: Int64

    /// Opens the authority in this directory (made if absent), founds it when the directory holds none, and renews the
    /// leaf when names or addresses changed or it ends within 30 days. Cheap when nothing changed: call it at start,
    /// when addresses change, and once a day.
    ///
    /// - Parameters:
    ///   - names: DNS names. At the founding they become the constraints, besides `local` and `localhost`.
    ///   - addresses: IPv4 and IPv6 addresses as text; those outside of private ranges end up in ``outside``.
    ///   - permittedAddresses: public addresses that are permitted too, at the founding (those in `--url`).
    ///   - now: milliseconds since 1970; a clock that was never set is taken for the time this was built.
    public static func open(
        directory: String, names: [String], addresses: [String], permittedAddresses: [String] = [], now: Int64
    ) throws(TLSFailure) -> LocalAuthority { throw .library("not yet") }
}
