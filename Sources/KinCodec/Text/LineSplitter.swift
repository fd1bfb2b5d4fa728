/// Cuts bytes into lines that end in LF or CRLF. Empty lines are skipped. It keeps an unfinished line itself.
public struct LineSplitter: Sendable {
    /// What the bytes brought.
    public enum Step: Sendable, Hashable {
        /// Everything was taken.
        case needsMore
        /// A line, not empty, without its end.
        case line([UInt8])
        /// The line is longer than allowed: close. Every later call says the same.
        case tooLong
    }

    /// A line's bytes at most, without its end. May be changed at any time.
    public var lineBytesMax: Int

    private var unfinished: [UInt8] = []
    private var isTooLong = false

    /// Before the first byte.
    public init(lineBytesMax: Int) { self.lineBytesMax = lineBytesMax }

    /// True when no part of a line is kept.
    public var isBetweenLines: Bool { unfinished.isEmpty }

    /// Takes bytes from the front of the input.
    public mutating func consume(_ input: Span<UInt8>) -> (consumed: Int, step: Step) {
        var start = 0
        while !isTooLong, start < input.count {
            let lineFeed = input.firstIndex(of: 0x0A, from: start)
            let end = lineFeed ?? input.count
            // A CR may be the line's end, so it does not count yet.
            let isOver = unfinished.count + (end - start) - 1 > lineBytesMax
            if !isOver { unfinished.append(input.extracting(start..<end)) }
            isTooLong = isOver || unfinished.count > lineBytesMax && unfinished.last != 0x0D
            guard !isTooLong else { break }
            guard lineFeed != nil else { return (end, .needsMore) }
            start = end + 1
            if unfinished.last == 0x0D { unfinished.removeLast() }
            guard !unfinished.isEmpty else { continue }
            let line = unfinished
            unfinished = []
            return (start, .line(line))
        }
        return isTooLong ? (start, .tooLong) : (start, .needsMore)
    }
}
