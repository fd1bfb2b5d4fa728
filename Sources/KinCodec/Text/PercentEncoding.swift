/// `%20` and the like (RFC 3986 §2.1).
public enum PercentEncoding {
    /// The bytes; `nil` for a `%` without two hexadecimal digits.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? { decode(text, lenient: false, plus: false) }

    /// Everything but letters, digits and `-._~` escaped: good for a path's segment, a query's name or value.
    public static func encode(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var out: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: out.append(byte)
            default: out += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// Lenient: a bad escape stands for itself. Plus: it is a space, as in forms.
    static func decode(_ text: some Collection<UInt8>, lenient: Bool, plus: Bool) -> [UInt8]? {
        let text = Array(text)
        var out: [UInt8] = []
        out.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "%") {
                if index + 2 < text.count, let high = ASCII.hexDigit(text[index + 1]),
                    let low = ASCII.hexDigit(text[index + 2])
                {
                    out.append(high << 4 | low)
                    index += 3
                    continue
                }
                guard lenient else { return nil }
            }
            out.append(plus && byte == UInt8(ascii: "+") ? 0x20 : byte)
            index += 1
        }
        return out
    }
}
