public import KinModel
public import KinStore

/// One command or query on its way through the keeper's turn: who asks, when, and what it may do. Lives for one
/// savepoint. Confined to the keeper's thread.
public final class Act {
    // Fixed at birth.
    /// The moment of the turn, by the wall clock as far as that is believed. It is earlier than the moment of a turn
    /// before only when the clock was put right. Moments in the database that are later are then dated anew.
    public let now: Instant
    /// The caller.
    public let caller: Caller
    /// The origin of the request.
    public let origin: Origin
    /// A worker's result for the slow part; `nil` on the first pass.
    public internal(set) var work: SlowResult?
    /// The parameter that came as a file.
    package let parcel: Parcel?
    /// The part of a long list that was checked; `nil` once all of it was.
    package var checked: ItemsChecked? {
        switch work {
        case nil: ItemsChecked(count: 0)
        case .rest(_, let carried)?: carried as? ItemsChecked
        default: nil
        }
    }
    /// Whether this is the first pass: no worker has been asked yet.
    package var isFirstWay: Bool { if case nil = work { true } else { false } }
    /// The count of items of a long list that were done in earlier turns.
    package var done: Int { if case .rest(let done, _) = work { done } else { 0 } }
    /// The value that the method carries along from those turns.
    package var carried: (any Sendable)? { if case .rest(_, let carried) = work { carried } else { nil } }
    /// The keeper that runs this act: its store and what it remembers between turns.
    package let keeper: Keeper
    /// The party that its slow work counts for, where that is not the caller: for a known device, the member who signed
    /// in there.
    package var party: Party?

    // Gathered; handed to the commit when the savepoint is released.
    /// Rows appended to the log.
    package private(set) var events: [LogRow] = []
    /// Events that concern an area, until it is told.
    private var untold: [Told] = []
    /// Whether what is done now follows from what others did: areas are told of none of it, unless it says so.
    var isTelling = false
    /// Positions that left the log.
    package private(set) var removed: [Int64] = []
    /// Rows that fewer may see than before, each with the audience it has now.
    package private(set) var narrowed: [Int64: Audience] = [:]
    /// Members who see less than before, where no event's audience says so. The second says that it may be anybody.
    package private(set) var sightTaken: [Audience] = []
    package private(set) var hasTakenSightOfAll = false
    /// Whose connections end.
    package private(set) var revocations: [Revocation] = []
    /// Blobs to remove once the transaction is on disk.
    private var blobsDropped: [String] = []
    /// Blobs that workers made, and that are a member's from here on.
    private var blobsTaken: Set<String> = []
    /// Sentences for the daemon's log.
    package private(set) var notes: [Note] = []
    /// Methods that the daemon calls once the transaction is on disk.
    package private(set) var ownCalls: [OwnCall] = []
    /// Lines for the daemon's log that are written only when the act is refused.
    package private(set) var notesOfRefusal: [Note] = []
    /// A failure of the store. The keeper decides what it means for the whole batch.
    package private(set) var failure: StoreFailure?

    package init(keeper: Keeper, now: Instant, caller: Caller, origin: Origin, work: SlowResult?, parcel: Parcel? = nil)
    {
        self.keeper = keeper
        self.now = now
        self.caller = caller
        self.origin = origin
        self.work = work
        self.parcel = parcel
    }

    /// Whether the time is in doubt. While it is, nothing is deleted or ended because of ``now``, and a permission that
    /// has an end permits nothing.
    public var isClockDoubted: Bool { keeper.isClockDoubted }

    /// The time since the machine started, written as a moment from 1970 on. Waits are measured with it.
    public var uptime: Instant { keeper.uptime }

    /// Refuses what depends on an end, as long as the time is in doubt.
    package func requireClock() throws(Rejection) {
        guard isClockDoubted else { return }
        throw Rejection(
            .unavailable,
            "The family's server is not sure what time it is, and this has an end. Try again later, or ask an admin.",
            retryAfter: 60)
    }

    /// The store's writing connection, for queries that areas share with readers.
    public var database: Database { keeper.store.database }

    /// Runs a body against the store. A failure becomes `unavailable` for this caller, and the keeper decides what it
    /// means for the batch.
    @discardableResult
    public func ask<T>(_ body: (Database) throws(StoreFailure) -> T) throws(Rejection) -> T {
        do throws(StoreFailure) { return try body(database) } catch { throw failed(error) }
    }

    /// Runs a statement; answers how many rows it changed.
    @discardableResult
    public func run(_ sql: String, _ values: Value...) throws(Rejection) -> Int {
        do throws(StoreFailure) { return try database.run(sql, values: values) } catch { throw failed(error) }
    }

