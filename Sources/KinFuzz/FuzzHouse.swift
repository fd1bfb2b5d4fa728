import KinCodec
import KinCrypto
import KinFamily
import KinKeeper
import KinLoop
import KinMembers
import KinModel
import KinPictures
import KinServer
import KinSimulation
import KinStore

/// The whole daemon in a box, with a family of one and a bystander who follows all the time: whatever strangers send,
/// the bystander's stream goes on.
///
/// Founding a family costs a hundred times as much as most inputs, so a house serves many inputs and is then replaced.
/// With `KINWIRE_FUZZ_FRESH` set, each input has its own house: a finding that depends on earlier inputs then
/// disappears.
final class FuzzHouse {
    /// Inputs before the next house.
    private static let inputsMax = 512
    // The fuzzer calls from one thread only.
    nonisolated(unsafe) private static var house: FuzzHouse?
    private static let isFresh = Machine.environment("KINWIRE_FUZZ_FRESH") != nil

    static var current: FuzzHouse {
        if let house = unsafe house, house.inputs < inputsMax, !isFresh {
            house.inputs += 1
            return house
        }
        unsafe house = nil
        let made = FuzzHouse()
        unsafe house = made
        return made
    }

    let time = SimulatedTime(milliseconds: 1_790_000_000_000)
    let network: SimulatedNetwork
    let server: Server
    private(set) var token = ""
    private(set) var phone = ""
    /// What Ada's calendar app signs in with, and where her things are.
    private(set) var calendarApp = ""
    private(set) var calendars = ""
    private(set) var calendar = ""
    /// To what a script of the house publishes.
    private(set) var topic = ""
    /// Where Ada's picture is set, and where it is seen.
    private(set) var pictures = ""
    var pictureSeen = ""
    /// What every picture becomes.
    static let picture = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    private let keeper: Keeper
    private let worker: Worker
    private let disk: FaultVFS
    private let mailboxes = Mailboxes()
    private var bystander: Token?
    /// Ada at the machine, who says something after each input.
    private var host: Token?
    private var inputs = 0

    private init() {
        do {
            network = SimulatedNetwork(seed: 1)
            disk = FaultVFS.register(name: "fuzz", seed: 1)
            let files = Files.memory(disk)
            let now = Instant(milliseconds: time.wallMilliseconds())
            let store = try Store(
                directory: "/family", migrations: Registry.family.migrations, now: now, files: files)
            let dice = Shared(Dice(seed: 1))
            keeper = try Keeper(store: store, registry: .family, randomness: { dice.bytes($0) })
            let source = StoreReader.Source(
                database: store.source, blobs: store.blobs, directory: "/family", files: files)
            worker = Worker(registry: .family, store: try source.open())
            let site = Site(
                canonicalURL: "https://box.local:5469", names: ["box.local"], addresses: { [] }, rootSHA256: nil,
                rootPEM: nil)
            var limits = ServerLimits()
            limits.feedBytes = 16 << 10
            limits.outBytesMax = 4 << 10
            limits.messageBytesMax = 16 << 10
            limits.bodyBytesMax = 16 << 10
            limits.phoneBodyBytesMax = 16 << 10
            limits.connectionsPerMemberMax = 4
            // Time stands still between inputs, and with it the share that a party has of ten milliseconds.
            limits.requestsPerPartyAndTurn = .max
            server = Server(
                settings: ServerSettings(site: site, ownUserID: 0, limits: limits), registry: .family,
                network: network, time: time, randomness: { dice.bytes($0) }, mailboxes: mailboxes,
                epochs: store.epochs, position: store.log.position, firstKept: store.log.firstKept, tls: nil,
                note: { _, _ in })
        } catch { preconditionFailure("there is no house: \(error)") }
        move()
    }

    deinit { disk.unregister() }

