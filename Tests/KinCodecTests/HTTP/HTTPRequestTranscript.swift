@testable import KinCodec

/// What a request parser said, in words; pieces of a body put together.
func transcript(_ pieces: [[UInt8]], limits: HTTPLimits = HTTPLimits()) -> [String] {
    var parser = HTTPRequestParser(limits: limits)
    var said: [String] = []
    var body: [UInt8] = []
    feed(
        pieces, consume: { parser.consume($0) },
        isNeedsMore: { if case .needsMore = $0 { true } else { false } },
        take: { step in
            switch step {
            case .needsMore: return true
            case .head(let head):
                said.append(
                    "\(head.method) \(head.target) \(head.minor) \(head.host) \(head.bodyLength) \(head.keepAlive)")
                said += head.headers.fields.map { "\($0.name)=\($0.value)" }
            case .body(let bytes): body += bytes
            case .end:
                said.append("end \(String(decoding: body, as: UTF8.self))")
                body = []
            case .failed(let failure):
                said.append("failed \(failure.status)")
                return false
            }
            return true
        })
    return said
}

/// The status a request is refused with; `nil` when it is taken.
func refusal(_ bytes: [UInt8], limits: HTTPLimits = HTTPLimits()) -> Int? {
    guard let last = transcript([bytes], limits: limits).last, last.hasPrefix("failed ") else { return nil }
    return Int(last.dropFirst(7))
}

/// The first head, or `nil` when there is none.
func head(_ text: String) -> HTTPRequestHead? {
    var parser = HTTPRequestParser()
    if case .head(let head) = parser.consume(text.bytes.span).step { return head }
    return nil
}
