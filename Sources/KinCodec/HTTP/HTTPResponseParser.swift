/// Reads responses (RFC 9112 §4, §6.3), one after the other, as a client does. Used like ``HTTPRequestParser``.
public struct HTTPResponseParser: Sendable {
    /// What the bytes brought.
    public enum Step: Sendable {
        /// Everything was taken.
        case needsMore
        /// A final response begins, or 101; other 1xx are skipped.
        case head(HTTPResponseHead)
        /// Some of the content, never empty.
        case body([UInt8])
        /// The response is whole. After 101 the rest of the input belongs to the new protocol.
        case end
        /// Not HTTP/1.1, or over a limit.
        case failed(HTTPFailure)
    }

    /// The method of the request that the next response answers: the answer to HEAD has no content.
    public var requestMethod: HTTPMethod = .get
    /// The content's bytes at most.
    public var bodyBytesMax: Int

    /// True when the connection can carry another request after ``Step/end``.
    public var keepAlive: Bool { false }

    /// Before the first byte of a connection.
    public init(limits: HTTPLimits = HTTPLimits()) {
        bodyBytesMax = limits.bodyBytesMax
    }

    /// Takes bytes from the front of the input.
    public mutating func consume(_ input: Span<UInt8>) -> (consumed: Int, step: Step) { (input.count, .needsMore) }

    /// The connection's input has ended: the end of a response without length, or a failure.
    public mutating func inputEnded() -> Step { .needsMore }
}
