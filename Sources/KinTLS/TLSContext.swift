internal import COpenSSL

/// What all sessions of one side have in common: certificate and key, or what is trusted. To replace it at run time,
/// make a new one and use it for new sessions; sessions keep theirs.
public final class TLSContext: @unchecked Sendable {
    /// Whom a client trusts.
    public enum Trust: Sendable, Equatable {
        /// The root certificate with this SHA-256 (32 bytes), which the server sends along, and nothing else. The host's
        /// name is not checked: whoever holds a key this root stands for is the family's daemon.
        case pinned([UInt8])
        /// What this machine trusts.
        case system
        /// The PEM certificates in this file.
        case file(String)
    }

    /// A server's context from PEM: the certificate, then what leads to the root, and the key.
    public init(serverChainPEM: [UInt8], keyPEM: [UInt8]) throws(TLSFailure) { throw .library("not yet") }

    /// A client's context.
    public init(clientTrusting trust: Trust) throws(TLSFailure) { throw .library("not yet") }
}
