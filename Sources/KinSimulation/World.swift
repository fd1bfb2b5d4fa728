import KinClient
import KinFamily
import KinKeeper
import KinLoop
import KinModel
import KinServer
import KinStore

/// An area as it lives in the box; `nil` for an area that does nothing there.
private protocol Simulated: SnapshotPart {
    static var life: (any SimulatedArea.Type)? { get }
}

// A line each.
extension MembersPart: Simulated { static var life: (any SimulatedArea.Type)? { MembersLife.self } }
extension MapPart: Simulated { static var life: (any SimulatedArea.Type)? { MapLife.self } }
extension MeetingsPart: Simulated { static var life: (any SimulatedArea.Type)? { MeetingsLife.self } }
extension ActivityPart: Simulated { static var life: (any SimulatedArea.Type)? { ActivityLife.self } }
extension ContactsPart: Simulated { static var life: (any SimulatedArea.Type)? { ContactsLife.self } }
extension ProfilesPart: Simulated { static var life: (any SimulatedArea.Type)? { ProfilesLife.self } }
extension SettingsPart: Simulated { static var life: (any SimulatedArea.Type)? { SettingsLife.self } }
extension NoticesPart: Simulated { static var life: (any SimulatedArea.Type)? { NoticesLife.self } }
extension ListsPart: Simulated { static var life: (any SimulatedArea.Type)? { ListsLife.self } }
extension PostsPart: Simulated { static var life: (any SimulatedArea.Type)? { PostsLife.self } }
extension AlarmsPart: Simulated { static var life: (any SimulatedArea.Type)? { AlarmsLife.self } }
extension ChatPart: Simulated { static var life: (any SimulatedArea.Type)? { ChatLife.self } }
extension CalendarsPart: Simulated { static var life: (any SimulatedArea.Type)? { CalendarsLife.self } }
extension PicturesPart: Simulated { static var life: (any SimulatedArea.Type)? { PicturesLife.self } }
extension MealsPart: Simulated { static var life: (any SimulatedArea.Type)? { MealsLife.self } }

extension AreaList where repeat each Part: Simulated {
    /// What each does in the box.
    fileprivate static var lives: AreaLines<(any SimulatedArea.Type)?> {
        var lines = AreaLines<(any SimulatedArea.Type)?>()
        repeat lines.add((each Part).self, (each Part).life)
        return lines
    }
}

/// A simulated family: daemon, disk, network, clock, clients and dice of one seed, in one thread. Every step is one
/// turn of one part; between any two steps the power may go.
public final class World {
    /// What the areas do in it.
    private static let kinds = Areas.lives.all(first: MembersPart.self, MapPart.self, ActivityPart.self)
        .compactMap(\.self)

    /// What is told of each area for those who fold events, in the areas' order.
    static var stories: [FoldStory] { kinds.flatMap { $0.stories } }
    /// What of each area is hidden from some, in the areas' order.
    static var hidden: [HiddenDeed] { Areas.lives.all().compactMap(\.self).flatMap { $0.hidden } }
    /// Commands that show nobody where somebody is, and why.
    static var showingNobody: [String: String] {
        Areas.lives.all().compactMap(\.self).reduce(into: [:]) { all, life in
            all.merge(life.showingNobody) { first, _ in first }
        }
    }
    /// Something in each area, in their order.
    static func day(_ family: Recording) throws(Finding) { for kind in kinds { try kind.day(family) } }

    /// The seed all comes from.
    public let seed: UInt64
    let fault: Fault?
    let time: SimulatedTime
    let network: SimulatedNetwork
    let disk: FaultVFS
    var dice: Dice
    var oracle = Oracle()
    /// One of each kind, in their order.
    let areas: [any SimulatedArea] = kinds.map { $0.init() }

    // The daemon, as long as it lives.
    private(set) var daemon: SimulatedDaemon?
    private(set) var epochs: Epochs?

