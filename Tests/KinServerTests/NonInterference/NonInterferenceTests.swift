import KinActivity
import KinFamily
import KinKeeper
import KinLoop
import KinMap
import KinMeetings
import KinMembers
import KinModel
import KinStore
import Testing

@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers
@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// The keeper's secrets are others.
private typealias Secret = KinServerBox.Secret

/// What somebody may not see makes no difference to what they get: bytes of two worlds that differ in nothing else are
/// equal. The worlds come from seeds, what is to be hidden from the registry.
@Suite struct NonInterferenceTests {
    /// So many families are made from seeds; each secret happens in one of them.
    private static let families: UInt64 = 3

    @Test(arguments: Secret.all.indices)
    func `what is hidden changes nothing of what anybody gets`(index: Int) throws {
        let secret = Secret.all[index]
        try expectNothing(UInt64(index) % Self.families, secret.name, of: secret.hiddenFrom, lasting: secret.seconds) {
            try secret.act($0)
        }
    }

    /// What others have is nobody's bound: all who do not see it may have as much as in a world where nobody has anything.
    @Test func `how much others have that is hidden leaves everybody as much room as before`() throws {
        let quiet = try TwoWorlds.world(seed: 1, hiddenFrom: Secret.everybody, isFull: true) { _ in }
        for secret in Secret.room {
            let loud = try TwoWorlds.world(seed: 1, hiddenFrom: secret.hiddenFrom, isFull: true) { try secret.act($0) }
            for observer in secret.hiddenFrom.sorted() {
                let difference = TwoWorlds.difference(loud[observer], quiet[observer])
                #expect(difference == nil, "\(observer) can tell of \(secret.name)")
            }
        }
    }

    /// Many things at once, of which one observer may see none, in any order; some are then no longer possible.
    @Test(arguments: 100..<106 as Range<UInt64>)
    func `a world of many secrets is a quiet world to those who share none`(seed: UInt64) throws {
        var dice = Dice(seed: seed)
        let observer = dice.pick(Stage.observers)
        let possible = Secret.all.filter { $0.hiddenFrom.contains(observer) }
        let chosen = (0..<6).map { _ in dice.pick(possible) }
        let hiddenFrom = chosen.reduce(Secret.everybody) { $0.intersection($1.hiddenFrom) }
        let names = chosen.map(\.name).joined(separator: ", ")
        try expectNothing(seed % Self.families, names, of: hiddenFrom) { stage in
            for secret in chosen { try? secret.act(stage) }
        }
    }

    private func expectNothing(
        _ seed: UInt64, _ what: String, of observers: Set<String>, lasting seconds: Int = 30,
        _ act: (Stage) throws -> Void
    ) throws {
        let quiet = try TwoWorlds.quietWorld(seed: seed, lasting: seconds)
        let loud = try TwoWorlds.world(seed: seed, hiddenFrom: observers, lasting: seconds, act)
        for observer in observers.sorted() {
            let difference = TwoWorlds.difference(loud[observer], quiet[observer])
            #expect(difference == nil, "seed \(seed), \(observer) can tell of \(what)")
        }
    }

    // MARK: Nothing is forgotten

    /// Methods carried out and event types written by a secret, due work included.
    private static func deeds(_ secret: Secret, _ registry: Registry = .family) throws -> Box.Deeds {
        let stage = try Stage(seed: 1, registry: registry)
        try secret.act(stage)
        for _ in 0..<2 { try stage.box.advance(seconds: secret.seconds / 2) }
        return stage.box.deeds
    }

    /// What of a registry is done in no world; and what is said to be open although it is hidden in some.
    private static func forgotten(_ registry: Registry, _ secrets: [Secret]) throws -> [String] {
        let all = try secrets.filter { !$0.hiddenFrom.isEmpty }.map { try deeds($0, registry) }
        let methods = all.reduce(into: Set<String>()) { $0.formUnion($1.methods) }
        let events = all.reduce(into: Set<String>()) { $0.formUnion($1.events) }
        let open = Set(Secret.open.keys).union(Secret.ofOutside)
        let commands = Set(registry.methods.values.filter { $0.sort != .query }.map(\.name))
        return commands.subtracting(methods).subtracting(open).sorted().map {
            "No world hides the method \($0) from anybody: add a Secret in which somebody calls it."
        }
            + Set(registry.events.keys).subtracting(events).subtracting(open).sorted().map {
                "No world hides the event \($0) from anybody: add a Secret in which it is written."
            }
            + open.intersection(methods.union(events)).sorted().map { "\($0) is hidden in a world, so it is not open." }
    }

