import KinCodec
import KinFamily
import KinKeeper
import KinLoop
import KinModel
import KinServer
import KinStore

/// One life of the daemon: the real keeper, server and worker over the simulated disk and network, turned by hand.
/// Planted faults are made here, where values cross from one thread to another: the daemon's own code has none.
final class SimulatedDaemon {
    /// What a keeper's turn means for the daemon's life.
    enum Outcome { case goesOn, mustEnd }

    unowned let world: World
    let keeper: Keeper
    private let server: Server
    private let worker: Worker
    let reader: Database
    let store: Store
    /// Turns of the keeper that committed something.
    private(set) var turns = 0
    private let mailboxes: Mailboxes
    let epochs: Epochs

    init(_ world: World) throws(StoreFailure) {
        self.world = world
        let now = Instant(milliseconds: world.time.wallMilliseconds())
        let files = Files.memory(world.disk)
        let store = try Store(directory: "/family", migrations: Registry.family.migrations, now: now, files: files)
        keeper = try Keeper(store: store, registry: .family, randomness: { [unowned world] in world.dice.bytes($0) })
        epochs = store.epochs
        self.store = store
        let source = StoreReader.Source(
            database: store.source, blobs: store.blobs, directory: "/family", files: files)
        // Small enough that snapshots leave in pieces, and wait for room.
        var limits = ServerLimits()
        limits.snapshotPieceBytesMax = 1500
        limits.snapshotsBytesMax = 30_000
        // So that a file goes up in many.
        limits.pictureBodyHeldBytesMax = 4000
        limits.uploadHeldBytesMax = 4000
        limits.uploadUnsyncedBytesMax = 6000
        worker = Worker(
            registry: .family, store: try source.open(), pieceBytesMax: limits.snapshotPieceBytesMax,
            time: world.time)
        reader = try store.reader()
        mailboxes = Mailboxes()
        // Small, so that falling off the feed's end happens all the time.
        limits.feedBytes = 3000
        limits.outBytesMax = 4000
        let site = Site(
            canonicalURL: "https://box.local:5469", names: ["box.local"], addresses: { [] }, rootSHA256: nil,
            rootPEM: nil)
        server = Server(
            settings: ServerSettings(site: site, ownUserID: 0, limits: limits), registry: .family,
            network: world.network, time: world.time, randomness: { [unowned world] in world.dice.bytes($0) },
            mailboxes: mailboxes, epochs: store.epochs, position: store.log.position, firstKept: store.log.firstKept,
            tls: nil, note: { _, _ in })
    }

    func abandon() { server.abandon() }

    /// It was told to end, and everybody has heard so.
    var isFinished: Bool { server.isFinished }

    /// Bytes of bodies that are in memory; `nil` where there are none.
    var bodiesHeld: Int? { server.bodyBytesHeld > 0 ? server.bodyBytesHeld : nil }

    var limitsBroken: [String] { server.limitsBroken }

    // MARK: Turns

    func serverTurn() throws(Finding) {
        do throws(LoopFailure) { try server.turn() } catch {
            throw Finding(checker: "loop", what: error.sentence)
        }
    }

    func keeperTurn() throws(Finding) -> Outcome {
        var mail: [KeeperMail] = []
        mailboxes.toKeeper.drain(into: &mail)
        guard !mail.isEmpty else { return .goesOn }
        let requests: [Request] = mail.compactMap { if case .request(let request) = $0 { request } else { nil } }
        let before = belongings
        var commit = keeper.turn(requests, clock: reading)
        if commit.fate == .committed {
            try checkClock(commit, requests, before)
            world.oracle.forget(commit.removed)
            world.oracle.narrow(commit.narrowed)
            for row in commit.events { for area in world.areas { try area.follow(row) } }
            world.oracle.take(commit.events)
            let isClockNews = commit.notes.contains { $0.notable == .clock }
            for area in world.areas { area.committed(world, self, requests, isClockNews: isClockNews) }
            turns += 1
        }
        world.trace?(
            "step \(world.tally.steps): \(requests.map { "\($0.method) \($0.op ?? "")" }) \(commit.fate) through \(commit.through) \(commit.notes)"
        )
        plant(&commit, requests)
        if let fault = world.fault { spoil(fault, commit.events) }
        // What is on disk, a reader may bring before the loop hears of it.
        if commit.fate == .committed, world.dice.once(in: 8) { workerTurn() }
        mailboxes.toLoop.post(.commit(commit))
        if case .unknown = commit.fate {
            // The answers go out, then the daemon ends.
            try serverTurn()
            return .mustEnd
        }
        if case .refused = commit.fate, world.dice.once(in: 4) { world.disk.heal() }
        keeper.afterTurn(isIdle: world.dice.once(in: 2), clock: keeper.now)
        return .goesOn
    }

    /// Has the keeper look at what is due, and at the clock.
    func wakeKeeper() { mailboxes.toKeeper.post(.tick) }

    func workerTurn() {
        while let job = mailboxes.takeWork() {
            guard case .slow(let request, let work) = job else { continue }
            let result = world.areas.lazy.compactMap { $0.quick(work) }.first ?? work.run()
            var done = JobDone.slow(request, work.sort, result)
            plant(&done)
            mailboxes.toLoop.post(.done(done.opened))
        }
        guard var job = mailboxes.takeReading() else { return }
        plant(&job)
        var done = worker.run(job)
        plant(&done)
        mailboxes.toLoop.post(.done(done))
    }

