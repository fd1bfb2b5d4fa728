/// The field lines of a head, or the trailers of a chunked body (RFC 9112 §5), up to and including the empty line.
struct HTTPFieldLines: Sendable {
    enum Step {
        case needsMore
        case end(HTTPHeaders)
        case failed(HTTPFailure)
    }

    private var line = HTTPLine()
    private var headers = HTTPHeaders()
    private var bytes = 0

    mutating func consume(_ input: Span<UInt8>, limits: HTTPLimits) -> (consumed: Int, step: Step) {
        var consumed = 0
        while consumed < input.count {
            let (count, step) = line.consume(
                input.extracting(consumed...), bytesMax: max(0, limits.headersBytesMax - bytes - 2))
            consumed += count
            switch step {
            case .needsMore: return (consumed, .needsMore)
            case .tooLong: return (consumed, .failed(HTTPFailure(431, "The header fields are too large.")))
            case .broken(let sentence): return (consumed, .failed(HTTPFailure(400, sentence)))
            case .line(let text):
                if text.isEmpty {
                    defer { self = HTTPFieldLines() }
                    return (consumed, .end(headers))
                }
                bytes += text.count + 2
                guard bytes <= limits.headersBytesMax, headers.fields.count < limits.headersMax else {
                    return (consumed, .failed(HTTPFailure(431, "There are too many header fields.")))
                }
                if let sentence = take(text) { return (consumed, .failed(HTTPFailure(400, sentence))) }
            }
        }
        return (consumed, .needsMore)
    }

    /// One field line; a sentence when it is refused.
    private mutating func take(_ text: [UInt8]) -> String? {
        guard text[0] != 0x20, text[0] != 0x09 else { return "A header field must stand on one line." }
        guard let colon = text.span.firstIndex(of: UInt8(ascii: ":")) else { return "A header field needs a colon." }
        guard colon > 0, text[..<colon].allSatisfy(ASCII.isToken) else {
            return "The name of a header field has a character that is not allowed."
        }
        let value = text[(colon + 1)...]
        guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            return "The value of a header field has a control character."
        }
        headers.append(String(decoding: text[..<colon], as: UTF8.self), ASCII.trimmed(value))
        return nil
    }
}
