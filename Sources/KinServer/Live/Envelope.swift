import KinCodec

/// The wrapping of a message for a transport. The JSON inside is the same bytes on each.
enum Envelope: Equatable {
    /// One text frame.
    case webSocket
    /// One text frame, compressed where that is worth it, with the agreed window of so many bits.
    case deflated(windowBits: UInt8)
    /// One line.
    case line
    /// One event with the cursor as its id, within a chunked HTTP body.
    case serverSentEvent
    /// One line, within a chunked HTTP body.
    case ndjson
    /// Another protocol, whose ``Subscription`` writes the bytes.
    case foreign

    /// Whether the bytes go into chunks of an HTTP body.
    var isChunked: Bool { self == .serverSentEvent || self == .ndjson }

    /// Appends a message for one client alone. From so many bytes on it is compressed, where the client agreed to that.
    func write(
        _ json: [UInt8], cursor: String? = nil, _ deflater: Deflater, _ compressedBytesMin: Int, to out: inout [UInt8]
    ) {
        switch self {
        case .deflated(let windowBits):
            if json.count >= compressedBytesMin, let small = deflater.deflate(json.span, windowBits: windowBits) {
                WebSocketFrame.write(.text, small, reserved: WebSocketFrame.compressed, to: &out)
            } else {
                WebSocketFrame.write(.text, json, to: &out)
            }
        default: writePlain(json, cursor: cursor, to: &out)
        }
    }

    private func writePlain(_ json: [UInt8], cursor: String?, to out: inout [UInt8]) {
        switch self {
        case .webSocket, .deflated: WebSocketFrame.write(.text, json, to: &out)
        case .line:
            out += json
            out.append(0x0A)
        case .ndjson:
            HTTPChunk.writeSize(json.count + 1, to: &out)
            out += json
            out += Self.lineAndChunkEnd
        case .foreign: break
        case .serverSentEvent:
            var event: [UInt8] = []
            event.reserveCapacity(json.count + 64)
            ServerSentEvent.write(id: cursor, data: json, to: &event)
            HTTPChunk.write(event, to: &out)
        }
    }

    /// Appends an event of the feed in its plain form: a slice of its shared bytes.
    func write(_ entry: Feed.Entry, to out: inout [UInt8]) {
        switch self {
        // Slices by index: `dropLast()` here would be that of sequences, which copies byte by byte.
        case .webSocket, .deflated: out += entry.bytes[..<(entry.bytes.count - 1)]
        case .line: out += entry.bytes[entry.headerBytes...]
        case .ndjson:
            HTTPChunk.writeSize(entry.bytes.count - entry.headerBytes, to: &out)
            out += entry.bytes[entry.headerBytes...]
            out += Self.chunkEnd
        case .foreign: break
        case .serverSentEvent:
            writePlain(Array(entry.bytes[entry.headerBytes..<(entry.bytes.count - 1)]), cursor: entry.cursor, to: &out)
        }
    }

    private static let chunkEnd = Array("\r\n".utf8)
    private static let lineAndChunkEnd = Array("\n\r\n".utf8)
}
