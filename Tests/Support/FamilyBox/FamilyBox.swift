import Glibc
import KinActivity
import KinCodec
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import KinStore
import Synchronization
import Testing

@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

/// A family in a temporary folder: a real keeper on a real store, whose every member follows the log from the moment of
/// joining. After each request each follower, and everyone who went to sleep after an earlier one, has to see what a
/// fresh snapshot says; every event and every result has to have its declared shape.
final class FamilyBox {
    static let start = Instant("2026-11-20T18:00:00Z") ?? .earliest
    /// Good enough for everybody; hashed once for all tests.
    static let password = "heron-lantern-quilt-42"

    struct Person {
        let id: Identifier
        let session: Identifier
        let token: String
        var credential: Credential { .session(session) }
    }

    let store: Store
    private(set) var keeper: Keeper
    private let reader: Database
    private let directory: String
    /// What the time really is.
    var clock = start
    /// What the machine's clocks say of it.
    var machine = MachineClocks()
    private(set) var notes: [String] = []
    private(set) var revocations: [Revocation] = []
    /// Methods that the daemon is to call by itself.
    private(set) var ownCalls: [OwnCall] = []
    /// Work that requests asked for, in order.
    private(set) var works: [any SlowWork] = []
    /// Does slow work in a worker's place, where it answers something.
    var substitute: (any SlowWork) -> SlowResult? = { _ in nil }
    /// What the last reply did to its connection.
    private(set) var effect = Effect.none
    private var heard: [Identifier: [Event]] = [:]
    /// Entries that stand for meetings, as events are about them.
    private var ofMeetings: Set<String> = []
    private var followers: [Identifier: Follower] = [:]
    private var sleepers: [Follower] = []
    /// What members see since the last turn, as far as it was asked for: nothing changes between turns.
    private var views: [Identifier: Snapshot] = [:]
    private var tickets: UInt64 = 0

    private struct Follower {
        let id: Identifier
        let number: Int32
        var snapshot: Snapshot
        var position: Int64
    }

    private let registry: Registry

    init(files: KinStore.Files = .disk, registry: Registry = .family) throws {
        self.registry = registry
        let name = Identifier(at: Self.start, random: (.random(in: 0 ... .max), .random(in: 0 ... .max)))
        directory = "/tmp/kinwire-members-\(name)"
        if case .disk = files, let bytes = try FreshDatabase.bytes(for: registry) {
            try FreshDatabase.place(bytes, in: directory)
        }
        store = try Store(directory: directory, migrations: registry.migrations, now: Self.start, files: files)
        var state: UInt64 = 1
        keeper = try Keeper(
            store: store, registry: registry,
            randomness: { count in
                (0..<count).map { _ in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return UInt8(truncatingIfNeeded: state >> 40)
                }
            })
        reader = try store.reader()
    }

    deinit { Self.removeTree(directory) }

    // MARK: Asking

    @discardableResult
    func call(
        _ who: Credential, _ method: String, _ params: JSON.Object = [:], op: String? = nil, from address: String = ""
    ) throws -> JSON {
        let origin = Origin(addressKey: address, agent: "test")
        var commit = try turn(request(who, method, params, op, origin))
        // Slow work is done at once, as a worker would, and the request goes the second way.
        while case .later(let work) = commit.replies.first?.effect {
            works.append(work)
            var again = request(who, method, params, op, origin)
            again.work = substitute(work) ?? run(work)
            commit = try turn(again)
        }
        let reply = try #require(commit.replies.first)
        effect = reply.effect
        let result = try JSON.parse(reply.result.get())
        if let declared = keeper.registry.methods[method], !result.isNull {
            try declared.result.check(result, field: method)
        }
        return result
    }

    @discardableResult
    func call(
        _ who: Person, _ method: String, _ params: JSON.Object = [:], op: String? = nil, from address: String = ""
    ) throws -> JSON {
        try call(who.credential, method, params, op: op, from: address)
    }

    /// The kind of refusal of a request; `nil` when it was carried out. A refusal changes nothing.
    func refusal(
        _ who: Credential, _ method: String, _ params: JSON.Object = [:], op: String? = nil, from address: String = ""
    ) throws -> Rejection? {
        let before = store.log.position
        do {
            try call(who, method, params, op: op, from: address)
            return nil
        } catch let rejection as Rejection {
            #expect(store.log.position == before, "a refusal wrote to the log")
            return rejection
        }
    }

    func refusal(_ who: Person, _ method: String, _ params: JSON.Object = [:], op: String? = nil) throws -> Rejection? {
        try refusal(who.credential, method, params, op: op)
    }

