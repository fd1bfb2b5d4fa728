/// A range of addresses with a common prefix (RFC 4632, RFC 4291 §2.3).
public struct CIDR: Hashable, Sendable {
    /// The first address of the range.
    public let base: IPAddress
    /// How many bits are common: 0…32 or 0…128.
    public let prefixBits: Int

    /// Reads `10.0.0.0/8`, `fd00::/8` or a single address. Bits past the prefix are dropped, a range of mapped
    /// addresses becomes one of IPv4; anything else is `nil`.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(parts[0]) else { return nil }
        let wroteV6 = parts[0].utf8.contains(UInt8(ascii: ":"))
        var bits = wroteV6 ? 128 : 32
        if parts.count == 2 {
            let digits = parts[1].utf8
            guard (1...3).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
                digits.count == 1 || digits.first != 0x30, let number = Int(parts[1]), number <= bits
            else { return nil }
            bits = number
        }
        if wroteV6, !address.isV6 {
            guard bits >= 96 else { return nil }
            bits -= 96
        }
        base = address.prefix(bits)
        prefixBits = bits
    }

    /// The range around an address: its first `bits` bits, 0…32 or 0…128.
    public init(around address: IPAddress, bits: Int) {
        precondition((0...(address.isV6 ? 128 : 32)).contains(bits), "a prefix is no longer than its address")
        base = address.prefix(bits)
        prefixBits = bits
    }

    /// Whether an address lies in the range; never across families.
    public func contains(_ address: IPAddress) -> Bool {
        address.isV6 == base.isV6 && address.prefix(prefixBits) == base
    }
}

extension CIDR: CustomStringConvertible {
    /// As it is written: `10.0.0.0/8`.
    public var description: String { "\(base)/\(prefixBits)" }
}

extension IPAddress {
    /// The address with all bits after the first `bits` cleared.
    func prefix(_ bits: Int) -> IPAddress {
        // Shifting by the full width gives 0 in Swift, which is what an empty prefix needs.
        let low = low & (~0 << UInt64(isV6 ? min(128 - bits, 64) : 32 - bits))
        guard isV6 else { return IPAddress(v4: UInt32(truncatingIfNeeded: low)) }
        return IPAddress(high: high & (~0 << UInt64(max(64 - bits, 0))), low: low)
    }
}
