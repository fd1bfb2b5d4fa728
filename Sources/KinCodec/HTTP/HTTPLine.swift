/// Lines of a head (RFC 9112 §2.2): each ends in CRLF, and neither CR nor LF stands elsewhere. Keeps an unfinished line.
struct HTTPLine: Sendable {
    enum Step {
        case needsMore
        case line([UInt8])
        case tooLong
        case broken(String)
    }

    private var unfinished: [UInt8] = []

    /// True between lines.
    var isEmpty: Bool { unfinished.isEmpty }

    /// Takes one line of at most so many bytes without its CRLF.
    mutating func consume(_ input: Span<UInt8>, bytesMax: Int) -> (consumed: Int, step: Step) {
        let lineFeed = input.firstIndex(of: 0x0A)
        let end = lineFeed ?? input.count
        // A CR at the end of the input may yet be followed by its LF, so it does not count. Later bytes are not looked
        // at, so that a line gets the same answer however it was cut.
        let room = max(0, bytesMax + 1 - unfinished.count)
        unfinished.append(input.extracting(..<min(end, room)))
        let isWhole = lineFeed != nil
        if let carriageReturn = unfinished.span.firstIndex(of: 0x0D), carriageReturn < unfinished.count - 1 {
            return (end, .broken("A carriage return must be followed by a line feed."))
        }
        if end > room || unfinished.count > bytesMax && unfinished.last != 0x0D { return (end, .tooLong) }
        guard isWhole else { return (end, .needsMore) }
        guard unfinished.popLast() == 0x0D else {
            return (end + 1, .broken("A line must end in carriage return and line feed."))
        }
        let line = unfinished
        unfinished.removeAll(keepingCapacity: false)
        return (end + 1, .line(line))
    }
}
