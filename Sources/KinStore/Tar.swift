/// The one page of POSIX's `ustar` format (IEEE Std 1003.1, pax, "ustar Interchange Format") that a backup needs: plain
/// files with short names. Sizes above 8 GiB are written in base 256, as GNU tar does.
enum Tar {
    static let blockBytes = 512

    /// The 512 bytes before a file's content. `seconds` is its time, since 1970.
    static func header(_ name: String, size: Int, seconds: Int64) -> [UInt8] {
        precondition(name.utf8.count <= 100, "a backup's names are short")
        var block = [UInt8](repeating: 0, count: blockBytes)
        func put(_ text: String, _ offset: Int) {
            for (index, byte) in text.utf8.enumerated() { block[offset + index] = byte }
        }
        put(name, 0)
        put("0000600", 100)
        put("0000000", 108)
        put("0000000", 116)
        if size < 1 << 33 {
            put(octal(size, 11), 124)
        } else {
            block[124] = 0x80
            for index in 0..<8 { block[128 + index] = UInt8(truncatingIfNeeded: size >> (56 - 8 * index)) }
        }
        put(octal(Int(clamping: max(0, seconds)), 11), 136)
        put("        ", 148)
        put("0", 156)
        put("ustar", 257)
        put("00", 263)
        put(octal(block.reduce(0) { $0 + Int($1) }, 6), 148)
        block[154] = 0
        return block
    }

    /// The name and size of the file that follows a header; `nil` at the end of the archive. Throws when the block is
    /// no header.
    static func entry(_ block: [UInt8]) throws(StoreFailure) -> (name: String, size: Int)? {
        guard block.count == blockBytes else { throw .backupCutOff }
        if block.allSatisfy({ $0 == 0 }) { return nil }
        var sum = 0
        for (index, byte) in block.enumerated() { sum += (148..<156).contains(index) ? 32 : Int(byte) }
        guard number(block[148..<155]) == sum, Array(block[257..<262]) == Array("ustar".utf8),
            block[156] == UInt8(ascii: "0"), let size = size(block[124..<136])
        else { throw .badBackup("it is no backup of Kinwire, or damaged") }
        return (String(decoding: block[0..<100].prefix { $0 != 0 }, as: UTF8.self), size)
    }

    /// How many zero bytes fill up the last block of a file.
    static func padding(_ size: Int) -> Int { (blockBytes - size % blockBytes) % blockBytes }

    private static func octal(_ value: Int, _ width: Int) -> String {
        let digits = String(value, radix: 8)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func number(_ field: ArraySlice<UInt8>) -> Int? {
        Int(String(decoding: field.prefix { $0 != 0 && $0 != 32 }, as: UTF8.self), radix: 8)
    }

    private static func size(_ field: ArraySlice<UInt8>) -> Int? {
        guard field.first == 0x80 else { return number(field).flatMap { $0 >= 0 ? $0 : nil } }
        let value = field.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: value)
    }
}
