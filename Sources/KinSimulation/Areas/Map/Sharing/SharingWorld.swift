import KinFamily
package import KinKeeper
import KinModel
import KinStore

/// A family in which everybody does anything at any time, directly at the keeper, so that thousands of steps run in a
/// second. After each step nobody may see more of a member than before, unless that member, the rightful holder or root
/// allowed it.
package final class SharingWorld {
    /// What checkers saw.
    package struct Tally: Sendable, Equatable {
        /// Steps taken.
        package var steps = 0
        /// Commands carried out, by method.
        package var done: [String: Int] = [:]
        /// Commands refused, by method.
        package var refused: [String: Int] = [:]
        /// How often somebody saw more of somebody than before, by who made it so and by whom it was allowed.
        package var shown: [String: Int] = [:]
        /// What was found, by checker: how often, and the first.
        package var found: [String: Int] = [:]
        /// The same by checker and what went wrong, and the first of each.
        package var first: [String: String] = [:]
    }

    // Fixed at birth.
    let seed: UInt64
    let leftOut: Set<Rule>
    private let disk: FaultVFS
    /// Findings are counted and the family goes on, instead of ending with the first.
    private let goesOn: Bool
    let trace: ((String) -> Void)?

    // Lives across steps.
    var dice: Dice
    var clock = Instant(milliseconds: 1_790_000_000_000)
    private(set) var life: Life?
    private var lives = 0
    private var tickets: UInt64 = 0
    var book = SharingBook()
    var facts = SharingFacts()
    var tally = Tally()
    /// What was put aside, as it can be restored.
    var backups: [(files: [String: [UInt8]], book: SharingBook)] = []
    /// Where somebody's marks stood, and which rows were there.
    var marks: [Identifier: (position: Int64, rows: [Int64])] = [:]
    /// Numbers for names that nobody has yet.
    var names = 0

    /// The store with its keeper, from one start to the next end.
    final class Life {
        let store: Store
        let keeper: Keeper
        let reader: Database

        init(_ directory: String, _ files: Files, _ now: Instant, _ world: SharingWorld) throws(StoreFailure) {
            store = try Store(directory: directory, migrations: Registry.family.migrations, now: now, files: files)
            keeper = try Keeper(
                store: store, registry: .family, randomness: { [unowned world] in world.dice.bytes($0) })
            keeper.rulesLeftOut = world.leftOut
            reader = try store.reader()
        }
    }

    /// Runs one family.
    package static func run(
        seed: UInt64, steps: Int, leavingOut: Set<Rule> = [], trace: ((String) -> Void)? = nil
    ) throws(Finding) -> Tally {
        let world = SharingWorld(seed: seed, leavingOut: leavingOut, goesOn: false, trace: trace)
        return try world.live(steps)
    }

    /// Runs one family to its end whatever is found.
    package static func survey(seed: UInt64, steps: Int, leavingOut: Set<Rule> = []) throws(Finding) -> Tally {
        let world = SharingWorld(seed: seed, leavingOut: leavingOut, goesOn: true, trace: nil)
        return try world.live(steps)
    }

    private init(seed: UInt64, leavingOut: Set<Rule>, goesOn: Bool, trace: ((String) -> Void)?) {
        self.seed = seed
        leftOut = leavingOut
        self.goesOn = goesOn
        self.trace = trace
        dice = Dice(seed: seed)
        disk = FaultVFS.register(name: "sharing-\(seed)-\(UInt64.random(in: 0...UInt64.max))", seed: seed)
    }

    deinit {
        life = nil
        disk.unregister()
    }

    private func live(_ steps: Int) throws(Finding) -> Tally {
        try open()
        try setStage()
        for _ in 0..<steps { try step() }
        return tally
    }

    /// Somebody broke a promise.
    func heed(_ checker: String, _ what: String, kind: String = "") throws(Finding) {
        let finding = Finding(checker: checker, what: "step \(tally.steps): \(what)")
        trace?("FOUND \(finding)")
        tally.found[checker, default: 0] += 1
        let name = kind.isEmpty ? checker : "\(checker) (\(kind))"
        if tally.first[name] == nil { tally.first[name] = "seed \(seed), \(finding.what)" }
        if !goesOn { throw finding }
    }

    // MARK: The daemon's life

    private var directory: String { "/family-\(lives)" }

    private func open() throws(Finding) {
        do throws(StoreFailure) { life = try Life(directory, .memory(disk), clock, self) } catch {
            throw Finding(checker: "start", what: error.sentence)
        }
        marks = [:]
    }

    /// The daemon ends and starts again.
    func reopen() throws(Finding) {
        life = nil
        try open()
        try look()
    }

    /// Puts aside what is there.
    func backUp() {
        let files = [String: [UInt8]](
            uniqueKeysWithValues: ["/kinwire.db", "/kinwire.db-wal"].compactMap { name in
                disk.bytes(directory + name).map { (name, $0) }
            })
        backups.append((files, book))
        if backups.count > 3 { backups.removeFirst() }
    }

    /// Puts a backup in the place of what is there.
    func restore(_ backup: (files: [String: [UInt8]], book: SharingBook)) throws(Finding) {
        life = nil
        lives += 1
        for (name, bytes) in backup.files { disk.place(directory + name, bytes) }
        do throws(StoreFailure) {
            try Keeper.afterRestore(directory: directory, registry: .family, now: clock, files: .memory(disk))
        } catch { throw Finding(checker: "start", what: error.sentence) }
        book = backup.book
        book.keys = []
        book.links = []
        book.signInLinks = []
        book.codes = []
        try open()
        try look()
    }

    /// Reads how the family stands.
    func look() throws(Finding) {
        guard let life else { return }
        do throws(StoreFailure) { facts = try SharingFacts(life.reader) } catch {
            throw Finding(checker: "start", what: error.sentence)
        }
    }

    /// Asks the store something.
    func ask<T>(_ body: (Database) throws(StoreFailure) -> T) throws(Finding) -> T {
        guard let life else { throw Finding(checker: "start", what: "there is no daemon") }
        do throws(StoreFailure) { return try body(life.reader) } catch {
            throw Finding(checker: "start", what: error.sentence)
        }
    }

    // MARK: Turns

    /// One turn of the keeper, at this time.
    func turn(_ requests: [Request]) throws(Finding) -> Commit {
        guard let life else { throw Finding(checker: "start", what: "there is no daemon") }
        let commit = life.keeper.turn(requests, clock: clock)
        guard commit.fate == .committed else {
            throw Finding(checker: "start", what: "a turn came to \(commit.fate): \(commit.notes)")
        }
        life.keeper.afterTurn(isIdle: false, clock: clock)
        return commit
    }

    func nextTicket() -> Ticket {
        tickets += 1
        return Ticket(connection: 1, sequence: tickets)
    }
}
