/// Chunked transfer coding (RFC 9112 §7.1), the writing side.
public enum HTTPChunk {
    /// Appends a chunk. An empty one is left out, for it would end the content.
    public static func write(_ bytes: Span<UInt8>, to out: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        writeSize(bytes.count, to: &out)
        out.append(bytes)
        out += "\r\n".utf8
    }

    /// The same over an array.
    public static func write(_ bytes: [UInt8], to out: inout [UInt8]) { write(bytes.span, to: &out) }

    /// Appends what stands before a chunk's bytes; CRLF must follow them. For bytes that are written elsewhere.
    /// `count` is above 0.
    public static func writeSize(_ count: Int, to out: inout [UInt8]) {
        precondition(count > 0, "a chunk of no bytes is the end of the content")
        out += String(count, radix: 16).utf8
        out += "\r\n".utf8
    }

    /// The end of the content, without trailers.
    public static let last: [UInt8] = Array("0\r\n\r\n".utf8)
}
