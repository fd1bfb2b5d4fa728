import KinCrypto
import KinFamily
import KinKeeper
import KinLoop
import KinModel
import KinStore
import KinTLS
import KinWords

/// The daemon: three kinds of threads, wired together. The calling thread becomes the loop.
public enum Daemon {
    /// Why a daemon did not start.
    public struct StartFailure: Error {
        /// One sentence with the next step.
        public let sentence: String
    }

    /// Runs until it is told to stop. `started` is called once with what a person wants to know first.
    ///
    /// - Returns: `nil` for a good end; else a sentence why it ended.
    public static func run(
        _ options: DaemonOptions, note: @escaping (NoteLevel, String) -> Void, started: (Started) -> Void
    ) throws(StartFailure) -> String? {
        AreaWords.check()
        Signal.ignorePipe()
        Machine.returnLargeMemory()
        let signals: [Signal] = [.terminate, .interrupt, .hangup]
        Signal.block(signals)
        let time = SystemTime()
        let wakeup = try attempt { () throws(LoopFailure) in try Wakeup() }
        let mailboxes = try attempt { () throws(LoopFailure) in try Mailboxes(loop: wakeup) }

        let beats = Beats()
        let keeper = KeeperThread(
            directory: options.directory, mailbox: mailboxes.toKeeper, toLoop: mailboxes.toLoop, time: time,
            beats: beats)
        let opening = Mailbox<Result<KeeperThread.Opened, StoreFailure>>(
            wakeup: try attempt { () throws(LoopFailure) in try Wakeup() })
        let keeperThread = try attempt { () throws(LoopFailure) in
            try startThread(name: "keeper") { keeper.run(opening) }
        }
        _ = opening.wait(timeoutMilliseconds: nil)
        let opened: KeeperThread.Opened
        switch opening.take() {
        case .success(let facts)?: opened = facts
        case .failure(let failure)?:
            keeperThread.join()
            throw StartFailure(sentence: failure.sentence)
        case nil: throw StartFailure(sentence: "The keeper did not start.")
        }
        let workers = try startWorkers(mailboxes, opened.reader)
        let stop = {
            mailboxes.toKeeper.post(.stop)
            for line in [
                mailboxes.toReader, mailboxes.toPictures, mailboxes.toSlow, mailboxes.toOutside, mailboxes.toDisk,
            ] {
                line.post(.stop, of: .machine)
            }
            for _ in 0..<Limits.passwordsAtOnce { mailboxes.toPasswords.post(.stop, of: .machine) }
            for thread in [keeperThread] + workers { thread.join() }
        }
        do throws(StartFailure) {
            let server = try makeServer(options, opened, mailboxes, time, wakeup, signals, note, started)
            ServiceNotice.ready()
            var watchdog = ServiceNotice.watchdogIntervalMicroseconds.map { microseconds in
                Watchdog(
                    microseconds: microseconds, keeper: beats, now: time.monotonicNanoseconds(),
                    ask: { mailboxes.toKeeper.post(.beat) })
            }
            while !server.isFinished {
                do throws(LoopFailure) { try server.turn(waitAtMostMilliseconds: watchdog?.waitMilliseconds) } catch {
                    throw StartFailure(sentence: error.sentence)
                }
                watchdog?.look(now: time.monotonicNanoseconds())
            }
            ServiceNotice.stopping()
            (server.network as? EpollNetwork)?.closeListeners()
            stop()
            return server.fatal
        } catch {
            stop()
            throw error
        }
    }

    /// Makes the folder of the Unix socket, if it is missing: a service manager makes it, but a start by hand does not.
    /// In a folder of another user, that user could replace the socket with one of their own.
    private static func makeFolder(ofSocket path: String) throws(StartFailure) {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
        let folder = String(path[..<slash])
        guard KinLoop.Files.isDirectory(folder) else {
            return try attempt { () throws(LoopFailure) in try KinLoop.Files.makeDirectory(folder, mode: 0o750) }
        }
        let (owner, own) = (KinLoop.Files.owner(of: folder), Machine.effectiveUserID)
        guard own == 0 || owner == own || owner == 0 else {
            throw StartFailure(sentence: "\(folder) is another user's; name another place with --unix.")
        }
    }

    private static func makeServer(
        _ options: DaemonOptions, _ opened: KeeperThread.Opened, _ mailboxes: Mailboxes, _ time: SystemTime,
        _ wakeup: Wakeup, _ signals: [Signal], _ note: @escaping (NoteLevel, String) -> Void,
        _ started: (Started) -> Void
    ) throws(StartFailure) -> Server {
        if let path = options.unixPath { try makeFolder(ofSocket: path) }
        let network = try attempt { () throws(LoopFailure) in
            var settings = EpollNetwork.Settings(listen: options.listen, unixPath: options.unixPath)
            settings.adopted = ServiceNotice.adoptListeners()
            settings.asides = options.metrics
            return try EpollNetwork(settings, wakeup: wakeup, signals: signals)
        }
        // By the trusted time: a certificate that begins in the future would be invalid once the clock is right.
        let certificates = Certificates(
            options, listening: network.boundAddresses, now: time.wallMilliseconds() - opened.clockAhead)
        let site = try attempt { () throws(TLSFailure) in try certificates.open() }
        var limits = options.limits
        limits.connectionsMax = min(limits.connectionsMax, max(16, descriptorLimit() - 64))
        var settings = ServerSettings(
            site: site, allowPlain: options.allowPlain, trustProxy: options.trustProxy,
            ownUserID: Machine.effectiveUserID, directory: options.directory, limits: limits)
        settings.metricsListeners = network.firstAside
        settings.web = options.web
        // Read now, and the same until the end: a package that is renewed meanwhile makes no half of two versions.
        _ = Leaflet.version
        let server = Server(
            settings: settings, registry: .family, network: network, time: time, randomness: { Randomness.bytes($0) },
            mailboxes: mailboxes, epochs: opened.epochs, position: opened.position, firstKept: opened.firstKept,
            tls: certificates.context, note: note)
        server.handshakes.certificates = certificates
        server.planCertificate()
        server.planRest()
        started(
            Started(
                directory: options.directory, addresses: network.boundAddresses.map(\.description),
                metrics: network.asideAddresses.map(\.description),
                unixPath: network.hasOwnUnixSocket ? options.unixPath : nil, site: site,
                setUpLink: opened.setUpCode.map { Started.link(site, "setup", $0) }))
        for doubt in certificates.doubts { server.tell(.address, doubt) }
        for lack in Registry.family.lacks { server.tell(.missing, lack) }
        return server
    }