    @Test func `every method that changes something and every event type is hidden from somebody in some world`() throws
    {
        for sentence in try Self.forgotten(.family, Secret.all) { Issue.record(Comment(rawValue: sentence)) }
    }

    @Test func `an area without secrets is named`() throws {
        let sentences = try Self.forgotten(LeakyArea.registry, [])
        for name in ["leaky.whisper", "leaky.whispered", "activity.announce"] {
            #expect(sentences.contains { $0.contains(" \(name) ") })
        }
    }

    // MARK: Leaks are seen

    @Test(arguments: LeakyArea.Leak.allCases) func `a leak is seen`(leak: LeakyArea.Leak) throws {
        let registry = LeakyArea.registry
        let quiet = try TwoWorlds.world(seed: 3, hiddenFrom: Secret.everybody, registry: registry) { _ in }
        let loud = try TwoWorlds.world(seed: 3, hiddenFrom: Secret.everybody, registry: registry) { stage in
            try stage.does("mo", "leaky.whisper", ["leak": .string(leak.rawValue)])
        }
        // Of an area that is not for walls a screen is told nothing, whatever leaks.
        for observer in Stage.observers where observer != Stage.wall {
            let difference = TwoWorlds.difference(loud[observer], quiet[observer])
            #expect((difference != nil) == (leak != .none), "\(leak), \(observer): \(difference ?? "")")
        }
    }

    /// Types of events that are hidden from somebody in some world, each with such a secret.
    static let hiddenTypes: [(type: String, secret: Int)] = {
        var found: [String: Int] = [:]
        for index in Secret.all.indices {
            for type in (try? deeds(Secret.all[index]))?.events ?? [] where found[type] == nil { found[type] = index }
        }
        return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }()

    @Test(arguments: Set(hiddenTypes.map(\.secret)).sorted())
    func `an event that goes to everybody is seen to`(index: Int) throws {
        let secret = Secret.all[index]
        let types = Set(Self.hiddenTypes.filter { $0.secret == index }.map(\.type))
        let observers = secret.hiddenFrom.filter { $0 != Stage.wall }
        let quiet = try TwoWorlds.quietWorld(seed: 1, lasting: secret.seconds)
        let loud = try leaking(types, secret)
        // What comes by its name needs no world of its own.
        let named = types.filter { type in
            observers.allSatisfy { TwoWorlds.count(type, loud[$0]) > TwoWorlds.count(type, quiet[$0]) }
        }
        for type in types.subtracting(named).sorted() {
            let alone = types.count == 1 ? loud : try leaking([type], secret)
            for observer in observers {
                #expect(TwoWorlds.difference(alone[observer], quiet[observer]) != nil, "\(type), \(observer)")
            }
        }
    }

    /// The world of a secret in which events of these types go to everybody.
    private func leaking(_ types: Set<String>, _ secret: Secret) throws -> TwoWorlds.Sights {
        let fault: @Sendable (inout Commit) -> Void = { commit in
            commit.events = commit.events.map { row in
                guard types.contains(row.type) else { return row }
                return LogRow(
                    position: row.position, at: row.at, type: row.type, by: row.by, about: row.about, key: row.key,
                    audience: Audience(Array(1...9)), salt: row.salt, payload: row.payload)
            }
        }
        return try TwoWorlds.world(
            seed: 1, hiddenFrom: secret.hiddenFrom, lasting: secret.seconds, fault: fault
        ) { try secret.act($0) }
    }

    @Test func `what one may see does make a difference`() throws {
        let loud = try TwoWorlds.world(seed: 1, hiddenFrom: []) { stage in
            try stage.does("ada", "activity.announce", ["text": "for the family"])
        }
        let quiet = try TwoWorlds.quietWorld(seed: 1)
        for observer in ["ada", "hal", "ben"] {
            #expect(TwoWorlds.difference(loud[observer], quiet[observer]) != nil)
        }
    }
}
