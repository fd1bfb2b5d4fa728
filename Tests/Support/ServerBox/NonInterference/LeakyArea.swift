import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import KinStore

@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

/// An area that leaks on purpose, each time in another way: the comparison of worlds has to see it.
enum LeakyArea {
    enum Leak: String, CaseIterable, Sendable {
        /// It does not: only the whisperer hears it.
        case none
        /// An event goes to everybody.
        case event
        /// A question counts what is hidden.
        case answer
        /// A command says of what is hidden that it is there.
        case error
        /// A shared thing moves on with what is hidden.
        case number
    }

    static let registry = Registry.family.adding(area)

    static let area = Area(
        "Leaky", tables: [Table("whispers")],
        migrations: [
            Migration(
                number: (Registry.family.migrations.last?.number ?? 0) + 1, name: "whispers",
                tables: ["whispers"],
                sql: "CREATE TABLE whispers (id BLOB PRIMARY KEY, leak TEXT NOT NULL) STRICT, WITHOUT ROWID;")
        ],
        methods: [whisper, count, touch, number],
        events: [whispered])

    private static let whispered = EventType("leaky.whispered", "Somebody whispered; only they hear it.")

    private static let whisper = Method.command(
        "leaky.whisper", "Whispers.", access: .signedIn, [.required("leak", .line(max: 20))], result: .nothing,
        events: [whispered],
        apply: { (act, params) throws(Rejection) in
            let leak = try params.string("leak")
            let id = act.newIdentifier()
            try act.run("INSERT INTO whispers (id, leak) VALUES (?, ?)", .id(id), .text(leak))
            let roster = try act.roster
            let all = Audience(roster.entries.map(\.number))
            let hearers = leak == "event" ? all : roster.only(try act.member.id)
            try act.emit(whispered, Nothing(), about: "whisper/\(id)", to: hearers)
            return .done([:])
        })

    private static func whispers(_ leak: String, _ act: Act) throws(Rejection) -> Int64 {
        try act.first("SELECT count(*) FROM whispers WHERE leak = ?", .text(leak)) { row in row.int(0) } ?? 0
    }

    private static let count = Method.query(
        "leaky.count", "Counts.", access: .signedIn, result: .object([.required("count", .integer(0...99))]),
        apply: { (act, _) throws(Rejection) in .done(["count": .int(try whispers("answer", act))]) })

    private static let touch = Method.command(
        "leaky.touch", "Does something about a thing.", access: .signedIn, [.required("whisper", .id)],
        result: .nothing, events: [],
        apply: { (act, params) throws(Rejection) in
            let id = try params.id("whisper")
            guard try whispers("error", act) == 0 else { throw Rejection(.forbidden, "This whisper is not yours.") }
            throw Rejection.notFound("whisper", id.description, field: "whisper")
        })

    private static let number = Method.query(
        "leaky.number", "The next number.", access: .signedIn, result: .object([.required("next", .line(max: 20))]),
        apply: { (act, _) throws(Rejection) in
            .done(["next": .string("number \(try whispers("number", act) + 1)")])
        })
}
