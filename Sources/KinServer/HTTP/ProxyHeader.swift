import KinLoop

/// The PROXY protocol (haproxy.org, versions 1 and 2): what a trusted proxy says of its client before the first byte of
/// the connection proper. It does no input or output.
enum ProxyHeader: Equatable {
    /// The connection begins with something else.
    case absent
    /// More bytes will tell.
    case needsMore
    /// A header of so many bytes, with the client's address and whether the client came by TLS. `client` is `nil` when
    /// the proxy speaks for itself or does not know; `isSecure` when it does not say.
    case present(bytes: Int, client: IPAddress?, isSecure: Bool?)
    /// It begins like a header and is not valid.
    case broken

    private static let line = Array("PROXY ".utf8)
    private static let signature: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A]
    /// Bytes of the longest header of version 1, line end included.
    private static let lineBytesMax = 107
    /// Bytes of a header of version 2 before its addresses.
    private static let fixedBytes = 16
    /// The most bytes after those: addresses, and further fields.
    private static let variableBytesMax = 2048
    /// The type of the field about TLS, and its bit for "the client came by TLS".
    private static let (typeTLS, bitTLS): (UInt8, UInt8) = (0x20, 0x01)

    /// Reads a header from the front.
    static func read(_ input: ArraySlice<UInt8>) -> ProxyHeader {
        if input.starts(with: line) { return readLine(input) }
        if input.starts(with: signature) { return readBinary(Array(input.prefix(fixedBytes + variableBytesMax))) }
        let isBeginning = !input.isEmpty && (line.starts(with: input) || signature.starts(with: input))
        return isBeginning ? .needsMore : .absent
    }

    /// `PROXY TCP4 client server port port`, each after one space.
    private static func readLine(_ input: ArraySlice<UInt8>) -> ProxyHeader {
        guard let end = input.prefix(lineBytesMax).firstIndex(of: 0x0A) else {
            return input.count < lineBytesMax ? .needsMore : .broken
        }
        guard input[end - 1] == 0x0D else { return .broken }
        let text = String(decoding: input[..<(end - 1)], as: UTF8.self)
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        let bytes = end - input.startIndex + 1
        if words[1] == "UNKNOWN" { return .present(bytes: bytes, client: nil, isSecure: nil) }
        guard words.count == 6, words[1] == "TCP4" || words[1] == "TCP6",
            words[4...].allSatisfy({ UInt16($0).map { "\($0)" } == String($0) })
        else { return .broken }
        let isV6 = words[1] == "TCP6"
        let hasFamily = words[2...3].allSatisfy { $0.contains(":") == isV6 && IPAddress($0) != nil }
        guard hasFamily, let client = IPAddress(words[2]) else { return .broken }
        return .present(bytes: bytes, client: client, isSecure: nil)
    }

    private static func readBinary(_ input: [UInt8]) -> ProxyHeader {
        guard input.count >= fixedBytes else { return .needsMore }
        let length = Int(input[14]) << 8 | Int(input[15])
        let (command, family, transport) = (input[12] & 0x0F, input[13] >> 4, input[13] & 0x0F)
        guard input[12] >> 4 == 2, command <= 1, family <= 3, transport <= 2, length <= variableBytesMax else {
            return .broken
        }
        guard input.count >= fixedBytes + length else { return .needsMore }
        let bytes = fixedBytes + length
        // LOCAL: a health check of the proxy; the addresses mean no client.
        guard command == 1 else { return .present(bytes: bytes, client: nil, isSecure: nil) }
        let addressBytes = family == 0 ? 0 : family == 1 ? 12 : family == 2 ? 36 : 216
        guard length >= addressBytes, let isSecure = readTLS(input[(fixedBytes + addressBytes)..<bytes]) else {
            return .broken
        }
        func number(_ range: Range<Int>) -> UInt64 { input[range].reduce(0) { $0 << 8 | UInt64($1) } }
        let client: IPAddress? =
            switch (family, transport) {
            case (1, 1): IPAddress(v4: UInt32(truncatingIfNeeded: number(16..<20)))
            case (2, 1): IPAddress(high: number(16..<24), low: number(24..<32))
            // Unix sockets, datagrams and unknown families.
            default: nil
            }
        return .present(bytes: bytes, client: client, isSecure: isSecure.value)
    }

    /// Reads the further fields, of which only TLS counts. `.value` is whether the client came by TLS; `nil` where that
    /// is not said. The result is `nil` when the fields cannot be read.
    private static func readTLS(_ input: ArraySlice<UInt8>) -> (value: Bool?, Void)? {
        var rest = input
        var isSecure: Bool?
        while !rest.isEmpty {
            guard rest.count >= 3 else { return nil }
            let start = rest.startIndex
            let length = Int(rest[start + 1]) << 8 | Int(rest[start + 2])
            guard rest.count >= 3 + length else { return nil }
            if rest[start] == typeTLS {
                guard length >= 5 else { return nil }
                isSecure = rest[start + 3] & bitTLS != 0
            }
            rest = rest.dropFirst(3 + length)
        }
        return (isSecure, ())
    }
}