    // The family.
    private(set) var clients: [SimulatedClient] = []
    private(set) var commanders: [Commander] = []
    private(set) var gluttons: [Glutton] = []
    private(set) var browsers: [Browser] = []
    private(set) var uploaders: [Uploader] = []
    let machine: Commander
    private(set) var people: [Person] = []
    private var nextOp = 0
    /// The daemon's last life ended with a turn nobody knows the fate of.
    private var isFateUnknown = false
    /// Members whose removal was asked for: they may be sent away.
    var leaving: Set<String> = []
    /// Told what happens, for a person who looks for the reason of a finding.
    var trace: ((String) -> Void)?
    /// It comes to rest: nobody asks for anything any more.
    var isSettling = false
    /// Steps taken, crashes survived and events checked.
    public internal(set) var tally = Tally()

    struct Person {
        let username: String
        let id: Identifier
        let token: String
        let number: Int32
    }

    /// Counts of a run.
    public struct Tally: Sendable, Equatable {
        /// Steps taken.
        public var steps = 0
        /// Times the power went.
        public var crashes = 0
        /// Rows of the log.
        public var rows = 0
        /// Snapshots compared.
        public var snapshots = 0
        /// Lists that came, each at its place in the stream.
        public var lists = 0
        /// Lists that nothing else shows, compared while there was something in them: by method, and at rest.
        public var compared: [String: Int] = [:]
        /// Commands acknowledged.
        public var acknowledged = 0
        /// Times the daemon was asked to end, and ended by itself.
        public var restarts = 0
        /// Times the database's counts were recounted.
        public var books = 0
        /// Times somebody who takes nothing was sent away.
        public var sentAway = 0
        /// What areas count.
        public var ofAreas: [String: Int] = [:]
        /// Files and pages that a browser got whole.
        public var browsed = 0
        /// Files that were sent by themselves and taken.
        public var uploaded = 0
        /// Uploads that went on where they had ended.
        public var resumed = 0
        /// Times the daemon doubted its clock.
        public var doubts = 0
    }

    /// A world of a seed, with a fault planted or none.
    public init(seed: UInt64, fault: Fault? = nil) throws(Finding) {
        self.seed = seed
        self.fault = fault
        dice = Dice(seed: seed)
        time = SimulatedTime(milliseconds: 1_790_000_000_000 + Int64(seed % 1000))
        network = SimulatedNetwork(seed: seed ^ 0xA5A5)
        disk = FaultVFS.register(
            name: "world-\(seed)-\(fault?.rawValue ?? "none")-\(UInt64.random(in: 0...UInt64.max))", seed: seed)
        // One of eight families goes through the migrations. They take longer than many a family.
        if seed % 8 != 0, let fresh = Self.fresh { disk.place("/family/kinwire.db", fresh) }
        machine = Commander(username: "machine", token: nil, peer: .unix(uid: 0, gid: 0, pid: 1))
        try start()
        try setStage()
    }

    deinit {
        daemon = nil
        disk.unregister()
    }

    /// A family's database after all migrations, for all worlds of this process.
    private static let fresh = try? FaultVFS.database(
        Registry.family.migrations, now: Instant(milliseconds: 1_790_000_000_000))

    var milliseconds: UInt64 { time.monotonicNanoseconds() / 1_000_000 }

    func position(of cursor: String) -> Int64? { epochs?.position(of: cursor) }

    /// The area of a kind.
    func area<Area: SimulatedArea>(_ kind: Area.Type) -> Area {
        guard let area = areas.lazy.compactMap({ $0 as? Area }).first else {
            preconditionFailure("an area stands in the list of kinds")
        }
        return area
    }

    // MARK: Life and death of the daemon