    /// Runs a statement; answers how many rows it changed.
    @discardableResult
    public func run(_ sql: String, values: [Value]) throws(Rejection) -> Int {
        do throws(StoreFailure) { return try database.run(sql, values: values) } catch { throw failed(error) }
    }

    /// All rows of a query.
    public func rows<T>(
        _ sql: String, _ values: Value..., map: (borrowing Row) throws(StoreFailure) -> T
    ) throws(Rejection) -> [T] {
        do throws(StoreFailure) { return try database.rows(sql, values: values, map: map) } catch {
            throw failed(error)
        }
    }

    /// The first row of a query.
    public func first<T>(
        _ sql: String, _ values: Value..., map: (borrowing Row) throws(StoreFailure) -> T
    ) throws(Rejection) -> T? {
        do throws(StoreFailure) { return try database.first(sql, values: values, map: map) } catch {
            throw failed(error)
        }
    }

    /// Appends an event to the log for an audience. An empty audience means no event. With a `key`, it supersedes the
    /// newest event of that key and of those in `supersedes`. Its time is `toldAt`, where its audience may only know a
    /// rounded time; else now. With `isHeard` the areas are told of it even when an area emits it in answer to another
    /// event. `title` and `owner` are handed to the areas (``Told``), and to nobody else.
    ///
    /// - Returns: the data as JSON, for a method whose reply is the same.
    @discardableResult
    public func emit<Data>(
        _ type: EventType<Data>, _ data: Data, about: String, to audience: Audience, key: String? = nil,
        supersedes: [String] = [], toldAt: Instant? = nil, isHeard: Bool = false, title: String? = nil,
        owner: Identifier? = nil
    ) throws(Rejection) -> JSON {
        let name = type.name
        let json = data.json
        hold(.eventsAreDeclared, keeper.registry.events[name] != nil)
        if audience.isEmpty {
            if let key { try withdraw(key: key) }
            for key in supersedes { try withdraw(key: key) }
            return json
        }
        let by = caller.memberID
        if !isTelling || isHeard, keeper.registry.told[name] != nil {
            untold.append(
                Told(
                    type, data, json: json, at: toldAt ?? now, about: about, by: by, isAtMachine: isAtMachineAsMember,
                    audience: audience, title: title, owner: owner))
        }
        let payload = Event.payload(
            type: name, at: toldAt ?? now, by: by, isAtMachine: isAtMachineAsMember, about: about, data: json)
        let salt = keeper.randomNumber()
        do throws(StoreFailure) {
            let appended = try keeper.store.log.append(
                at: now, type: name, by: by, about: about, key: key, supersedes: supersedes, audience: audience,
                salt: salt, payload: payload)
            events.append(appended.row)
            removed += appended.superseded
        } catch { throw failed(error) }
        return json
    }

    /// Whether the machine acts in the caller's name. Its events then say so.
    var isAtMachineAsMember: Bool {
        if case .member(let member) = caller { member.isAtMachine && keeps(.theMachineIsNamed) } else { false }
    }

    /// Tells the areas what happened. The keeper calls this once, when the act's own work is done. Events that the
    /// areas emit with `isHeard` are told after it. Then areas do what they do at the end of each act
    /// (``Area/Life/settled``).
    package func tellAreas() throws(Rejection) {
        try hearUntold()
        for settle in keeper.registry.settled { try settle(self) }
    }

    private func hearUntold() throws(Rejection) {
        guard !untold.isEmpty else { return }
        isTelling = true
        var next = 0
        while next < untold.count {
            let told = untold[next]
            next += 1
            for hear in keeper.registry.told[told.type] ?? [] { try hear(self, told) }
        }
        untold = []
    }

    /// Removes the newest event of a key from the log, with no newer one in its place.
    public func withdraw(key: String) throws(Rejection) {
        do throws(StoreFailure) { removed += try keeper.store.log.withdraw(key: key) } catch { throw failed(error) }
    }

    /// Tells followers that their view was built anew: each gets a fresh snapshot (`reset`) from here.
    public func reset(_ audience: Audience) throws(Rejection) {
        guard !audience.isEmpty else { return }
        try emit(Registry.reset, Nothing(), about: "family", to: audience)
    }

    /// Blanks every row about a thing in the log. The caller emits the event that says that the thing was deleted.
    public func erase(about: String) throws(Rejection) { try erase(about: about, type: nil) }

    /// Blanks the log's rows of some types about a thing.
    public func erase(about: String, of types: [any EventDeclaration]) throws(Rejection) {
        for type in types { try erase(about: about, type: type.name) }
    }

