/// Writers of frames (RFC 6455 §5.2).
public enum WebSocketFrame {
    /// What a frame is (§11.8).
    public enum Opcode: UInt8, Sendable, Hashable {
        /// More of the message before.
        case continuation = 0
        /// UTF-8.
        case text = 1
        /// Bytes.
        case binary = 2
        /// The end.
        case close = 8
        /// Asks whether the peer is alive.
        case ping = 9
        /// Its answer.
        case pong = 10

        /// True for close, ping and pong: at most 125 bytes, never in fragments.
        public var isControl: Bool { rawValue >= 8 }
    }

    /// Bytes of the header before a payload of that length: 2, 4 or 10, and 4 more with a mask.
    public static func headerBytes(_ length: Int, masked: Bool = false) -> Int {
        (length < 126 ? 2 : length < 65536 ? 4 : 10) + (masked ? 4 : 0)
    }

    /// Appends a frame's header. A control frame must be whole and have at most 125 bytes. A client must give a fresh random mask for each frame, a server none (§5.1).
    /// `reserved` are the RSV bits (0x40 is RSV1) that an extension asks for.
    public static func writeHeader(
        _ opcode: Opcode, length: Int, fin: Bool = true, mask: UInt32? = nil, reserved: UInt8 = 0,
        to out: inout [UInt8]
    ) {
        precondition(length >= 0 && (length < 126 && fin || !opcode.isControl), "a control frame is short and whole")
        let maskBit: UInt8 = mask == nil ? 0 : 0x80
        out.append((fin ? 0x80 : 0) | reserved & 0x70 | opcode.rawValue)
        if length < 126 {
            out.append(maskBit | UInt8(truncatingIfNeeded: length))
        } else if length < 65536 {
            out.append(maskBit | 126)
            for shift in [8, 0] { out.append(UInt8(truncatingIfNeeded: length >> shift)) }
        } else {
            out.append(maskBit | 127)
            for shift in stride(from: 56, through: 0, by: -8) { out.append(UInt8(truncatingIfNeeded: length >> shift)) }
        }
        if let mask {
            for shift in stride(from: 24, through: 0, by: -8) { out.append(UInt8(truncatingIfNeeded: mask >> shift)) }
        }
    }

    /// Appends a whole frame.
    public static func write(
        _ opcode: Opcode, _ payload: Span<UInt8>, fin: Bool = true, mask: UInt32? = nil, reserved: UInt8 = 0,
        to out: inout [UInt8]
    ) {
        writeHeader(opcode, length: payload.count, fin: fin, mask: mask, reserved: reserved, to: &out)
        let start = out.count
        out.append(payload)
        if let mask { WebSocketMask.apply(mask, phase: 0, to: &out, from: start) }
    }

    /// The same over an array.
    public static func write(
        _ opcode: Opcode, _ payload: [UInt8], fin: Bool = true, mask: UInt32? = nil, reserved: UInt8 = 0,
        to out: inout [UInt8]
    ) {
        write(opcode, payload.span, fin: fin, mask: mask, reserved: reserved, to: &out)
    }

    /// RSV1 says on a message's first frame that the message is compressed (RFC 7692 §6).
    public static let compressed: UInt8 = 0x40

    /// Appends a close frame (§5.5.1). A code of `nil`, or one that may not stand on the wire, gives an empty frame;
    /// the reason is cut to 123 bytes at a character's border.
    public static func writeClose(code: UInt16?, reason: String = "", mask: UInt32? = nil, to out: inout [UInt8]) {
        var payload: [UInt8] = []
        if let code, isValidCloseCode(code) {
            payload = [UInt8(code >> 8), UInt8(code & 0xFF)]
            for character in reason.unicodeScalars {
                let bytes = UTF8.encode(character).map(Array.init) ?? []
                guard payload.count + bytes.count <= 125 else { break }
                payload += bytes
            }
        }
        write(.close, payload, mask: mask, to: &out)
    }

    /// True for codes that may stand in a close frame (§7.4): 1000–1003, 1007–1014, 3000–4999.
    public static func isValidCloseCode(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
