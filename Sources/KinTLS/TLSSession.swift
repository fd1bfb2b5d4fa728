internal import COpenSSL

/// One TLS connection without its socket: ciphertext goes in and out as bytes.
///
/// After each call of `received`, `read`, `write` or `close`, take what is to be sent with `takeOutput`.
public final class TLSSession {
    /// What a read or a write came to.
    public enum Outcome: Sendable, Equatable {
        /// That many bytes were read or written, at least one.
        case bytes(Int)
        /// More ciphertext from the peer is needed first. (For a write: the handshake is not over.)
        case needsMore
        /// The peer said goodbye (close_notify): nothing more will come.
        case closed
        /// It is over; the sentence says why. Take the output once more: it may hold the alert for the peer.
        case failed(String)
    }

    /// A server's side of a new connection.
    public init(server context: TLSContext) throws(TLSFailure) { throw .library("not yet") }

    /// A client's side of a new connection to this host (DNS name or address). A ticket from an earlier
    /// ``ticket`` shortens the handshake.
    public init(client context: TLSContext, host: String, ticket: [UInt8]? = nil) throws(TLSFailure) { throw .library("not yet") }

    /// Ciphertext arrived. It is kept until read.
    public func received(_ ciphertext: UnsafeRawBufferPointer) {}
    /// Ciphertext arrived. It is kept until read.
    public func received(_ ciphertext: [UInt8]) {}

    /// Goes on with the handshake and reads plaintext. Call until it is not `.bytes`.
    public func read(into plain: UnsafeMutableRawBufferPointer) -> Outcome { .needsMore }

    /// Enciphers plaintext, all of it unless the handshake isn't over.
    public func write(_ plain: UnsafeRawBufferPointer) -> Outcome { .needsMore }

    /// Whether ciphertext waits to be sent.
    public var hasOutput: Bool { false }
    /// Bytes of ciphertext that wait to be sent.
    public var outputCount: Int { 0 }
    /// Appends the ciphertext that waits to be sent.
    public func takeOutput(into output: inout [UInt8]) {}

    /// Says goodbye (close_notify), once.
    public func close() {}

    /// Whether application data may flow.
    public var isHandshakeComplete: Bool { false }
    /// `TLSv1.3` or `TLSv1.2`.
    public var version: String { "" }
    /// The application protocol both sides agreed on (RFC 7301), `nil` when none was asked for.
    public var alpn: String? { nil }
    /// Whether the handshake was shortened by a ticket.
    public var resumed: Bool { false }
    /// The server's name a client asked for (SNI).
    public var serverName: String? { nil }
    /// For a client, what shortens a later handshake with the same server; `nil` while the server has given none.
    public var ticket: [UInt8]? { nil }
}
