/// A UUIDv7 (RFC 9562 §5.7): 48 bits of milliseconds, then random bits. Written in lower case only.
public struct Identifier: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The first eight bytes, big-endian.
    public let high: UInt64
    /// The last eight bytes, big-endian.
    public let low: UInt64

    /// From its sixteen bytes as two big-endian halves, taken as they are.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A new identifier for a moment. `random` supplies the 74 random bits.
    public init(at instant: Instant, random: (UInt64, UInt64)) {
        let milliseconds = UInt64(clamping: instant.milliseconds) & 0xFFFF_FFFF_FFFF
        high = milliseconds << 16 | 0x7000 | (random.0 & 0x0FFF)
        low = 0x8000_0000_0000_0000 | (random.1 & 0x3FFF_FFFF_FFFF_FFFF)
    }

    /// Reads the 36-character lower-case form; anything else is `nil`.
    public init?(_ text: some StringProtocol) {
        var halves: (UInt64, UInt64) = (0, 0)
        var digits = 0
        var index = 0
        for byte in text.utf8 {
            defer { index += 1 }
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            let digit: UInt64
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt64(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = UInt64(byte - UInt8(ascii: "a") + 10)
            default: return nil
            }
            if digits < 16 { halves.0 = halves.0 << 4 | digit } else { halves.1 = halves.1 << 4 | digit }
            digits += 1
            if digits > 32 { return nil }
        }
        guard digits == 32, index == 36 else { return nil }
        (high, low) = halves
    }

    /// From sixteen bytes, as stored in the database.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        high = bytes[0..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The sixteen bytes.
    public var bytes: [UInt8] {
        (0..<16).map { index in
            let half = index < 8 ? high : low
            return UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * (index % 8)))
        }
    }

    /// The 36-character lower-case form.
    public var description: String {
        // A page of meetings holds hundreds of them: put down in place, without an array on the way.
        var text = InlineArray<36, UInt8>(repeating: UInt8(ascii: "-"))
        var index = 0
        func put(_ half: UInt64, _ digits: Range<UInt64>) {
            for digit in digits {
                let value = UInt8(truncatingIfNeeded: half >> (60 - 4 * digit)) & 15
                text[index] = value &+ (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
                index += 1
            }
            index += 1
        }
        put(high, 0..<8)
        put(high, 8..<12)
        put(high, 12..<16)
        put(low, 0..<4)
        put(low, 4..<16)
        // Digits and hyphens are ASCII.
        return unsafe String(copying: UTF8Span(unchecked: text.span, isKnownASCII: true))
    }

    /// In order of creation, to the millisecond.
    public static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }
}

extension JSON {
    /// An identifier as its text.
    public static func id(_ identifier: Identifier) -> JSON { .string(identifier.description) }
    /// The identifier if this is a string that holds one.
    public var identifier: Identifier? { string.flatMap { Identifier($0) } }
}
