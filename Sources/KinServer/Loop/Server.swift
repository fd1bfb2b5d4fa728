import KinCodec
package import KinKeeper
public import KinLoop
import KinModel
package import KinStore
package import KinTLS

/// The connections, what each may see, and in which order they are served: everything on the loop's thread.
///
/// One turn: wait → read → submit → publish → fire timers → flush → reap → submit. The reasons for the order: what was
/// read is submitted at once, so that the keeper works while the loop goes on. What the keeper committed is published to
/// all before anything is flushed, so that a client gets everything of a turn in one write. Closing comes last, so that
/// no step finds its connection gone.
@safe public final class Server {
    // Fixed at birth.
    let settings: ServerSettings
    let limits: ServerLimits
    let registry: Registry
    let network: any Network
    let randomness: (Int) -> [UInt8]
    /// Shared by all connections that agreed to compression: each message is compressed by itself.
    let deflater = Deflater()
    /// Messages from the keeper and the workers.
    let inbox: Mailbox<LoopMail>
    /// The things that all doors share.
    let hall: Hall
    /// The buffers that bytes are read into.
    let buffers = ReadBuffers()

    // Lives across turns.
    var clock: LoopClock
    /// The way to the keeper.
    var port: KeeperPort
    /// The way to the workers.
    var workers: Workers
    /// Every open connection.
    var connections: ConnectionTable
    /// All followers, and their next bytes.
    var fanOut: FanOut
    /// Snapshots that are waited for, made and sent.
    var snapshots: SnapshotDesk
    /// The daemon's own log.
    var diary: Diary
    /// The daemon's own timers; connections have theirs.
    var timers = Timers<TimerKey>()
    /// TLS, and whose handshake has a step to take.
    var handshakes: Handshakes
    /// Streams of guest links' pages.
    var guests = GuestStreams()
    var churn = Churn()
    /// The daemon's own end.
    var ending = Ending()
    /// Counts since the start, for metrics and benchmarks.
    public internal(set) var counters = ServerCounters()

    // Changes within a turn.
    var events: [NetworkEvent] = []
    var mail: [LoopMail] = []

    /// The purpose of a timer.
    enum TimerKey: Hashable {
        case due
        case fanOut
        case guests
        case drain
        case certificate
        case ticketKeys
        case notes
        case shares
        case snapshots
        case memory
    }

    package init(
        settings: ServerSettings, registry: Registry, network: any Network, time: any TimeSource,
        randomness: @escaping (Int) -> [UInt8], mailboxes: Mailboxes, epochs: Epochs, position: Int64,
        firstKept: Int64, tls: TLSContext?, note: @escaping (NoteLevel, String) -> Void
    ) {
        self.settings = settings
        limits = settings.limits
        self.registry = registry
        hall = Hall(registry, settings)
        self.network = network
        clock = LoopClock(time)
        self.randomness = randomness
        port = KeeperPort(mailboxes.toKeeper, settings.limits)
        workers = Workers(mailboxes)
        connections = ConnectionTable(settings.limits)
        snapshots = SnapshotDesk(settings.limits)
        diary = Diary(linesPerMinuteMax: settings.limits.linesPerMinuteMax, note: note)
        inbox = mailboxes.toLoop
        handshakes = Handshakes(tls)
        let feed = Feed(
            position: position, bytesMax: settings.limits.feedBytes,
            deflations: Deflations(deflater: deflater, bytesMin: settings.limits.compressedEventBytesMin),
            traits: registry.eventTraits)
        fanOut = FanOut(feed, settings.limits, epochs, firstKept: firstKept)
        if tls != nil { planTicketKeys() }
    }

    /// Connections that are open now.
    package var openConnections: Int { connections.count }

    /// One turn. It waits at most so long for something to happen, and only when nothing waits already.
    public func turn(waitAtMostMilliseconds: Int? = nil) throws(LoopFailure) {
        try wait(atMostMilliseconds: waitAtMostMilliseconds)
        read()
        submit()
        publish()
        fireTimers()
        flush()
        reap()
        // Connections that got an answer continue with what waited for it.
        submit()
    }

    private func wait(atMostMilliseconds most: Int?) throws(LoopFailure) {
        events.removeAll(keepingCapacity: true)
        try network.wait(timeoutMilliseconds: timeout(most), into: &events)
    }

