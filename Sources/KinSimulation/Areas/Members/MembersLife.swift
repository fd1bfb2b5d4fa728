import KinKeeper
import KinMembers
import KinModel
import KinStore

/// Who is in the family of the box.
final class MembersLife: SimulatedArea {
    let weight = 6
    let lists = [ListQuestion(method: "member.list", part: "members")]

    func idea(_ world: World, _ who: Int, _ op: String) -> World.Idea { world.familyIdea(who, op) }

    /// Passwords cost a tenth of a second each; the box has no thieves.
    func quick(_ work: any SlowWork) -> SlowResult? {
        switch work {
        case PasswordWork.newPassword: .passwordHash("box", replacing: nil)
        case PasswordWork.checkPassword(_, let encoded): .passwordMatched(true, encoded: encoded)
        default: nil
        }
    }

    func sight(_ daemon: SimulatedDaemon) throws(StoreFailure) -> [String: (Onlooker, Identifier) ->
        Bool]
    {
        var households: [Identifier: Identifier] = [:]
        for one in try daemon.onlookers() { households[one.id] = one.household }
        return [
            "member": { (owner, id) in
                owner.role != "guest" || households[id] == nil || households[id] == owner.household
            },
            "session": { _, _ in true },
        ]
    }

    func belongings(_ daemon: SimulatedDaemon) throws(StoreFailure) -> [Belongings] {
        var sessions = Belongings(what: "the session", takers: ["session.", "member.", "password.", "family."])
        _ = try daemon.reader.rows("SELECT id FROM sessions") { row in
            sessions.ends[Belongings.key(row.identifier(0))] = .latest
        }
        return [sessions]
    }
}
