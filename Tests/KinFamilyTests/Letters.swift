import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import KinStore

@testable import KinActivity
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

/// An area of the tests' own, as small as one is that shares something: letters, which people show to whom they like.
enum Letters {
    static let registry = Registry.family.adding(area)

    static let shared = SharedThings(
        "letters", column: "letter", members: "letter_members", sight: "letter_sight"
    ) { (act, number, change) throws(Rejection) in try tell(number, change, act) }

    static let area = Area(
        "Letters", tables: [Table("letters"), Table("letter_members"), Table("letter_sight")],
        migrations: [
            Migration(
                number: (Registry.family.migrations.last?.number ?? 0) + 1, name: "letters",
                tables: ["letters", "letter_members", "letter_sight"],
                sql: """
                    CREATE TABLE letters (
                        number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, owner BLOB NOT NULL,
                        audience TEXT NOT NULL, household BLOB
                    ) STRICT;
                    """
                        + SharedThings.sql(
                            "letters", column: "letter", members: "letter_members", sight: "letter_sight"))
        ],
        methods: [write, share, show],
        events: [shown, hidden],
        shared: [shared],
        life: Area.Life(
            deleteOwned: { (act, member) throws(Rejection) in
                try act.run("DELETE FROM letters WHERE owner = ?", .id(member))
            }))

    private static let shown = EventType(
        "letter.shown", "To each who sees the letter from now on.", Named.self, sight: .gives)
    private static let hidden = EventType(
        "letter.hidden", "To each who sees the letter no longer.", Named.self, sight: .takes, clears: { _ in [] })

    /// The letter, by its identifier.
    private struct Named: WireRecord {
        let letter: Identifier

        static let fields = Fields(nil, Named.init(letter:), .required("letter", \.letter, .id))
    }

    private static let named = Named.shape
    private static let audience = Field.required("audience", SharedWith.shape, SharedWith.summary)

    private static let write = Method.command(
        "letter.write", "Writes a letter.", access: .signedIn, [audience], result: named, events: [shown],
        apply: { (act, params) throws(Rejection) in
            let (id, owner) = (act.newIdentifier(), try act.member)
            try act.run("INSERT INTO letters (id, owner, audience) VALUES (?, ?, '')", .id(id), .id(owner.id))
            try share(id, params, act)
            return .done(["letter": .id(id)], ids: [id])
        })

    private static let share = Method.command(
        "letter.share", "Shares a letter with others.", access: .signedIn, [.required("letter", .id), audience],
        result: .nothing, events: [shown, hidden],
        apply: { (act, params) throws(Rejection) in
            try share(try params.id("letter"), params, act)
            return .done([:])
        })

    private static let show = Method.query(
        "letter.show", "With whom a letter is shared.", access: .signedIn, [.required("letter", .id)],
        result: .object([audience]),
        apply: { (act, params) throws(Rejection) in
            .done(["audience": try find("id = ?", .id(try params.id("letter")), act)?.with.json ?? .null])
        })

    private static func share(_ id: Identifier, _ params: Params, _ act: Act) throws(Rejection) {
        guard let letter = try find("id = ?", .id(id), act) else { return }
        let member = try act.member
        let with = try SharedWith(params["audience"] ?? .null, household: member.household, act)
        try shared.save(with, of: letter.number, act)
        try tell(letter.number, try shared.settle(letter.number, of: letter.owner, with, act), act)
    }

    struct Letter {
        let number: Int64
        let id: Identifier
        let owner: Identifier
        let with: SharedWith
    }

    private static func find(_ rule: String, _ value: Value, _ act: Act) throws(Rejection) -> Letter? {
        let database = act.database
        return try act.first("SELECT number, id, owner, audience, household FROM letters WHERE \(rule)", value) {
            (row) throws(StoreFailure) in
            let number = row.int(0)
            let with = try SharedWith(word: row.text(3), household: row.optionalIdentifier(4)) {
                () throws(StoreFailure) in try shared.members(of: number, database)
            }
            return Letter(number: number, id: row.identifier(1), owner: row.identifier(2), with: with)
        }
    }

    private static func tell(_ number: Int64, _ change: SharedThings.Change, _ act: Act) throws(Rejection) {
        guard let letter = try find("number = ?", .int(number), act) else { return }
        try act.emit(shown, .init(letter: letter.id), about: "letter/\(letter.id)", to: change.gained)
        try act.emit(hidden, .init(letter: letter.id), about: "letters", to: change.lost)
    }
}
