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

/// A family with a keeper and a store on a simulated disk, whose every member follows the map. After each turn every
/// follower, and everyone who went to sleep after an earlier turn, has to see what a fresh snapshot says.
final class MapBox {
    static let start = Instant("2026-11-20T18:00:00Z") ?? .earliest

    let store: Store
    let keeper: Keeper
    private let reader: Database
    private let disk: FaultVFS
    private static let disks = Atomic<Int>(0)
    /// What the time really is.
    var clock = start
    /// What the machine's clocks say of it.
    var machine = MachineClocks()
    private(set) var notes: [String] = []
    private var heard: [Identifier: [Event]] = [:]
    private var followers: [Identifier: Follower] = [:]
    private var sleepers: [(wakes: Int, Follower)] = []
    private var turns = 0
    private var dice = Dice(state: 2)
    private var tickets: UInt64 = 0
    private var members: Int32 = 0
    /// Where all live who live nowhere else.
    let mill = Identifier(high: 0x0198_0000_0000_7000, low: 0x8000_0000_0000_0001)
    /// Another household.
    let hill = Identifier(high: 0x0198_0000_0000_7000, low: 0x8000_0000_0000_0002)

    private struct Follower {
        let id: Identifier
        let number: Int32
        var snapshot: Snapshot
        var position: Int64
    }

    init() throws {
        let number = Self.disks.wrappingAdd(1, ordering: .relaxed).newValue
        disk = FaultVFS.register(name: "map-\(number)")
        if let bytes = try FreshDatabase.bytes(for: .family) { disk.place("/map/kinwire.db", bytes) }
        store = try Store(
            directory: "/map", migrations: Registry.family.migrations, now: Self.start, files: .memory(disk))
        // The same for every run: random numbers would make a failure come and go.
        var dice = Dice(state: 1)
        keeper = try Keeper(
            store: store, registry: .family, randomness: { count in (0..<count).map { _ in UInt8(dice.roll(256)) } })
        reader = try store.reader()
        _ = keeper.turn([], clock: machine.reading(at: clock))
        for (id, name) in [(mill, "Mill"), (hill, "Hill")] {
            try write(
                "INSERT INTO households (id, name, founded_at) VALUES (?, ?, ?)", .id(id), .text(name), .time(clock))
        }
    }

    // MARK: The family

