/// Host and port (RFC 3986 §3.2 without userinfo).
enum Authority {
    /// Host and port of a text that ``isValid(_:)``.
    static func split(_ text: String) -> (name: String, port: Int?) {
        let bytes = Array(text.utf8)
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")), !bytes[colon...].contains(UInt8(ascii: "]")) else {
            return (text, nil)
        }
        return (String(decoding: bytes[..<colon], as: UTF8.self), ASCII.number(bytes[(colon + 1)...]))
    }

    /// A host that is not empty, made of the characters of names and addresses; a port, if any, below 65536.
    static func isValid(_ text: String) -> Bool {
        var bytes = Array(text.utf8)[...]
        if bytes.first == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")), end > bytes.startIndex + 1 else { return false }
            let inside = bytes[(bytes.startIndex + 1)..<end]
            guard inside.allSatisfy({ ASCII.hexDigit($0) != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
            else { return false }
            bytes = bytes[(end + 1)...]
        } else {
            let end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
            guard end > bytes.startIndex, bytes[..<end].allSatisfy(isHostCharacter) else { return false }
            bytes = bytes[end...]
        }
        guard let colon = bytes.first else { return true }
        guard colon == UInt8(ascii: ":") else { return false }
        let port = bytes.dropFirst()
        return port.isEmpty || port.count <= 5 && (ASCII.number(port) ?? 65536) < 65536
    }

    private static func isHostCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }
}
