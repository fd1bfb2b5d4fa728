import KinActivity
import KinFamily
import KinFamilyBox
import KinKeeper
import KinLoop
import KinMap
import KinMeals
import KinMeetings
import KinMembers
import KinModel
import KinPictures
import KinStore
import KinTLS
import Testing

@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeals
@testable import KinMeetings
@testable import KinMembers
@testable import KinServer
@testable import KinSimulation

/// One daemon in a box: the real keeper, server and worker on a disk and a network in memory, turned by one thread until
/// nothing moves any more. Clients send and receive raw bytes. One seed, one history.
final class Box {
    /// How a daemon is set up.
    struct Setting {
        /// Time stands still here, and with it the share that a party has of ten milliseconds.
        private static var patient: ServerLimits {
            var limits = ServerLimits()
            limits.requestsPerPartyAndTurn = .max
            return limits
        }

        var limits = Setting.patient
        var allowPlain: [String] = []
        var trustProxy: [String] = []
        var tls: TLSContext?
        var seed: UInt64 = 1
        var registry = Registry.family
        var doors = Doors.all
        /// Whether towns are there from the beginning, and not made at the first question.
        var hasTowns = false
        /// The folder with `kin` for other machines.
        var client = "/nonexistent"
    }

    /// Good enough for everybody.
    static let password = "heron-lantern-quilt-42"
    static let remote = Peer.tcp(IPAddress("203.0.113.7") ?? .anyV4, port: 40_000)
    static let loopback = Peer.tcp(.loopbackV4, port: 40_000)
    static let machine = Peer.unix(uid: 0, gid: 0, pid: 1)

    let time = SimulatedTime(milliseconds: 1_790_000_000_000)
    let network: SimulatedNetwork
    let server: Server
    let keeper: Keeper
    let epochs: Epochs
    let reader: Database
    let worker: Worker
    let disk: FaultVFS
    private let mailboxes = Mailboxes()
    private var keeperLine = KeeperLine()
    private let dice: SharedDice
    private var clients: [BoxClient] = []
    /// The keeper takes nothing while this is set, as if it were busy.
    var isKeeperBusy = false
    /// Readers take nothing while this is set.
    var isReaderBusy = false
    /// Nothing that was written is synced while this is set.
    var isDiskBusy = false
    /// What becomes of pictures, instead of looking at them.
    var pictureWork: SlowResult?
    /// The picture that came as a file last.
    private(set) var pictureArrived: [UInt8]?
    /// Slow work takes for ever while this is set.
    var isWorkerBusy = false
    /// Whoever looks at pictures takes nothing while this is set.
    var isPainterBusy = false
    /// The daemon's own log.
    private let journal = Journal()
    var notes: [String] { journal.notes }
    /// Looks at the server after each of its turns.
    var afterTurn: (() -> Void)?
    /// What is done to a commit before the loop gets it: a fault, planted on purpose.
    var fault: ((inout Commit) -> Void)?
    /// Methods carried out and event types written since somebody began to look.
    var deeds = Deeds()
    /// Who is in the family.
    private(set) var people: [String: Person] = [:]

    struct Person {
        let id: Identifier
        let token: String
        let session: Identifier
    }

    private final class Journal { var notes: [String] = [] }

    struct Deeds {
        var methods: Set<String> = []
        var events: Set<String> = []
    }

