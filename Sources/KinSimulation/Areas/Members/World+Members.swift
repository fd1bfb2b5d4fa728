import KinClient
import KinModel

extension World {
    /// What happens on any day: among members, and of other areas what everybody does. (It is one table, with its dice in
    /// their order, so that a seed that once found something still does the same.)
    func familyIdea(_ who: Int, _ op: String) -> Idea {
        let other = people[1 + dice.below(people.count - 1)]
        let households = clients[0].follower.snapshot.map { $0.households.keys.sorted() } ?? []
        switch dice.below(20) {
        case 0..<6: return (0, "activity.announce", ["text": .string("said \(op)")])
        case 6..<10: return (who, "position.report", point(who))
        case 10, 11: return (who, "sharing.set", ["state": dice.once(in: 2) ? "on" : "off"])
        case 12:
            let role = dice.pick(["guest", "member", "head"])
            return (0, "member.setRole", ["member": .id(other.id), "role": .string(role)])
        case 13:
            return (
                who, "member.update", ["member": .id(people[who].id), "displayName": .string("N\(dice.below(100))")]
            )
        case 14: return (who, "household.found", ["name": .string("H\(dice.below(100))")])
        case 15 where !households.isEmpty:
            return (0, "household.move", ["member": .id(other.id), "household": .id(dice.pick(households))])
        case 16 where !households.isEmpty:
            return (
                0, "household.rename",
                ["household": .id(dice.pick(households)), "name": .string("R\(dice.below(100))")]
            )
        case 17: return (0, "member.relate", ["member": .id(people[0].id), "parentOf": .id(other.id)])
        case 18 where dice.once(in: 6):
            leaving.insert("cleo")
            let keep = JSON.string(dice.pick(["delete", "hand-over"]))
            return (0, "member.remove", ["member": .id(people[2].id), "keep": keep])
        default:
            let until = Instant(milliseconds: time.trueMilliseconds() + Int64(dice.below(60_000)))
            return (who, "sharing.set", ["state": "on", "until": .time(until)])
        }
    }
}