    /// Somebody joins and follows from here.
    @discardableResult
    func join(
        _ name: String, role: Role = .member, kind: MemberKind = .adult, household: Identifier? = nil
    ) throws -> Identifier {
        members += 1
        let id = Identifier(at: clock, random: (UInt64(members), UInt64(members)))
        try write(
            """
            INSERT INTO members (id, number, username, display_name, role, kind, household, password, joined_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, '', ?)
            """, .id(id), Value(members), .text("member\(members)"), .text(name), .text(role.rawValue),
            .text(kind.rawValue), .id(household ?? mill), .time(clock))
        keeper.forgetRoster()
        // What the area hears when somebody joins by the door.
        let member = try #require(try People.member(id, store.database))
        try act { (act) throws(Rejection) in
            let told = Told(
                Member.joined, .init(member: member), at: clock, about: "", by: nil, audience: Audience())
            try Map.rosterChanged(told, moved: false, act)
            try act.tellAreas()
        }
        followers[id] = Follower(
            id: id, number: members, snapshot: try #require(try fresh(id)).snapshot, position: store.log.position)
        return id
    }

    /// Does something by which a member is given a fresh view.
    func anew(_ member: Identifier, _ body: () throws -> Void = {}) throws {
        guard let old = followers.removeValue(forKey: member) else { return try body() }
        sleepers.removeAll { $0.1.id == member }
        try body()
        followers[member] = Follower(
            id: member, number: old.number, snapshot: try #require(try fresh(member)).snapshot,
            position: store.log.position)
    }

    /// A member who was written down by hand has an inbox from here on.
    func openInbox(_ members: Identifier...) throws {
        for member in members {
            try write(
                "INSERT INTO inbox_members (member, joined, seen) VALUES (?1, ?2, ?2)", .id(member),
                .int(store.log.position))
        }
    }

    /// Does something as the daemon.
    func act(_ body: (Act) throws(Rejection) -> Void) throws {
        try store.beginTurn()
        let act = Act(keeper: keeper, now: clock, caller: .nobody, origin: Origin(), work: nil)
        try body(act)
        try store.commitTurn()
        var commit = Commit()
        commit.events = act.events
        commit.through = store.log.position
        for id in Array(followers.keys) { try follow(id, commit) }
    }

    func write(_ sql: String, _ values: Value...) throws {
        try store.beginTurn()
        try store.database.run(sql, values: values)
        store.due.forget()
        try store.commitTurn()
    }

    // MARK: Asking

    /// One request in a turn of its own.
    @discardableResult
    func call(
        _ member: Identifier, _ method: String, _ params: JSON.Object = [:], op: String? = nil
    ) throws -> JSON {
        try ask(.machineAs(member), method, params, op: op)
    }

    @discardableResult
    func ask(
        _ credential: Credential, _ method: String, _ params: JSON.Object = [:], op: String? = nil
    ) throws -> JSON {
        tickets += 1
        var request = Request(
            ticket: Ticket(connection: 1, sequence: tickets), credential: credential, method: method, params: params,
            op: op)
        while true {
            let commit = try turn([request])
            let reply = try #require(commit.replies.first)
            guard case .later(let work) = reply.effect else { return try JSON.parse(reply.result.get()) }
            request = try #require(reply.request)
            request.work = work.run(at: Workplace(store: ReadingDesk(reader)))
            try betweenTurns?()
        }
    }

    /// The next piece of a file.
    func piece(_ member: Identifier, _ params: JSON.Object) throws -> FilePiece {
        tickets += 1
        var request = Request(
            ticket: Ticket(connection: 1, sequence: tickets), credential: .machineAs(member), method: "position.export",
            params: params)
        while true {
            let reply = try #require(try turn([request]).replies.first)
            _ = try reply.result.get()
            if case .piece(let piece) = reply.effect { return piece }
            guard case .later(let work) = reply.effect else { throw Rejection(.unavailable, "no piece") }
            request = try #require(reply.request)
            request.work = work.run(at: Workplace(store: ReadingDesk(reader)))
        }
    }

    /// What others do between the turns of a long request.
    var betweenTurns: (() throws -> Void)?

    /// Time passes, and what falls due is done.
    func wait(seconds: Int64) throws {
        clock = clock.adding(seconds: seconds)
        try turn([])
    }

    @discardableResult
    private func turn(_ requests: [Request]) throws -> Commit {
        turns += 1
        for follower in followers.values { sleepers.append((wakes: turns + dice.roll(15), follower)) }
        let commit = keeper.turn(requests, clock: machine.reading(at: clock))
        #expect(commit.fate == .committed)
        notes += commit.notes.map(\.sentence)
        for id in Array(followers.keys) { try follow(id, commit) }
        for sleeper in sleepers where sleeper.wakes <= turns { try wake(sleeper.1) }
        sleepers.removeAll { $0.wakes <= turns }
        return commit
    }

    private func follow(_ id: Identifier, _ commit: Commit) throws {
        guard var follower = followers[id] else { return }
        for row in commit.events where row.audience.contains(follower.number) {
            let event = try event(row)
            heard[id, default: []].append(event)
            follower.snapshot.apply(event)
        }
        follower.position = commit.through
        followers[id] = follower
        guard let now = try fresh(id)?.snapshot else {
            // Removed from the family.
            followers[id] = nil
            return sleepers.removeAll { $0.1.id == id }
        }
        #expect(follower.snapshot.positions == now.positions, "a follower sees other dots than a fresh snapshot")
        #expect(follower.snapshot.presences == now.presences)
        #expect(follower.snapshot.sharing == now.sharing)
        #expect(follower.snapshot.places == now.places)
        #expect(follower.snapshot.inbox == now.inbox)
    }

    private func wake(_ sleeper: Follower) throws {
        var snapshot = sleeper.snapshot
        let page = try Log.read(
            reader, after: sleeper.position, through: nil, member: sleeper.number, types: nil, bytesMax: 1 << 20)
        for row in page.rows { snapshot.apply(try event(row)) }
        let now = try fresh(sleeper.id)?.snapshot
        #expect(snapshot.positions == now?.positions, "who was away sees other dots than a fresh snapshot")
        #expect(snapshot.presences == now?.presences)
        #expect(snapshot.sharing == now?.sharing)
        #expect(snapshot.places == now?.places)
        #expect(snapshot.inbox == now?.inbox, "who was away has another inbox than a fresh snapshot")
    }

    /// What a member sees now, from a read transaction.
    func fresh(_ member: Identifier) throws -> (snapshot: Snapshot, position: Int64)? {
        try keeper.registry.snapshot(for: member, view: .all(for: member), in: reader)
    }

    /// The dots a member sees now, by member.
    func dots(_ member: Identifier) throws -> [Identifier: Position] {
        try #require(try fresh(member)).snapshot.positions
    }

    /// What a member heard since the last time somebody asked.
    func heard(_ member: Identifier) -> [Event] {
        defer { heard[member] = [] }
        return heard[member] ?? []
    }

    private func event(_ row: LogRow) throws -> Event {
        let text = Array("{\"cursor\":\"\",".utf8) + row.payload + [UInt8(ascii: "}")]
        return try #require(Event(try JSON.parse(text)))
    }

    /// A count from the database.
    func count(_ sql: String) throws -> Int64 {
        try store.database.first(sql, map: { (row) throws(StoreFailure) in row.int(0) }) ?? 0
    }

    // MARK: Points

    /// A point as `position.report` takes it, `ago` seconds before now.
    func point(_ lat: Double = 52.5, _ lon: Double = 13.4, ago: Int64 = 0) -> JSON.Object {
        ["lat": .double(lat), "lon": .double(lon), "at": .time(clock.adding(seconds: -ago))]
    }

    @discardableResult
    func report(_ member: Identifier, _ lat: Double = 52.5, _ lon: Double = 13.4, ago: Int64 = 0) throws -> JSON {
        try call(member, "position.report", point(lat, lon, ago: ago))
    }

    func share(_ member: Identifier, _ state: JSON = "on") throws {
        try call(member, "sharing.set", ["state": state])
    }

    /// The latitudes a history answers, oldest first. It is read for long too: whoever asks between turns is let finish.
    func history(_ member: Identifier, limit: Int64 = 5000) throws -> [Double] {
        let others = betweenTurns
        betweenTurns = nil
        defer { betweenTurns = others }
        let answer = try call(
            member, "position.history",
            [
                "member": .id(member), "from": .time(clock.adding(days: -4000)),
                "to": .time(clock.adding(seconds: 120)), "limit": .int(limit),
            ])
        return try #require(answer["positions"]?.array).compactMap { $0["lat"]?.double }
    }
}
