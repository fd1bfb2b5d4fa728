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
                who, "profile.update", ["entry": .id(world.dice.pick(own).id), "audience": SharedSight.audience(world)]
            )
        case 4:
            return (
                who, "profile.add", ["kind": "birthday", "value": "--02-29", "audience": SharedSight.audience(world)]
            )
        case 5:
            return (
                who, "profile.add", ["kind": "about", "value": .string(op), "audience": SharedSight.audience(world)]
            )
        default:
            return (
                who, "profile.add", ["kind": "link", "value": .string(op), "audience": SharedSight.audience(world)]
            )
        }
    }

    private static let shared = SharedSight(
        "profile_entries", column: "entry", named: "profile_named", seen: "profile_sight")

    func sight(_ daemon: SimulatedDaemon) throws(StoreFailure) -> [String: (Onlooker, Identifier) ->
        Bool]
    { ["profile": try Self.shared.isSeen(daemon)] }

    /// What is written down of who sees what is what the rules say.
    func books(_ world: World, _ daemon: SimulatedDaemon) throws(StoreFailure) -> Finding? {
        try Self.shared.fault(daemon, "profiles")
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
