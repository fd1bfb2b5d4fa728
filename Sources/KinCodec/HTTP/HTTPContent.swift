/// The content of one message by its framing (RFC 9112 §6, §7.1).
struct HTTPContent: Sendable {
    enum Step {
        case needsMore
        case body([UInt8])
        case end
        case failed(HTTPFailure)
    }

    private enum State: Sendable {
        case bytes(Int)
        case untilClose
        case chunkSize
        case chunk(Int)
        case chunkEnd
        case trailers
        case end
    }

    private var state: State
    private var line = HTTPLine()
    private var trailers = HTTPFieldLines()
    private var taken = 0
    private var extensionBytes = 0

    static let none = HTTPContent(state: .end)
    static let chunked = HTTPContent(state: .chunkSize)
    static let untilClose = HTTPContent(state: .untilClose)
    static func length(_ count: Int) -> HTTPContent { HTTPContent(state: count == 0 ? .end : .bytes(count)) }

    private init(state: State) { self.state = state }

    /// True when the end of the connection is the end of the content.
    var endsWithInput: Bool { if case .untilClose = state { true } else { false } }

    mutating func consume(_ input: Span<UInt8>, bytesMax: Int, limits: HTTPLimits) -> (consumed: Int, step: Step) {
        var consumed = 0
        while true {
            let rest = input.extracting(consumed...)
            switch state {
            case .end: return (consumed, .end)
            case .bytes(let left), .chunk(let left):
                // Judged before the bytes come: a length that is too large is refused at once.
                guard left <= bytesMax - taken else { return (consumed, .failed(Self.tooLarge)) }
                if rest.isEmpty { return (consumed, .needsMore) }
                let count = min(left, rest.count)
                taken += count
                if case .bytes = state {
                    state = count == left ? .end : .bytes(left - count)
                } else {
                    state = count == left ? .chunkEnd : .chunk(left - count)
                }
                return (consumed + count, .body(rest.extracting(..<count).array))
            case .untilClose:
                guard rest.count <= bytesMax - taken else { return (consumed, .failed(Self.tooLarge)) }
                if rest.isEmpty { return (consumed, .needsMore) }
                taken += rest.count
                return (input.count, .body(rest.array))
            case .chunkSize, .chunkEnd:
                if rest.isEmpty { return (consumed, .needsMore) }
                let isEnd = if case .chunkEnd = state { true } else { false }
                let (count, step) = line.consume(rest, bytesMax: isEnd ? 0 : limits.chunkLineBytesMax)
                consumed += count
                switch step {
                case .needsMore: return (consumed, .needsMore)
                case .tooLong:
                    let sentence = isEnd ? "A chunk is longer than its size says." : "A chunk's size line is too long."
                    return (consumed, .failed(HTTPFailure(400, sentence)))
                case .broken(let sentence): return (consumed, .failed(HTTPFailure(400, sentence)))
                case .line(let text):
                    if isEnd {
                        state = .chunkSize
                    } else {
                        guard let size = chunkSize(text, limits: limits) else {
                            return (consumed, .failed(HTTPFailure(400, "A chunk's size line is malformed.")))
                        }
                        state = size == 0 ? .trailers : .chunk(size)
                    }
                }
            case .trailers:
                if rest.isEmpty { return (consumed, .needsMore) }
                let (count, step) = trailers.consume(rest, limits: limits)
                consumed += count
                switch step {
                case .needsMore: return (consumed, .needsMore)
                case .failed(let failure): return (consumed, .failed(failure))
                // Trailers are read to find the end, and dropped: nothing here has a use for them (RFC 9110 §6.5.1).
                case .end: state = .end
                }
            }
        }
    }

    static let tooLarge = HTTPFailure(413, "The content is too large.")

    /// The number at the start of a size line; extensions after `;` are bounded and passed over (RFC 9112 §7.1.1).
    private mutating func chunkSize(_ text: [UInt8], limits: HTTPLimits) -> Int? {
        var size = 0
        var index = 0
        while index < text.count, let digit = ASCII.hexDigit(text[index]) {
            guard size <= Int.max >> 4 else { return nil }
            size = size << 4 | Int(digit)
            index += 1
        }
        guard index > 0 else { return nil }
        let rest = text[index...]
        guard !rest.isEmpty else { return size }
        extensionBytes += rest.count
        guard extensionBytes <= limits.chunkExtensionsBytesMax,
            rest.first(where: { $0 != 0x20 && $0 != 0x09 }) == UInt8(ascii: ";"),
            rest.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
        else { return nil }
        return size
    }
}
