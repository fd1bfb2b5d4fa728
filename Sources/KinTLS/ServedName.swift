import Glibc

/// What a server is reached by: a DNS name or an address.
enum ServedName: Hashable {
    /// Lower case, no final dot.
    case dns(String)
    /// 4 or 16 bytes.
    case address([UInt8])

    /// A host name (RFC 1123 §2.1: letters, digits, hyphens; international names as `xn--…`). `nil` for anything else,
    /// wildcards too.
    init?(dns text: String) {
        var name = text.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        guard (1...253).contains(name.utf8.count), Self(address: name) == nil else { return nil }
        for label in name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
            guard (1...63).contains(label.count), label.first != UInt8(ascii: "-"), label.last != UInt8(ascii: "-"),
                label.allSatisfy({ byte in
                    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
                })
            else { return nil }
        }
        self = .dns(name)
    }

    /// An IPv4 or IPv6 address, also in brackets and with a zone (which a certificate cannot hold). A mapped IPv4
    /// address counts as IPv4.
    init?(address text: String) {
        var text = text[...]
        if text.first == "[", text.last == "]" { text = text.dropFirst().dropLast() }
        text = text.prefix(while: { $0 != "%" })
        let address = String(text)
        var bytes = [UInt8](repeating: 0, count: 16)
        if unsafe inet_pton(AF_INET, address, &bytes) == 1 {
            self = .address(Array(bytes.prefix(4)))
        } else if unsafe inet_pton(AF_INET6, address, &bytes) == 1 {
            let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 255 && bytes[11] == 255
            self = .address(isMapped ? Array(bytes.suffix(4)) : bytes)
        } else {
            return nil
        }
    }

    /// As a person writes it.
    var text: String {
        switch self {
        case .dns(let name): return name
        case .address(let bytes):
            var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            guard bytes.count == 4 || bytes.count == 16,
                unsafe inet_ntop(
                    bytes.count == 4 ? AF_INET : AF_INET6, bytes, &buffer, socklen_t(INET6_ADDRSTRLEN)) != nil
            else { return "?" }
            return String(decoding: buffer.prefix(while: { $0 != 0 }).map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }

    /// In the notation of x509v3_config(5). Safe to join with commas: neither kind can hold one.
    var entry: String {
        switch self {
        case .dns(let name): "DNS:" + name
        case .address: "IP:" + text
        }
    }
}