    private final class Shared {
        private var dice: Dice
        init(_ dice: Dice) { self.dice = dice }
        func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: dice.next()) } }
    }

    /// Somebody moves in.
    private func move() {
        _ = ask(
            "family.found",
            [
                "name": "Oak", "household": "Hill", "username": "ada", "password": "a", "displayName": "Ada",
            ])
        let opened = ask("session.open", ["username": "ada", "password": "a"])
        token = opened["token"]?.string ?? ""
        pictures = "/api/members/\(opened["member"]?["id"]?.string ?? "")/picture"
        let machine: [(String, JSON)] = [
            ("session.as", ["username": "ada"]), ("appPassword.create", ["device": "phone", "scope": "location"]),
        ]
        phone = talk(machine).last?["password"]?.string ?? ""
        let id = opened["member"]?["id"]?.string ?? ""
        calendars = "/dav/calendars/\(id)/"
        let second = talk([
            ("session.as", ["username": "ada"]), ("appPassword.create", ["device": "app", "scope": "calendar"]),
            ("notice.addScript", ["name": "Washer"]),
        ])
        // Her own calendar has her identifier.
        calendar = calendars + "\(id)/"
        let password = second.dropFirst().first?["password"]?.string ?? ""
        calendarApp = "Basic " + Base64.encode(Array("ada:\(password)".utf8))
        topic = second.last?["topic"]?.string ?? ""
        precondition(!token.isEmpty && !phone.isEmpty && !password.isEmpty && !topic.isEmpty, "nobody is signed in")
        let set = talk([
            ("session.resume", ["token": .string(token)]),
            ("member.setPicture", ["member": opened["member"]?["id"] ?? .null, "picture": "AAAA"]),
        ])
        pictureSeen = "\(pictures)/\(set.last?["member"]?["picture"]?.string ?? "")"
        let bystander = connect(.unix(uid: 0, gid: 0, pid: 1))
        self.bystander = bystander
        // Not by the token: that one is revoked when an input shows it to the whole network.
        send(bystander, "session.as", ["username": "ada"])
        send(bystander, "live.follow", ["since": .null])
        let host = connect(.unix(uid: 0, gid: 0, pid: 2))
        self.host = host
        send(host, "session.as", ["username": "ada"])
        settle()
        _ = (take(bystander), take(host))
    }

    private func ask(_ method: String, _ params: JSON) -> JSON { talk([(method, params)]).last ?? .null }

    /// A conversation at the machine; the results.
    private func talk(_ calls: [(method: String, params: JSON)]) -> [JSON] {
        let connection = connect(.unix(uid: 0, gid: 0, pid: 1))
        for call in calls { send(connection, call.method, call.params) }
        settle()
        let lines = take(connection).split(separator: 0x0A)
        network.clientLeaves(connection, isRude: true)
        settle()
        return lines.compactMap { try? JSON.parse($0.span)["result"] }
    }

    /// - Parameter room: Bytes that the client's side holds before it takes them.
    func connect(_ peer: Peer, room: Int = 64 << 10) -> Token { network.clientConnects(from: peer, room: room) }

    func send(_ connection: Token, _ method: String, _ params: JSON) {
        network.clientSends(connection, RPC.request(id: 1, method: method, params: params) + [0x0A])
    }

    /// Everything that has come.
    func take(_ connection: Token) -> [UInt8] {
        var all: [UInt8] = []
        while let bytes = network.clientReceives(connection), !bytes.isEmpty { all += bytes }
        return all
    }

    /// At the end of an input: a bystander's stream is whole, everybody else goes, and nothing of them stays.
    ///
    /// - Parameter mayRevoke: The input may have shown the token to the whole network, which ends it.
    func comeToRest(_ connections: [Token], mayRevoke: Bool = false) {
        for connection in connections {
            _ = take(connection)
            network.clientLeaves(connection, isRude: true)
        }
        settle()
        if mayRevoke, talk([("session.resume", ["token": .string(token)])]).isEmpty { inputs = Self.inputsMax }
        guard let bystander, let host else { return }
        _ = take(bystander)
        send(host, "activity.announce", ["text": "still here"])
        settle()
        let said = String(decoding: take(bystander), as: UTF8.self)
        precondition(said.contains("still here"), "the bystander hears nothing more")
        precondition(server.openConnections == 2, "connections stay: \(server.openConnections)")
        _ = take(host)
    }

    // MARK: Turns

    /// Turns everything until nothing moves any more.
    func settle() {
        var patience = 3000
        var quiet = 0
        while quiet < 2 {
            let before = network.moves
            network.travel(isWhole: true)
            let isBusy = turn()
            quiet = isBusy || network.moves != before ? 0 : quiet + 1
            patience -= 1
            precondition(patience > 0, "the daemon never comes to rest")
        }
    }

    /// One turn of everything; true when there was something to do.
    @discardableResult
    func turn() -> Bool {
        do { try server.turn() } catch { preconditionFailure("the loop failed: \(error.sentence)") }
        let broken = server.limitsBroken
        precondition(broken.isEmpty, "a limit is exceeded: \(broken)")
        var isBusy = keeperTurn()
        while let job = mailboxes.takeWork() {
            guard case .slow(let request, let work) = job else { continue }
            mailboxes.toLoop.post(.done(.slow(request, work.sort, Self.quick(work))))
            isBusy = true
        }
        while let job = mailboxes.takeReading() {
            mailboxes.toLoop.post(.done(worker.run(job)))
            isBusy = true
        }
        return isBusy || mailboxes.toLoop.count > 0
    }

    private func keeperTurn() -> Bool {
        var mail: [KeeperMail] = []
        mailboxes.toKeeper.drain(into: &mail)
        guard !mail.isEmpty else { return false }
        let requests: [Request] = mail.compactMap { if case .request(let request) = $0 { request } else { nil } }
        let now = Instant(milliseconds: time.wallMilliseconds())
        let commit = keeper.turn(requests, clock: ClockReading(time))
        precondition(commit.fate == .committed, "nothing was committed: \(commit.fate)")
        mailboxes.toLoop.post(.commit(commit))
        keeper.afterTurn(isIdle: true, clock: now)
        return true
    }

    /// Passwords cost a tenth of a second each.
    private static func quick(_ work: any SlowWork) -> SlowResult {
        switch work {
        case PasswordWork.newPassword(let password, _, _): .passwordHash(password, replacing: nil)
        case PasswordWork.checkPassword(let password, let encoded):
            .passwordMatched(password == encoded, encoded: encoded)
        case PasswordWork.changePassword(_, let encoded, _, _, _): .passwordMatched(false, encoded: encoded)
        case is PictureWork: .picture(picture, face: [0])
        case is DevelopWork:
            .made(
                DevelopWork.Made(
                    jpegs: [picture, picture, picture], width: 1, height: 1, exif: "2026:05:01 12:00:00"))
        case HouseWork.backup(let name, _): .made(HouseWork.File(path: name, bytes: 1))
        default: work.run()
        }
    }
}
