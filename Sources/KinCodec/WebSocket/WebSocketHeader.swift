/// What stands before a frame's payload (RFC 6455 §5.2).
struct WebSocketHeader: Sendable {
    let fin: Bool
    /// RSV1 to RSV3 as 0x40, 0x20, 0x10.
    let reserved: UInt8
    /// `nil` for one of the reserved ones.
    let opcode: WebSocketFrame.Opcode?
    let mask: UInt32?
    /// The payload's length; `Int.max` for a larger one.
    let length: Int
    /// Written in as few bytes as possible, and below 2⁶³.
    let isMinimal: Bool

    /// How many bytes a header has, as far as its first two tell.
    static func bytes(of header: [UInt8]) -> Int {
        guard header.count >= 2 else { return 2 }
        let extended =
            switch header[1] & 0x7F {
            case 126: 2
            case 127: 8
            default: 0
            }
        return 2 + extended + (header[1] & 0x80 == 0 ? 0 : 4)
    }

    /// From as many bytes as ``bytes(of:)`` says.
    init(_ bytes: [UInt8]) {
        fin = bytes[0] & 0x80 != 0
        reserved = bytes[0] & 0x70
        opcode = WebSocketFrame.Opcode(rawValue: bytes[0] & 0x0F)
        var rest = bytes[2...]
        let short = bytes[1] & 0x7F
        if bytes[1] & 0x80 != 0 {
            mask = rest.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
            rest = rest.dropLast(4)
        } else {
            mask = nil
        }
        if short < 126 {
            (length, isMinimal) = (Int(short), true)
        } else {
            let long = rest.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            length = Int(clamping: long)
            isMinimal = short == 126 ? long > 125 : long > 65535 && long <= UInt64(Int64.max)
        }
    }
}
