public import KinCodec

/// Requests of HTTP/1.1 over one connection, one after the other. Confined to its thread.
public final class WebConversation {
    private let wire: Wire
    private var parser: HTTPResponseParser
    private var rest: [UInt8] = []

    /// What was answered.
    public struct Answer: Sendable {
        /// Status and fields.
        public var head: HTTPResponseHead
        /// The content, whole.
        public var body: [UInt8] = []
        /// Whether the connection can carry another request.
        public var keepsAlive = false
    }

    /// A conversation over a connection that stands.
    public init(over wire: Wire) {
        self.wire = wire
        parser = HTTPResponseParser()
    }

    /// Sends a request and waits for its whole answer, of at most 16 MiB.
    ///
    /// - Parameters:
    ///   - target: The path, with its query.
    ///   - headers: Besides `Host` and `Content-Length`.
    public func ask(
        _ method: HTTPMethod, _ target: String, headers: HTTPHeaders = [:], body: [UInt8] = [],
        timeoutMilliseconds: Int = 30_000
    ) throws(ClientFailure) -> Answer {
        var fields: HTTPHeaders = ["Host": wire.address.authority, "User-Agent": "kin"]
        for field in headers.fields { fields.append(field.name, field.value) }
        if !body.isEmpty || [.post, .put, .patch].contains(method) { fields["Content-Length"] = "\(body.count)" }
        var request: [UInt8] = []
        HTTPRequestHead.write(method, target, fields, to: &request)
        try wire.write(request + body, timeoutMilliseconds: timeoutMilliseconds)
        parser.requestMethod = method
        parser.bodyBytesMax = Framing.messageBytesMax
        let deadline = Moment(afterMilliseconds: timeoutMilliseconds)
        var answer: Answer?
        while true {
            let (consumed, step) = parser.consume(rest.span)
            rest.removeFirst(consumed)
            if let done = try take(step, into: &answer) { return done }
            guard case .needsMore = step else { continue }
            switch try wire.read(timeoutMilliseconds: deadline.remainingMilliseconds) {
            case .bytes(let bytes): rest += bytes
            case .nothing: if deadline.hasPassed { throw .timedOut("\(wire.address)") }
            case .end:
                guard let done = try take(parser.inputEnded(), into: &answer) else { throw .closed(nil) }
                return done
            }
        }
    }

    /// The answer when it is whole.
    private func take(_ step: HTTPResponseParser.Step, into answer: inout Answer?) throws(ClientFailure) -> Answer? {
        switch step {
        case .needsMore: break
        case .head(let head): answer = Answer(head: head)
        case .body(let bytes): answer?.body += bytes
        case .end:
            answer?.keepsAlive = parser.keepAlive
            return answer
        case .failed(let failure):
            throw .notUnderstood("What answers at \(wire.address) does not speak HTTP: \(failure.sentence)")
        }
        return nil
    }
}
