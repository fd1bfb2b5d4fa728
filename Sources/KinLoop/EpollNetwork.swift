import CLinux
import Glibc

/// The kernel's network: level-triggered epoll over listeners, accepted sockets and signals, and each wake of a ``Wakeup``.
public final class EpollNetwork: Network {
    // Fixed at birth.
    let settings: Settings
    let wakeup: Wakeup
    let epoll: Descriptor
    private let signals: SignalQueue?

    // Changes within a turn.
    private var found = [kin_event](repeating: kin_event(), count: Int(KIN_EVENTS_MAX))

    // Lives across turns.
    var listeners: [Listener]
    var sockets = SocketTable()
    var isStopped = false
    /// While no descriptor is left: the moment at which accepting is tried anew, whatever happens.
    var pausedUntil: UInt64?
    /// A spare descriptor, kept open only to be given up when descriptors run out.
    var reserve: Descriptor?

    /// Where TCP listeners were bound, port 0 resolved, in the order of ``Settings/listen`` and ``Settings/adopted``.
    public let boundAddresses: [SocketAddress]
    /// The number of the first listener of ``Settings/asides``.
    public let firstAside: Int

    /// Listens, and watches what is to be watched.
    ///
    /// - Parameter signals: Reported as events; blocked in this thread, so call it before starting others.
    public init(_ settings: Settings, wakeup: Wakeup, signals: [Signal] = []) throws(LoopFailure) {
        self.settings = settings
        self.wakeup = wakeup
        epoll = Descriptor(owning: try LoopFailure.check("epoll_create1", kin_epoll_create()))
        listeners = try Self.open(settings)
        firstAside = listeners.count - settings.asides.count
        boundAddresses = listeners.prefix(firstAside).compactMap(\.address)
        self.signals = signals.isEmpty ? nil : try SignalQueue(signals)
        reserve = Self.openReserve()

        try add(wakeup.fd, Self.wakeupToken, Self.edges)
        if let queue = self.signals { try add(queue.descriptor.number, Self.signalToken) }
        for (index, listener) in listeners.enumerated() {
            try add(listener.descriptor.number, Token(slot: UInt32(index), generation: 0))
        }
    }

    /// How many accepted sockets are open.
    public var openSockets: Int { sockets.count }

    static let wakeupToken = Token(slot: .max, generation: 0)
    static let signalToken = Token(slot: .max - 1, generation: 0)
    static let readable = UInt32(KIN_EPOLLIN)
    static let writable = UInt32(KIN_EPOLLOUT)
    static let broken = UInt32(KIN_EPOLLERR | KIN_EPOLLHUP)
    /// With no other interest set, the kernel reports a hang-up once instead of for ever.
    static let onceOnly = UInt32(KIN_EPOLLONESHOT)

    /// Each wake is reported once, and need not be reset.
    static let edges = readable | UInt32(truncatingIfNeeded: KIN_EPOLLET)

    private func add(_ fd: Int32, _ token: Token, _ events: UInt32 = readable) throws(LoopFailure) {
        try LoopFailure.check("epoll_ctl", kin_epoll_add(epoll.number, fd, events, token.bits))
    }

    /// See ``Network/wait(timeoutMilliseconds:into:)``.
    public func wait(timeoutMilliseconds: Int?, into events: inout [NetworkEvent]) throws(LoopFailure) {
        events.removeAll(keepingCapacity: true)
        var timeout = timeoutMilliseconds.map { Int32(clamping: max($0, 0)) } ?? -1
        if let pausedUntil {
            let rest = Deadline(at: pausedUntil).pollTimeout
            if rest == 0 { endPause() } else if timeout < 0 || rest < timeout { timeout = rest }
        }
        let count = unsafe kin_epoll_wait(epoll.number, &found, timeout)
        if count < 0 {
            if count == -EINTR { return }
            throw .system(call: "epoll_wait", errno: -count)
        }
        for index in 0..<Int(count) {
            let event = found[index]
            take(event.events, Token(bits: event.data), into: &events)
        }
    }

    private func take(_ found: UInt32, _ token: Token, into events: inout [NetworkEvent]) {
        if token.generation != 0 {
            // Between closing a socket and this turn, its place may have been reused.
            guard sockets[token] != nil else { return }
            events.append(
                .ready(
                    token, readable: found & Self.readable != 0, writable: found & Self.writable != 0,
                    hangup: found & Self.broken != 0))
        } else if token == Self.wakeupToken {
            events.append(.woken)
        } else if token == Self.signalToken {
            while let signal = signals?.next() { events.append(.signal(signal)) }
        } else if Int(token.slot) < listeners.count {
            accept(from: Int(token.slot), into: &events)
        }
    }
}
