public import KinCrypto
public import KinModel
public import KinStore

/// The only writer. It takes all requests that arrived since its last turn, applies each in a savepoint, commits once,
/// and hands over what may leave the daemon now.
///
/// Confined to one thread; the simulation calls ``turn(_:)`` by itself.
public final class Keeper {
    // Fixed at birth.
    /// What can be asked.
    public let registry: Registry
    package let store: Store
    package let randomness: (Int) -> [UInt8]

    // Lives across turns.
    /// What areas keep in memory.
    package let memories: [ObjectIdentifier: any AreaMemory]
    /// The key of the digests that remember an `op`'s parameters. It outlives epochs, so the database keeps it.
    package let digestKey: [UInt8]
    private var cachedRoster: Roster?
    private var numbersDrawn: [UInt64] = []
    private var plan = Plan()
    private var nextCopies = Instant.earliest
    /// The daemon's own work waits until this moment while even the ballast's room is used up. In the same turn it
    /// would make the members' requests fail with it, and nobody could read.
    private var ownWorkFrom = Instant.earliest
    var isDiskTroubled = false
    /// Whether it was said that the disk is full.
    var isFullTold = false
    /// How often in a row due work was refused.
    var refusedDues = RefusedDues()
    /// What time it is; `nil` before the first turn.
    package private(set) var clock: TrustedClock?
    /// What was counted since the start.
    public internal(set) var counters: KeeperCounters
    /// The number of the turn, and the turns in which somebody lost sight of something.
    private(set) var turnNumber: UInt64 = 0
    private(set) var sightLosses = SightLosses()
    /// Called between the requests of a turn, so that the watchdog sees that the keeper makes progress.
    public var beat: () -> Void = {}
    /// Rules that are not kept. Empty, except in a simulation that shows that its checkers notice.
    package var rulesLeftOut: Set<Rule> = []

    /// A keeper of an open store. `randomness` answers as many random bytes as it is asked for. It is a parameter so
    /// that a simulation can repeat itself.
    public init(
        store: Store, registry: Registry, randomness: @escaping (Int) -> [UInt8] = { Randomness.bytes($0) }
    ) throws(StoreFailure) {
        self.store = store
        self.registry = registry
        self.randomness = randomness
        counters = KeeperCounters(families: registry.methodFamilies.count)
        memories = Dictionary(
            uniqueKeysWithValues: registry.areas.flatMap(\.memories).map { (ObjectIdentifier($0), $0.init()) })
        digestKey = try Self.digestKey(store, randomness)
        store.database.noteRows(of: registry.searchedKinds.map(\.table))
        plan.kept = try TrustedClock.Kept.load(store.database)
        // Removes the blobs that a crash left between writing the file and committing the row that names it.
        var named: Set<String> = []
        for area in registry.areas { named.formUnion(try area.blobs?(store.database) ?? []) }
        try store.blobs.removeOrphans(keeping: named)
    }

    /// The times of the daemon's own work. They are taken back with the turn that did the work, when that turn is
    /// refused.
    private struct Plan {
        /// The moment of the next upkeep, by the clock that nobody can set, like ``Act/uptime``.
        var upkeep = Instant.earliest
        var retention = Instant.earliest
        /// The clock as the database has it.
        var kept: TrustedClock.Kept?
        /// Whether somebody said in this turn that the clock is right.
        var isClockVouchedFor = false
        /// Whether the daemon's log says already that the clock is doubted.
        var isDoubtSaid = false
    }

    /// Applies what arrived and what fell due by `clock`, in one transaction.
    public func turn(_ requests: [Request], clock: ClockReading) -> Commit {
        var rest = requests[...]
        return turn(clock: clock) { rest.popFirst() }
    }

