import KinFamily
import KinKeeper
import KinLoop
import KinModel
import KinStore

/// The keeper on its own thread.
struct KeeperThread: Sendable {
    let directory: String
    let mailbox: Mailbox<KeeperMail>
    let toLoop: Mailbox<LoopMail>
    let time: any TimeSource
    /// Counts the keeper's progress, for the watchdog.
    let beats: Beats

    /// What the loop needs to know before it can begin.
    struct Opened: Sendable {
        let epochs: Epochs
        let position: Int64
        let firstKept: Int64
        let isFounded: Bool
        let setUpCode: String?
        /// The milliseconds by which the wall clock is ahead of the time that is believed.
        let clockAhead: Int64
        let reader: StoreReader.Source
    }

    /// Opens the store and says what came of it; then turns until told to stop.
    func run(_ opened: Mailbox<Result<Opened, StoreFailure>>) {
        let keeper: Keeper
        do throws(StoreFailure) {
            let store = try Store(directory: directory, migrations: Registry.family.migrations, now: now)
            keeper = try Keeper(store: store, registry: .family)
            let beats = beats
            keeper.beat = { beats.beat() }
            let code = try keeper.newSetUpLink(now: now)
            let reader = StoreReader.Source(
                database: store.source, blobs: store.blobs, directory: directory, files: store.files)
            // Overdue work runs before the daemon accepts anybody. The loop is told of its events, which stand behind this.
            let position = store.log.position
            let first = keeper.turn([], clock: ClockReading(time))
            toLoop.post(.commit(first))
            opened.post(
                .success(
                    Opened(
                        epochs: store.epochs, position: position, firstKept: store.log.firstKept,
                        isFounded: keeper.isFounded, setUpCode: code, clockAhead: first.clockAhead, reader: reader)))
        } catch {
            opened.post(.failure(error))
            return
        }
        var (line, shared) = (KeeperLine(), SharedTurn())
        while turn(keeper, &line, &shared) {}
    }

    private var now: Instant { Instant(milliseconds: time.wallMilliseconds()) }

    /// One turn: drain → apply → post. Everything that was drained is applied, each command in a savepoint, and committed
    /// once; then the commit is posted to the loop. False when the daemon ends.
    private func turn(_ keeper: Keeper, _ line: inout KeeperLine, _ shared: inout SharedTurn) -> Bool {
        let drained = drain(into: &line, &shared)
        // Also when no client is there to ask for anything.
        if drained.isNothing, line.isEmpty, let failure = keeper.placeFailure {
            toLoop.post(.failed(failure.sentence))
            return waitForEnd(goesOn: true)
        }
        if drained.rests { rest(keeper) }
        if !drained.isWork, line.isEmpty { return true }
        let commit = apply(&line, keeper)
        // Where nothing may touch the store any more, the daemon waits for its end.
        guard post(commit) else { return waitForEnd(goesOn: !drained.isEnd) }
        shared.turned(now: time.monotonicNanoseconds())
        keeper.afterTurn(isIdle: mailbox.count == 0 && line.isEmpty, clock: keeper.now)
        if drained.isEnd { keeper.rest(clock: ClockReading(time)) }
        return !drained.isEnd
    }

    /// What came with the mail besides requests.
    private struct Drained {
        /// No letter came.
        var isNothing = true
        /// Memory is to be given back.
        var rests = false
        /// Something is to be done: by a request, because a moment has come, or because the daemon ends.
        var isWork = false
        /// The daemon ends.
        var isEnd = false
    }

    /// Waits for mail where nothing is left over from the turn before, and puts its requests in line.
    private func drain(into line: inout KeeperLine, _ shared: inout SharedTurn) -> Drained {
        if line.isEmpty { _ = mailbox.wait(timeoutMilliseconds: Self.placeMilliseconds) }
        // What the turn before left over waits already.
        if !line.isEmpty { shared.came(nil, now: time.monotonicNanoseconds()) }
        let mail = gathered(&shared)
        beats.beat()
        var drained = Drained()
        for letter in mail {
            drained.isNothing = false
            switch letter {
            case .beat: break
            case .rest: drained.rests = true
            case .tick: drained.isWork = true
            case .request(let request):
                drained.isWork = true
                line.put(request)
            case .stop:
                drained.isWork = true
                drained.isEnd = true
            }
        }
        return drained
    }

    /// Applies what waits in line, as much as one turn may take, and what fell due. Everything is committed once.
    private func apply(_ line: inout KeeperLine, _ keeper: Keeper) -> Commit {
        let began = time.monotonicNanoseconds()
        line.beginTurn()
        let commit = keeper.turn(clock: ClockReading(time)) {
            line.next { time.monotonicNanoseconds() &- began > Limits.turnMilliseconds * 1_000_000 }
        }
        keeper.turnTook(nanoseconds: time.monotonicNanoseconds() &- began, requests: commit.replies.count)
        return commit
    }

    /// Posts the commit to the loop. False where nothing may touch the store any more: nobody knows the commit's fate,
    /// and the loop ends the daemon; or the store is not where it was.
    private func post(_ commit: Commit) -> Bool {
        toLoop.post(.commit(commit))
        switch commit.fate {
        case .unknown: return false
        case .refused(.gone(let path)):
            toLoop.post(.failed(StoreFailure.gone(path: path).sentence))
            return false
        default: return true
        }
    }

    /// The mail that has arrived, and what arrives while reports of many phones are held back for each other.
    private func gathered(_ shared: inout SharedTurn) -> [KeeperMail] {
        var (mail, seen) = ([KeeperMail](), 0)
        while true {
            mailbox.drain(into: &mail)
            let now = time.monotonicNanoseconds()
            for letter in mail[seen...] { shared.came(patient(letter), now: now) }
            seen = mail.count
            guard let pause = shared.pause(now: now) else { return mail }
            // Rounded up: a wait of zero would be a busy loop.
            let milliseconds = Int((pause + 999_999) / 1_000_000)
            guard mailbox.wait(timeoutMilliseconds: milliseconds) else { return mail }
        }
    }

    private func patient(_ letter: KeeperMail) -> Party? {
        guard case .request(let request) = letter, Registry.family.methods[request.method]?.isPatient == true else {
            return nil
        }
        return request.party
    }

    /// Milliseconds between two looks whether the directory is still there, while nobody asks for anything.
    private static let placeMilliseconds = 60_000

    /// Gives back memory that a storm of requests has filled. Pages that are needed again are read from the file.
    private func rest(_ keeper: Keeper) {
        keeper.rest()
        Machine.giveBackMemory()
    }

    /// Takes nothing any more, until told to stop.
    private func waitForEnd(goesOn: Bool) -> Bool {
        var goesOn = goesOn
        var mail: [KeeperMail] = []
        while goesOn {
            _ = mailbox.wait(timeoutMilliseconds: nil)
            mail.removeAll()
            mailbox.drain(into: &mail)
            for case .stop in mail { goesOn = false }
        }
        return false
    }
}
