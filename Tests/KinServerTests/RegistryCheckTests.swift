import KinFamily
import KinModel
import KinStore
import Testing

@testable import KinKeeper

/// Areas whose declarations contradict each other, or themselves, do not start.
@Suite struct RegistryCheckTests {
    private struct Contradiction: Sendable {
        let name: String
        /// Where these are the family's areas, nothing starts.
        let areas: @Sendable () -> [Area]
    }

    private static func shout(
        _ name: String = "Shout", tables: [Table] = [], migrations: [Migration] = [], methods: [Method] = [],
        events: [any EventDeclaration] = [], inboxKinds: [InboxKind] = [], told: [String] = [],
        hooks: Area.Hooks = Area.Hooks(), snapshotBytesMax: Int = 0
    ) -> Area {
        Area(
            name, tables: tables, migrations: migrations, methods: methods, events: events,
            told: Dictionary(uniqueKeysWithValues: told.map { ($0, hear) }), inboxKinds: inboxKinds,
            hooks: hooks, snapshotBytesMax: snapshotBytesMax)
    }

    private static let hear: @Sendable (Act, Told) throws(Rejection) -> Void = { (_, _) in }

    private static func method(_ name: String, events: [any EventDeclaration] = []) -> Method {
        Method.command(
            name, "Shouts.", access: .signedIn, [], result: .object([]), events: events,
            apply: { (_, _) throws(Rejection) in .done([:]) })
    }

    private static let heard = EventType("shout.heard", "Somebody shouted.", Nothing.self)

    private static func step(_ number: Int, _ table: String, reading: Set<String> = []) -> Migration {
        Migration(
            number: number, name: "shouts", tables: [table], reading: reading,
            sql: "CREATE TABLE \(table) (at INTEGER NOT NULL) STRICT;")
    }

    private static let contradictions = [
        Contradiction(name: "two tables of one name") { [shout(tables: [Table("members")])] },
        Contradiction(name: "two migrations of one number") { [shout(migrations: [step(1, "shouts")])] },
        Contradiction(name: "a part of a migration that there is not") {
            [shout(migrations: [.part(of: 9999, tables: ["shouts"], sql: "SELECT 1;")])]
        },
        Contradiction(name: "a migration that changes another's table") {
            [shout(tables: [Table("shouts")], migrations: [step(9999, "meetings")])]
        },
        Contradiction(name: "a migration that reads another's table") {
            [shout(tables: [Table("shouts")], migrations: [step(9999, "shouts", reading: ["meetings"])])]
        },
        Contradiction(name: "two methods of one name") { [shout(methods: [method("family.show")])] },
        Contradiction(name: "a method that names an event which nobody declares") {
            [shout(methods: [method("shout.aloud", events: [heard])])]
        },
        Contradiction(name: "two events of one name") { [shout(events: [heard]), shout("Echo", events: [heard])] },
        Contradiction(name: "an ear for an event which nobody declares") { [shout(told: ["shout.heard"])] },
        Contradiction(name: "two kinds of inbox lines of one name") { [shout(inboxKinds: [InboxKind("invited")])] },
        Contradiction(name: "a part of a snapshot that is too large") {
            [shout(snapshotBytesMax: Limits.snapshotPartBytesMax + 1)]
        },
        Contradiction(name: "two answers to one question") {
            [shout(hooks: Area.Hooks(hush: { (_, _, _) in }))]
        },
    ]

    @Test func `what contradicts nothing starts`() {
        let areas = [
            Self.shout(
                tables: [Table("shouts")], migrations: [Self.step(9999, "shouts")],
                methods: [Self.method("shout.aloud", events: [Self.heard])], events: [Self.heard],
                told: ["shout.heard"])
        ]
        let registry = areas.reduce(Registry.family) { $0.adding($1) }
        #expect(registry.methods["shout.aloud"] != nil && registry.events["shout.heard"] != nil)
    }

    @Test(arguments: contradictions.indices) func `what contradicts another does not start`(index: Int) async {
        let name = Self.contradictions[index].name
        await #expect(processExitsWith: .failure, "\(name)") { [index] in
            let areas = RegistryCheckTests.contradictions[index].areas()
            _ = areas.reduce(Registry.family) { $0.adding($1) }
        }
    }
}
