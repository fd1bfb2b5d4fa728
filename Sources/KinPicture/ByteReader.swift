/// Reads numbers out of hostile bytes; everything past the end is `nil`.
struct ByteReader {
    let bytes: ArraySlice<UInt8>
    var isLittleEndian = false

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// The byte at an offset from the beginning.
    func byte(_ offset: Int) -> Int? {
        offset >= 0 && offset < bytes.count ? Int(bytes[bytes.startIndex + offset]) : nil
    }

    func number(_ offset: Int, bytes count: Int) -> Int? {
        var value = 0
        for index in 0..<count {
            guard let byte = byte(offset + (isLittleEndian ? count - 1 - index : index)) else { return nil }
            value = value << 8 | byte
        }
        return value
    }

    func holds(_ text: String, at offset: Int = 0) -> Bool {
        holds(Array(text.utf8), at: offset)
    }

    func holds(_ wanted: [UInt8], at offset: Int = 0) -> Bool {
        for (index, value) in wanted.enumerated() {
            guard byte(offset + index) == Int(value) else { return false }
        }
        return true
    }

    /// Up to `count` bytes from an offset on.
    func part(_ offset: Int, _ count: Int) -> ArraySlice<UInt8> {
        bytes.dropFirst(max(0, offset)).prefix(max(0, count))
    }
}