    /// The same with requests one by one, as long as there are more for this turn.
    public func turn(clock: ClockReading, next: () -> Request?) -> Commit {
        var commit = Commit()
        var taken: [Request] = []
        look(at: clock)
        let (now, read, planned) = (now, self.clock, plan)
        counters.turns += 1
        turnNumber += 1
        store.lookForRoom()
        let isShort = store.isShortOfRoom
        do throws(StoreFailure) {
            try store.beginTurn()
            if !isShort || now >= ownWorkFrom {
                try settleClock(&commit)
                try fallDue(now, &commit)
                try upkeep(now, &commit)
                try settleMemories(now, &commit)
            }
            while let request = next() {
                taken.append(request)
                beat()
                commit.replies.append(try answer(request, now, &commit))
            }
            if plan.isClockVouchedFor {
                plan.isClockVouchedFor = false
                self.clock?.trust()
                try settleClock(&commit)
            }
            try keepClock(isWorthIt: !commit.events.isEmpty || plan.kept?.boot != self.clock?.reading.boot)
            // Within the transaction: else the query needs one of its own between the sync and the answers.
            commit.nextDue = nextDue(self.now).map { isShort ? max($0, ownWorkFrom) : $0 }
            try store.commitTurn()
        } catch {
            plan = planned
            self.clock = read
            if error == .full, isShort { ownWorkFrom = now.adding(seconds: Self.fullDiskSeconds) }
            return refused(taken, error, now)
        }
        self.clock?.noted()
        commit.now = self.now
        commit.clockAhead = self.clock?.ahead ?? 0
        commit.through = store.log.position
        commit.firstKept = store.log.firstKept
        counters.events += commit.events.count
        tellOfDisk(isShort: isShort, &commit)
        return commit
    }

    /// The same on a machine whose clocks are right.
    public func turn(_ requests: [Request], clock: Instant) -> Commit { turn(requests, clock: .right(clock)) }

    /// Notes how long the turn before took. The caller has a clock for that.
    public func turnTook(nanoseconds: UInt64, requests: Int) {
        counters.turnNanoseconds.observe(nanoseconds)
        if requests > 0 { counters.batch.observe(UInt64(requests)) }
    }

    /// After a turn: checkpoints and other upkeep of the file. `isIdle` when nothing waits.
    public func afterTurn(isIdle: Bool, clock: Instant) {
        store.afterTurn(idle: isIdle, now: clock)
        guard isIdle, !isClockDoubted, clock >= nextCopies || nextCopies > clock.adding(days: 1) else { return }
        nextCopies = clock.adding(days: 1)
        try? store.removeOldCopies(now: clock)
    }

    /// Lets go of pages of the database that are kept for reading again.
    public func rest() { store.database.releaseMemory() }

    /// Why nothing can be stored any more: the data directory is not where it was.
    public var placeFailure: StoreFailure? {
        do throws(StoreFailure) { try store.checkPlace() } catch { return error }
        return nil
    }

    /// The epochs, which the loop needs to make and read cursors.
    public var epochs: Epochs { store.epochs }

    /// Whether the family was founded.
    public var isFounded: Bool {
        ((try? store.database.first("SELECT 1 FROM family") { (_) throws(StoreFailure) in true }) ?? nil) ?? false
    }

    // MARK: One request

    private func answer(
        _ request: Request, _ now: Instant, _ commit: inout Commit
    ) throws(StoreFailure) -> Reply {
        counters.commands += 1
        let database = store.database
        let method = registry.methods[request.method]
        try database.savepoint("act")
        let made = countBlobs(before: request)
        var act: Act?
        var acts: [Act] = []
        let answered: Result<Outcome, Rejection>
        do throws(Rejection) {
            var outcome = try carryOut(request, method, now, &act)
            try act?.tellAreas()
            if !request.also.isEmpty { outcome = try goOn(request, after: outcome, now, &act, &acts) }
            answered = .success(outcome)
        } catch { answered = .failure(error) }
        if let failure = act?.failure, !failure.isOfOneStatement || !database.isInTransaction {
            throw database.isInTransaction ? failure : .transactionGone
        }
        switch answered {
        case .success(let outcome):
            try database.release("act")
            for act in acts { gather(act, &commit) }
            if let act { gather(act, &commit) }
            var later: Request?
            if case .later(let work) = outcome.effect {
                later = request.asking(work, act)
                if let party = act?.party ?? act?.caller.memberID.map({ .member($0) }) { later?.party = party }
            } else {
                counters.count(family: method?.family ?? 0, outcome: 0)
            }
            var result = outcome.result
            let isList = request.also.isEmpty && later == nil && method?.tellsCursor ?? false
            if isList { result["cursor"] = .string(cursorNow) }
            return Reply(
                ticket: request.ticket, result: .success(result.bytes), effect: outcome.effect, request: later,
                member: request.party.isKnown ? nil : act?.caller.memberID, position: store.log.position,
                isList: isList)
        case .failure(let rejection):
            try takeBack("act", blobsAfter: made)
            counters.count(family: method?.family ?? 0, outcome: rejection.kind.outcome)
            commit.notes += act?.notesOfRefusal ?? []
            return Reply(
                ticket: request.ticket, result: .failure(rejection), effect: .none, position: store.log.position)
        }
    }

