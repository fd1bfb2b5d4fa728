public import KinLoop

/// The settings of a daemon, from its flags and environment variables.
public struct ServerSettings: Sendable {
    /// The names it is reached by.
    public var site: Site
    /// Networks that may speak plain text.
    public var allowPlain: [CIDR]
    /// Proxies that are believed about their clients.
    public var trustProxy: [TrustedProxy]
    /// The user that acts as administrator over the Unix socket, besides root.
    public var ownUserID: UInt32
    /// The data directory, whose sizes are told; `nil` in a simulation.
    public var directory: String?
    /// Limits of sockets and transports.
    public var limits: ServerLimits
    /// The number of the first listener that serves metrics and nothing else; all later ones do the same.
    package var metricsListeners = Int.max
    /// The folder with the page's files, for those who change them; `nil`: those in the program.
    var web: String?
    /// The folder with `kin` for other machines.
    var client = ClientDoor.folder
    /// Whether there is no family: WebSocket messages are echoed, and nothing else is served.
    var isEcho = false
    /// The ways in over HTTP, in the order in which they are asked.
    var doors: [any Door.Type]

    /// Settings with these doors; ``init(site:allowPlain:trustProxy:ownUserID:directory:limits:)`` has every door.
    init(
        site: Site, allowPlain: [CIDR], trustProxy: [TrustedProxy], ownUserID: UInt32, directory: String?,
        limits: ServerLimits, doors: [any Door.Type]
    ) {
        self.site = site
        self.allowPlain = allowPlain
        self.trustProxy = trustProxy
        self.ownUserID = ownUserID
        self.directory = directory
        self.limits = limits
        self.doors = doors
    }
}
