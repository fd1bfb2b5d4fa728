import KinModel

/// Bytes of vCards as text.
enum VCardText {
    /// Reads UTF-8. Bytes that are no UTF-8, or declared as another encoding, are read as Windows-1252, which includes
    /// Latin-1.
    static func text(_ bytes: [UInt8], charset: String? = nil) -> (text: String, isLatin: Bool) {
        let isSaidLatin = charset.map { ["ISO-8859-1", "WINDOWS-1252", "LATIN1"].contains($0.uppercased()) } ?? false
        if !isSaidLatin, let text = String(validating: bytes, as: UTF8.self) { return (text, false) }
        var out = String.UnicodeScalarView()
        for byte in bytes {
            let code = (0x80..<0xA0).contains(byte) ? windows[Int(byte) - 0x80] : UInt32(byte)
            if let scalar = Unicode.Scalar(code) { out.append(scalar) }
        }
        return (String(out), !isSaidLatin)
    }

    /// The bytes 0x80 to 0x9F of Windows-1252, as the Encoding Standard has them.
    private static let windows: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]

    /// RFC 2045, 6.7: what is no code stays as it is.
    static func quotedPrintable(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "="), index + 2 < bytes.count, let high = digit(bytes[index + 1]),
                let low = digit(bytes[index + 2])
            {
                out.append(high << 4 | low)
                index += 3
            } else {
                out.append(bytes[index])
                index += 1
            }
        }
        return out
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// In one line: breaks become `joint`, control characters go, spaces at both ends too.
    static func line(_ text: String, joint: String = " ") -> String {
        let parts = text.split { $0.isNewline }.map { part in
            var out = String.UnicodeScalarView()
            for scalar in part.unicodeScalars {
                if scalar == "\t" { out.append(" ") }
                if scalar.properties.generalCategory != .control { out.append(scalar) }
            }
            return trimmed(String(out))
        }
        return parts.filter { !$0.isEmpty }.joined(separator: joint)
    }

    /// Without spaces at both ends.
    static func trimmed(_ text: String) -> String {
        let behind = text.drop { $0.isWhitespace }
        return String(behind.reversed().drop { $0.isWhitespace }.reversed())
    }
}
