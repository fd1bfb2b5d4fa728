import KinLoop

/// Where other devices can reach a family's daemon, best first. Links carry these URLs.
///
/// A name counts only where it leads to an address of this machine that is listened on and is not loopback. (Debian
/// gives a machine's own name the address 127.0.1.1.) A `.local` name counts only where mDNS announces it, and not
/// where it leads to another machine: the announcing program renames one of two machines with the same name.
struct Reach: Equatable {
    /// URLs without a slash at their end; never empty.
    let urls: [String]
    /// Whether only this machine reaches it.
    let isOnlyHere: Bool
    /// Names that links would have carried, and why they lead elsewhere or nowhere: a sentence each, for the person who
    /// runs the daemon.
    let doubts: [String]

    /// What is known about the machine.
    struct Surroundings {
        /// Its name without a domain.
        var hostName: String
        /// Whether somebody announces `.local` names for it (RFC 6762).
        var isAnnounced: Bool
        /// Its addresses, without loopback.
        var addresses: [IPAddress]
        /// The machine's own addresses on its routes to other networks, IPv4 first.
        var routed: [IPAddress]
        /// What a name leads to.
        var resolve: (String) -> [IPAddress]
    }

    /// - Parameters:
    ///   - given: The URLs of `--url`. They come first, whatever they are; those of loopback are for this machine only.
    ///   - certified: The names in a public certificate, which certifies nothing else. `nil` with the family's own
    ///     authority, which certifies this machine's names and its private addresses.
    ///   - listening: The addresses that are listened on.
    init(given: [String], certified: [String]? = nil, listening: [SocketAddress], _ around: Surroundings) {
        let told = given.filter { !Self.isLoopback($0) }.map(Self.trimmed)
        var found: [String] = []
        /// The port that an address of this machine is listened on.
        func port(_ address: IPAddress) -> UInt16? {
            listening.first {
                $0.address == address || $0.address.isUnspecified && $0.address.isV6 == address.isV6
            }?.port
        }
        func port(_ name: String) -> UInt16? {
            around.resolve(name).lazy.filter { around.addresses.contains($0) }.compactMap { port($0) }.first
        }
        let open = around.addresses.filter { port($0) != nil }
        let name = around.hostName.lowercased()
        var doubts = told.compactMap { Self.doubt($0, around) }
        // Where this machine cannot look up `.local` names, no conflict can be seen.
        let others = ([name] + (around.isAnnounced ? [name + ".local"] : [])).compactMap { name in
            open.isEmpty || name == "localhost" ? nil : Self.stranger(name, around).map { (name: name, address: $0) }
        }
        if let other = others.last {
            doubts.append(
                "\(other.name) is another machine here (\(other.address)), so no link carries that name. Give one of the two "
                    + "another name (hostnamectl), or start kinwired with --url.")
        }
        if name != "localhost", let first = open.first, around.isAnnounced, let port = port(first),
            !others.contains(where: { $0.name == name + ".local" })
        {
            found.append(Self.url(name + ".local", port))
        }
        if name != "localhost", !open.isEmpty, let port = port(name) { found.append(Self.url(name, port)) }
        self.doubts = doubts
        let routed = around.routed.filter { open.contains($0) }
        for address in routed + open.filter({ !routed.contains($0) }) where address.isPrivate {
            guard let port = port(address) else { continue }
            found.append(Self.url(address.isV6 ? "[\(address)]" : "\(address)", port))
        }
        if let certified, !open.isEmpty, let port = listening.first?.port {
            found = certified.filter { !$0.hasPrefix("*") }.map { Self.url($0, port) }
        }
        isOnlyHere = told.isEmpty && found.isEmpty
        if isOnlyHere, let here = listening.first(where: { !$0.address.isV6 }) ?? listening.first {
            let address = here.address.isUnspecified ? (here.address.isV6 ? .loopbackV6 : .loopbackV4) : here.address
            // Nothing leaves the machine, and no browser trusts the family's certificate yet.
            urls = given.prefix(1).map(Self.trimmed) + ["http://\(SocketAddress(address, port: here.port))"]
        } else {
            urls = Self.unique(told + found + (told.isEmpty && found.isEmpty ? ["https://localhost"] : []))
        }
    }

    var canonical: String { urls[0] }

    /// The address of another machine of the home that a name leads to; `nil` where it leads here, out of it, or nowhere.
    private static func stranger(_ name: String, _ around: Surroundings) -> IPAddress? {
        let led = around.resolve(name)
        return led.contains { around.addresses.contains($0) } ? nil : led.first { $0.isPrivate }
    }

    /// What is wrong with a URL of `--url`, as far as this machine can tell. A proxy or a router may have another
    /// address, but a name must lead somewhere.
    private static func doubt(_ url: String, _ around: Surroundings) -> String? {
        let host = Site.name(ofHost: Site.host(ofURL: url))
        guard IPAddress(host) == nil, around.resolve(host).isEmpty else { return nil }
        return
            "--url \(url): no machine called \(host) is found from here, and links carry that name. Put it right where "
            + "names are resolved, or start kinwired with another --url; kin doctor tries each."
    }

    private static func url(_ host: String, _ port: UInt16) -> String {
        "https://\(host)" + (port == 443 ? "" : ":\(port)")
    }

    private static func unique(_ urls: [String]) -> [String] {
        urls.reduce(into: []) { list, url in if !list.contains(url) { list.append(url) } }
    }

    /// Whether a URL leads to this machine only.
    static func isLoopback(_ url: String) -> Bool {
        AddressReach(host: Site.name(ofHost: Site.host(ofURL: url))) == .thisMachine
    }

    private static func trimmed(_ url: String) -> String {
        var url = url
        while url.hasSuffix("/") { url.removeLast() }
        return url
    }
}

extension Reach.Surroundings {
    /// The surroundings of this machine, now. A look-up of a name takes a moment at most; one that takes longer counts
    /// as leading nowhere.
    static func now() -> Reach.Surroundings {
        Reach.Surroundings(
            hostName: Machine.hostName,
            // Avahi announces the machine's name by itself.
            isAnnounced: KinLoop.Files.exists("/run/avahi-daemon/socket"),
            addresses: Machine.localAddresses(), routed: Machine.routedAddresses(),
            resolve: { Machine.resolve($0, withinMilliseconds: 500) })
    }
}
