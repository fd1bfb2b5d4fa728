/// A compressed message that leaves piece by piece (RFC 7692 §7.2.1 with §6.1): every piece ends where a byte ends and
/// looks back at none before it, so pieces that were made apart, and long ago, go behind each other.
extension Deflater {
    /// A piece of a message. One that does not become smaller goes into blocks without compression, five bytes for 64 kB.
    public func piece(_ bytes: [UInt8], windowBits: UInt8) -> [UInt8] {
        guard let small = deflate(bytes, windowBits: windowBits) else { return Self.stored(bytes) }
        return small + Self.end
    }

    /// A piece as it is (RFC 1951 §3.2.4).
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

    /// What stands behind the last piece: the beginning of the empty block whose end a receiver adds itself.
    public static let endOfPieces: [UInt8] = [0]

    /// What a piece was made of, so many bytes; `nil` when it is no such piece.
    public static func unpacked(_ piece: [UInt8], count: Int) -> [UInt8]? {
        var out: [UInt8] = []
        out.reserveCapacity(count)
        guard case .good = Inflater().inflate(piece.span, into: &out, bytesMax: count), out.count == count else {
            return nil
        }
        return out
    }
}
