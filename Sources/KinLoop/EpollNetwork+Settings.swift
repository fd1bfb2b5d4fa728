extension EpollNetwork {
    /// Where to listen, and how patient to be with peers.
    public struct Settings: Sendable {
        /// TCP addresses to listen on.
        public var listen: [SocketAddress]
        /// TCP addresses for another purpose: their listeners are numbered from ``EpollNetwork/firstAside`` on.
        public var asides: [SocketAddress] = []
        /// Sockets that already listen, from ``ServiceNotice/adoptListeners()``; they become the network's.
        public var adopted: [Int32]
        /// The path of the Unix socket; at most 107 bytes.
        public var unixPath: String?
        /// Who may connect to the Unix socket: the permission bits of its file.
        public var unixMode: UInt32
        /// How many connections the kernel queues while the program is busy.
        public var backlogConnections: Int32 = 1_024
        /// How many connections one listener may accept in one turn, so that a rush does not starve the others.
        public var acceptsPerTurnMax = 64
        /// How long sent bytes may stay unacknowledged before the kernel breaks the connection (`TCP_USER_TIMEOUT`).
        public var userTimeoutMilliseconds: Int32 = 90_000
        /// After how much silence the kernel asks whether the peer is alive.
        public var keepaliveIdleSeconds: Int32 = 60
        /// How long it waits between two such questions.
        public var keepaliveIntervalSeconds: Int32 = 10
        /// How many questions may stay unanswered.
        public var keepaliveCount: Int32 = 3
        /// How long accepting pauses at most when descriptors have run out.
        public var acceptPauseMilliseconds = 1_000

        /// Settings with the defaults above.
        public init(
            listen: [SocketAddress] = [], adopted: [Int32] = [], unixPath: String? = nil, unixMode: UInt32 = 0o660
        ) {
            self.listen = listen
            self.adopted = adopted
            self.unixPath = unixPath
            self.unixMode = unixMode
        }
    }
}