    private func start() throws(Finding) {
        if fault == .skippedSync { disk.setSyncsLie(true) }
        do throws(StoreFailure) {
            let daemon = try SimulatedDaemon(self)
            self.daemon = daemon
            epochs = daemon.epochs
            let log = try daemon.wholeLog()
            if isFateUnknown { oracle.believe(log) } else { oracle.take(log) }
            isFateUnknown = false
            for area in areas { area.committed(self, daemon, [], isClockNews: true) }
        } catch { throw Finding(checker: "start", what: "the daemon did not start: \(error.sentence)") }
        // Before anybody is let in.
        try look()
    }

    /// The keeper does what is due, and looks at the clock.
    func look() throws(Finding) {
        daemon?.wakeKeeper()
        try turn(.keeper)
    }

    /// The power goes, and comes back.
    func crash() throws(Finding) {
        tally.crashes += 1
        trace?("step \(tally.steps): crash")
        daemon?.abandon()
        daemon = nil
        network.serverDies()
        disk.heal()
        if dice.once(in: 3) { disk.crash() } else { disk.powerCut() }
        try start()
        try checkAcknowledged()
    }

    /// The daemon ended because it was asked to; another starts.
    private func restart() throws(Finding) {
        tally.restarts += 1
        trace?("step \(tally.steps): restarted")
        daemon?.abandon()
        daemon = nil
        network.serverDies()
        if disk.isOff { return try crash() }
        disk.heal()
        try start()
        try checkAcknowledged()
    }

    // MARK: The stage

    /// Founds the family, without faults: two households, an admin, two members and a guest.
    private func setStage() throws(Finding) {
        try command(
            "family.found",
            ["name": "Oak", "household": "Hill", "username": "ada", "password": "p-ada-1234", "displayName": "Ada"])
        guard case .success(let shown)? = machine.results["family.found"],
            let household = shown["household"]?["id"] ?? shown["household"]
        else {
            throw Finding(checker: "stage", what: "no family could be founded: \(machine.results)")
        }
        for (name, role) in [("ben", "member"), ("cleo", "member"), ("gil", "guest")] {
            try command(
                "member.add",
                [
                    "username": .string(name), "password": .string("p-\(name)-1234"), "displayName": .string(name),
                    "household": household, "role": .string(role), "kind": "adult",
                ])
        }
        for (index, name) in ["ada", "ben", "cleo", "gil"].enumerated() {
            try command(
                "session.open", ["username": .string(name), "password": .string("p-\(name)-1234"), "device": "box"])
            guard case .success(let opened)? = machine.results["session.open"], let token = opened["token"]?.string,
                let id = opened["member"]?["id"]?.identifier ?? opened["member"]?.identifier
            else { throw Finding(checker: "stage", what: "\(name) could not sign in: \(machine.results)") }
            machine.drop(self, isRude: false)
            let person = Person(username: name, id: id, token: token, number: Int32(index + 1))
            people.append(person)
            commanders.append(Commander(username: name, token: token, peer: .tcp(.loopbackV4, port: 1)))
            // Two of the four transports each, by the seed: together all of them.
            let first = index + Int(seed % 4)
            for transport in [Talk.Transport.allCases[first % 4], Talk.Transport.allCases[(first + 2 - index % 2) % 4]]
            {
                clients.append(
                    SimulatedClient(
                        username: "\(name)/\(transport)", member: id, number: person.number, token: token,
                        transport: transport))
            }
        }
        gluttons = [
            Glutton(token: people[1].token, transport: .lines),
            Glutton(token: people[0].token, transport: .serverSentEvents),
        ]
        browsers = [Browser(nil)] + people.map { Browser($0) }
        uploaders = people.enumerated().map { Uploader($1, $0, seed: seed) }
    }

    /// Gives the family what it has from the beginning. A planted fault may keep it from some of that.
    private func stockUp() throws(Finding) {
        for area in areas {
            for (method, params) in area.stock { try command(method, params, by: commanders[0], op: "stock-\(nextOp)") }
        }
    }

    func command(_ method: String, _ params: JSON) throws(Finding) { try command(method, params, by: machine, op: "") }

