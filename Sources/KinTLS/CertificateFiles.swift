import Glibc

/// A certificate chain and key in two files that somebody else renews (`--tls-cert`, `--tls-key`).
public struct CertificateFiles: Sendable {
    /// What a look at the files came to.
    public enum Reload: Sendable {
        /// Nothing changed since the last look.
        case unchanged
        /// A new pair that fits: use this context for new connections.
        case loaded(TLSContext, CertificateSummary)
        /// They changed but can't be used (half written, don't match, unreadable): keep the old context, log the
        /// sentence. The next change is looked at again.
        case unfit(TLSFailure)
    }

    private let certificate: String
    private let key: String
    private var seen: [Stamp?]?

    /// Paths of PEM files; the chain starts with the server's certificate. They may be the same file.
    public init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }

    /// Two `stat` calls, and reading only when time, inode or size changed: cheap enough for a timer, and for SIGHUP.
    /// The first call always loads.
    public mutating func reload() -> Reload {
        let now = [Stamp(certificate), Stamp(key)]
        guard now != seen else { return .unchanged }
        // Taken before reading: what is written meanwhile is seen at the next look.
        seen = now
        do {
            let chain = try Self.read(certificate)
            let context = try TLSContext(serverChainPEM: chain, keyPEM: Self.read(key))
            return .loaded(context, try certificateSummary(chain))
        } catch {
            return .unfit(error)
        }
    }

    private static func read(_ path: String) throws(TLSFailure) -> [UInt8] {
        guard let bytes = try Folder.read(path: path) else { throw .file("\(path) does not exist.") }
        return bytes
    }

    /// What changes when a file is written or replaced (also behind a symbolic link, as certbot does).
    private struct Stamp: Equatable {
        let device: UInt64
        let inode: UInt64
        let size: Int64
        let seconds: Int64
        let nanoseconds: Int64

        init?(_ path: String) {
            var status = stat()
            guard unsafe stat(path, &status) == 0 else { return nil }
            device = UInt64(truncatingIfNeeded: status.st_dev)
            inode = UInt64(truncatingIfNeeded: status.st_ino)
            size = Int64(truncatingIfNeeded: status.st_size)
            seconds = Int64(truncatingIfNeeded: status.st_mtim.tv_sec)
            nanoseconds = Int64(truncatingIfNeeded: status.st_mtim.tv_nsec)
        }
    }
}
