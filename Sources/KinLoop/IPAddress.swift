import Glibc

/// An address of IPv4 or IPv6. IPv4 addresses mapped into IPv6 (`::ffff:0:0/96`, RFC 4291 §2.5.5.2) become IPv4, so
/// that one machine has one address whichever listener it came through.
public struct IPAddress: Hashable, Sendable {
    /// The first eight bytes of an IPv6 address, big-endian; 0 for IPv4.
    let high: UInt64
    /// The last eight bytes, or the four of an IPv4 address, big-endian.
    let low: UInt64
    /// Whether it is an IPv6 address.
    public let isV6: Bool

    private init(high: UInt64, low: UInt64, isV6: Bool) {
        self.high = high
        self.low = low
        self.isV6 = isV6
    }

    /// An IPv4 address from its 32 bits.
    public init(v4 bits: UInt32) { self.init(high: 0, low: UInt64(bits), isV6: false) }

    /// An IPv6 address from its two halves; a mapped one becomes IPv4.
    public init(high: UInt64, low: UInt64) {
        if high == 0, low >> 32 == 0xFFFF {
            self.init(v4: UInt32(truncatingIfNeeded: low))
        } else {
            self.init(high: high, low: low, isV6: true)
        }
    }

    /// Reads dotted decimals without leading zeros, or IPv6 as in RFC 4291 §2.2 without brackets and zone; anything
    /// else is `nil`.
    public init?(_ text: some StringProtocol) {
        let text = String(text)
        // inet_pton stops at a NUL; nothing longer than 45 characters is an address.
        guard text.utf8.count <= 45, !text.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        if text.utf8.contains(UInt8(ascii: ":")) {
            guard unsafe inet_pton(AF_INET6, text, &bytes) == 1 else { return nil }
            self.init(sixteen: bytes, isV6: true)
        } else {
            guard unsafe inet_pton(AF_INET, text, &bytes) == 1 else { return nil }
            self.init(v4: bytes[0..<4].reduce(0) { $0 << 8 | UInt32($1) })
        }
    }

    /// From sixteen bytes, of which an IPv4 address uses the last four.
    init(sixteen bytes: [UInt8], isV6: Bool) {
        precondition(bytes.count == 16, "sixteen bytes make an address")
        let high = bytes[0..<8].reduce(0) { $0 << 8 | UInt64($1) }
        let low = bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
        if isV6 { self.init(high: high, low: low) } else { self.init(v4: UInt32(truncatingIfNeeded: low)) }
    }

    /// The sixteen bytes; of an IPv4 address twelve zeros and its four.
    var sixteen: [UInt8] {
        (0..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? high : low) >> UInt64(56 - 8 * ($0 % 8))) }
    }

    /// All IPv4 addresses of this machine, to listen on.
    public static let anyV4 = IPAddress(v4: 0)
    /// All IPv6 addresses of this machine, to listen on.
    public static let anyV6 = IPAddress(high: 0, low: 0)
    /// 127.0.0.1.
    public static let loopbackV4 = IPAddress(v4: 0x7F00_0001)
    /// ::1.
    public static let loopbackV6 = IPAddress(high: 0, low: 1)
}

extension IPAddress: CustomStringConvertible {
    /// Dotted decimals, or the short lower-case form of RFC 5952.
    public var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let bytes = isV6 ? sixteen : Array(sixteen[12...])
        let written = unsafe inet_ntop(isV6 ? AF_INET6 : AF_INET, bytes, &text, socklen_t(text.count))
        precondition(unsafe written != nil, "an address fits into INET6_ADDRSTRLEN")
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
