/// Reads frames and puts messages together (RFC 6455 §5, §6), for either side.
///
/// Call ``consume(_:)`` with what was received, drop `consumed` bytes from the front, act on the event, and call again
/// until it says ``Event/needsMore``: then everything given was taken, the machine keeps what is unfinished.
public struct WebSocketMachine: Sendable {
    /// Which side this is: a server's peer masks, a client's does not (§5.1).
    public enum Role: Sendable, Hashable {
        /// Reads masked frames.
        case server
        /// Reads unmasked frames.
        case client
    }

    /// What a message is.
    public enum Kind: Sendable, Hashable {
        /// UTF-8, and judged to be.
        case text
        /// Bytes.
        case binary
    }

    /// What the bytes brought.
    public enum Event: Sendable, Hashable {
        /// Everything was taken.
        case needsMore
        /// A whole message.
        case message(Kind, [UInt8])
        /// To be answered by a pong with the same bytes.
        case ping([UInt8])
        /// The answer to a ping, or unasked.
        case pong([UInt8])
        /// The peer closes; to be answered by the same code, unless this side closed first. Whatever follows is
        /// dropped.
        case close(code: UInt16?, reason: String)
        /// The peer broke the protocol or a limit: send a close frame with this code and close. Every later call says
        /// the same.
        case failed(code: UInt16, reason: String)
    }

    /// Before the first byte after the handshake. A message longer than the bound fails with 1009.
    public init(role: Role, messageBytesMax: Int) {
    }

    /// Takes bytes from the front of the input.
    public mutating func consume(_ input: Span<UInt8>) -> (consumed: Int, event: Event) { (input.count, .needsMore) }
}
