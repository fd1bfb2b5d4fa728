import KinCrypto
import KinFamily
import KinKeeper
import KinModel
import KinStore

/// What announcements ask of the database, without anything around it: nothing parsed, judged or sent.
final class Statements {
    private let store: Store
    private let member: Identifier
    private let session: Identifier
    private let text: String
    private let audience = Audience([1])

    init(_ path: String, text: String = "Dinner is at seven, bring the good knives.") throws(Trouble) {
        let now = Instant(milliseconds: Clock.wallMilliseconds)
        store = try attempt { try Store(directory: path, migrations: Registry.family.migrations, now: now) }
        let founded = try Founding(store, now: now)
        (member, session) = (founded.member, founded.session)
        self.text = text
    }

    /// So many announcements in one transaction, which is synced; answers the microseconds it took.
    @discardableResult
    func turn(_ count: Int) throws(Trouble) -> Double {
        let start = Clock.microseconds
        try attempt {
            let now = Instant(milliseconds: Clock.wallMilliseconds)
            try store.beginTurn()
            for _ in 0..<count { try one(now) }
            try store.commitTurn()
        }
        let took = Clock.microseconds - start
        store.afterTurn(idle: true, now: Instant(milliseconds: Clock.wallMilliseconds))
        return took
    }

    private func one(_ now: Instant) throws(StoreFailure) {
        let database = store.database
        try database.savepoint("act")
        _ = try database.first(
            """
            SELECT s.id, s.used_at, m.id AS member, m.number, m.role, m.kind, m.household
            FROM sessions s JOIN members m ON m.id = s.member WHERE s.id = ?
            """, .id(session)
        ) { (row) throws(StoreFailure) in
            (row.instant("used_at"), row.identifier("member"), row.int("number"), row.text("role"))
        }
        let random = Randomness.uint64()
        let id = Identifier(at: now, random: (random, random &* 3))
        try database.run(
            "INSERT INTO announcements (id, by, at, text, seq, author) VALUES (?, ?, ?, ?, ?, ?)", .id(id),
            .id(member), .time(now), .text(text), .int(store.log.position + 1), .id(member))
        let about = "announcement/\(id)"
        _ = try store.log.append(
            at: now, type: "activity.announced", by: member, about: about, key: nil, audience: audience, salt: random,
            payload: Event.payload(
                type: "activity.announced", at: now, by: member, about: about, data: ["text": .string(text)]))
        try database.release("act")
    }
}