    private func erase(about: String, type: String?) throws(Rejection) {
        do throws(StoreFailure) {
            removed += try keeper.store.log.erase(
                about: about, type: type, keeping: keeper.registry.typesThatHide)
            takeSightOfAll()
            keeper.store.requestTruncate(by: now.adding(seconds: Limits.truncateAfterDeletionSeconds))
        } catch { throw failed(error) }
    }

    /// Takes members out of the audience of the log's rows about a thing and what is under it, or of its rows of one
    /// type. A member who was away is not told them any more. A row that nobody may see any more leaves the log.
    public func narrow(
        about: String, type: (any EventDeclaration)? = nil, by leaving: Audience
    ) throws(Rejection) {
        do throws(StoreFailure) {
            let done = try keeper.store.log.narrow(
                about: about, type: type?.name, keeping: keeper.registry.typesThatHide, by: leaving)
            sightTaken.append(leaving)
            narrowed.merge(done.narrowed) { $1 }
            guard !done.removed.isEmpty else { return }
            removed += done.removed
            keeper.store.requestTruncate(by: now.adding(seconds: Limits.truncateAfterDeletionSeconds))
        } catch { throw failed(error) }
    }

    /// Removes rows from the log.
    public func erase(rows: [Int64]) throws(Rejection) {
        guard !rows.isEmpty else { return }
        do throws(StoreFailure) { try keeper.store.log.remove(rows) } catch { throw failed(error) }
        removed += rows
        keeper.store.requestTruncate(by: now.adding(seconds: Limits.truncateAfterDeletionSeconds))
    }

    /// Ends connections when the transaction is on disk, before any event of it is sent.
    public func revoke(_ revocation: Revocation) { revocations.append(revocation) }

    /// Removes a blob when the transaction is on disk.
    package func drop(blob name: String) { blobsDropped.append(name) }

    /// Notes that a blob that a worker made is a member's from here on.
    package func took(blob name: String) { blobsTaken.insert(name) }

    /// The blobs that are removed once the transaction is on disk. Among them is a blob that a worker made and nobody
    /// took, as where the same command was carried out already.
    package var blobsLeft: [String] {
        guard let blob = work?.blob, !blobsTaken.contains(blob) else { return blobsDropped }
        return blobsDropped + [blob]
    }

    /// Has the daemon call one of its own methods once the transaction is on disk. The method then gives work to a
    /// worker.
    public func callOwn(_ method: String, as member: Identifier? = nil) {
        let call = OwnCall(method: method, member: member)
        if !ownCalls.contains(call) { ownCalls.append(call) }
    }

    /// Writes a line to the daemon's log, once the transaction is on disk. It may hold usernames, and no other text of
    /// members.
    public func note(_ notable: Notable, _ sentence: String) { notes.append(Note(notable, sentence)) }

    /// Writes a line to the daemon's log when the act is refused.
    package func noteRefusal(_ notable: Notable, _ sentence: String) { notesOfRefusal.append(Note(notable, sentence)) }

    /// A new identifier.
    public func newIdentifier() -> Identifier {
        Identifier(at: now, random: (keeper.randomNumber(), keeper.randomNumber()))
    }

    /// A new secret of 256 random bits, base64url.
    public func newSecret() -> String { keeper.randomSecret(bytes: 32) }

    /// Random bytes.
    public func randomBytes(_ count: Int) -> [UInt8] { keeper.randomness(count) }

    /// Who is in the family, for audiences.
    public var roster: Roster {
        get throws(Rejection) {
            do throws(StoreFailure) { return try keeper.roster() } catch { throw failed(error) }
        }
    }

    /// Says that the roster changed: members, roles or households.
    public func rosterChanged() {
        keeper.forgetRoster()
        takeSightOfAll()
    }

    /// Says that anybody may see less from here on, although no event says so. Long reads that are under way are begun
    /// anew.
    public func takeSightOfAll() { hasTakenSightOfAll = true }

    /// The calling member; 1401 when nobody is signed in, 1403 for the machine, which is no member.
    public var member: CallingMember {
        get throws(Rejection) {
            switch caller {
            case .member(let member): return member
            case .nobody: throw Rejection(.notSignedIn, "Sign in first.")
            case .machine:
                throw Rejection(
                    .forbidden, "This is a member's own affair. Say which member you act as: kin --as MEMBER.")
            }
        }
    }

    package func failed(_ failure: StoreFailure) -> Rejection {
        if self.failure == nil { self.failure = failure }
        return Rejection(.unavailable, failure.sentence)
    }
}

/// The count of items of a long list that were checked in earlier turns.
package struct ItemsChecked: Sendable { let count: Int }
