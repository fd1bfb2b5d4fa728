import KinCodec
import KinFamily
import KinKeeper
package import KinModel
import KinNotices
import KinStore

/// A family whose phones ring, straight at the keeper: phones that sleep and come again, a browser behind a push service that
/// is not always there, a daemon that is started anew. What rings where is written down as it rings.
package final class RingingHouse {
    /// A phone, or a browser behind a push service.
    package struct Phone {
        /// Whose.
        package let owner: String
        package let name: String
        let device: Identifier
        /// A browser has none.
        let topic: String?
        let discreet: String?
        /// Whether it listens.
        package var isAwake = true
        /// The newest notice it had, by name.
        var had: String?
        /// Whose notices it has had, by name: none comes twice.
        var known: Set<String> = []
        /// What it shows, by entry.
        package var shown: [Identifier: Notice] = [:]
    }

    /// Something that a phone did.
    package struct Ring {
        package let phone: Int
        package let notice: Notice
        package let at: Instant
        /// Whether the phone had slept, and was told as it came again.
        package let isMissed: Bool
        /// Whether it came through a push service.
        package let isPushed: Bool
    }

    struct Person {
        let id: Identifier
        let number: Int32
        let credential: Credential
    }

    /// Work on its way to the push service.
    private struct Flight {
        let work: PushWork
        let since: Instant
    }

    // Fixed at birth.
    private let disk: FaultVFS
    private let started: Instant

    /// The store with its keeper: gone before the disk is.
    private final class Life {
        let store: Store
        let reader: Database
        var keeper: Keeper

        init(_ now: Instant, _ files: Files) throws(StoreFailure) {
            store = try Store(
                directory: "/family", migrations: Registry.family.migrations, now: now, files: files)
            keeper = try Keeper(store: store, registry: .family)
            reader = try store.reader()
        }
    }

    // Lives across steps.
    var dice: Dice
    package private(set) var now: Instant
    private var life: Life?
    private var tickets: UInt64 = 0
    private var ownCalls: [OwnCall] = []
    private(set) var people: [String: Person] = [:]
    package private(set) var phones: [Phone] = []
    let service = FlakyPostOffice()

    /// Whether the push service can be reached.
    package func lose(pushService isLost: Bool) { service.beDown(isLost) }
    /// A line for everything that a phone did, or that somebody noted.
    package private(set) var film: [String] = []
    /// What rang, in order.
    package private(set) var rings: [Ring] = []
    /// Pushes that the service said it has: by device, entry and number.
    private var confirmed: Set<String> = []
    /// Whether it said so of one of them again.
    private(set) var isConfirmedTwice = false
    /// A ring that a planted fault loses or doubles.
    var spoil: ((Notice, Int) -> Int)?
    /// Hears every event.
    var heard: ((LogRow) -> Void)?

    package init(seed: UInt64, at start: Instant) throws(Finding) {
        dice = Dice(seed: seed)
        now = start
        started = start
        disk = FaultVFS.register(name: "ringing-\(seed)-\(UInt64.random(in: 0...UInt64.max))", seed: seed)
        do throws(StoreFailure) { life = try Life(start, .memory(disk)) } catch {
            throw Finding(checker: "start", what: error.sentence)
        }
        // Two lives of one seed are alike.
        open.keeper = try anew()
    }

    deinit {
        life = nil
        disk.unregister()
    }

    private var open: Life {
        guard let life else { preconditionFailure("a house is open as long as it is there") }
        return life
    }

    var reader: Database { open.reader }

    private func anew() throws(Finding) -> Keeper {
        do throws(StoreFailure) {
            return try Keeper(
                store: open.store, registry: .family, randomness: { [unowned self] in dice.bytes($0) })
        } catch { throw Finding(checker: "start", what: error.sentence) }
    }

    // MARK: The family

    /// Founds it with its first member, at the machine.
    package func found(_ name: String) throws(Finding) {
        let result = try call(
            .machine, "family.found",
            [
                "name": "Oak", "household": "Hill", "username": .string(name), "password": "p-box-12345",
                "displayName": .string(Self.shown(name)),
            ])
        guard let member = result["member"]?["id"]?.identifier else { throw Self.missing("a member", result) }
        try learn(name, member)
    }

    /// Somebody else lives there.
    package func add(_ name: String, role: String = "member", kind: String = "adult") throws(Finding) {
        let shown = try call(.machine, "family.show")
        let household = shown["households"]?.array?.first?["id"] ?? .null
        let result = try call(
            .machine, "member.add",
            [
                "username": .string(name), "password": "p-box-12345", "displayName": .string(Self.shown(name)),
                "household": household, "role": .string(role), "kind": .string(kind),
            ])
        guard let member = result["member"]?["id"]?.identifier else { throw Self.missing("a member", result) }
        try learn(name, member)
    }

    private func learn(_ name: String, _ member: Identifier) throws(Finding) {
        let entry: Roster.Entry?
        do throws(StoreFailure) { entry = try open.keeper.roster()[member] } catch {
            throw Finding(checker: "start", what: error.sentence)
        }
        guard let entry else { throw Finding(checker: "start", what: "\(name) is nobody") }
        people[name] = Person(id: member, number: entry.number, credential: .machineAs(member))
    }

    private static func shown(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

    private static func missing(_ what: String, _ result: JSON) -> Finding {
        Finding(checker: "start", what: "\(what) is missing in \(result.text)")
    }

    /// A phone with ntfy's app.
    package func addPhone(
        _ name: String, of owner: String, discreet: Bool = false, only official: Bool = false
    ) throws(Finding) {
        var params: JSON.Object = ["name": .string(name), "discreet": .bool(discreet)]
        if official { params["only"] = "official" }
        let made = try call(owner, "notice.add", params)
        guard let device = made["device"]?["id"]?.identifier, let topic = made["topic"]?.string else {
            throw Self.missing("a topic", made)
        }
        phones.append(
            Phone(
                owner: owner, name: name, device: device, topic: topic,
                discreet: discreet ? "Something for you" : nil))
    }

    /// A browser. The push service takes what rings on it.
    package func addBrowser(_ name: String, of owner: String) throws(Finding) {
        // The key and the secret of RFC 8291 §5.
        let made = try call(
            owner, "notice.add",
            [
                "name": .string(name), "app": "webPush",
                "subscription": [
                    "endpoint": .string("https://fcm.googleapis.com/send/\(name)-\(phones.count)"),
                    "p256dh":
                        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                    "auth": "BTBZMqHH6r4Tts7J_aSIgg", "page": "https://kin.local:5469",
                ],
            ])
        guard let device = made["device"]?["id"]?.identifier else { throw Self.missing("a device", made) }
        phones.append(
            Phone(owner: owner, name: name, device: device, topic: nil, discreet: nil))
    }

    // MARK: Asking

    /// What a member asks for; refused, it is a finding.
    @discardableResult
    package func call(_ who: String, _ method: String, _ params: JSON.Object = [:]) throws(Finding) -> JSON {
        guard let person = people[who] else { throw Finding(checker: "start", what: "nobody is called \(who)") }
        return try call(person.credential, method, params)
    }

    @discardableResult
    func call(_ who: Credential, _ method: String, _ params: JSON.Object = [:]) throws(Finding) -> JSON {
        switch try ask(who, method, params) {
        case .success(let json): return json
        case .failure(let rejection):
            throw Finding(checker: "start", what: "\(method) was refused: \(rejection.message)")
        }
    }

    /// What a member asks for, whatever comes of it.
    func attempt(_ who: String, _ method: String, _ params: JSON.Object = [:]) throws(Finding) -> JSON? {
        guard let person = people[who] else { return nil }
        return try? ask(person.credential, method, params).get()
    }

    private func ask(
        _ who: Credential, _ method: String, _ params: JSON.Object
    ) throws(Finding) -> Result<JSON, Rejection> {
        var commit = try turn([request(who, method, params)])
        while case .later(let work)? = commit.replies.first?.effect {
            var again = request(who, method, params)
            again.work = MembersLife().quick(work) ?? work.run()
            commit = try turn([again])
        }
        guard let reply = commit.replies.first else { throw Finding(checker: "start", what: "\(method): no answer") }
        return reply.result.map { (try? JSON.parse($0)) ?? .null }
    }

    private func request(_ who: Credential, _ method: String, _ params: JSON.Object = [:]) -> Request {
        tickets += 1
        return Request(
            ticket: Ticket(connection: 1, sequence: tickets), credential: who,
            origin: Origin(addressKey: "", agent: "box"), method: method, params: params)
    }

    private func turn(_ requests: [Request]) throws(Finding) -> Commit {
        let clock = ClockReading(
            wall: now, sinceBoot: now.milliseconds(since: started), boot: "box", isSynchronised: true,
            wasSynchronised: true)
        let commit = open.keeper.turn(requests, clock: clock)
        guard commit.fate == .committed else { throw Finding(checker: "start", what: "a turn was not kept") }
        for row in commit.events where row.type == NoticeDevice.rang.name { hear(row) }
        if let heard { commit.events.forEach(heard) }
        for call in commit.ownCalls where !ownCalls.contains(call) { ownCalls.append(call) }
        return commit
    }

    // MARK: Time

    /// Time passes, and what is due is done.
    package func passes(seconds: Int64) throws(Finding) {
        now = now.adding(seconds: seconds)
        _ = try turn([])
        try post()
    }

    /// The daemon ends, in the middle of whatever it did, and starts anew.
    package func restart() throws(Finding) {
        ownCalls = []
        open.keeper = try anew()
        _ = try turn([])
        try post()
    }

    /// What is to leave for the push service leaves.
    func post() throws(Finding) {
        while let call = ownCalls.first {
            ownCalls.removeFirst()
            let commit = try turn([request(call.credential, call.method)])
            guard case .later(let work)? = commit.replies.first?.effect, let pushes = work as? PushWork else {
                continue
            }
            let result = work.run(at: Workplace(store: nil, outside: service))
            let taken = service.takenSince()
            for letter in pushes.letters where taken.contains(letter.letter.content) {
                let isLow = letter.letter.headers.contains { $0 == ("Urgency", "low") }
                push(letter.waiting, priority: isLow ? 2 : 5)
            }
            // The daemon may die before it hears of it.
            if service.isDaemonToDie(&dice) { return try restart() }
            var again = request(call.credential, call.method)
            again.work = result
            for letter in pushes.letters where taken.contains(letter.letter.content) {
                let one = "\(letter.waiting.device) \(letter.waiting.entry) \(letter.waiting.number)"
                if !confirmed.insert(one).inserted { isConfirmedTwice = true }
            }
            _ = try turn([again])
        }
    }

    // MARK: Phones

    private func hear(_ row: LogRow) {
        let text = Array("{\"cursor\":\"\",".utf8) + row.payload + [UInt8(ascii: "}")]
        guard let data = (try? JSON.parse(text)).flatMap(Event.init)?[NoticeDevice.rang] else { return }
        for index in phones.indices where phones[index].topic != nil && phones[index].isAwake {
            let phone = phones[index]
            guard let owner = people[phone.owner], row.audience.contains(owner.number),
                let notice = data.notice(for: phone.device)
            else { continue }
            for _ in 0..<(spoil?(notice, index) ?? 1) { take(notice, at: index, isMissed: false) }
        }
    }

    private func take(_ notice: Notice, at index: Int, isMissed: Bool, isPushed: Bool = false) {
        phones[index].had = notice.id
        let phone = phones[index]
        let place = "\(phone.owner)'s \(phone.name)"
        guard notice.act == .ring else {
            if phone.shown[notice.entry] != nil { note("    \(place) falls silent") }
            phones[index].shown[notice.entry] = nil
            return
        }
        let deed = notice.priority ?? 3 <= 2 ? "shows" : phone.shown[notice.entry] == nil ? "rings" : "rings again"
        let title = notice.title.map { "\($0) | " } ?? ""
        let said = isPushed ? "(sealed, by its push service)" : phone.discreet ?? title + (notice.text ?? "")
        let buttons = phone.discreet == nil ? (notice.answers ?? []).map { " [\($0.label)]" }.joined() : ""
        note("    \(place) \(deed)\(isMissed ? " as it comes" : ""): \(said)\(buttons)")
        phones[index].shown[notice.entry] = notice
        rings.append(Ring(phone: index, notice: notice, at: now, isMissed: isMissed, isPushed: isPushed))
    }

    /// What the push service took shows on the browser. What it says is sealed: the inbox knows.
    private func push(_ waiting: PushQueue.Waiting, priority: Int64) {
        guard let index = phones.firstIndex(where: { $0.device == waiting.device }) else { return }
        let id = "\(waiting.entry) \(waiting.number)"
        take(
            Notice(id: id, act: .ring, entry: waiting.entry, at: now, priority: priority), at: index, isMissed: false,
            isPushed: true)
    }

    package func sleep(_ index: Int) { phones[index].isAwake = false }

    /// It comes again, and asks for what it missed.
    package func wake(_ index: Int) throws(Finding) {
        guard !phones[index].isAwake, let topic = phones[index].topic else { return }
        let answer = try call(
            .none, "notice.take",
            ["topics": [.string(topic)], "since": .string(phones[index].had ?? "all")])
        for one in answer["notices"]?.array ?? [] {
            guard let notice = one["notice"].flatMap(Notice.init) else { continue }
            for _ in 0..<(spoil?(notice, index) ?? 1) { take(notice, at: index, isMissed: true) }
        }
        phones[index].isAwake = true
        _ = try turn([])
    }

    /// Writes behind the keeper's back: for planted faults.
    func write(_ sql: String) throws(Finding) {
        do throws(StoreFailure) { try open.store.database.run(sql) } catch {
            throw Finding(checker: "start", what: error.sentence)
        }
        open.store.due.forget()
    }

    /// A line of the film, with the time of day on the first of several.
    package func note(_ text: String) {
        let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let minutes = now.milliseconds / 60_000
        let (hour, minute) = (minutes / 60 % 24, minutes % 60)
        let clock = "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
        film.append("\(days[Int(minutes / 1440 % 7)]) \(clock)  \(text)")
    }

    func forgetRings() { (rings, film) = ([], []) }
}
