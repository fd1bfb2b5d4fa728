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
        case .int(let int): JSON.write(int, to: &out)
        case .double(let double): out += (double.isFinite ? double.description : "null").utf8
        case .string(let string): JSON.write(string, to: &out)
        case .array(let elements):
            out.append(UInt8(ascii: "["))
            let elements = elements.span
            for index in elements.indices {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                elements[index].write(to: &out)
            }
            out.append(UInt8(ascii: "]"))
        case .object(let object):
            out.append(UInt8(ascii: "{"))
            // Lent, not copied: a copy would count references for each name and value.
            let members = object.members.span
            for index in members.indices {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                JSON.write(members[index].name, to: &out)
                out.append(UInt8(ascii: ":"))
                members[index].value.write(to: &out)
            }
            out.append(UInt8(ascii: "}"))
        }
    }

    /// Appends a number, without a string of its digits.
    static func write(_ int: Int64, to out: inout [UInt8]) {
        if int < 0 { out.append(UInt8(ascii: "-")) }
        let start = out.count
        var rest = int.magnitude
        repeat {
            out.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        out[start...].reverse()
    }

    /// 1 for a byte that needs an escape, else 0. A number without a branch, so that many bytes are looked at in one
    /// step.
    @inline(__always) private static func escapes(_ byte: UInt8) -> UInt8 {
        (byte < 0x20 ? 1 : 0) | (byte == UInt8(ascii: "\"") ? 1 : 0) | (byte == UInt8(ascii: "\\") ? 1 : 0)
            | (byte == 0x7F ? 1 : 0)
    }

    /// Appends a string literal: quotes, backslashes and control characters escaped, everything else as it is.
    static func write(_ string: String, to out: inout [UInt8]) {
        let bytes = string.utf8Span.span
        // Most strings need no escape and are copied in one go.
        var found: UInt8 = 0
        for index in bytes.indices { found |= escapes(bytes[index]) }
        if found == 0 {
            out.append(addingCapacity: bytes.count + 2) { room in
                room.append(UInt8(ascii: "\""))
                for index in bytes.indices { room.append(bytes[index]) }
                room.append(UInt8(ascii: "\""))
            }
            return
        }
        out.append(UInt8(ascii: "\""))
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