    /// A cursor at the end of the log. It is no row's, so it does not tell whether anything was written for others.
    private var cursorNow: String { store.epochs.cursor(upTo: store.log.position, salt: randomNumber()) }

    func carryOut(
        _ request: Request, _ method: Method?, _ now: Instant, _ made: inout Act?
    ) throws(Rejection) -> Outcome {
        guard let method else {
            throw Rejection(.method, "There is no method \(Text.quoted(request.method)).", field: "method")
        }
        // An act of nobody resolves the credential, so that failures of the store are handled in one place.
        let resolver = Act(keeper: self, now: now, caller: .nobody, origin: request.origin, work: nil)
        made = resolver
        let caller = try registry.hooks.credentials.resolve(request.credential, method, resolver)
        let act = Act(
            keeper: self, now: now, caller: caller, origin: request.origin, work: request.work, parcel: request.parcel)
        made = act
        try permit(method, caller)
        try refuseWaiting(method, act, Params(request.params))
        if let list = method.longListGiven(in: request.params) {
            guard try check(request.params, of: method, itemsOf: list, act) else {
                return .later(.rest(after: 0, carrying: act.checked))
            }
        } else {
            try Shape.check(request.params, fields: method.parameters)
        }
        // While the disk is full, the room left is only for commands that free some.
        guard method.sort == .query || !store.isShortOfRoom || method.freesRoom(Params(request.params)) else {
            throw Rejection(
                .unavailable,
                "The disk is full. Deleting and switching sharing off still work; free some room on the machine.",
                retryAfter: 60)
        }
        guard let op = request.op, method.sort != .query else {
            try judge(request.condition, act)
            return try method.apply(act, Params(request.params))
        }
        return try once(op, request, method, act)
    }

    /// Checks some more of a long list: all of it is checked before any of it is done. The first turn checks the other
    /// parameters too. Answers whether all of the list was checked.
    private func check(
        _ params: JSON.Object, of method: Method, itemsOf list: String, _ act: Act
    ) throws(Rejection) -> Bool {
        guard let from = act.checked?.count else { return true }
        if from == 0 { try Shape.check(params, fields: method.parameters, besidesItemsOf: list) }
        let items = params[list]?.array ?? []
        let some = items.indices[from...].prefix(Limits.itemsCheckedPerTurn)
        let shape = method.parameters.first { $0.name == list }?.shape
        for index in some { try shape?.item?.check(items[index], field: "\(list)[\(index)]") }
        act.work = some.endIndex < items.count ? .rest(after: 0, carrying: ItemsChecked(count: some.endIndex)) : nil
        return act.work == nil
    }

    func permit(_ method: Method, _ caller: Caller) throws(Rejection) {
        if case .member(let member) = caller, let scope = member.scope, !method.scopes.contains(scope) {
            throw Rejection(
                .forbidden, "This app password is for \(scope.rawValue) only; \(method.name) is not part of that.")
        }
        guard !method.access.contains(caller.access) else { return }
        let act = Act(keeper: self, now: .earliest, caller: caller, origin: Origin(), work: nil)
        switch caller {
        case .nobody: throw Rejection(.notSignedIn, "Sign in first.")
        case .machine: _ = try act.member
        case .member(let member): throw try act.refusal(method, member)
        }
    }

    /// Refuses a waiting session, before any other check: errors in the parameters must not tell anything, either.
    func refuseWaiting(_ method: Method, _ act: Act, _ params: Params) throws(Rejection) {
        guard case .member(let member) = act.caller, member.isWaiting, method.needsOwnWord(params),
            act.keeps(method.sort == .query ? .waitingSessionsSeeNothing : .waitingSessionsWidenNothing)
        else { return }
        throw member.waits
    }

    // MARK: Due work

