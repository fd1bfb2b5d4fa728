import KinCodec

/// One request and its answer over one connection, within the limits.
struct FetchExchange {
    /// What came.
    struct Outcome {
        var head: HTTPResponseHead
        var body: [UInt8] = []
    }

    let host: FetchURL.Host
    let limits: FetchLimits

    /// Asks and reads. The content of a redirect that is followed is not read.
    func perform(
        _ request: FetchRequest, _ headers: HTTPHeaders, over wire: FetchWire
    ) throws(FetchFailure) -> Outcome {
        var bytes: [UInt8] = []
        HTTPRequestHead.write(Self.method(request.method), request.url.target, headers, to: &bytes)
        if case .post(let content) = request.method { bytes += content }
        try wire.write(bytes)
        let outcome = try read(Self.method(request.method), over: wire)
        wire.close()
        return outcome
    }

    static func method(_ method: FetchRequest.Method) -> HTTPMethod {
        switch method {
        case .get: .get
        case .head: .head
        case .post: .post
        }
    }

    private func read(_ method: HTTPMethod, over wire: FetchWire) throws(FetchFailure) -> Outcome {
        var parserLimits = HTTPLimits()
        parserLimits.headersBytesMax = limits.fieldsBytesMax
        var parser = HTTPResponseParser(limits: parserLimits)
        parser.requestMethod = method
        // Counted here, where the sentence says how much would have been fine.
        parser.bodyBytesMax = .max
        var outcome: Outcome?
        var beforeHead = 0
        while true {
            var rest: ArraySlice<UInt8>
            switch try wire.read() {
            case .bytes(let bytes): rest = bytes[...]
            case .end(let isClean):
                guard case .end = parser.inputEnded(), let outcome, isClean else {
                    throw .notUnderstood("The answer of \(host) was cut off; try again later.")
                }
                return outcome
            }
            steps: while true {
                let (consumed, step) = parser.consume(rest)
                rest = rest.dropFirst(consumed)
                if outcome == nil { beforeHead += consumed }
                switch step {
                case .needsMore: break steps
                case .head(let head):
                    try check(head, method)
                    outcome = Outcome(head: head)
                    if Fetcher.isRedirect(head), method != .post { return Outcome(head: head) }
                case .body(let bytes):
                    guard let had = outcome?.body.count, had + bytes.count <= limits.bodyBytesMax else {
                        throw tooLarge
                    }
                    outcome?.body += bytes
                case .end:
                    guard let outcome else { throw .notUnderstood("The answer of \(host) has no head.") }
                    return outcome
                case .failed(let failure):
                    throw .notUnderstood("What answers at \(host) cannot be read. \(failure.sentence)")
                }
            }
            guard beforeHead <= limits.headBytesMax else {
                throw .notUnderstood("What answers at \(host) does not come to its answer; check the address.")
            }
        }
    }

    private var tooLarge: FetchFailure { .tooLarge(host: "\(host)", bytesMax: limits.bodyBytesMax) }

    private func check(_ head: HTTPResponseHead, _ method: HTTPMethod) throws(FetchFailure) {
        guard head.status != 101 else {
            throw .notUnderstood("What answers at \(host) wants to speak another protocol; check the address.")
        }
        // The answer to HEAD says how much there would be, and has nothing.
        guard method != .head else { return }
        if let length = head.headers["Content-Length"].flatMap({ Int($0) }), length > limits.bodyBytesMax {
            throw tooLarge
        }
        let codings = head.headers.tokens("Content-Encoding").filter { $0.lowercased() != "identity" }
        guard codings.isEmpty else {
            throw .notUnderstood("\(host) answered compressed, although it was asked not to; it cannot be used.")
        }
    }
}
