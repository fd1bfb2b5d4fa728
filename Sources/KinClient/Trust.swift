import KinTLS

/// The peers that an enciphered connection may have.
public enum Trust: Sendable, Hashable {
    /// A peer with a certificate under the root with this fingerprint.
    case pinned(Fingerprint)
    /// A peer for whom this machine's certificates vouch.
    case system
    /// Anyone: only for fetching the root certificate itself, which a person then compares. Nothing secret is sent.
    case unchecked

    /// As libssl's wrapper takes it.
    var context: TLSContext {
        get throws(ClientFailure) {
            do throws(TLSFailure) {
                switch self {
                case .pinned(let fingerprint): return try TLSContext(clientTrusting: .pinned(fingerprint.bytes))
                case .system: return try TLSContext(clientTrusting: .system)
                case .unchecked: return try TLSContext(clientTrusting: .anyone)
                }
            } catch { throw .untrusted(error.sentence) }
        }
    }
}
