extension IPAddress {
    /// Whether only this machine has it: 127.0.0.0/8 or ::1.
    public var isLoopback: Bool { isV6 ? self == .loopbackV6 : low >> 24 == 127 }

    /// Whether it stands for every address of the machine: 0.0.0.0 or `::`.
    public var isUnspecified: Bool { high == 0 && low == 0 }

    /// Whether it is of a private range (RFC 1918, RFC 4193) or of this link only (169.254.0.0/16, fe80::/10).
    public var isPrivate: Bool {
        if isV6 { return high >> 57 == 0xFC >> 1 || isLinkLocal }
        return low >> 24 == 10 || low >> 20 == 0xAC1 || low >> 16 == 0xC0A8 || isLinkLocal
    }

    /// Whether it holds on this link only.
    public var isLinkLocal: Bool { isV6 ? high >> 54 == 0xFE80 >> 6 : low >> 16 == 0xA9FE }

    /// The address by which attempts are counted: an IPv4 address itself; of IPv6 the /64, within which a household
    /// chooses freely.
    public var slowdownKey: IPAddress { isV6 ? IPAddress(high: high, low: 0) : self }
}
