/// Archives of plain files in the format `ustar` (IEEE Std 1003.1, pax), one header after the other. A name that is long or not
/// ASCII stands in an extended header of pax, in UTF-8.
public enum Ustar {
    /// Bytes of which a header is one, and each file some.
    public static let blockBytes = 512

    /// What stands before a file's bytes. `seconds` is its time, since 1970.
    public static func header(_ name: String, bytes: Int, seconds: Int64) -> [UInt8] {
        let plain = name.utf8.filter { (0x20..<0x7F).contains($0) }
        guard plain.count == name.utf8.count, plain.count <= nameBytesMax else {
            let record = record("path", name)
            let short = Array(plain.prefix(nameBytesMax))
            return block(Array("pax".utf8), bytes: record.count, seconds, UInt8(ascii: "x")) + record
                + filling(record.count) + block(short, bytes: bytes, seconds, UInt8(ascii: "0"))
        }
        return block(Array(plain), bytes: bytes, seconds, UInt8(ascii: "0"))
    }

    /// What fills up the last block of a file of so many bytes.
    public static func filling(_ bytes: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: (blockBytes - bytes % blockBytes) % blockBytes)
    }

    /// What stands at the end.
    public static let end = [UInt8](repeating: 0, count: 2 * blockBytes)

    private static let nameBytesMax = 100

    /// `27 path=Grüße.jpg` and a line feed: the length counts itself.
    private static func record(_ key: String, _ value: String) -> [UInt8] {
        let rest = " \(key)=\(value)\n"
        var length = rest.utf8.count
        while String(length).utf8.count + rest.utf8.count != length {
            length = String(length).utf8.count + rest.utf8.count
        }
        return Array("\(length)\(rest)".utf8)
    }

    private static func block(_ name: [UInt8], bytes: Int, _ seconds: Int64, _ type: UInt8) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: blockBytes)
        func put(_ text: some Sequence<UInt8>, _ offset: Int) {
            for (index, byte) in text.enumerated() { block[offset + index] = byte }
        }
        put(name, 0)
        put("0000600".utf8, 100)
        put("0000000".utf8, 108)
        put("0000000".utf8, 116)
        put(octal(Int64(bytes), 11).utf8, 124)
        put(octal(max(0, min(seconds, 0o77_777_777_777)), 11).utf8, 136)
        put("        ".utf8, 148)
        block[156] = type
        put("ustar".utf8, 257)
        put("00".utf8, 263)
        let sum = block.reduce(Int64(0)) { $0 + Int64($1) }
        put(octal(sum, 6).utf8, 148)
        block[154] = 0
        return block
    }

    private static func octal(_ value: Int64, _ width: Int) -> String {
        let digits = String(value, radix: 8)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
