package import KinLoop

/// Addresses that are not of the public internet, by the registries of IANA (RFC 6890 and later), and what they are.
package struct SpecialRange: Sendable {
    /// What lies there, as a sentence ends with it.
    package let what: String
    /// Whether houses have such addresses: a name that the admin allowed may lead there. The others (this machine, a link,
    /// no machine at all) are reached only where the admin wrote the address itself.
    package let isOfHouses: Bool
    let network: CIDR

    private init(_ network: String, _ what: String, isOfHouses: Bool = false) {
        guard let range = CIDR(network) else { preconditionFailure("the table holds networks") }
        self.network = range
        self.what = what
        self.isOfHouses = isOfHouses
    }

    /// The range an address lies in; `nil` for one of the public internet.
    package static func holding(_ address: IPAddress) -> SpecialRange? {
        if let found = all.first(where: { $0.network.contains(address) }) { return found }
        return address.isV6 && !global.contains(address) ? beyond : nil
    }

    /// RFC 4291 §2.4: what has been given to networks so far. The rest of IPv6 is nobody's yet.
    private static let global = CIDR(around: IPAddress(high: 0x2000 << 48, low: 0), bits: 3)
    private static let beyond = SpecialRange("::/0", "in no network of the internet")

    // An IPv4 address mapped into IPv6 is an IPv4 address already (see IPAddress). Ranges that carry another address
    // inside are excluded as a whole, so that the inner address need not be judged.
    static let all = [
        SpecialRange("0.0.0.0/8", "this machine"), SpecialRange("127.0.0.0/8", "this machine"),
        SpecialRange("::/128", "this machine"), SpecialRange("::1/128", "this machine"),
        SpecialRange("10.0.0.0/8", "in a private network", isOfHouses: true),
        SpecialRange("172.16.0.0/12", "in a private network", isOfHouses: true),
        SpecialRange("192.168.0.0/16", "in a private network", isOfHouses: true),
        SpecialRange("fc00::/7", "in a private network", isOfHouses: true),
        SpecialRange("fec0::/10", "in a private network", isOfHouses: true),
        SpecialRange("100.64.0.0/10", "in the provider's own network", isOfHouses: true),
        SpecialRange("169.254.0.0/16", "on this link only"), SpecialRange("fe80::/10", "on this link only"),
        SpecialRange("224.0.0.0/4", "for many machines at once"), SpecialRange("ff00::/8", "for many machines at once"),
        SpecialRange("64:ff9b::/96", "an IPv4 address in disguise"),
        SpecialRange("64:ff9b:1::/48", "an IPv4 address in disguise"),
        SpecialRange("::/96", "an IPv4 address in disguise"),
        SpecialRange("::ffff:0:0:0/96", "an IPv4 address in disguise"),
        SpecialRange("2001::/32", "an IPv4 address in disguise"),
        SpecialRange("2002::/16", "an IPv4 address in disguise"),
        SpecialRange("192.88.99.0/24", "an IPv4 address in disguise"),
        SpecialRange("192.0.2.0/24", "for documentation only"),
        SpecialRange("198.51.100.0/24", "for documentation only"),
        SpecialRange("203.0.113.0/24", "for documentation only"),
        SpecialRange("2001:db8::/32", "for documentation only"),
        SpecialRange("3fff::/20", "for documentation only"),
        SpecialRange("192.0.0.0/24", "reserved"), SpecialRange("198.18.0.0/15", "reserved"),
        SpecialRange("240.0.0.0/4", "reserved"), SpecialRange("2001::/23", "reserved"),
    ]
}
