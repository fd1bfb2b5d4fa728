import KinKeeper
import KinTLS

/// The source of the daemon's certificate. On the loop's thread.
protocol CertificateSource: AnyObject {
    /// The context for new connections.
    var context: TLSContext? { get }
    /// The end of the certificate in use (milliseconds since 1970).
    var notAfter: Int64? { get }
    /// Whether the family's own authority issued it.
    var isOwn: Bool { get }
    /// Seconds between two looks.
    var lookSeconds: Int { get }
    /// Looks again; a sentence when something changed or is wrong.
    func reload(now: Int64) -> Note?
}
