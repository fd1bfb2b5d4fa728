public import KinCrypto
public import KinModel
public import KinStore

/// The only writer. Takes all requests that arrived since its last turn, applies each in a savepoint, commits once and
/// hands over what may leave the daemon now.
///
/// Confined to one thread; the simulation calls ``turn(_:)`` by itself.
public final class Keeper {
    // Fixed at birth.
    /// What can be asked.
    public let registry: Registry
    let store: Store
    let randomness: (Int) -> [UInt8]

    // Lives across turns.
    let signIns = SignInSlowdown()
    /// Who was noted as having looked today.
    let looked = LookMemory()
    /// Root of the keyed digests that remember the parameters of an `op`; it outlives epochs, so it lies in the database.
    private let digestKey: [UInt8]
    private var cachedRoster: Roster?
    private var numbersDrawn: [UInt64] = []
    private var plan = Plan()
    private var nextCopies = Instant.earliest
    private var wasClockBehind = false
    /// What the daemon does by itself waits until then while even the ballast's room is used up: it would take the
    /// requests of its turn along, and nobody could read.
    private var ownWorkFrom = Instant.earliest
    /// What was counted since the start.
    public internal(set) var counters: KeeperCounters
    /// Called between the requests of a turn, so that whoever watches the keeper sees that it gets on.
    public var beat: () -> Void = {}

    /// A keeper of an open store. `randomness` answers as many random bytes as asked: a parameter so that a simulation
    /// can repeat itself.
    public init(
        store: Store, registry: Registry = .family, randomness: @escaping (Int) -> [UInt8] = { Randomness.bytes($0) }
    ) throws(StoreFailure) {
        self.store = store
        self.registry = registry
        self.randomness = randomness
        counters = KeeperCounters(families: registry.methodFamilies.count)
        digestKey = try Upkeep.digestKey(store, randomness)
        // What a crash left between putting a blob and committing the row that names it.
        var named: Set<String> = []
        for area in registry.areas { named.formUnion(try area.blobs?(store.database) ?? []) }
        try store.blobs.removeOrphans(keeping: named)
    }

    /// What the daemon does by itself and when: taken back with the turn that did it, when that turn is refused.
    private struct Plan {
        var upkeep = Instant.earliest
        var retention = Instant.earliest
        var isClockBehind = false
    }

    /// Applies what arrived and what fell due by `clock`, in one transaction.
    public func turn(_ requests: [Request], clock: Instant) -> Commit {
        var commit = Commit()
        let now = moment(clock, &commit)
        let planned = plan
        counters.turns += 1
        store.lookForRoom()
        let isShort = store.isShortOfRoom
        do throws(StoreFailure) {
            try store.beginTurn()
            if !isShort || now >= ownWorkFrom {
                try fallDue(now, &commit)
                try upkeep(now, &commit)
            }
            for request in requests {
                beat()
                commit.replies.append(try answer(request, now, &commit))
            }
            // Within the transaction, so that it needs none of its own between the sync and the answers.
            commit.nextDue = nextDue(now).map { isShort ? max($0, ownWorkFrom) : $0 }
            try store.commitTurn()
        } catch {
            plan = planned
            if error == .full, isShort { ownWorkFrom = now.adding(seconds: Self.fullDiskSeconds) }
            return refused(requests, error, now)
        }
        commit.through = store.log.position
        commit.firstKept = store.log.firstKept
        counters.events += commit.events.count
        return commit
    }

    /// Notes how long the turn took that came before, by whoever has a clock for that.
    public func turnTook(nanoseconds: UInt64, requests: Int) {
        counters.turnNanoseconds.observe(nanoseconds)
        if requests > 0 { counters.batch.observe(UInt64(requests)) }
    }

    /// After a turn: checkpoints and other upkeep of the file. `isIdle` when nothing waits.
    public func afterTurn(isIdle: Bool, clock: Instant) {
        store.afterTurn(idle: isIdle, now: clock)
        guard isIdle, clock >= nextCopies else { return }
        nextCopies = clock.adding(days: 1)
        try? store.removeOldCopies(now: clock)
    }

