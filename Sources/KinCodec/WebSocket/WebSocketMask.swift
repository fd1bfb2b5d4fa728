/// Masking (RFC 6455 §5.3). Masking twice restores the bytes.
enum WebSocketMask {
    /// Changes the bytes from `start` to the end. `mask` is big-endian as in the frame; `phase` (0 to 3) is which of its
    /// bytes comes first.
    static func apply(_ mask: UInt32, phase: Int, to bytes: inout [UInt8], from start: Int) {
        let turned = mask << UInt32(8 * (phase & 3)) | (phase & 3 == 0 ? 0 : mask >> UInt32(32 - 8 * (phase & 3)))
        let word = (UInt64(turned) << 32 | UInt64(turned)).bigEndian
        // The pointer does not leave the closure; each load and store of eight bytes ends at `index + 8`, which is
        // at most `bytes.count`.
        unsafe bytes.withUnsafeMutableBytes { bytes in
            var index = start
            while bytes.count - index >= 8 {
                let masked = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ word
                unsafe bytes.storeBytes(of: masked, toByteOffset: index, as: UInt64.self)
                index += 8
            }
            while index < bytes.count {
                let shift = UInt32(24 - 8 * ((index - start) & 3))
                unsafe bytes[index] ^= UInt8(truncatingIfNeeded: turned >> shift)
                index += 1
            }
        }
    }
}
