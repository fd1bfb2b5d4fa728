extension JSON {
    /// The value as compact UTF-8 JSON text without a line break in it, so that it is one line and one frame.
    public var bytes: [UInt8] {
        var out: [UInt8] = []
        write(to: &out)
        return out
    }

    /// The value as compact JSON text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The value as JSON with the members of every object sorted by their bytes: equal values are equal bytes, to be
    /// compared by digest.
    public var canonicalBytes: [UInt8] { sorted.bytes }

    private var sorted: JSON {
        switch self {
        case .array(let elements): .array(elements.map(\.sorted))
        case .object(let object):
            .object(
                object.members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
                    .reduce(into: Object()) { $0.append($1.name, $1.value.sorted) })
        default: self
        }
    }

    /// Appends the value as compact JSON. A number that JSON cannot write (NaN, infinity) becomes `null`.
    public func write(to out: inout [UInt8]) {
        switch self {
        case .null: out += "null".utf8
        case .bool(let bool): out += (bool ? "true" : "false").utf8
        case .int(let int): out += int.description.utf8
        case .double(let double): out += (double.isFinite ? double.description : "null").utf8
        case .string(let string): JSON.write(string, to: &out)
        case .array(let elements):
            out.append(UInt8(ascii: "["))
            var first = true
            for element in elements {
                if !first { out.append(UInt8(ascii: ",")) }
                first = false
                element.write(to: &out)
            }
            out.append(UInt8(ascii: "]"))
        case .object(let object):
            out.append(UInt8(ascii: "{"))
            var first = true
            for member in object.members {
                if !first { out.append(UInt8(ascii: ",")) }
                first = false
                JSON.write(member.name, to: &out)
                out.append(UInt8(ascii: ":"))
                member.value.write(to: &out)
            }
            out.append(UInt8(ascii: "}"))
        }
    }

    /// Appends a string literal: quotes, backslashes and control characters escaped, everything else as it is.
    static func write(_ string: String, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "\""))
        // Most strings need no escape and are copied in one go.
        let bytes = string.utf8Span.span
        let needsEscape = bytes.indices.contains { index in
            let byte = bytes[index]
            return byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
        }
        if !needsEscape {
            out += string.utf8
            out.append(UInt8(ascii: "\""))
            return
        }
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                out.append(UInt8(ascii: "\\"))
                out.append(byte)
            case 0x0A: out += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            case 0x0D: out += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
            case 0x09: out += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
            case 0..<0x20, 0x7F:
                let digits = Array("0123456789abcdef".utf8)
                out += "\\u00".utf8
                out.append(digits[Int(byte >> 4)])
                out.append(digits[Int(byte & 15)])
            default: out.append(byte)
            }
        }
        out.append(UInt8(ascii: "\""))
    }
}