    /// Lets go of pages of the database that are kept for reading again.
    public func rest() { store.database.releaseMemory() }

    /// Why nothing can be kept any more: the directory is not where it was.
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
        var act: Act?
        let answered: Result<Outcome, Rejection>
        do throws(Rejection) {
            let outcome = try carryOut(request, method, now, &act)
            try act?.tellAreas()
            answered = .success(outcome)
        } catch { answered = .failure(error) }
        if let failure = act?.failure, !failure.isOfOneStatement || !database.isInTransaction {
            throw database.isInTransaction ? failure : .transactionGone
        }
        switch answered {
        case .success(let outcome):
            try database.release("act")
            if let act { gather(act, &commit) }
            var later: Request?
            if case .later = outcome.effect {
                later = request
            } else {
                counters.count(family: method?.family ?? 0, outcome: 0)
            }
            return Reply(
                ticket: request.ticket, result: .success(outcome.result.bytes), effect: outcome.effect, request: later)
        case .failure(let rejection):
            try database.rollbackTo("act")
            forgetRoster()
            counters.count(family: method?.family ?? 0, outcome: rejection.kind.outcome)
            commit.notes += act?.notesOfRefusal ?? []
            return Reply(ticket: request.ticket, result: .failure(rejection), effect: .none)
        }
    }

    private func carryOut(
        _ request: Request, _ method: Method?, _ now: Instant, _ made: inout Act?
    ) throws(Rejection) -> Outcome {
        guard let method else {
            throw Rejection(.method, "There is no method \(Text.quoted(request.method)).", field: "method")
        }
        // An act of nobody resolves the credential, so that failures of the store are seen in one place.
        let resolver = Act(keeper: self, now: now, caller: .nobody, origin: request.origin, work: nil)
        made = resolver
        let caller = try Sessions.resolve(request.credential, for: method, resolver)
        let act = Act(
            keeper: self, now: now, caller: caller, origin: request.origin, work: request.work, parcel: request.parcel)
        made = act
        try permit(method, caller)
        if let list = method.longListGiven(in: request.params) {
            guard try check(request.params, of: method, itemsOf: list, act) else {
                return .later(.rest(after: 0, carrying: act.checked))
            }
        } else {
            try Shape.check(request.params, fields: method.parameters)
        }
        // The room given up on a full disk is for getting out of it.
        guard method.sort == .query || !store.isShortOfRoom || method.freesRoom(Params(request.params)) else {
            throw Rejection(
                .unavailable,
                "The disk is full. Deleting and switching sharing off still work; free some room on the machine.",
                retryAfter: 60)
        }
        guard let op = request.op, method.sort != .query else {
            return try method.apply(act, Params(request.params))
        }
        return try once(op, request, method, act)
    }

    /// Checks some more of a long list, all of it before anything is done; the rest of the parameters in the first turn.
    /// Answers whether it was all.
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

    private func permit(_ method: Method, _ caller: Caller) throws(Rejection) {
        if case .member(let member) = caller, let scope = member.scope, method.scope != scope {
            throw Rejection(
                .forbidden, "This app password is for \(scope.rawValue) only; \(method.name) is not part of that.")
        }
        guard !method.access.contains(caller.access) else { return }
        switch caller {
        case .nobody: throw Rejection(.notSignedIn, "Sign in first.")
        case .machine: _ = try Act(keeper: self, now: .earliest, caller: caller, origin: Origin(), work: nil).member
        case .member(let member):
            throw Rejection(.forbidden, "\(method.name) is not for a \(member.role.rawValue).")
        }
    }

    // MARK: op

    /// A repeat changes nothing and is answered anew with what the caller may see now.
    private func once(_ op: String, _ request: Request, _ method: Method, _ act: Act) throws(Rejection) -> Outcome {
        guard (1...64).contains(op.utf8.count), op.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Rejection(
                .params, "op must be 1 to 64 characters of printable ASCII; a UUID is best.", field: "op")
        }
        let scopeKey = scopeKey(scope(of: request, act))
        func digest() -> [UInt8] {
            Digest.hmacSHA256(key: digestKey, JSON.object(method.digestible(request)).canonicalBytes)
        }
        let known = try act.ask { (_) throws(StoreFailure) in try store.operations.find(scope: scopeKey, op: op) }
        if let known {
            guard known.method == method.name, equalInConstantTime(known.digest, digest()) else {
                throw Rejection(
                    .conflict, "This op was used before for something else; take a new one.", field: "op")
            }
            guard let again = method.again else { throw Rejection.alreadyDone(known.ids.first) }
            return .done(try again(act, known.ids), ids: known.ids)
        }
        let outcome = try method.apply(act, Params(request.params))
        if case .later = outcome.effect { return outcome }
        // Who removed itself leaves no `op` behind.
        if let member = act.caller.memberID, act.revocations.contains(.member(member)) { return outcome }
        try act.ask { (_) throws(StoreFailure) in
            try store.operations.insert(
                scope: scopeKey, op: op,
                Operation(method: method.name, digest: digest(), ids: outcome.ids, at: act.now))
        }
        return outcome
    }

    private func scopeKey(_ scope: String) -> String {
        Hex.encode(Digest.hmacSHA256(key: digestKey, Array(scope.utf8)))
    }

    /// Forgets the `op`s of a member who is removed.
    func forgetOperations(of member: Identifier) throws(StoreFailure) {
        try store.operations.forget(scope: scopeKey(member.description))
    }

    /// Whose `op` it is: a member's; before sign-in that of whoever holds the code or link, or means to be the member.
    private func scope(of request: Request, _ act: Act) -> String {
        if let member = act.caller.memberID { return member.description }
        guard case .nobody = act.caller else { return "machine" }
        let shown = ["code", "link", "username"].lazy.compactMap { request.params[$0]?.string }.first
        return "nobody " + (shown ?? "")
    }

    // MARK: Due work

    private func fallDue(_ now: Instant, _ commit: inout Commit) throws(StoreFailure) {
        for due in try store.due.popDue(now: now, limit: 4096) {
            beat()
            try asDaemon(now, &commit) { (act) throws(Rejection) in
                for area in registry.areas { try area.due[due.kind]?(act, due.about) }
            }
        }
    }

    /// Retention and pruning, once an hour; retention goes on every second while there is more than one turn removes.
    private func upkeep(_ now: Instant, _ commit: inout Commit) throws(StoreFailure) {
        if plan.isClockBehind {
            plan.isClockBehind = false
            try asDaemon(now, &commit) { (act) throws(Rejection) in
                for area in registry.areas { try area.endTimedGrants?(act) }
            }
        }
        if now >= plan.retention {
            let rows = try store.log.retain(since: now.adding(days: -Limits.logDays), bytesMax: Limits.logBytes)
            let operations = try store.operations.prune(before: now.adding(days: -Limits.opDays))
            plan.retention = now.adding(seconds: rows + operations > 0 ? 1 : 3600)
        }
        guard now >= plan.upkeep else { return }
        plan.upkeep = now.adding(seconds: 3600)
        try asDaemon(now, &commit) { (act) throws(Rejection) in
            for area in registry.areas { try area.due["upkeep"]?(act, "") }
        }
    }

    private func asDaemon(
        _ now: Instant, _ commit: inout Commit,
        _ body: (Act) throws(Rejection) -> Void
    ) throws(StoreFailure) {
        let act = Act(keeper: self, now: now, caller: .nobody, origin: Origin(), work: nil)
        try store.database.savepoint("due")
        var rejection: Rejection?
        do throws(Rejection) {
            try body(act)
            try act.tellAreas()
        } catch { rejection = error }
        guard let rejection else {
            try store.database.release("due")
            return gather(act, &commit)
        }
        // As with a request: what only one statement did wrong must not refuse the same batch again and again.
        if let failure = act.failure, !failure.isOfOneStatement || !store.database.isInTransaction {
            throw store.database.isInTransaction ? failure : .transactionGone
        }
        try store.database.rollbackTo("due")
        forgetRoster()
        commit.notes.append(Note(.work, "Due work was refused: \(rejection.message)"))
    }

    private func gather(_ act: Act, _ commit: inout Commit) {
        // A row superseded within this very turn never reaches the loop.
        if !act.removed.isEmpty {
            let removed = Set(act.removed)
            commit.events.removeAll { removed.contains($0.position) }
            commit.events += act.events.filter { !removed.contains($0.position) }
            commit.removed += act.removed
        } else {
            commit.events += act.events
        }
        commit.revocations += act.revocations
        commit.notes += act.notes
        for name in act.blobsDropped { store.removeAfterCommit(blob: name) }
    }

    private func nextDue(_ now: Instant) -> Instant? {
        let due = (try? store.due.next()) ?? nil
        // The WAL cannot be cut while somebody reads, a backup for minutes: look again, but not at once.
        let truncation = store.truncateBy.map { max($0, now.adding(seconds: 1)) }
        return [due, truncation, plan.upkeep, plan.retention].compactMap(\.self).min()
    }

    // MARK: Bad days

    /// Seconds after a refused turn before what is overdue is tried again.
    private static let retrySeconds: Int64 = 10
    private static let fullDiskSeconds: Int64 = 60

    private func refused(_ requests: [Request], _ failure: StoreFailure, _ now: Instant) -> Commit {
        forgetRoster()
        var commit = Commit()
        var isUnknown = false
        if case .fateUnknown = failure { isUnknown = true } else { store.rollbackTurn() }
        commit.fate = isUnknown ? .unknown(failure) : .refused(failure)
        commit.through = store.log.position
        commit.firstKept = store.log.firstKept
        // Not at once again: a full disk answers no quicker the second time.
        commit.nextDue = isUnknown ? nil : nextDue(now).map { max($0, now.adding(seconds: Self.retrySeconds)) }
        commit.notes = [Note(.disk, failure.sentence)]
        commit.replies = requests.map { request in
            var rejection = Rejection(.unavailable, failure.sentence, retryAfter: Int(Self.retrySeconds))
            rejection.isOutcomeUnknown = isUnknown
            return Reply(ticket: request.ticket, result: .failure(rejection), effect: .none)
        }
        return commit
    }

    // MARK: Time, roster, randomness

    /// The turn's moment: never before the log's last event. A clock far behind the log ends timed grants.
    private func moment(_ clock: Instant, _ commit: inout Commit) -> Instant {
        let last = store.log.latest
        guard clock < last else {
            wasClockBehind = false
            return clock
        }
        if last.milliseconds(since: clock) > Limits.clockBehindSecondsMax * 1000, !wasClockBehind {
            wasClockBehind = true
            plan.isClockBehind = true
            commit.notes.append(
                Note(
                    .clock,
                    "The clock says \(clock), but the log already holds events of \(last). Timed grants end now; set the clock."
                ))
        }
        return last
    }

    func roster() throws(StoreFailure) -> Roster {
        if let cachedRoster { return cachedRoster }
        let roster = try Members.roster(store.database)
        cachedRoster = roster
        return roster
    }

    func forgetRoster() { cachedRoster = nil }

    /// 64 random bits, for salts and identifiers. Drawn ahead, since asking for 8 bytes costs nearly what 512 do.
    func randomNumber() -> UInt64 {
        if numbersDrawn.isEmpty {
            let bytes = randomness(512)
            numbersDrawn = stride(from: 0, to: bytes.count - 7, by: 8).map { start in
                bytes[start..<(start + 8)].reduce(0) { $0 << 8 | UInt64($1) }
            }
        }
        return numbersDrawn.removeLast()
    }

    func randomSecret(bytes: Int) -> String { Base64.urlEncode(randomness(bytes)) }
}

extension StoreFailure {
    /// Whether only the statement failed and the turn's transaction is as it was: one command's fault, not the batch's.
    var isOfOneStatement: Bool {
        switch self {
        case .constraint, .statement: true
        default: false
        }
    }
}
