import CZlib

/// Compresses messages for permessage-deflate (RFC 7692 §7.2.1), each by itself. So one compressed message serves every
/// connection whose window is large enough.
///
/// Confined to one thread. Keeps zlib's memory for each window it was asked for: 6 to 260 kB.
public final class Deflater {
    /// The smallest window: zlib does not support a smaller one for raw DEFLATE.
    public static let windowBitsMin: UInt8 = 9
    /// The largest that DEFLATE has (RFC 1951 §2): 32 kB.
    public static let windowBitsMax: UInt8 = 15
    /// The bytes that zlib looks ahead (`MIN_LOOKAHEAD`). It never looks further back than the window less these.
    private static let lookaheadBytes = 262

    /// By window bits, from the smallest.
    private var streams = [Stream?](repeating: nil, count: Int(windowBitsMax - windowBitsMin) + 1)

    /// Takes no memory of zlib's yet.
    public init() {}

    /// The smallest window, at most `windowBits`, in which a message of so many bytes is compressed as well as in the
    /// given one. Connections for which this gives the same window can share the result.
    public static func windowBits(for bytes: Int, atMost windowBits: UInt8) -> UInt8 {
        var bits = windowBitsMin
        while bits < windowBits, bytes > 1 << Int(bits) - lookaheadBytes { bits += 1 }
        return bits
    }

    /// A message compressed, without the four octets at its end that a receiver adds itself; `nil` when that is not
    /// smaller. Window bits from ``windowBitsMin`` to ``windowBitsMax``.
    public func deflate(_ message: Span<UInt8>, windowBits: UInt8) -> [UInt8]? {
        guard !message.isEmpty, message.count < Int(UInt32.max) - 3 else { return nil }
        let bits = Self.windowBits(for: message.count, atMost: windowBits)
        precondition(bits >= Self.windowBitsMin && bits <= Self.windowBitsMax, "a window of zlib's has 9 to 15 bits")
        let index = Int(bits - Self.windowBitsMin)
        let stream = streams[index] ?? Stream(windowBits: Int32(bits))
        streams[index] = stream
        // The limit is one byte fewer than the message, besides the end that is cut off: a longer result is not
        // smaller.
        guard var out = stream.deflate(message, bytesMax: message.count - 1 + Self.end.count) else { return nil }
        out.removeLast(Self.end.count)
        return out
    }

    /// The same over an array.
    public func deflate(_ message: [UInt8], windowBits: UInt8) -> [UInt8]? {
        deflate(message.span, windowBits: windowBits)
    }

    /// What ends a flush: an empty block without compression, but for its header's bits (§7.2.1).
    static let end: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]

    /// One of zlib's streams.
    @safe private final class Stream {
        /// Never moved, for zlib keeps a pointer to it.
        private let stream: UnsafeMutablePointer<z_stream>

        init(windowBits: Int32) {
            unsafe stream = .allocate(capacity: 1)
            unsafe stream.initialize(to: z_stream())
            // Small tables for small windows: each reset clears them, which is much of a short message's cost.
            let status = unsafe kin_deflate_start(stream, Deflater.level, windowBits, min(8, windowBits - 6))
            precondition(status == Z_OK, "zlib has memory and takes these parameters")
        }

        deinit {
            unsafe deflateEnd(stream)
            unsafe stream.deallocate()
        }

        /// A message and the end of its flush, where that has at most so many bytes.
        func deflate(_ message: Span<UInt8>, bytesMax: Int) -> [UInt8]? {
            unsafe deflateReset(stream)
            var isWhole = false
            let out = unsafe [UInt8](unsafeUninitializedCapacity: bytesMax) { room, count in
                // Neither pointer is used after the closure: the stream is begun anew before it is used again.
                let status = unsafe message.withUnsafeBufferPointer { bytes in
                    unsafe stream.pointee.next_in = bytes.baseAddress
                    unsafe stream.pointee.avail_in = UInt32(bytes.count)
                    unsafe stream.pointee.next_out = room.baseAddress
                    unsafe stream.pointee.avail_out = UInt32(bytesMax)
                    return unsafe CZlib.deflate(stream, Z_SYNC_FLUSH)
                }
                let left = unsafe Int(stream.pointee.avail_out)
                // Room left over shows that the flush is complete (zlib.h, deflate).
                isWhole = unsafe status == Z_OK && stream.pointee.avail_in == 0 && left > 0
                count = bytesMax - left
            }
            return isWhole ? out : nil
        }
    }

    /// zlib's own balance of time and size.
    private static let level: Int32 = 6
}
