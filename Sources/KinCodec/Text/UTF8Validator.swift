/// Judges UTF-8 (RFC 3629) in pieces of any size, at the first bad byte: no overlong forms, no surrogates, nothing
/// past U+10FFFF.
public struct UTF8Validator: Sendable {
    /// Continuation bytes that must follow.
    private var missing: UInt8 = 0
    /// What the next of them may be: narrower right after E0, ED, F0 and F4 (RFC 3629 §4).
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF
    private var isBroken = false

    /// Before the first byte.
    public init() {}

    /// True when the text may end here; false within a character, and after a bad byte.
    public var isComplete: Bool { missing == 0 && !isBroken }

    /// False when the bytes cannot be part of UTF-8 after those before; then it stays so until made anew.
    public mutating func consume(_ bytes: Span<UInt8>) -> Bool {
        // The pointer does not leave the closure.
        unsafe bytes.withUnsafeBytes { unsafe consume($0) }
    }

    private mutating func consume(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !isBroken else { return false }
        var index = 0
        while index < bytes.count {
            if missing == 0 {
                // Eight at a time while all are ASCII: the load ends at `index + 8`, which is within the bytes.
                while bytes.count - index >= 8,
                    unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                {
                    index += 8
                }
                guard index < bytes.count else { break }
            }
            guard unsafe take(bytes[index]) else {
                isBroken = true
                return false
            }
            index += 1
        }
        return true
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        if missing > 0 {
            guard byte >= lowest, byte <= highest else { return false }
            missing -= 1
            (lowest, highest) = (0x80, 0xBF)
            return true
        }
        switch byte {
        case 0x00...0x7F: return true
        case 0xC2...0xDF: missing = 1
        case 0xE0: (missing, lowest) = (2, 0xA0)
        case 0xED: (missing, highest) = (2, 0x9F)
        case 0xE1...0xEF: missing = 2
        case 0xF0: (missing, lowest) = (3, 0x90)
        case 0xF1...0xF3: missing = 3
        case 0xF4: (missing, highest) = (3, 0x8F)
        default: return false
        }
        return true
    }
}
