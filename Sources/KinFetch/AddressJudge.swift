package import KinLoop

/// Judges the addresses a name has: which of them may be connected to.
package struct AddressJudge: Sendable {
    /// An address that may be connected to.
    package struct Permitted: Sendable, Hashable {
        package let address: SocketAddress
        /// It lies in the house, and the admin allowed that.
        package let isInside: Bool
    }

    /// The networks this machine stands in.
    private let ownNetworks: [CIDR]

    /// With this machine's networks, as its interfaces have them.
    ///
    /// The whole /48 counts as the house's IPv6 network: providers hand out prefixes of 48 to 60 bits (RFC 6177), the
    /// router gives each part of the house a /64 of them, and no interface tells the prefix. A network as wide as half
    /// of the internet, as tunnels have it, does not tell where the house ends: of it only the machine's own address
    /// counts.
    package init(ownNetworks: [CIDR]) {
        self.ownNetworks = ownNetworks.map { network in
            let isWide = network.prefixBits < (network.base.isV6 ? 16 : 8)
            guard !isWide else { return CIDR(around: network.base, bits: network.base.isV6 ? 128 : 32) }
            return network.base.isV6 ? CIDR(around: network.base, bits: min(48, network.prefixBits)) : network
        }
    }

    /// Those of the addresses that may be connected to, in their order; never none.
    ///
    /// - Parameter fromOutside: A machine outside led here; the admin's permission for the house then does not count.
    package func judge(
        _ addresses: [IPAddress], of url: FetchURL, by policy: FetchPolicy, fromOutside: Bool
    ) throws(FetchFailure) -> [Permitted] {
        var permitted: [Permitted] = []
        var refusal: String?
        for address in addresses {
            switch judge(address, of: url, by: policy, fromOutside: fromOutside) {
            case .permitted(let isInside):
                permitted.append(
                    Permitted(address: SocketAddress(address, port: url.origin.port), isInside: isInside))
            case .refused(let sentence): refusal = refusal ?? sentence
            }
        }
        if permitted.isEmpty { throw .refused(refusal ?? "\(url.origin.host) has no address.") }
        return permitted
    }

    private enum Verdict {
        case permitted(isInside: Bool)
        case refused(String)
    }

    private func judge(
        _ address: IPAddress, of url: FetchURL, by policy: FetchPolicy, fromOutside: Bool
    ) -> Verdict {
        let host = url.origin.host
        let port = url.origin.port
        let isUsualPort = policy.ports.contains(port)
        let special = SpecialRange.holding(address)
        let isOwn = ownNetworks.contains { $0.contains(address) }
        let isClear = !url.origin.isEnciphered && !policy.allowsPlain
        guard special != nil || isOwn else {
            // A name of the house that may be asked in clear must not lead out of it.
            guard !isClear else { return .refused("\(host) is asked by https:// only, where it is not in the house.") }
            return isUsualPort
                ? .permitted(isInside: false)
                : .refused("Port \(port) of \(host) is not asked; the usual ports are.")
        }
        let isAllowed = policy.inside.contains { place in
            guard place.port.map({ $0 == port }) ?? isUsualPort, place.isPlain || !isClear else { return false }
            // A name may lead only to addresses that houses have: the owner of the name must not reach this machine
            // through it.
            return place.holds(address) || place.names(host) && (special?.isOfHouses ?? true)
        }
        if isAllowed, !fromOutside { return .permitted(isInside: true) }
        let what = special?.what ?? "in this family's own network"
        return .refused(
            isAllowed
                ? "A host outside redirected to \(host), which is \(what); only its own address may be asked."
                : "\(host) is \(what) (\(address)), where nothing is asked; an admin can allow it.")
    }
}