    private func command(_ method: String, _ params: JSON, by who: Commander, op: String) throws(Finding) {
        nextOp += 1
        who.does(Commander.Command(op: op, method: method, params: params), self)
        var patience = 4000
        while who.isBusy {
            try turnEverything()
            try who.step(self)
            patience -= 1
            guard patience > 0 else { throw Finding(checker: "stage", what: "\(method) is never answered") }
        }
    }

    func turnEverything() throws(Finding) {
        network.travel(isWhole: true)
        try turn(.server)
        try turn(.keeper)
        try turn(.worker)
    }

    enum Part { case server, keeper, worker }

    private func turn(_ part: Part) throws(Finding) {
        if daemon?.isFinished ?? false { try restart() }
        guard let daemon else { return }
        switch part {
        case .server: try daemon.serverTurn()
        case .keeper:
            if try daemon.keeperTurn() == .mustEnd {
                isFateUnknown = true
                try crash()
            } else if daemon.turns % 8 == 0 {
                try checkBooks()
            }
        case .worker: daemon.workerTurn()
        }
        if let broken = daemon.limitsBroken.first {
            throw Finding(checker: "limits", what: "\(broken): beyond its bound, or wrong")
        }
    }

    // MARK: Steps

    /// One step of the world.
    public func step() throws(Finding) {
        tally.steps += 1
        switch dice.below(100) {
        case 0..<22: try turn(.server)
        case 22..<37: try turn(.keeper)
        case 37..<46: try turn(.worker)
        case 46..<56: network.travel(isWhole: dice.once(in: 2))
        case 56..<74: for _ in 0..<4 { try dice.pick(clients).step(self) }
        case 74..<84:
            for commander in commanders { try commander.step(self) }
            for browser in browsers { try browser.step(self) }
            for uploader in uploaders { try uploader.step(self) }
        case 84..<93: act()
        case 93..<96: time.advance(milliseconds: dice.once(in: 10) ? 20_000 : Int64(dice.below(3000)))
        case 96: try dice.pick(clients).breakConnection(self, isRude: dice.once(in: 2))
        case 97: dice.pick(commanders).drop(self, isRude: dice.once(in: 2))
        case 98:
            dice.pick(clients).stall(self, dice.once(in: 2))
            for glutton in gluttons { glutton.step(self) }
        default: try misfortune()
        }
    }

    private func misfortune() throws(Finding) {
        switch dice.below(fault == nil || fault == .clockBelieved ? 9 : 4) {
        case 0, 1: try crash()
        case 2:
            trace?("step \(tally.steps): the disk will fail")
            disk.failAt(1 + dice.below(4), dice.pick([.write, .sync, nil]), dice.pick([.ioError, .full]))
        case 3:
            trace?("step \(tally.steps): the power will go")
            disk.failAt(1 + dice.below(6), nil, .powerOff)
        case 8:
            trace?("step \(tally.steps): the daemon is asked to end")
            network.tell(.terminate)
        case 4: try clockGoesWrong()
        default:
            trace?("step \(tally.steps): the disk is well")
            disk.heal()
        }
    }

    /// Somebody does something.
    private func act() {
        nextOp += 1
        if dice.once(in: 12) { return browse() }
        let who = dice.below(people.count)
        var op = "op-\(seed)-\(nextOp)"
        let (index, method, params) = idea(who, op)
        if case .query? = Registry.family.methods[method]?.sort { op = "" }
        commanders[index].does(Commander.Command(op: op, method: method, params: params), self)
    }

    /// A whole run: what the family has from the beginning, so many steps, then rest.
    public static func run(
        seed: UInt64, steps: Int, fault: Fault? = nil, trace: ((String) -> Void)? = nil
    ) throws(Finding) -> Tally {
        let world = try World(seed: seed, fault: fault)
        world.trace = trace
        try world.stockUp()
        for _ in 0..<steps { try world.step() }
        try world.settle()
        return world.tally
    }
}
