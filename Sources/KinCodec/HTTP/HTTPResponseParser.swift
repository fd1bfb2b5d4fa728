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
        /// Not HTTP/1.1, or over a limit, now and on every later call.
        case failed(HTTPFailure)
    }

    private enum State: Sendable {
        case statusLine
        case fields(minor: Int, status: Int, reason: String)
        case content
        case closed
        case failed(HTTPFailure)
    }

    /// The method of the request that the next response answers: the answer to HEAD has no content.
    public var requestMethod: HTTPMethod = .get
    /// The content's bytes at most. May be changed at any time.
    public var bodyBytesMax: Int
    /// True when the connection can carry another request after ``Step/end``. Means something from ``Step/head(_:)`` on.
    public private(set) var keepAlive = true

    private let limits: HTTPLimits
    private var state = State.statusLine
    private var line = HTTPLine()
    private var fields = HTTPFieldLines()
    private var content = HTTPContent.none

    /// Before the first byte of a connection.
    public init(limits: HTTPLimits = HTTPLimits()) {
        self.limits = limits
        bodyBytesMax = limits.bodyBytesMax
    }

    /// Takes bytes from the front of the input.
    public mutating func consume(_ input: Span<UInt8>) -> (consumed: Int, step: Step) {
        var consumed = 0
        while true {
            let rest = input.extracting(consumed...)
            let count: Int
            let step: Step?
            switch state {
            case .failed(let failure): return (consumed, .failed(failure))
            case .closed: return (input.count, .needsMore)
            case .statusLine where rest.isEmpty, .fields where rest.isEmpty: return (consumed, .needsMore)
            case .statusLine: (count, step) = consumeStatusLine(rest)
            case .fields(let minor, let status, let reason):
                (count, step) = consumeFields(rest, minor: minor, status: status, reason: reason)
            case .content: (count, step) = consumeContent(rest)
            }
            consumed += count
            guard let step else { continue }
            if case .failed(let failure) = step { state = .failed(failure) }
            return (consumed, step)
        }
    }

    /// The connection's input has ended: the end of a response without length, nothing between responses
    /// (``Step/needsMore``), or a failure.
    public mutating func inputEnded() -> Step {
        switch state {
        case .failed(let failure): return .failed(failure)
        case .closed: return .needsMore
        case .content where content.endsWithInput:
            state = .closed
            return .end
        case .statusLine where line.isEmpty:
            state = .closed
            return .needsMore
        default:
            let failure = HTTPFailure(502, "The server closed the connection within its answer.")
            state = .failed(failure)
            return .failed(failure)
        }
    }

    private mutating func consumeStatusLine(_ input: Span<UInt8>) -> (Int, Step?) {
        let (count, step) = line.consume(input, bytesMax: limits.startLineBytesMax)
        switch step {
        case .needsMore: return (count, .needsMore)
        case .tooLong, .broken: return (count, Self.refused("The server does not speak HTTP/1.1."))
        case .line(let text):
            // HTTP/1.1 SP 3DIGIT SP [ reason ], where some servers leave the second space out with the reason.
            guard text.count >= 12, text.starts(with: "HTTP/1.".utf8), let minor = ASCII.number(text[7...7]),
                text[8] == 0x20, let status = ASCII.number(text[9..<12]), (100...599).contains(status),
                text.count == 12 || text[12] == 0x20
            else { return (count, Self.refused("The server does not speak HTTP/1.1.")) }
            let reason = String(decoding: text.dropFirst(13), as: UTF8.self)
            state = .fields(minor: minor, status: status, reason: reason)
            return (count, nil)
        }
    }

    private mutating func consumeFields(
        _ input: Span<UInt8>, minor: Int, status: Int, reason: String
    ) -> (Int, Step?) {
        let (count, step) = fields.consume(input, limits: limits)
        switch step {
        case .needsMore: return (count, .needsMore)
        case .failed(let failure): return (count, Self.refused(failure.sentence))
        case .end(let headers):
            if status < 200, status != 101 {
                state = .statusLine
                return (count, nil)
            }
            do throws(HTTPFailure) { content = try Self.content(minor, status, headers, requestMethod) } catch {
                return (count, .failed(error))
            }
            keepAlive =
                !content.endsWithInput && !headers.has("Connection", token: "close")
                && (minor >= 1 || headers.has("Connection", token: "keep-alive"))
            state = .content
            return (count, .head(HTTPResponseHead(status: status, reason: reason, headers: headers)))
        }
    }

    private mutating func consumeContent(_ input: Span<UInt8>) -> (Int, Step?) {
        let (count, step) = content.consume(input, bytesMax: bodyBytesMax, limits: limits)
        switch step {
        case .needsMore: return (count, .needsMore)
        case .body(let bytes): return (count, .body(bytes))
        case .failed(let failure): return (count, Self.refused(failure.sentence))
        case .end:
            state = keepAlive ? .statusLine : .closed
            return (count, .end)
        }
    }

    /// RFC 9112 §6.3, in its order.
    private static func content(
        _ minor: Int, _ status: Int, _ headers: HTTPHeaders, _ method: HTTPMethod
    ) throws(HTTPFailure) -> HTTPContent {
        if method == .head || status == 101 || status == 204 || status == 304 { return .none }
        let codings = headers.tokens("Transfer-Encoding")
        let lengths = headers.tokens("Content-Length")
        if !codings.isEmpty {
            guard minor >= 1, lengths.isEmpty, codings.count == 1, ASCII.equal(codings[0], "chunked") else {
                throw HTTPFailure(502, "The server's answer has no clear length.")
            }
            return .chunked
        }
        guard let length = lengths.first else { return .untilClose }
        guard lengths.count == 1, let count = ASCII.number(length.utf8) else {
            throw HTTPFailure(502, "The server's answer has no clear length.")
        }
        return .length(count)
    }

    private static func refused(_ sentence: String) -> Step { .failed(HTTPFailure(502, sentence)) }
}