    /// Retention and pruning, once an hour. Retention runs every second while there is more than one turn removes.
    private func upkeep(_ now: Instant, _ commit: inout Commit) throws(StoreFailure) {
        guard !isClockDoubted else { return }
        if uptime >= plan.retention {
            let rows = try store.log.retain(since: now.adding(days: -Limits.logDays), bytesMax: Limits.logBytes)
            let operations = try store.operations.prune(before: now.adding(days: -Limits.opDays))
            plan.retention = uptime.adding(seconds: rows + operations > 0 ? 1 : 3600)
        }
        guard uptime >= plan.upkeep else { return }
        plan.upkeep = uptime.adding(seconds: 3600)
        // Each by itself: an area whose upkeep is refused keeps no other from its own.
        for tidy in registry.areas.compactMap({ $0.upkeep }) {
            try asDaemon(now, &commit) { (act) throws(Rejection) in try tidy(act) }
        }
    }

    /// Carries out due work, and answers whether it was done.
    @discardableResult
    func asDaemon(
        _ now: Instant, _ commit: inout Commit,
        _ body: (Act) throws(Rejection) -> Void
    ) throws(StoreFailure) -> Bool {
        let act = Act(keeper: self, now: now, caller: .nobody, origin: Origin(), work: nil)
        try store.database.savepoint("due")
        let made = store.madeBlobCount
        var rejection: Rejection?
        do throws(Rejection) {
            try body(act)
            try act.tellAreas()
        } catch { rejection = error }
        guard let rejection else {
            try store.database.release("due")
            gather(act, &commit)
            return true
        }
        // As with a request: a failure of only one statement must not refuse the same batch again and again.
        if let failure = act.failure, !failure.isOfOneStatement || !store.database.isInTransaction {
            throw store.database.isInTransaction ? failure : .transactionGone
        }
        try takeBack("due", blobsAfter: made)
        commit.notes.append(Note(.work, "Due work was refused: \(rejection.message)"))
        return false
    }

    private func gather(_ act: Act, _ commit: inout Commit) {
        sightLosses.note(act, turn: turnNumber)
        // The loop never gets a row that was superseded within the same turn.
        if !act.removed.isEmpty {
            let removed = Set(act.removed)
            commit.events.removeAll { removed.contains($0.position) }
            commit.events += act.events.filter { !removed.contains($0.position) }
            commit.removed += act.removed
        } else {
            commit.events += act.events
        }
        if !act.narrowed.isEmpty {
            commit.events = commit.events.map { row in act.narrowed[row.position].map { row.narrowed(to: $0) } ?? row }
            commit.narrowed.merge(act.narrowed) { $1 }
        }
        commit.revocations += act.revocations
        commit.notes += act.notes
        commit.ownCalls += act.ownCalls.filter { !commit.ownCalls.contains($0) }
        for name in act.blobsLeft { store.removeAfterCommit(blob: name) }
    }

    /// Seconds after which a doubted clock is looked at again.
    private static let doubtSeconds: Int64 = 10

    private func nextDue(_ now: Instant) -> Instant? {
        guard !isClockDoubted else { return now.adding(seconds: Self.doubtSeconds) }
        let due = (try? store.due.next()) ?? nil
        // The WAL cannot be truncated while somebody reads; a backup reads for minutes. Look again, but not at once.
        let truncation = store.truncateBy.map { max($0, now.adding(seconds: 1)) }
        let own = min(plan.upkeep, plan.retention).milliseconds(since: uptime)
        return [due, truncation, memoryDue, now.adding(milliseconds: max(own, 0))].compactMap(\.self).min()
    }

    // MARK: The clock

    private func look(at reading: ClockReading) {
        if clock == nil { clock = TrustedClock(plan.kept, reading) } else { clock?.read(reading) }
    }

    /// What time it is.
    public var now: Instant { clock?.now ?? .earliest }

    /// Whether the wall clock is not believed.
    public var isClockDoubted: Bool { clock?.doubt != nil }

    /// The time since the machine started, from 1970 on. Waits use it: setting a clock does not change them.
    package var uptime: Instant { Instant(milliseconds: clock?.reading.sinceBoot ?? 0) }

    /// Notes that somebody vouches for the wall clock. It is believed from the end of this turn on.
    package func vouchForClock() { plan.isClockVouchedFor = true }