    init(_ setting: Setting = Setting()) throws {
        let dice = SharedDice(seed: setting.seed)
        let loopDice = SharedDice(seed: setting.seed ^ 0xBEEF)
        self.dice = dice
        network = SimulatedNetwork(seed: setting.seed)
        disk = FaultVFS.register(name: "box-\(UInt64.random(in: 0 ... .max))", seed: setting.seed)
        let now = Instant(milliseconds: time.wallMilliseconds())
        let files = Files.memory(disk)
        let registry = setting.registry
        if let bytes = try FreshDatabase.bytes(for: registry) { disk.place("/family/kinwire.db", bytes) }
        if setting.hasTowns, let towns = try FreshTowns.bytes() { disk.place("/family/towns-by-size.db", towns) }
        let store = try Store(directory: "/family", migrations: registry.migrations, now: now, files: files)
        keeper = try Keeper(store: store, registry: registry, randomness: { dice.bytes($0) })
        epochs = store.epochs
        reader = try store.reader()
        let source = StoreReader.Source(
            database: store.source, blobs: store.blobs, directory: "/family", files: files)
        worker = Worker(
            registry: registry, store: try source.open(), pieceBytesMax: setting.limits.snapshotPieceBytesMax,
            time: time)
        let site = Site(
            canonicalURL: "https://box.local:5469", urls: ["https://box.example"], names: ["box.local"],
            addresses: { [IPAddress("198.51.100.1") ?? .anyV4] }, rootSHA256: nil, rootPEM: nil)
        var settings = ServerSettings(
            site: site, allowPlain: setting.allowPlain.compactMap { CIDR($0) },
            trustProxy: setting.trustProxy.compactMap { TrustedProxy($0) }, ownUserID: 0, limits: setting.limits)
        // The network in memory has one listener; the next one would be for metrics.
        settings.metricsListeners = 1
        settings.doors = setting.doors
        settings.client = setting.client
        server = Server(
            settings: settings, registry: registry, network: network, time: time,
            randomness: { loopDice.bytes($0) }, mailboxes: mailboxes, epochs: store.epochs,
            position: store.log.position,
            firstKept: store.log.firstKept, tls: setting.tls,
            note: { [journal] in journal.notes.append("\($0): \($1)") })
    }

    deinit { disk.unregister() }

    /// A founded family: Ada the admin, Hal the head of a household, Ben the member, Gil the guest, Kim a child.
    static func family(_ setting: Setting = Setting()) throws -> Box {
        let box = try Box(setting)
        let machine = box.connect(from: machine)
        let founded = try machine.result(
            "family.found",
            [
                "name": "Oak", "household": "Hill", "username": "ada", "password": .string(password),
                "displayName": "Ada",
            ])
        let household = try #require(founded["household"]?["id"])
        for (name, role) in [("hal", "head"), ("ben", "member"), ("gil", "guest")] {
            _ = try machine.result(
                "member.add",
                [
                    "username": .string(name), "password": .string(password), "displayName": .string(name),
                    "household": household, "role": .string(role), "kind": "adult",
                ])
        }
        machine.leave()
        for name in ["ada", "hal", "ben", "gil"] { box.people[name] = try box.signIn(name) }
        return box
    }

