/// A certificate chain and key in two files that somebody else renews (`--tls-cert`, `--tls-key`).
public struct CertificateFiles: Sendable {
    /// What a look at the files came to.
    public enum Reload: Sendable {
        /// Nothing changed since the last look.
        case unchanged
        /// A new pair that fits: use this context for new connections.
        case loaded(TLSContext)
        /// They changed but can't be used (half written, don't match, unreadable): keep the old context, log the
        /// sentence. The next change is looked at again.
        case unfit(TLSFailure)
    }

    /// Paths of PEM files; the chain starts with the server's certificate. They may be the same file.
    public init(certificate: String, key: String) {}

    /// Two `stat` calls, and reading only when time, inode or size changed: cheap enough for a timer, and for SIGHUP.
    /// The first call always loads.
    public mutating func reload() -> Reload { .unchanged }
}
