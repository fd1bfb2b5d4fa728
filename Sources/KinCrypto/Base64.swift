/// RFC 4648 base64, strict on reading: no white space, no foreign characters, padding exactly where it belongs, and no
/// set bits that are thrown away, so that one byte string has one text.
public enum Base64 {
    /// The standard alphabet (§4), padded unless said.
    public static func encode(_ bytes: [UInt8], padding: Bool = true) -> String {
        write(bytes, alphabet: standard, padding: padding)
    }

    /// Reads the standard alphabet; `nil` for anything ``encode(_:padding:)`` would not have written.
    public static func decode(_ text: String, padding: Bool = true) -> [UInt8]? {
        decode(Array(text.utf8), padding: padding)
    }

    /// The same over the text's bytes.
    public static func decode(_ text: [UInt8], padding: Bool = true) -> [UInt8]? {
        read(text, standardValues, padding: padding)
    }

    /// The alphabet for links and file names (§5), never padded.
    public static func urlEncode(_ bytes: [UInt8]) -> String { write(bytes, alphabet: url, padding: false) }

    /// Reads the alphabet for links without padding; `nil` for anything ``urlEncode(_:)`` would not have written.
    public static func urlDecode(_ text: String) -> [UInt8]? {
        read(Array(text.utf8), urlValues, padding: false)
    }

    private static let standard = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let url = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// What each byte stands for in an alphabet.
    private static let standardValues = values(of: standard)
    private static let urlValues = values(of: url)
    private static let noValue: UInt8 = 0xFF

    private static func values(of alphabet: [UInt8]) -> [UInt8] {
        var values = [UInt8](repeating: noValue, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }

    private static func write(_ bytes: [UInt8], alphabet: [UInt8], padding: Bool) -> String {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let left = bytes.count - index
            let first = UInt32(bytes[index]) << 16
            let second = left > 1 ? UInt32(bytes[index + 1]) << 8 : 0
            let group = first | second | (left > 2 ? UInt32(bytes[index + 2]) : 0)
            output.append(alphabet[Int(group >> 18)])
            output.append(alphabet[Int(group >> 12 & 63)])
            if left > 1 { output.append(alphabet[Int(group >> 6 & 63)]) }
            if left > 2 { output.append(alphabet[Int(group & 63)]) }
            if padding, left < 3 { output.append(contentsOf: repeatElement(UInt8(ascii: "="), count: 3 - left)) }
            index += 3
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func read(_ text: [UInt8], _ values: [UInt8], padding: Bool) -> [UInt8]? {
        var characters = text
        if padding {
            guard characters.count % 4 == 0 else { return nil }
            for _ in 0..<2 where characters.last == UInt8(ascii: "=") { characters.removeLast() }
        }
        guard characters.count % 4 != 1 else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(characters.count / 4 * 3 + 2)
        var group: UInt32 = 0
        var bits: UInt32 = 0
        for character in characters {
            let value = values[Int(character)]
            guard value != noValue else { return nil }
            group = group << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                output.append(UInt8(truncatingIfNeeded: group >> bits))
            }
            group &= 1 << bits - 1
        }
        return group == 0 ? output : nil
    }
}
