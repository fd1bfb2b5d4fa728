import CZlib

/// Whole contents as gzip (RFC 1952), for HTTP's `Content-Encoding: gzip` (RFC 9110 §8.4.1.3).
public enum Gzip {
    /// Compresses as small as zlib can, which takes its time: for content that is made once and sent often. `nil` where
    /// zlib fails.
    public static func compress(_ content: [UInt8]) -> [UInt8]? {
        var stream = unsafe z_stream()
        guard unsafe kin_gzip_start(&stream) == Z_OK else { return nil }
        defer { unsafe deflateEnd(&stream) }
        let bytesMax = unsafe Int(deflateBound(&stream, UInt(content.count)))
        var isWhole = false
        let out = unsafe [UInt8](unsafeUninitializedCapacity: bytesMax) { room, count in
            unsafe content.withUnsafeBufferPointer { bytes in
                unsafe stream.next_in = bytes.baseAddress
                unsafe stream.avail_in = UInt32(bytes.count)
                unsafe stream.next_out = room.baseAddress
                unsafe stream.avail_out = UInt32(bytesMax)
                isWhole = unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END
                count = unsafe bytesMax - Int(stream.avail_out)
            }
        }
        return isWhole ? out : nil
    }
}
