/// A compressed message that is sent in pieces (RFC 7692 §7.2.1 with §6.1). Every piece ends at a byte boundary and
/// refers to none before it. So pieces that were made separately, and long ago, can follow each other.
extension Deflater {
    /// A piece of a message. A piece that would not become smaller is stored in blocks without compression, at five
    /// bytes for each 64 kB.
    public func piece(_ bytes: [UInt8], windowBits: UInt8) -> [UInt8] {
        guard let small = deflate(bytes, windowBits: windowBits) else { return Self.stored(bytes) }
        return small + Self.end
    }

    /// A piece without compression (RFC 1951 §3.2.4).
    public static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = UInt16(min(rest.count, 0xFFFF))
            out.append(0)
            for length in [count, ~count] {
                out.append(UInt8(truncatingIfNeeded: length))
                out.append(UInt8(truncatingIfNeeded: length >> 8))
            }
            out += rest.prefix(Int(count))
            rest = rest.dropFirst(Int(count))
        }
        return out
    }

    /// The bytes after the last piece: the beginning of the empty block whose end a receiver adds itself.
    public static let endOfPieces: [UInt8] = [0]

    /// The content of a piece, of so many bytes; `nil` when it is no such piece.
    public static func unpacked(_ piece: [UInt8], count: Int) -> [UInt8]? {
        var out: [UInt8] = []
        out.reserveCapacity(count)
        guard case .good = Inflater().inflate(piece.span, into: &out, bytesMax: count), out.count == count else {
            return nil
        }
        return out
    }
}
