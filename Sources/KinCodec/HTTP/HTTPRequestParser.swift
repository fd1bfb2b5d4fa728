/// Reads requests (RFC 9112), one after the other, from bytes in pieces of any size.
///
/// Call ``consume(_:)`` with what was received, drop `consumed` bytes from the front, act on the step, and call again
/// until it says ``Step/needsMore``: then everything given was taken, the parser keeps what is unfinished.
public struct HTTPRequestParser: Sendable {
    /// What the bytes brought.
    public enum Step: Sendable {
        /// Everything was taken; nothing more to say before more arrives.
        case needsMore
        /// A request begins. Its body and end follow.
        case head(HTTPRequestHead)
        /// Some of the content, never empty.
        case body([UInt8])
        /// The request is whole; the next one may follow. Comes without a body too.
        case end
        /// The bytes are refused, now and on every later call: answer and close.
        case failed(HTTPFailure)
    }

    /// The content's bytes at most, judged after the head was given out, so that a route can raise or lower it then.
    /// Back at the limits' value for each request.
    public var bodyBytesMax: Int

    let limits: HTTPLimits

    /// Before the first byte of a connection.
    public init(limits: HTTPLimits = HTTPLimits()) {
        self.limits = limits
        bodyBytesMax = limits.bodyBytesMax
    }

    /// Takes bytes from the front of the input.
    public mutating func consume(_ input: Span<UInt8>) -> (consumed: Int, step: Step) {
        (input.count, .needsMore)
    }
}
