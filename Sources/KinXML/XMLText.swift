/// Text as it stands in a document.
public enum XMLText {
    /// Appends text with its markup characters escaped. Characters that XML 1.0 does not allow are left out (its
    /// section 2.2); a carriage return is written so that it is read back as one (2.11).
    public static func write(_ text: String, to out: inout [UInt8]) {
        var isPlain = true
        for byte in text.utf8 where byte < 0x20 || byte == 0x26 || byte == 0x3C || byte == 0x3E || byte == 0x22 {
            isPlain = isPlain && (byte == 0x0A || byte == 0x09)
        }
        // U+FFFE and U+FFFF are the other two that cannot stand there.
        guard !isPlain || text.utf8.contains(0xEF) else {
            out += text.utf8
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;".utf8
            case "<": out += "&lt;".utf8
            case ">": out += "&gt;".utf8
            case "\"": out += "&quot;".utf8
            case "\r": out += "&#13;".utf8
            case "\n", "\t": out.append(UInt8(truncatingIfNeeded: scalar.value))
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
            default: out += String(scalar).utf8
            }
        }
    }

    /// The same by itself.
    public static func escaped(_ text: String) -> String {
        var out: [UInt8] = []
        write(text, to: &out)
        return String(decoding: out, as: UTF8.self)
    }
}
