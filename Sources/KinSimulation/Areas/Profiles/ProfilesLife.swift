import KinModel
import KinStore

/// What the members of the box say of themselves.
final class ProfilesLife: SimulatedArea {
    let weight = 2
    let lists = [ListQuestion(method: "profile.list", part: "profiles")]

    func idea(_ world: World, _ who: Int, _ op: String) -> World.Idea {
        let own = (world.view(of: who)?.profiles.values.filter { $0.member == world.people[who].id } ?? [])
            .sorted { $0.id < $1.id }
        switch world.dice.below(own.count > 8 ? 3 : 8) {
        case 0 where !own.isEmpty: return (who, "profile.remove", ["entry": .id(world.dice.pick(own).id)])
        case 1...3 where !own.isEmpty:
            return (
                who, "profile.update", ["entry": .id(world.dice.pick(own).id), "audience": audience(world)]
            )
        case 4: return (who, "profile.add", ["kind": "birthday", "value": "--02-29", "audience": audience(world)])
        case 5: return (who, "profile.add", ["kind": "about", "value": .string(op), "audience": audience(world)])
        default: return (who, "profile.add", ["kind": "link", "value": .string(op), "audience": audience(world)])
        }
    }

    private func audience(_ world: World) -> JSON {
        switch world.dice.below(4) {
        case 0: "everyone"
        case 1: "household"
        default: .array(world.people.filter { _ in world.dice.once(in: 3) }.map { .id($0.id) })
        }
    }

    /// Who sees which entry, by the rules and not by what is written down of it.
    func sight(_ daemon: SimulatedDaemon) throws(StoreFailure) -> [String: (Onlooker, Identifier) ->
        Bool]
    {
        var entries: [Identifier: Shared] = [:]
        _ = try daemon.reader.rows("SELECT id, owner, audience, household FROM profile_entries") { row in
            entries[row.identifier("id")] = Shared(
                owner: row.identifier("owner"), audience: row.text("audience"),
                household: row.optionalIdentifier("household"))
        }
        _ = try daemon.reader.rows(
            "SELECT e.id, n.member FROM profile_named n JOIN profile_entries e ON e.number = n.entry"
        ) { row in _ = entries[row.identifier(0)]?.named.insert(row.identifier(1)) }
        return [
            "profile": { (reader, id) in
                guard let entry = entries[id] else { return false }
                if entry.owner == reader.id { return true }
                return switch entry.audience {
                case "everyone": reader.role != "guest"
                case "household": entry.household == reader.household
                default: entry.named.contains(reader.id)
                }
            }
        ]
    }

    private struct Shared {
        let owner: Identifier
        let audience: String
        let household: Identifier?
        var named: Set<Identifier> = []
    }

    /// What is written down of who sees what is what the rules say.
    func books(_ world: World, _ daemon: SimulatedDaemon) throws(StoreFailure) -> Finding? {
        guard let isSeen = try sight(daemon)["profile"] else { return nil }
        let seen = Set(
            try daemon.reader.rows(
                "SELECT e.id, s.member FROM profile_sight s JOIN profile_entries e ON e.number = s.entry"
            ) { row in "\(row.identifier(0)) \(row.identifier(1))" })
        for id in try daemon.reader.rows("SELECT id FROM profile_entries", map: { row in row.identifier(0) }) {
            for reader in try daemon.onlookers() where isSeen(reader, id) != seen.contains("\(id) \(reader.id)") {
                return Finding(
                    checker: "profiles",
                    what: "\(reader.username) sees the entry \(id) otherwise than its audience says")
            }
        }
        return nil
    }

    func twice(_ daemon: SimulatedDaemon) throws(StoreFailure) -> String? {
        try daemon.reader.first(
            "SELECT value FROM profile_entries WHERE kind = 'link' GROUP BY value HAVING count(*) > 1"
        ) { row in row.text(0) }
    }

    func spoil(_ fault: Fault, _ events: [LogRow]) -> [String] {
        fault == .profileOfAnother
            ? ["INSERT OR IGNORE INTO profile_sight SELECT m.id, e.number FROM members m, profile_entries e"] : []
    }
}

extension Fault {
    /// Everybody is written down as seeing every entry of a profile.
    public static let profileOfAnother = Fault("profileOfAnother")
}