    func request(
        _ who: Credential, _ method: String, _ params: JSON.Object = [:], _ op: String? = nil,
        _ origin: Origin = Origin()
    ) -> Request {
        tickets += 1
        return Request(
            ticket: Ticket(connection: 1, sequence: tickets), credential: who, origin: origin, method: method,
            params: params, op: op)
    }

    /// Time passes, and what falls due is done.
    func wait(seconds: Int64) throws {
        clock = clock.adding(seconds: seconds)
        try turn()
    }

    /// The daemon calls what it is to call by itself, as the loop has it do, until there is nothing more.
    func callOwn() throws {
        try turn()
        while let own = ownCalls.first {
            ownCalls.removeFirst()
            try call(own.credential, own.method)
            try turn()
        }
    }

    /// What the machine's clocks say now.
    var reading: ClockReading { machine.reading(at: clock) }

    /// The daemon ends, and starts again after so many seconds; `booted`: so did the machine.
    func restart(after seconds: Int64 = 0, booted: Bool = false, meanwhile: () throws -> Void = {}) throws {
        keeper.rest(clock: reading)
        try meanwhile()
        clock = clock.adding(seconds: seconds)
        if booted { machine.boot(at: clock) }
        keeper = try Keeper(store: store, registry: registry)
        try turn()
    }

    @discardableResult
    func turn(_ requests: Request...) throws -> Commit { try turn(all: requests) }

    /// One turn with all of them: where much comes at once.
    @discardableResult
    func turn(all requests: [Request]) throws -> Commit {
        // One falls asleep before each turn, each in turn.
        let awake = followers.values.sorted { $0.number < $1.number }
        if !awake.isEmpty { sleepers.append(awake[Int(tickets) % awake.count]) }
        if sleepers.count > 12 { sleepers.removeFirst() }
        let commit = keeper.turn(requests, clock: reading)
        #expect(commit.fate == .committed)
        notes += commit.notes.map(\.sentence)
        revocations += commit.revocations
        ownCalls += commit.ownCalls
        let roster = try keeper.roster()
        for id in followers.keys where roster[id] == nil { followers[id] = nil }
        // Who slept for longer than the log goes back is given a fresh view.
        sleepers.removeAll { roster[$0.id] == nil || $0.position < commit.firstKept }
        views = [:]
        for id in Array(followers.keys) { try follow(id, commit) }
        for sleeper in sleepers { try wake(sleeper) }
        for entry in roster.entries where followers[entry.id] == nil {
            followers[entry.id] = Follower(
                id: entry.id, number: entry.number, snapshot: try current(entry.id), position: commit.through)
        }
        return commit
    }

    // MARK: Following

