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

    private enum State: Sendable {
        case requestLine(skippedEmptyLine: Bool)
        case fields(HTTPRequestLine)
        case content
        case failed(HTTPFailure)
    }

    /// The content's bytes at most, judged after the head was given out, so that a route can raise or lower it then.
    /// Back at the limits' value for each request.
    public var bodyBytesMax: Int

    private let limits: HTTPLimits
    private var state = State.requestLine(skippedEmptyLine: false)
    private var line = HTTPLine()
    private var fields = HTTPFieldLines()
    private var content = HTTPContent.none

    /// Before the first byte of a connection.
    public init(limits: HTTPLimits = HTTPLimits()) {
        self.limits = limits
        bodyBytesMax = limits.bodyBytesMax
    }

    /// True when no part of a request has been read: the connection may be closed without an answer.
    public var isBetweenRequests: Bool { if case .requestLine = state { line.isEmpty } else { false } }

    /// Takes bytes from the front of the input.
    public mutating func consume(_ input: Span<UInt8>) -> (consumed: Int, step: Step) {
        var consumed = 0
        while true {
            let rest = input.extracting(consumed...)
            let count: Int
            let step: Step?
            switch state {
            case .failed(let failure): return (consumed, .failed(failure))
            case .requestLine where rest.isEmpty, .fields where rest.isEmpty: return (consumed, .needsMore)
            case .requestLine(let skipped): (count, step) = consumeRequestLine(rest, skippedEmptyLine: skipped)
            case .fields(let requestLine): (count, step) = consumeFields(rest, after: requestLine)
            case .content: (count, step) = consumeContent(rest)
            }
            consumed += count
            guard let step else { continue }
            if case .failed(let failure) = step { state = .failed(failure) }
            return (consumed, step)
        }
    }

    private mutating func consumeRequestLine(_ input: Span<UInt8>, skippedEmptyLine: Bool) -> (Int, Step?) {
        let (count, step) = line.consume(input, bytesMax: limits.startLineBytesMax)
        switch step {
        case .needsMore: return (count, .needsMore)
        case .tooLong: return (count, .failed(HTTPFailure(414, "The request line is too long.")))
        case .broken(let sentence): return (count, .failed(HTTPFailure(400, sentence)))
        case .line(let text):
            if text.isEmpty, !skippedEmptyLine {
                // Some clients end a body with a CRLF too many (RFC 9112 §2.2).
                state = .requestLine(skippedEmptyLine: true)
                return (count, nil)
            }
            do throws(HTTPFailure) {
                state = .fields(try HTTPRequestLine(text))
                return (count, nil)
            } catch { return (count, .failed(error)) }
        }
    }

    private mutating func consumeFields(_ input: Span<UInt8>, after line: HTTPRequestLine) -> (Int, Step?) {
        let (count, step) = fields.consume(input, limits: limits)
        switch step {
        case .needsMore: return (count, .needsMore)
        case .failed(let failure): return (count, .failed(failure))
        case .end(let headers):
            do throws(HTTPFailure) {
                let head = try HTTPRequestHead(line, headers)
                bodyBytesMax = limits.bodyBytesMax
                content =
                    switch head.bodyLength {
                    case .none: .none
                    case .length(let length): .length(length)
                    case .chunked: .chunked
                    }
                state = .content
                return (count, .head(head))
            } catch { return (count, .failed(error)) }
        }
    }

    private mutating func consumeContent(_ input: Span<UInt8>) -> (Int, Step?) {
        let (count, step) = content.consume(input, bytesMax: bodyBytesMax, limits: limits)
        switch step {
        case .needsMore: return (count, .needsMore)
        case .body(let bytes): return (count, .body(bytes))
        case .failed(let failure): return (count, .failed(failure))
        case .end:
            state = .requestLine(skippedEmptyLine: false)
            return (count, .end)
        }
    }
}