    /// Does what is needed when the clock begins to be doubted, is trusted again, or was put right.
    private func settleClock(_ commit: inout Commit) throws(StoreFailure) {
        guard let clock else { return }
        let wasDoubted = plan.kept?.doubt != nil
        if let sentence = clock.sentence, !plan.isDoubtSaid {
            plan.isDoubtSaid = true
            commit.notes.append(Note(.clock, sentence))
        }
        if clock.doubt == nil { plan.isDoubtSaid = false }
        guard (clock.doubt != nil) != wasDoubted || clock.wasPutRight != nil else { return }
        let since = plan.kept?.doubtSince
        let isDone = try asDaemon(clock.now, &commit) { (act) throws(Rejection) in
            let isRedated = try Redating.settle(clock, doubtedSince: since, act)
            for area in registry.areas { try area.life.clockDoubted?(act) }
            if isRedated { try act.reset(Audience(try act.roster.entries.map(\.number))) }
        }
        guard isDone else { return }
        self.clock?.noted()
        try keepClock(isWorthIt: true, isUrgent: true)
    }

    /// Writes the clock down for the next start, with other writes and once a minute at most. Once in each start of
    /// the machine it is worth a write of its own: a later start of the daemon judges the clock by it.
    private func keepClock(isWorthIt: Bool, isUrgent: Bool = false) throws(StoreFailure) {
        guard let clock, isWorthIt else { return }
        if !isUrgent, let kept = plan.kept, kept.boot == clock.reading.boot,
            (0..<60_000).contains(clock.reading.sinceBoot - kept.sinceBoot)
        {
            return
        }
        try clock.kept.save(store.database)
        plan.kept = clock.kept
    }

    /// Writes the clock down when the daemon ends, so that the next start goes on from it.
    public func rest(clock reading: ClockReading) {
        look(at: reading)
        // A doubt that begins only now is left to the next start: what a doubt requires was not done here.
        guard let clock, (clock.doubt != nil) == (plan.kept?.doubt != nil), clock.wasPutRight == nil else { return }
        do throws(StoreFailure) {
            try store.beginTurn()
            try clock.kept.save(store.database)
            try store.commitTurn()
        } catch { store.rollbackTurn() }
    }

    // MARK: Bad days

    /// Seconds after a refused turn before what is overdue is tried again.
    private static let retrySeconds: Int64 = 10
    private static let fullDiskSeconds: Int64 = 60

    private func refused(_ requests: [Request], _ failure: StoreFailure, _ now: Instant) -> Commit {
        forgetRoster()
        var (commit, isUnknown) = (Commit(), false)
        if case .fateUnknown = failure { isUnknown = true } else { store.rollbackTurn() }
        commit.fate = isUnknown ? .unknown(failure) : .refused(failure)
        commit.through = store.log.position
        commit.firstKept = store.log.firstKept
        // Not again at once: a full disk would fail as before.
        commit.nextDue = isUnknown ? nil : nextDue(now).map { max($0, now.adding(seconds: Self.retrySeconds)) }
        commit.now = now
        commit.clockAhead = clock?.ahead ?? 0
        commit.notes = [Note(.disk, failure.sentence)]
        isDiskTroubled = true
        if failure == .full { isFullTold = true }
        commit.replies = requests.map { request in
            var rejection = Rejection(.unavailable, failure.sentence, retryAfter: Int(Self.retrySeconds))
            rejection.isOutcomeUnknown = isUnknown
            return Reply(ticket: request.ticket, result: .failure(rejection), effect: .none)
        }
        return commit
    }

    // MARK: Roster, randomness

    package func roster() throws(StoreFailure) -> Roster {
        if let cachedRoster { return cachedRoster }
        let roster = try People.roster(store.database)
        cachedRoster = roster
        return roster
    }

    package func forgetRoster() { cachedRoster = nil }

    /// 64 random bits, for salts and identifiers. Drawn ahead: 8 bytes at a time cost nearly as much as 512.
    package func randomNumber() -> UInt64 {
        if numbersDrawn.isEmpty {
            let bytes = randomness(512)
            numbersDrawn = stride(from: 0, to: bytes.count - 7, by: 8).map { start in
                bytes[start..<(start + 8)].reduce(0) { $0 << 8 | UInt64($1) }
            }
        }
        return numbersDrawn.removeLast()
    }

    package func randomSecret(bytes: Int) -> String { Base64.urlEncode(randomness(bytes)) }
}

extension StoreFailure {
    /// Whether only the statement failed and the transaction is as it was: one command's fault, not the batch's.
    package var isOfOneStatement: Bool {
        switch self {
        case .constraint, .statement, .corrupt, .overdue: true
        default: false
        }
    }
}