    private func follow(_ id: Identifier, _ commit: Commit) throws {
        guard var follower = followers[id] else { return }
        for row in commit.events where row.audience.contains(follower.number) {
            let event = try event(row)
            heard[id, default: []].append(event)
            if event.data["entry"]?["meeting"] != nil { ofMeetings.insert(event.about) }
            try judge(event, for: id)
            if row.type == Registry.resetType {
                follower.snapshot = try current(id)
            } else {
                follower.snapshot.apply(event)
            }
        }
        follower.position = commit.through
        followers[id] = follower
        #expect(
            Self.areAlike(follower.snapshot, try current(id)), "a follower sees something else than a fresh snapshot")
    }

    /// Whether two snapshots are equal, but for parts that do not hold all there is in sight.
    private static func areAlike(_ one: Snapshot, _ other: Snapshot) -> Bool {
        guard !(one.more.isEmpty && other.more.isEmpty) else { return one == other }
        let whole = [one, other].map { snapshot in
            var snapshot = snapshot
            snapshot.leaveOut(one.more.union(other.more))
            snapshot.more = []
            return snapshot
        }
        return whole[0] == whole[1]
    }

    private func wake(_ sleeper: Follower) throws {
        var snapshot = sleeper.snapshot
        let page = try Log.read(
            reader, after: sleeper.position, through: nil, member: sleeper.number, types: nil, bytesMax: 1 << 20)
        for row in page.rows {
            if row.type == Registry.resetType { return }
            snapshot.apply(try event(row))
        }
        #expect(
            Self.areAlike(snapshot, try current(sleeper.id)), "who was away sees something else than a fresh snapshot")
    }

    /// Every event has its shape, and a guest is told nothing of other households, relations and usernames.
    private func judge(_ event: Event, for id: Identifier) throws {
        try keeper.registry.events[event.type]?.data.check(event.data, field: event.type)
        guard let entry = try keeper.roster()[id], entry.role == .guest, event.type != Registry.resetType else {
            return
        }
        if let member = event.data["member"], member.object != nil {
            #expect(member["household"]?.identifier == entry.household)
            #expect(member["username"] == nil && member["parents"] == [] && member["partners"] == [])
        }
        if let household = event.data["household"]?["id"]?.identifier { #expect(household == entry.household) }
    }

    /// What a member sees after this turn.
    private func current(_ member: Identifier) throws -> Snapshot {
        if let known = views[member] { return known }
        let snapshot = try fresh(member)
        views[member] = snapshot
        return snapshot
    }

    /// What a member sees now, from a read transaction.
    func fresh(_ member: Identifier, view: View? = nil) throws -> Snapshot {
        try #require(try keeper.registry.snapshot(for: member, view: view ?? .all(for: member), in: reader)).snapshot
    }

    /// What a member heard since the last time somebody asked, without what it made of it in the inbox, and without what
    /// stands in calendars for meetings and follows them.
    func heard(_ member: Person) -> [Event] {
        defer { heard[member.id] = [] }
        return (heard[member.id] ?? []).filter { !Self.inboxTypes.contains($0.type) && !isOfMeeting($0) }
    }

    private func isOfMeeting(_ event: Event) -> Bool {
        if ofMeetings.contains(event.about) { return true }
        return event.type == "entry.hidden"
            && event.data["entry"]?.identifier.map { ofMeetings.contains("entry/\($0)") } == true
    }

    private static let inboxTypes: Set = [
        "activity.added", "activity.read", "activity.dismissed", "activity.removed", "activity.digested",
    ]

    /// What a member's inbox told since the last time somebody asked for anything.
    func toldByInbox(_ member: Person) -> [Event] {
        defer { heard[member.id] = [] }
        return (heard[member.id] ?? []).filter { Self.inboxTypes.contains($0.type) }
    }

    /// The same with what it made of it in the inbox.
    func allHeard(_ member: Person) -> [Event] {
        defer { heard[member.id] = [] }
        return heard[member.id] ?? []
    }

    /// The types of what a member heard since the last time somebody asked.
    func types(_ member: Person) -> [String] { heard(member).map(\.type) }

    private func event(_ row: LogRow) throws -> Event {
        let text = Array("{\"cursor\":\"\",".utf8) + row.payload + [UInt8(ascii: "}")]
        return try #require(Event(try JSON.parse(text)))
    }

    /// Everybody follows anew: after a test wrote to the database behind the keeper's back.
    func forgetFollowers() {
        followers = [:]
        sleepers = []
    }

    func count(_ sql: String) throws -> Int64 {
        try store.database.first(sql, map: { (row) throws(StoreFailure) in row.int(0) }) ?? 0
    }

    /// Whether bytes lie anywhere in the folder's files.
    func holds(_ text: String) throws -> Bool {
        store.afterTurn(idle: true, now: clock.adding(days: 1))
        let sought = Array(text.utf8)
        for name in ["kinwire.db", "kinwire.db-wal"] {
            guard let file = fopen("\(directory)/\(name)", "r") else { continue }
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 16 << 20)
            let count = fread(&bytes, 1, bytes.count, file)
            let isThere = bytes.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress else { return false }
                let end = start + count
                var from = start
                while let found = memchr(from, CInt(sought[0]), end - from) {
                    if end - UnsafeRawPointer(found) < sought.count { return false }
                    if memcmp(found, sought, sought.count) == 0 { return true }
                    from = UnsafeRawPointer(found) + 1
                }
                return false
            }
            if isThere { return true }
        }
        return false
    }

    // MARK: Inside

    private static let hashes = Mutex<[String: SlowResult]>([:])

    /// As a worker does it; what concerns the one good password only once, for it takes a fifth of a second.
    private func run(_ work: any SlowWork) -> SlowResult {
        if work.sort == .read { return work.run(at: Workplace(store: ReadingDesk(reader))) }
        let key: String? =
            switch work {
            case PasswordWork.newPassword(Self.password, _, _): "new"
            case PasswordWork.checkPassword(let given, let encoded): given + encoded
            default: nil
            }
        guard let key else { return work.run() }
        if let known = Self.hashes.withLock({ $0[key] }) { return known }
        let result = work.run()
        return Self.hashes.withLock { known in
            if let earlier = known[key] { return earlier }
            known[key] = result
            return result
        }
    }

    /// Removes a folder of this test's own making.
    static func removeTree(_ path: String) {
        guard let folder = opendir(path) else { return }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name != ".", name != ".." else { continue }
            if unlink("\(path)/\(name)") != 0 { removeTree("\(path)/\(name)") }
        }
        closedir(folder)
        rmdir(path)
    }
}
