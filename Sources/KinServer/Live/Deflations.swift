import KinCodec

/// The newest events' compressed frames. Each is made when the first follower can take it, and then shared by all whose
/// window holds the event, which is nearly everybody. A follower that reads from further back in the feed, or from the
/// log, gets the plain form: compressing for each client would cost more than the rest of a delivery.
///
/// It belongs to the feed.
struct Deflations {
    private struct Made {
        let position: Int64
        let windowBits: UInt8
        /// The frame; `nil` when it would not be smaller.
        let frame: [UInt8]?
    }

    let deflater: Deflater
    /// Shorter events are not worth it.
    private let bytesMin: Int
    /// The oldest first.
    private var made: [Made] = []
    private var bytes = 0
    /// Frames kept at a time, and their bytes.
    static let framesMax = 128
    static let bytesMax = 256 << 10

    init(deflater: Deflater, bytesMin: Int) {
        self.deflater = deflater
        self.bytesMin = bytesMin
    }

    /// The frame for clients with this window; `nil` where the plain one is to be sent.
    mutating func frame(of entry: Feed.Entry, windowBits: UInt8) -> [UInt8]? {
        let count = entry.bytes.count - entry.headerBytes - 1
        guard count >= bytesMin else { return nil }
        let bits = Deflater.windowBits(for: count, atMost: windowBits)
        for one in made.reversed() where one.position == entry.position && one.windowBits == bits { return one.frame }
        let bytes = entry.bytes
        let message = bytes.span.extracting(entry.headerBytes..<(entry.headerBytes + count))
        var frame: [UInt8]?
        if let small = deflater.deflate(message, windowBits: bits) {
            var framed: [UInt8] = []
            framed.reserveCapacity(small.count + WebSocketFrame.headerBytes(small.count))
            WebSocketFrame.write(.text, small, reserved: WebSocketFrame.compressed, to: &framed)
            frame = framed
        }
        self.bytes += frame?.count ?? 0
        made.append(Made(position: entry.position, windowBits: bits, frame: frame))
        while made.count > Self.framesMax || self.bytes > Self.bytesMax {
            self.bytes -= made.removeFirst().frame?.count ?? 0
        }
        return frame
    }

    /// Compressed frames held now.
    var framesMade: Int { made.count { $0.frame != nil } }

    /// An event left the log.
    mutating func forget(_ position: Int64) {
        made.removeAll { one in
            guard one.position == position else { return false }
            bytes -= one.frame?.count ?? 0
            return true
        }
    }
}

extension Feed {
    /// Appends an event for a client: compressed where the client agreed to that and a shared frame exists.
    mutating func write(_ index: Int, _ envelope: Envelope, to out: inout [UInt8]) {
        if case .deflated(let windowBits) = envelope, index >= entries.count - Gathered.entriesMax,
            let frame = deflations.frame(of: entries[index], windowBits: windowBits)
        {
            out += frame
        } else {
            envelope.write(entries[index], to: &out)
        }
    }
}
