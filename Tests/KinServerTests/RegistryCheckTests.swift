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
        _ name: String = "Shout", view: String? = nil, tables: [Table] = [], migrations: [Migration] = [],
        methods: [Method] = [], events: [any EventDeclaration] = [], due: [String] = [], dueInDoubt: Set<String> = [],
        inbox: [InboxRule] = [], inboxKinds: [InboxKind] = [], told: [String] = [], sees: [String] = [],
        answers: [String] = [], memories: [any AreaMemory.Type] = [], quotas: [Quota] = [], sums: [FamilySum] = [],
        hooks: Area.Hooks = Area.Hooks(), formats: [Area.Format] = [], searched: [Searched] = [],
        snapshot: [Field] = [], snapshotBytesMax: Int = 0
    ) -> Area {
        Area(
            name, view: view, tables: tables, migrations: migrations, methods: methods, events: events,
            due: Dictionary(uniqueKeysWithValues: due.map { ($0, deed) }), dueInDoubt: dueInDoubt,
            told: Dictionary(uniqueKeysWithValues: told.map { ($0, hear) }), inbox: inbox, inboxKinds: inboxKinds,
            sees: Dictionary(uniqueKeysWithValues: sees.map { ($0, sight) }),
            answers: Dictionary(uniqueKeysWithValues: answers.map { ($0, silent) }), memories: memories,
            quotas: quotas, sums: sums, hooks: hooks, formats: formats, searched: searched, snapshot: snapshot,
            snapshotBytesMax: snapshotBytesMax)
    }

    private static let hear: @Sendable (Act, Told) throws(Rejection) -> Void = { (_, _) in }
    private static let deed: @Sendable (Act, String) throws(Rejection) -> Void = { (_, _) in }
    private static let sight: @Sendable (Act, Identifier, Roster.Entry) throws(Rejection) -> Bool? = { (_, _, _) in nil
    }
    private static let silent: @Sendable (Act, Identifier, Roster.Entry) throws(Rejection) -> [InboxAnswer] = {
        (_, _, _) in []
    }

    private static func method(
        _ name: String = "shout.aloud", route: Route? = nil, events: [any EventDeclaration] = []
    ) -> Method {
        Method.command(
            name, "Shouts.", access: .signedIn, [.optional("words", .list(.id, max: 9))], result: .object([]),
            route: route, events: events, apply: { (_, _) throws(Rejection) in .done([:]) })
    }

    private static func found(_ kind: String, in table: String) -> Searched {
        Searched(
            kind, table: table, read: { (_, _) throws(StoreFailure) in nil }, seen: { (_, _) throws(Rejection) in [] })
    }

    private static func sum(_ name: String) -> FamilySum { FamilySum(name) { (_) throws(Rejection) in 0 } }

    /// What an area keeps in memory.
    private final class Echoes: AreaMemory {
        func turn(_ turn: Turn) {}
        func forget() {}
    }

    private static let heard = EventType("shout.heard", "Somebody shouted.", Nothing.self)

    private static func step(_ number: Int, _ table: String, reading: Set<String> = []) -> Migration {
        Migration(
            number: number, name: "shouts", tables: [table], reading: reading,
            sql: "CREATE TABLE \(table) (at INTEGER NOT NULL) STRICT;")
    }

    /// What only one may have.
    private static let ofNames: [Contradiction] = [
        Contradiction(name: "two tables of one name") { [shout(tables: [Table("members")])] },
        Contradiction(name: "two migrations of one number") { [shout(migrations: [step(1, "shouts")])] },
        Contradiction(name: "two events of one name") { [shout(events: [heard]), shout("Echo", events: [heard])] },
        Contradiction(name: "two things that pass of one name") {
            [
                Area(
                    "Shout", tables: [], migrations: [], methods: [], events: [],
                    passing: [PassingType("message.typing")])
            ]
        },
        Contradiction(name: "two kinds of inbox lines of one name") { [shout(inboxKinds: [InboxKind("invited")])] },
        Contradiction(name: "two areas of one name") { [shout("Meetings")] },
        Contradiction(name: "another's due work") { [shout(due: ["meeting.closes"])] },
        Contradiction(name: "the mechanism's due work") { [shout(due: ["restored"])] },
        Contradiction(name: "the sight of another's things") { [shout(sees: ["meeting"])] },
        Contradiction(name: "answers to another's things") { [shout(answers: ["meeting"])] },
        Contradiction(name: "a memory of two areas") {
            [shout(memories: [Echoes.self]), shout("Echo", memories: [Echoes.self])]
        },
        Contradiction(name: "two quotas of one name") { [shout(quotas: [Quota("meetings")])] },
        Contradiction(name: "two sums of one name") { [shout(sums: [sum("meetings")])] },
        Contradiction(name: "two formats of one name") { [shout(formats: [Area.Format("film") { (_, _) in }])] },
        Contradiction(name: "found things of one kind") {
            [
                shout(
                    tables: [Table("shouts")], migrations: [step(9999, "shouts")],
                    searched: [found("post", in: "shouts")])
            ]
        },
        Contradiction(name: "two methods of one name") { [shout(methods: [method("family.show")])] },
        Contradiction(name: "two parts of a snapshot of one name") {
            [shout(view: "shouts", snapshot: [.required("places", .any)], snapshotBytesMax: 10)]
        },
        Contradiction(name: "two answers to one question") {
            [shout(hooks: Area.Hooks(hush: { (_, _, _) in }))]
        },
    ]

    /// What an area says otherwise elsewhere.
    private static let ofAreas: [Contradiction] = [
        Contradiction(name: "a part of a migration that there is not") {
            [shout(migrations: [.part(of: 9999, tables: ["shouts"], sql: "SELECT 1;")])]
        },
        Contradiction(name: "a migration that changes another's table") {
            [shout(tables: [Table("shouts")], migrations: [step(9999, "meetings")])]
        },
        Contradiction(name: "a migration that reads another's table") {
            [shout(tables: [Table("shouts")], migrations: [step(9999, "shouts", reading: ["meetings"])])]
        },
        Contradiction(name: "an ear for an event which nobody declares") { [shout(told: ["shout.heard"])] },
        Contradiction(name: "work in doubt that never falls due") { [shout(dueInDoubt: ["shout.ends"])] },
        Contradiction(name: "a rule for an inbox of an event which nobody declares") {
            [
                shout(
                    inbox: [InboxRule(heard, InboxKind("shouted"), .audience)],
                    inboxKinds: [InboxKind("shouted")])
            ]
        },
        Contradiction(name: "a rule for an inbox of lines which nobody declares") {
            [shout(events: [heard], inbox: [InboxRule(heard, InboxKind("shouted"), .audience)])]
        },
        Contradiction(name: "an event that nobody loses sight by, and inboxes do") {
            [shout(events: [EventType("shout.heard", "Somebody shouted.", Nothing.self, clears: { _ in [] })])]
        },
        Contradiction(name: "a sum of the name of a quota's") { [shout(sums: [sum("pointsToday")])] },
        Contradiction(name: "words looked for in another's table") {
            [shout(searched: [found("shout", in: "meeting_slots")])]
        },
        Contradiction(name: "a view that is closed and open") { [shout(view: "map")] },
        Contradiction(name: "a part of a snapshot without a bound") {
            [shout(view: "shouts", snapshot: [.required("shouts", .any)])]
        },
        Contradiction(name: "a moment dated in two ways") {
            [shout(tables: [Table("shouts", dated: ["at"], ahead: ["at"])], migrations: [step(9999, "shouts")])]
        },
        Contradiction(name: "a table about nobody that lets somebody in") {
            [shout(tables: [Table("shouts", isKept: true, givesWayIn: true)], migrations: [step(9999, "shouts")])]
        },
        Contradiction(name: "a part of a snapshot that is too large") {
            [shout(snapshotBytesMax: Limits.snapshotPartBytesMax + 1)]
        },
    ]

    /// What a method says otherwise elsewhere.
    private static let ofMethods: [Contradiction] = [
        Contradiction(name: "a method that names an event which nobody declares") {
            [shout(methods: [method("shout.aloud", events: [heard])])]
        },
        Contradiction(name: "a long list that is no parameter") { [shout(methods: [method().doneInTurns("shouts")])] },
        Contradiction(name: "a body that is no parameter") { [shout(methods: [method().takingList(as: "shouts")])] },
        Contradiction(name: "a file that is no parameter") {
            [shout(methods: [method().takingParcel(as: "shout", bytesMax: 9)])]
        },
        Contradiction(name: "a route with what is no parameter") {
            [shout(methods: [method(route: Route("PUT", "/api/shouts/{shout}"))])]
        },
        Contradiction(name: "a route of a method for gateways") {
            [shout(methods: [method(route: Route("PUT", "/api/shouts")).forGateways()])]
        },
        Contradiction(name: "a method that signs in and out") {
            [shout(methods: [method().openingSession().closingSession()])]
        },
        Contradiction(name: "a command that lists") { [shout(methods: [method().listing()])] },
    ]

    private static let contradictions = ofNames + ofAreas + ofMethods

    @Test func `what contradicts nothing starts`() {
        let areas = [
            Self.shout(
                view: "shouts", tables: [Table("shouts", dated: ["at"])], migrations: [Self.step(9999, "shouts")],
                methods: [
                    Self.method(route: Route("PUT", "/api/shouts/{words}"), events: [Self.heard]).doneInTurns("words")
                        .takingList(as: "words").openingSession()
                ], events: [Self.heard], due: ["shout.ends"], dueInDoubt: ["shout.ends"],
                inbox: [InboxRule(Self.heard, InboxKind("shouted"), .audience)], inboxKinds: [InboxKind("shouted")],
                told: ["shout.heard"], sees: ["shout"], answers: ["shout"], memories: [Echoes.self],
                quotas: [Quota("shouts", today: "shoutsToday")], sums: [Self.sum("shouts")],
                formats: [Area.Format("shout") { (_, _) in }], searched: [Self.found("shout", in: "shouts")],
                snapshot: [.required("shouts", .any)], snapshotBytesMax: 10)
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
