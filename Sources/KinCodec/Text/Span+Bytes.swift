import Glibc

extension Span<UInt8> {
    /// The first place of a byte at or after `start`.
    func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
        guard start < count else { return nil }
        // The pointer does not leave the closure, and memchr reads `count - start` bytes from it.
        return unsafe withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress,
                let found = unsafe memchr(base + start, Int32(byte), bytes.count - start)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - base
        }
    }

    /// A copy.
    package var array: [UInt8] {
        var out: [UInt8] = []
        out.append(self)
        return out
    }
}

extension [UInt8] {
    mutating func append(_ bytes: Span<UInt8>) {
        // The pointer does not leave the closure; the bytes are copied.
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
