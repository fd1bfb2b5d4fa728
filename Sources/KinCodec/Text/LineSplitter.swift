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

    /// Before the first byte.
    public init(lineBytesMax: Int) { self.lineBytesMax = lineBytesMax }

    /// Takes bytes from the front of the input.
    public mutating func consume(_ input: Span<UInt8>) -> (consumed: Int, step: Step) { (input.count, .needsMore) }
}