    /// Opens one more session.
    func signIn(_ username: String) throws -> Person {
        // As if everybody had changed the first password: what somebody else set opens sessions that wait.
        try keeper.store.beginTurn()
        try keeper.store.database.run(
            "UPDATE members SET password_set_by = NULL WHERE username = ?", values: [.text(username)])
        try keeper.store.commitTurn()
        let client = connect(from: Self.machine)
        defer { client.leave() }
        let opened = try client.result(
            "session.open", ["username": .string(username), "password": .string(Self.password), "device": "box"])
        return Person(
            id: try #require(opened["member"]?["id"]?.identifier), token: try #require(opened["token"]?.string),
            session: try #require(opened["session"]?.identifier))
    }

    /// A member who was added later is one of the people from here on.
    func welcome(_ name: String) throws { people[name] = try signIn(name) }

    /// A screen on a wall is one of those who look from here on; it can have no password.
    func hang(_ name: String, in household: Identifier? = nil) throws {
        let machine = connect(from: Self.machine)
        let first = try machine.result("family.show")["households"]?.array?.first?["id"]
        let household = try #require(household.map { JSON.id($0) } ?? first)
        let made = try machine.result("wall.add", ["name": .string(name), "household": household])
        machine.leave()
        let device = connect()
        defer { device.leave() }
        let opened = try device.result("session.redeem", ["link": made["link"] ?? .null, "device": "tablet"])
        people[name] = Person(
            id: try #require(opened["member"]?["id"]?.identifier), token: try #require(opened["token"]?.string),
            session: try #require(opened["session"]?.identifier))
    }

    func isThere(_ name: String) -> Bool { people[name] != nil }

    func person(_ name: String) throws -> Person { try #require(people[name]) }

    /// Transactions that wrote something.
    var commits: Int { keeper.store.commitCount }

    /// The log's end.
    var position: Int64 { server.fanOut.feed.last }

    /// The rows of a table, to see that nothing changed.
    func rows(_ table: String) throws -> Int64 {
        try reader.first("SELECT count(*) FROM \(table)", map: { (row) throws(StoreFailure) in row.int(0) }) ?? 0
    }

    /// What the keeper tells of itself.
    func keeperStatus() throws -> KeeperStatus {
        let request = Request(
            ticket: Ticket(connection: 0, sequence: 0), credential: .machine, method: "metrics.read", params: [:])
        let commit = keeper.turn([request], clock: ClockReading(time))
        guard case .metrics(let status)? = commit.replies.first?.effect else {
            throw Rejection(.unavailable, "no status")
        }
        return status
    }

    /// The next write to the disk fails.
    func failNextWrite() { disk.failAt(1, .write, .ioError) }

    /// The next write to the disk finds it full.
    func fillDiskAtNextWrite() { disk.failAt(1, .write, .full) }

    /// The disk has so many bytes left.
    func leaveRoom(_ bytes: Int) {
        let used = disk.paths.reduce(0) { $0 + (disk.bytes($1)?.count ?? 0) }
        // The room of the ballast and its spare is taken, not written.
        disk.setRoom(used + (5 << 20) + bytes)
    }

    /// Files of pictures that are arriving or wait to be looked at, and the bytes that are counted for them.
    var arriving: (files: [String], bytes: Int) {
        (disk.paths.filter { $0.hasPrefix("/family/blobs/arriving-") }, keeper.store.blobs.arrivingBytes)
    }

    /// The same randomness from here on, whatever was used of it before.
    func reseed(_ seed: UInt64) {
        // What the keeper drew ahead goes first: it draws 64 numbers when it has none.
        let drawn = dice.draws
        while dice.draws == drawn { _ = keeper.randomNumber() }
        for _ in 0..<63 { _ = keeper.randomNumber() }
        dice.reseed(seed)
    }

    // MARK: Connections

    /// A new connection. `room` is how many bytes the server may have outstanding.
    func connect(from peer: Peer = loopback, room: Int = 1 << 20, listener: Int = 0) -> BoxClient {
        let client = BoxClient(self, network.clientConnects(from: peer, room: room, listener: listener))
        clients.append(client)
        return client
    }

    /// A connection of a member over lines.
    func line(_ name: String, from peer: Peer = loopback, room: Int = 1 << 20) throws -> BoxClient {
        let client = connect(from: peer, room: room)
        _ = try client.result("session.resume", ["token": .string(try person(name).token)])
        return client
    }

    // MARK: Time

    /// Time passes in one leap, and what falls due happens.
    func advance(seconds: Int, milliseconds: Int = 0) throws {
        time.advance(milliseconds: Int64(seconds * 1000 + milliseconds))
        try settle()
    }

    /// Turns everything until nothing moves any more.
    func settle() throws {
        var patience = 5000
        var quiet = 0
        while quiet < 3 {
            let before = network.moves
            network.travel(isWhole: true)
            try server.turn()
            afterTurn?()
            var isBusy = keeperTurn()
            if workerTurn() { isBusy = true }
            for client in clients { client.take() }
            #expect(server.limitsBroken.isEmpty)
            quiet = isBusy || network.moves != before || !mailboxes.toLoop.isIdle ? 0 : quiet + 1
            // Who had the share of these milliseconds waits for the next ones.
            if quiet == 3, server.port.shares.nextAt != nil {
                time.advance(milliseconds: 10)
                quiet = 0
            }
            patience -= 1
            try #require(patience > 0, "the daemon never comes to rest")
        }
    }

    /// The keeper takes what it was sent; false when that was nothing, or it is busy.
    @discardableResult func keeperTurn() -> Bool {
        guard !isKeeperBusy else { return false }
        var mail: [KeeperMail] = []
        mailboxes.toKeeper.drain(into: &mail)
        guard !mail.isEmpty || !keeperLine.isEmpty else { return false }
        for case .request(let request) in mail { keeperLine.put(request) }
        keeperLine.beginTurn()
        let now = Instant(milliseconds: time.wallMilliseconds())
        var requests: [Request] = []
        var commit = keeper.turn(clock: ClockReading(time)) {
            guard let request = keeperLine.next() else { return nil }
            requests.append(request)
            return request
        }
        #expect(commit.fate == .committed)
        note(commit, requests)
        fault?(&commit)
        mailboxes.toLoop.post(.commit(commit))
        keeper.afterTurn(isIdle: true, clock: now)
        return true
    }

    private func note(_ commit: Commit, _ requests: [Request]) {
        for (request, reply) in zip(requests, commit.replies) {
            guard case .success = reply.result else { continue }
            if case .later = reply.effect { continue }
            deeds.methods.formUnion([request.method] + request.also.map(\.method))
        }
        deeds.events.formUnion(commit.events.map(\.type))
    }

    private func workerTurn() -> Bool {
        var isBusy = false
        while !isWorkerBusy, let job = mailboxes.takeWork(pictures: !isPainterBusy) {
            guard case .slow(let request, let work) = job else { continue }
            var result = Self.quick(work)
            if case PictureWork.squareParcel(let parcel) = work { pictureArrived = try? parcel.spool?.read() }
            switch work {
            case is PictureWork: result = pictureWork ?? result
            default: break
            }
            var opened = request
            opened.openParcel()
            let quick = result.map { JobDone.slow(opened, work.sort, $0) }
            mailboxes.toLoop.post(.done(quick ?? worker.run(job)))
            isBusy = true
        }
        while !isReaderBusy, let job = mailboxes.takeReading(disk: !isDiskBusy) {
            mailboxes.toLoop.post(.done(worker.run(job)))
            isBusy = true
        }
        return isBusy
    }

    /// Passwords cost a tenth of a second each; the box has no thieves.
    private static func quick(_ work: any SlowWork) -> SlowResult? {
        switch work {
        case PasswordWork.newPassword(let password, _, let salt): .passwordHash("\(salt):" + password, replacing: nil)
        case PasswordWork.checkPassword(let password, let encoded):
            .passwordMatched(encoded.hasSuffix(":" + password), encoded: encoded)
        case PasswordWork.changePassword(let old, let encoded, let new, _, let salt):
            encoded.hasSuffix(":" + old)
                ? .passwordHash("\(salt):" + new, replacing: encoded) : .passwordMatched(false, encoded: encoded)
        // No picture begins with a zero byte; the box takes such bytes for one.
        case PictureWork.squarePicture(let bytes) where bytes.first == 0: .picture(bytes, face: [0])
        case DevelopWork.bytes(let bytes) where bytes.first == 0 || bytes.starts(with: Array("picture ".utf8)):
            .made(DevelopWork.Made(jpegs: [bytes, bytes, bytes], width: 4, height: 3, exif: "2026:05:01 12:00:00"))
        case DevelopWork.collage(let sources):
            .made(
                DevelopWork.Made(
                    jpegs: Array(repeating: [0] + Array(sources.names.joined().utf8), count: 3), width: 4, height: 3,
                    exif: "2026:05:01 12:00:00"))
        // Whatever the address is: there is one recipe outside.
        case is RecipeWork:
            RecipeWork.read(
                Array(#"{"@type":"Recipe","name":"Hidden pie","recipeIngredient":["1 kg apples"]}"#.utf8),
                from: "https://cooking.example/pie")
        case HouseWork.backup(let name, _): .made(HouseWork.File(path: "/family/backups/" + name, bytes: 1))
        default: nil
        }
    }
}

extension Mailbox {
    /// Nothing waits in it.
    fileprivate var isIdle: Bool { count == 0 }
}

/// Dice of the keeper, or of the loop: what one draws moves nothing for the other.
final class SharedDice {
    private var dice: Dice
    /// How often somebody asked.
    private(set) var draws = 0
    init(seed: UInt64) { dice = Dice(seed: seed) }
    func bytes(_ count: Int) -> [UInt8] {
        draws += 1
        return dice.bytes(count)
    }
    func reseed(_ seed: UInt64) { dice = Dice(seed: seed) }
}

extension Box {
    /// All there is in the database, to see that nothing changed.
    func fingerprint() throws -> [String] {
        let tables = try reader.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        ) { (row) throws(StoreFailure) in row.text(0) }
        return try tables.map { table in
            let columns = try reader.rows("SELECT name FROM pragma_table_info('\(table)')") {
                (row) throws(StoreFailure) in
                "quote(\"\(row.text(0))\")"
            }
            let all = columns.joined(separator: " || ',' || ")
            let content = try reader.first("SELECT coalesce(group_concat(\(all), ';'), '') FROM \"\(table)\"") {
                (row) throws(StoreFailure) in row.text(0)
            }
            return "\(table): \(content ?? "")"
        }
    }
}
