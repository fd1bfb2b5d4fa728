/// The admin's permission for one purpose: whether anything is asked outside for it, which hosts, and at which cost. It
/// is given with each request, so that a withdrawn permission counts from the next request on.
public struct FetchPolicy: Sendable, Hashable {
    /// What it is for, as a sentence has it: `map tiles`. What is kept of one purpose is not seen by another.
    public let purpose: String
    /// Nothing is asked until an admin allows it.
    public var isOn = false
    /// The only hosts that are asked, redirects included: `push.example.com`, and `*.example.com` for all names below
    /// it. `nil` is every host.
    public var hosts: [String]?
    /// Whether `http://` is asked too. A redirect never leads from `https://` to `http://` all the same.
    public var allowsPlain = false
    /// Ports that are asked.
    public var ports: Set<UInt16> = [443, 80]
    /// What may be asked within the house. Redirects from elsewhere do not lead there, even so.
    public var inside: [InsidePlace] = []
    /// What an ask may cost.
    public var limits = FetchLimits()

    /// A policy that allows nothing yet.
    public init(purpose: String) { self.purpose = purpose }

    /// Whether the admin still allows what this origin may be within the house. What is kept of the house counts no
    /// longer than that.
    func mayBeInside(_ origin: FetchURL.Origin) -> Bool {
        inside.contains { $0.maybe(origin, usualPorts: ports) }
    }

    /// Whether this address may be asked, before it is known which machine it leads to.
    func check(_ url: FetchURL) throws(FetchFailure) {
        let origin = url.origin
        guard origin.isEnciphered || allowsPlain || inside.contains(where: { $0.maybePlain(origin) }) else {
            throw .refused("\(origin.host) is asked by https:// only: what goes without can be read and changed.")
        }
        guard ports.contains(origin.port) || inside.contains(where: { $0.port == origin.port }) else {
            throw .refused("Port \(origin.port) of \(origin.host) is not asked; the usual ports are.")
        }
        guard let hosts else { return }
        let isListed = hosts.contains { listed in
            guard case .name(let name) = origin.host else { return listed == "\(origin.host)" }
            return listed == name || listed.hasPrefix("*.") && name.hasSuffix(listed.dropFirst())
        }
        guard isListed else {
            throw .refused("\(origin.host) is not among the hosts that are asked for \(purpose); an admin can add it.")
        }
    }
}