    /// Takes what waited for its party's share, and what arrived.
    private func read() {
        goOnWithHeld()
        for event in events { take(event) }
        shakeHands()
    }

    private static let waitMillisecondsMax = 60_000

    private func timeout(_ most: Int?) -> Int? {
        if connections.hasDirty || fanOut.isDue || inbox.count > 0 || !handshakes.isEmpty { return 0 }
        if port.shares.isSomebodyNext { return 0 }
        let now = time.monotonicNanoseconds()
        let own = timers.timeoutMilliseconds(now: now)
        guard let next = connections.timeoutMilliseconds(now: now).map({ min($0, own ?? $0) }) ?? own else {
            return most
        }
        // The kernel's waits stand still while the machine sleeps, so no wait is long.
        return min(next, most ?? Self.waitMillisecondsMax, Self.waitMillisecondsMax)
    }

    private func take(_ event: NetworkEvent) {
        switch event {
        case .accepted(let token, let peer, let listener): accept(token, peer, listener: listener)
        case .ready(let token, let readable, let writable, let hangup):
            guard let connection = connection(token) else { return }
            if writable {
                passed(.unblocked, connection)
                markDirty(connection)
            }
            if hangup { passed(.hungUp, connection) }
            if readable || hangup { read(connection) }
        case .woken: break
        case .signal(let signal): take(signal)
        case .acceptPaused(let errno):
            counters.acceptPauses += 1
            tell(.connection, "No descriptor is free (error \(errno)); new connections wait until one closes.")
        }
    }

    private func take(_ signal: Signal) {
        switch signal {
        case .terminate, .interrupt:
            if !ending.hasBegun {
                tell(.stopping, "The daemon was told to end and takes leave of \(connections.count) connections.")
            }
            drain()
        case .hangup: reloadCertificate()
        default: break
        }
    }

    /// Sends the keeper what this turn has gathered for it.
    private func submit() { port.send() }

    /// Takes what the keeper committed and what workers did.
    private func publish() {
        mail.removeAll(keepingCapacity: true)
        inbox.drain(into: &mail)
        for letter in mail {
            switch letter {
            case .commit(let commit): apply(commit)
            case .done(let done): take(done)
            case .failed(let sentence):
                ending.fail(sentence)
                drain()
            }
        }
    }

    // MARK: Connections

    func connection(_ token: Token) -> Connection? { connections[token] }

    func connection(key: UInt64) -> Connection? { connections[key: key] }

    func markDirty(_ connection: Connection) {
        if connections.markDirty(connection) { rouse(connection) }
    }

    /// The clocks that the loop goes by.
    var time: any TimeSource { clock.source }

    /// The time, as far as the keeper believes the wall clock.
    var now: Instant { clock.now }

    func randomNumber() -> UInt64 { randomness(8).reduce(0) { $0 << 8 | UInt64($1) } }

    // MARK: The end

    /// Set when a commit's fate is unknown: the daemon ends with this once the answers are out.
    public var fatal: String? { ending.fatal }

    /// True when everything is closed after a drain.
    public var isFinished: Bool { ending.isFinished }
}

/// The level of a line in the daemon's log.
public enum NoteLevel: Sendable {
    /// Somebody must act.
    case error
    /// Somebody may want to know.
    case warning
    /// For information.
    case info
}

/// Counts since the start.
public struct ServerCounters: Sendable {
    /// Connections accepted.
    public var accepted = 0
    /// Connections closed at once because a limit was reached.
    public var refused = 0
    /// Bytes read from sockets.
    public var bytesIn = 0
    /// Bytes written to sockets.
    public var bytesOut = 0
    /// Follows that resumed from a cursor and had missed something.
    public var replays = 0
    /// Steps taken of TLS handshakes.
    public var handshakeSteps = 0
    /// Times that accepting paused because no descriptor was left.
    public var acceptPauses = 0
    /// Messages of phone apps with the right password that could not be read as a message.
    public var phoneMessagesUnusable = 0
    /// Events made ready for clients.
    public var deliveries = 0
    /// Snapshots sent.
    public var snapshots = 0
    /// Pieces of the log read for clients that fell off the feed.
    public var logReads = 0
    /// Connections refused or ended by a limit, by its name.
    public var limitsHit: [String: Int] = [:]
}