    // MARK: Faults

    private func plant(_ commit: inout Commit, _ requests: [Request]) {
        if let fault = world.fault { for area in world.areas { area.plant(fault, &commit) } }
        switch world.fault {
        case .replyBeforeCommit:
            guard case .refused = commit.fate else { return }
            // Commands only: a sign-in that is told "done" and is not would be noticed for another reason.
            let commands = Set(requests.filter { $0.op != nil }.map(\.ticket))
            commit.replies = commit.replies.map { reply in
                guard commands.contains(reply.ticket) else { return reply }
                return Reply(ticket: reply.ticket, result: .success(Array("{}".utf8)), effect: .none)
            }
        case .listOutOfPlace: commit.replies = commit.replies.map { $0.isList ? $0.placed(at: 0) : $0 }
        case .shortList: commit.replies = commit.replies.map { $0.isList ? $0.shortened : $0 }
        case .skippedAudience:
            let everyone = Audience([1, 2, 3, 4])
            commit.events = commit.events.map {
                LogRow(
                    position: $0.position, at: $0.at, type: $0.type, by: $0.by, about: $0.about, key: $0.key,
                    audience: everyone, salt: $0.salt, payload: $0.payload)
            }
        default: break
        }
    }

    private func plant(_ job: inout Job) {
        switch (world.fault, job) {
        case (.spoiltUpload, .door(let ticket, let work as UploadWrite)): job = .door(ticket, work.spoilt)
        default: break
        }
    }

    private func plant(_ done: inout JobDone) {
        if let fault = world.fault { for area in world.areas { area.plant(fault, &done) } }
        switch (world.fault, done) {
        case (.lostAtBorder, .read(let reading, .success(let read))) where !read.rows.isEmpty:
            done = .read(
                for: reading, .success(read.with(Array(read.rows.dropLast()))))
        case (.doubledReplay, .read(let reading, .success(let read))) where !read.rows.isEmpty:
            done = .read(
                for: reading, .success(read.with(read.rows + read.rows.suffix(1))))
        case (.staleSnapshot, .snapshot(let reading, .success(let made?))):
            done = .snapshot(
                for: reading, .success(SnapshotMade(position: made.position + 1, json: made.json)))
        default: break
        }
    }

    // MARK: What the checkers ask

    func wholeLog() throws(StoreFailure) -> [LogRow] {
        let numbers = try reader.rows("SELECT DISTINCT member FROM audience_members") { Int32($0.int(0)) }
        var rows: [Int64: LogRow] = [:]
        for number in numbers {
            var after: Int64 = 0
            while true {
                let page = try Log.read(
                    reader, after: after, through: nil, member: number, types: nil, bytesMax: 1 << 20)
                for row in page.rows { rows[row.position] = row }
                after = page.through
                if !page.more { break }
            }
        }
        return rows.values.sorted { $0.position < $1.position }
    }

    func position() throws(StoreFailure) -> Int64 { try Log.position(reader) }

    func snapshot(of member: Identifier) throws(StoreFailure) -> (snapshot: Snapshot, position: Int64)? {
        guard var made = try trueSnapshot(of: member) else { return nil }
        if let fault = world.fault { for area in world.areas { area.plant(fault, &made.snapshot) } }
        return made
    }

    /// The same before any fault.
    func trueSnapshot(of member: Identifier) throws(StoreFailure) -> (snapshot: Snapshot, position: Int64)? {
        try Registry.family.snapshot(for: member, view: .all(for: member), in: reader)
    }

    /// Those who are no member any more: what they did is forgotten with them.
    func gone(of usernames: Set<String>) throws(StoreFailure) -> Set<String> {
        let members = try reader.rows("SELECT username FROM members") { row in row.text(0) }
        return usernames.subtracting(members).subtracting(["machine"])
    }

    func remembers(_ op: String) throws(StoreFailure) -> Bool {
        try reader.first("SELECT 1 FROM ops WHERE op = ?", .text(op)) { _ in true } ?? false
    }
}

extension JobDone {
    /// The same without the file that it was made of.
    fileprivate var opened: JobDone {
        guard case .slow(var request, let sort, let result) = self else { return self }
        request.openParcel()
        return .slow(request, sort, result)
    }
}

extension UploadWrite {
    /// The same with another last byte.
    fileprivate var spoilt: UploadWrite {
        var pieces = pieces
        if let last = pieces.popLast() { pieces.append(last.dropLast() + [(last.last ?? 0) ^ 1]) }
        return UploadWrite(file: file, pieces: pieces, offset: offset, begins: begins, isSynced: isSynced)
    }
}

extension LogRead {
    /// The same with other rows.
    func with(_ rows: [LogRow]) -> LogRead {
        LogRead(rows: rows, through: through, isWhole: isWhole, isRebuilt: isRebuilt)
    }
}

extension Reply {
    /// A list without the last of it.
    fileprivate var shortened: Reply {
        guard case .success(let bytes) = result, var json = try? JSON.parse(bytes),
            let list = json.object?.names.first(where: { json[$0]?.array != nil })
        else { return self }
        json[list] = .array((json[list]?.array ?? []).dropLast())
        return Reply(ticket: ticket, result: .success(json.bytes), effect: effect, position: position, isList: true)
    }
}
