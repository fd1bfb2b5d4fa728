import KinModel
import KinStore

/// Who sees the things of a table that people share with an audience, by the rules and not by what is written down of it.
struct SharedSight {
    /// The things' table, what a thing's number is called in the two beside it, and these.
    let (table, column, named, seen): (String, String, String, String)

    /// Whether guests see only what names them.
    let isForGuestsByName: Bool
    /// Of which rows `t` of the things' table nobody sees anything any more.
    let gone: String

    init(
        _ table: String, column: String, named: String, seen: String, isForGuestsByName: Bool = false,
        gone: String = "FALSE"
    ) {
        (self.table, self.column, self.named, self.seen) = (table, column, named, seen)
        (self.isForGuestsByName, self.gone) = (isForGuestsByName, gone)
    }

    private struct Shared {
        let owner: Identifier
        let audience: String
        let household: Identifier?
        var named: Set<Identifier> = []
    }

    /// Whether somebody sees a thing.
    func isSeen(_ daemon: SimulatedDaemon) throws(StoreFailure) -> (Onlooker, Identifier) -> Bool {
        var things: [Identifier: Shared] = [:]
        _ = try daemon.reader.rows(
            """
            SELECT t.id, t.owner, CASE WHEN \(gone) THEN '' ELSE t.audience END AS audience, t.household FROM \(table) t
            """
        ) { row in
            things[row.identifier("id")] = Shared(
                owner: row.identifier("owner"), audience: row.text("audience"),
                household: row.optionalIdentifier("household"))
        }
        _ = try daemon.reader.rows(
            "SELECT t.id, n.member FROM \(named) n JOIN \(table) t ON t.number = n.\(column)"
        ) { row in _ = things[row.identifier("id")]?.named.insert(row.identifier("member")) }
        return { reader, id in
            guard let thing = things[id] else { return false }
            if thing.owner == reader.id { return true }
            return switch thing.audience {
            case "everyone": reader.role != "guest"
            case "household":
                thing.household == reader.household && !(isForGuestsByName && reader.role == "guest")
            default: thing.named.contains(reader.id)
            }
        }
    }

    /// Somebody of whom it is written down otherwise than the rules say.
    func fault(_ daemon: SimulatedDaemon, _ checker: String) throws(StoreFailure) -> Finding? {
        let isSeen = try isSeen(daemon)
        let written = Set(
            try daemon.reader.rows(
                "SELECT t.id, s.member FROM \(seen) s JOIN \(table) t ON t.number = s.\(column) WHERE NOT (\(gone))"
            ) { row in "\(row.identifier("id")) \(row.identifier("member"))" })
        // Who saw what is about to go, and is in nobody's sight, goes with it.
        let left = try daemon.reader.rows("SELECT t.id FROM \(table) t WHERE NOT (\(gone))") { row in
            row.identifier(0)
        }
        for id in left {
            for reader in try daemon.onlookers() where isSeen(reader, id) != written.contains("\(id) \(reader.id)") {
                return Finding(
                    checker: checker, what: "\(reader.username) sees \(id) of \(table) otherwise than its audience says"
                )
            }
        }
        return nil
    }

    /// Some audience or other.
    static func audience(_ world: World) -> JSON {
        switch world.dice.below(4) {
        case 0: "everyone"
        case 1: "household"
        default: .array(world.people.filter { _ in world.dice.once(in: 3) }.map { .id($0.id) })
        }
    }
}
