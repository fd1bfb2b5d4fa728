/// Three big-endian words as 32 characters of base64url, and back: no padding, no second spelling.
enum CursorText {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    static func encode(_ words: UInt64...) -> String {
        unsafe String(unsafeUninitializedCapacity: 32) { out in
            var index = 0
            var (bits, held): (UInt64, UInt64) = (0, 0)
            for word in words {
                for shift in stride(from: UInt64(56), through: 0, by: -8) {
                    bits = bits << 8 | (word >> shift & 255)
                    held += 8
                    while held >= 6 {
                        held -= 6
                        unsafe out[index] = alphabet[Int(bits >> held & 63)]
                        index += 1
                    }
                }
            }
            return index
        }
    }

    static func decode(_ text: String) -> (UInt64, UInt64, UInt64)? {
        var words: [UInt64] = [0, 0, 0]
        var (bits, held, bytes, characters): (UInt64, UInt64, Int, Int) = (0, 0, 0, 0)
        for character in text.utf8 {
            characters += 1
            guard characters <= 32, let digit = digit(character) else { return nil }
            bits = bits << 6 | digit
            held += 6
            if held >= 8 {
                held -= 8
                words[bytes / 8] = words[bytes / 8] << 8 | (bits >> held & 255)
                bytes += 1
            }
        }
        return characters == 32 ? (words[0], words[1], words[2]) : nil
    }

    private static func digit(_ character: UInt8) -> UInt64? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt64(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt64(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
