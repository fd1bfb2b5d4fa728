/// What protocols mean by letters and white space.
enum ASCII {
    static func lower(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }

    /// Equal but for the case of A to Z.
    static func equal(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && zip(left.utf8, right.utf8).allSatisfy { lower($0) == lower($1) }
    }

    /// The same text with A to Z in lower case.
    static func lowercased(_ text: String) -> String { String(decoding: text.utf8.map(lower), as: UTF8.self) }

    /// Without spaces and tabs at both ends.
    static func trimmed(_ text: some BidirectionalCollection<UInt8>) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        guard let first = text.firstIndex(where: { !isSpace($0) }), let last = text.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(decoding: text[first...last], as: UTF8.self)
    }

    /// A character of a token (RFC 9110 §5.6.2).
    static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: false
        }
    }

    /// A character of a token68 (RFC 9110 §11.2).
    static func isToken68(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E, 0x2B, 0x2F, 0x3D: true
        default: false
        }
    }

    static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    /// A whole number of decimal digits only, at most `Int.max`.
    static func number(_ text: some Collection<UInt8>) -> Int? {
        guard !text.isEmpty else { return nil }
        var value = 0
        for byte in text {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            let (product, over) = value.multipliedReportingOverflow(by: 10)
            let (sum, overAgain) = product.addingReportingOverflow(Int(byte - 0x30))
            guard !over, !overAgain else { return nil }
            value = sum
        }
        return value
    }
}
