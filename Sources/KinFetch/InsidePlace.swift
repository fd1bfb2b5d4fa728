import KinLoop

/// A machine or network within the house that the admin allows to be asked. `nas.local` and `192.168.1.5` on the usual
/// ports, `nas.local:5232` and `[fd00::5]:5232` on this one alone, `192.168.1.0/24` for a whole network.
public struct InsidePlace: Sendable, Hashable {
    private enum Whom: Sendable, Hashable {
        case name(String)
        case network(CIDR)
    }

    private let whom: Whom
    /// The only port that is meant; `nil` means those of the policy.
    let port: UInt16?
    /// Whether it may be asked by `http://` too.
    let isPlain: Bool

    /// Reads one; `nil` for anything else.
    public init?(_ text: String, isPlain: Bool = false) {
        self.isPlain = isPlain
        if let network = CIDR(text) {
            whom = .network(network)
            port = nil
            return
        }
        // The rules for hosts and ports are those of an address.
        guard !text.isEmpty, text.utf8.allSatisfy({ !"/?#%".utf8.contains($0) }),
            let url = try? FetchURL("https://" + text)
        else { return nil }
        switch url.origin.host {
        case .name(let name): whom = .name(name)
        case .address(let address): whom = .network(CIDR(around: address, bits: address.isV6 ? 128 : 32))
        }
        port = url.origin.port == 443 && !text.hasSuffix(":443") ? nil : url.origin.port
    }

    /// Whether this is the host that is asked, by its name.
    func names(_ host: FetchURL.Host) -> Bool {
        if case .name(let name) = whom, case .name(name) = host { true } else { false }
    }

    /// Whether the admin wrote this address, or its network.
    func holds(_ address: IPAddress) -> Bool {
        if case .network(let network) = whom { network.contains(address) } else { false }
    }

    /// Whether an origin may be this place, before it is known where its name leads.
    func maybe(_ origin: FetchURL.Origin, usualPorts: Set<UInt16>) -> Bool {
        guard port.map({ $0 == origin.port }) ?? usualPorts.contains(origin.port) else { return false }
        return switch (origin.host, whom) {
        case (.name, .network): true
        case (.name, .name): names(origin.host)
        case (.address(let address), _): holds(address)
        }
    }

    /// Whether an address without `https://` may be this place, before it is known where it leads.
    func maybePlain(_ origin: FetchURL.Origin) -> Bool {
        guard isPlain, port == nil || port == origin.port else { return false }
        return switch origin.host {
        case .name: names(origin.host)
        case .address(let address): holds(address)
        }
    }
}