    /// Idle milliseconds after which a worker frees what it keeps; shorter than the loop's wait before it gives memory
    /// back.
    private static let restMilliseconds = 2_000
    /// Starts the workers. Each sort of work has its own, so that none waits for another's.
    static func startWorkers(
        _ mailboxes: Mailboxes, _ source: StoreReader.Source
    ) throws(StartFailure) -> [ThreadHandle] {
        var workers = [
            try startWorker("reader", mailboxes.toReader, mailboxes.toLoop, source),
            try startWorker("slow", mailboxes.toSlow, mailboxes.toLoop, source),
            try startWorker("picture", mailboxes.toPictures, mailboxes.toLoop, givesWay: true),
            try startWorker(
                "outside", mailboxes.toOutside, mailboxes.toLoop, givesWay: true,
                outside: FetchDesk(keepingIn: source.directory)),
            try startWorker("disk", mailboxes.toDisk, mailboxes.toLoop, givesWay: false, blobs: source.blobs),
        ]
        for _ in 0..<Limits.passwordsAtOnce {
            // Somebody waits for each password, only two are hashed at once, and too many tries are refused unhashed.
            // At low priority a hash took ten seconds, while a guest kept both the loop and the keeper busy.
            workers.append(try startWorker("password", mailboxes.toPasswords, mailboxes.toLoop, givesWay: false))
        }
        return workers
    }

    static func startWorker(
        _ name: String, _ jobs: JobLine, _ toLoop: Mailbox<LoopMail>, givesWay: Bool,
        outside: FetchDesk? = nil, blobs: Blobs? = nil
    ) throws(StartFailure) -> ThreadHandle {
        try attempt { () throws(LoopFailure) in
            try startThread(name: name) {
                if givesWay { giveWay() }
                while true {
                    jobs.wait()
                    while let job = jobs.take() {
                        let done = Worker.runAlone(job, outside: outside, blobs: blobs)
                        if case .stopped = done { return }
                        toLoop.post(.done(done))
                    }
                }
            }
        }
    }

    static func startWorker(
        _ name: String, _ jobs: JobLine, _ toLoop: Mailbox<LoopMail>, _ source: StoreReader.Source
    ) throws(StartFailure) -> ThreadHandle {
        try attempt { () throws(LoopFailure) in
            try startThread(name: name) {
                giveWay()
                let reader: StoreReader
                do throws(StoreFailure) { reader = try source.open() } catch {
                    // Without a reader every follow would wait for ever; so the daemon ends and is started anew.
                    toLoop.post(.failed(error.sentence))
                    return
                }
                let worker = Worker(registry: .family, store: reader)
                var isResting = true
                while true {
                    if !jobs.wait(timeoutMilliseconds: isResting ? nil : restMilliseconds) {
                        worker.rest()
                        isResting = true
                    }
                    while let job = jobs.take() {
                        isResting = false
                        let done = worker.run(job)
                        if case .stopped = done { return }
                        toLoop.post(.done(done))
                    }
                }
            }
        }
    }

    private static func attempt<T, E: Explained>(_ body: () throws(E) -> T) throws(StartFailure) -> T {
        do throws(E) { return try body() } catch { throw StartFailure(sentence: error.sentence) }
    }
}

/// A failure that can say itself in one sentence.
protocol Explained: Error {
    var sentence: String { get }
}
extension LoopFailure: Explained {}
extension TLSFailure: Explained {}
extension StoreFailure: Explained {}

/// The facts that a person wants to know when the daemon has started.
public struct Started: Sendable {
    /// The data directory.
    let directory: String
    /// The first line of the daemon's log.
    public var sentence: String {
        let serves =
            setUpLink == nil ? "serves the family in \(directory)" : "waits for a family; its place is \(directory)"
        return "\(Notable.started.rawValue): Kinwire \(KinwireVersion.text) \(serves)."
    }
    /// Addresses it listens on.
    public let addresses: [String]
    /// Addresses at which it serves metrics only.
    public let metrics: [String]
    /// The Unix socket.
    public let unixPath: String?
    /// The names it is reached by.
    public let site: Site
    /// The one-time link that founds the family; `nil` when it is founded.
    public let setUpLink: String?

    /// Whether links lead to this machine only, because nobody else reaches it.
    public var isOnlyHere: Bool { Reach.isLoopback(site.canonicalURL) }

    /// A link to a page, with the root's fingerprint for those who can check it. Over plain text, which only loopback
    /// speaks, there is nothing to check.
    static func link(_ site: Site, _ page: String, _ code: String) -> String {
        let isEncrypted = site.canonicalURL.hasPrefix("https:")
        return site.canonicalURL + "/\(page)/\(code)"
            + (isEncrypted ? site.rootSHA256.map { "#sha256=\($0)" } ?? "" : "")
    }
}
