import KinKeeper
import KinTLS

/// Where the daemon's certificate comes from. On the loop's thread.
protocol CertificateSource: AnyObject {
    /// The context for new connections.
    var context: TLSContext? { get }
    /// When the certificate in use ends (milliseconds since 1970).
    var notAfter: Int64? { get }
    /// Whether the family's own authority issued it.
    var isOwn: Bool { get }
    /// Seconds between two looks.
    var lookSeconds: Int { get }
    /// Looks again; a sentence when something changed or is wrong.
    func reload(now: Int64) -> Note?
}
