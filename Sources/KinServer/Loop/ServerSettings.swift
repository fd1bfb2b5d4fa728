public import KinLoop

/// How a daemon is set up: flags and their environment twins end here.
public struct ServerSettings: Sendable {
    /// The names it is reached by.
    public var site: Site
    /// Networks that may speak plain text.
    public var allowPlain: [CIDR]
    /// Proxies whose word about their clients counts.
    public var trustProxy: [TrustedProxy]
    /// The user that acts as administrator over the Unix socket, besides root.
    public var ownUserID: UInt32
    /// The data directory, whose sizes are told; `nil` in a simulation.
    public var directory: String?
    /// Limits of sockets and transports.
    public var limits: ServerLimits
    /// The number of the first listener at which there are metrics and nothing else; the later ones are as it is.
    package var metricsListeners = Int.max
    /// The folder with the page's files, for those who change them; `nil`: those in the program.
    var web: String?
    /// The folder with `kin` for other machines.
    var client = ClientDoor.folder
    /// There is no family: WebSocket messages come back, and nothing else is served.
    var isEcho = false
    /// The ways in over HTTP, in the order in which they are asked.
    var doors: [any Door.Type]

    /// Settings with doors; ``init(site:allowPlain:trustProxy:ownUserID:directory:limits:)`` knows them all.
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
