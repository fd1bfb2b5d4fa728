import KinLoop

/// The PROXY protocol (haproxy.org, versions 1 and 2): what a trusted proxy says of its client before the first byte of
/// the connection proper. Does no input or output.
enum ProxyHeader: Equatable {
    /// The connection begins with something else.
    case absent
    /// More bytes will tell.
    case needsMore
    /// So many bytes of header; the client, unless the proxy speaks for itself.
    case present(bytes: Int, client: IPAddress?)
    /// It begins like one and is none.
    case broken

    private static let line = Array("PROXY ".utf8)
    private static let signature: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A]
    /// Bytes of the longest header of version 1, line end included.
    private static let lineBytesMax = 107
    /// Bytes of a header of version 2 before its addresses.
    private static let fixedBytes = 16

    /// Reads a header from the front.
    static func read(_ input: ArraySlice<UInt8>) -> ProxyHeader {
        if input.starts(with: line) { return readLine(input) }
        if input.starts(with: signature) { return readBinary(Array(input)) }
        let isBeginning = !input.isEmpty && (line.starts(with: input) || signature.starts(with: input))
        return isBeginning ? .needsMore : .absent
    }

    /// `PROXY TCP4 client server port port`.
    private static func readLine(_ input: ArraySlice<UInt8>) -> ProxyHeader {
        guard let end = input.prefix(lineBytesMax).firstIndex(of: 0x0A) else {
            return input.count < lineBytesMax ? .needsMore : .broken
        }
        let text = String(decoding: input[..<end], as: UTF8.self)
        let words = text.filter { $0 != "\r" }.split(separator: " ")
        let bytes = end - input.startIndex + 1
        guard words.count >= 2 else { return .broken }
        if words[1] == "UNKNOWN" { return .present(bytes: bytes, client: nil) }
        guard words.count == 6, words[1] == "TCP4" || words[1] == "TCP6", let client = IPAddress(String(words[2]))
        else {
            return .broken
        }
        return .present(bytes: bytes, client: client)
    }

    private static func readBinary(_ input: [UInt8]) -> ProxyHeader {
        guard input.count >= fixedBytes else { return .needsMore }
        let length = Int(input[14]) << 8 | Int(input[15])
        guard input[12] >> 4 == 2, length <= 2048 else { return .broken }
        guard input.count >= fixedBytes + length else { return .needsMore }
        let bytes = fixedBytes + length
        // LOCAL: the proxy looks whether anybody is there.
        guard input[12] & 0x0F == 1 else { return .present(bytes: bytes, client: nil) }
        func number(_ range: Range<Int>) -> UInt64 { input[range].reduce(0) { $0 << 8 | UInt64($1) } }
        switch input[13] {
        case 0x11 where length >= 12:
            return .present(bytes: bytes, client: IPAddress(v4: UInt32(truncatingIfNeeded: number(16..<20))))
        case 0x21 where length >= 36:
            return .present(bytes: bytes, client: IPAddress(high: number(16..<24), low: number(24..<32)))
        default: return .present(bytes: bytes, client: nil)
        }
    }
}
