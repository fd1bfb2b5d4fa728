public import KinLoop

/// The options that the flags of `kinwired` set.
public struct DaemonOptions: Sendable {
    /// The directory that holds all that must be kept.
    public var directory: String
    /// Addresses to listen on.
    public var listen: [SocketAddress] = []
    /// The Unix socket's path.
    public var unixPath: String?
    /// The URLs this family is reached by; the first is canonical.
    public var urls: [String] = []
    /// Networks that may speak plain text.
    public var allowPlain: [CIDR] = []
    /// Proxies that are believed about their clients.
    public var trustProxy: [TrustedProxy] = []
    /// Addresses at which `/metrics` is served to everybody.
    public var metrics: [SocketAddress] = []
    /// A certificate chain and its key, instead of the local authority.
    public var certificate: (chain: String, key: String)?
    /// The folder with the page's files, for those who change them; `nil`: those in the program.
    public var web: String?
    /// Limits.
    public var limits = ServerLimits()

    /// Options for a data directory.
    public init(directory: String) { self.directory = directory }
}
