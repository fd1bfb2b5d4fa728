import KinCrypto

/// The SHA-256 of a family's root certificate: what a person compares, what an invite link carries, and what is pinned.
public struct Fingerprint: Sendable, Hashable, CustomStringConvertible {
    /// The 32 bytes.
    public let bytes: [UInt8]

    /// From its 32 bytes; `nil` for any other number of them.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Reads 64 hexadecimal digits in either case, with or without colons or blanks between them, with or without
    /// `sha256=` or `sha256:` in front.
    public init?(_ text: some StringProtocol) {
        var digits = text.lowercased()
        for prefix in ["sha256=", "sha256:"] where digits.hasPrefix(prefix) { digits.removeFirst(prefix.count) }
        digits.removeAll { $0 == ":" || $0 == " " }
        guard let bytes = Hex.decode(digits) else { return nil }
        self.init(bytes: bytes)
    }

    /// The fingerprint of a certificate's DER bytes.
    public init(ofCertificate der: [UInt8]) { bytes = Digest.sha256(der) }

    /// 64 lower-case hexadecimal digits, as in links and files.
    public var hex: String { Hex.encode(bytes) }

    /// `AA:BB:…`, as certificate viewers write it.
    public var description: String {
        bytes.map { Hex.encode([$0]).uppercased() }.joined(separator: ":")
    }

    /// Four lines of eight pairs each, for comparing by eye or reading out.
    public var lines: [String] {
        stride(from: 0, to: bytes.count, by: 8).map { start in
            bytes[start..<(start + 8)].map { Hex.encode([$0]).uppercased() }.joined(separator: ":")
        }
    }
}
