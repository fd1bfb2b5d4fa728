import KinClient
import KinModel

/// What people in the box do. Not all of it is allowed, and not all of it makes sense any more when it arrives.
extension World {
    /// Who does something, by which method, with which parameters.
    typealias Idea = (who: Int, method: String, params: JSON)

    /// Something to do.
    func idea(_ who: Int, _ op: String) -> Idea {
        switch dice.below(20) {
        case 0..<6: meetingIdea(who, op)
        case 6, 7: inboxIdea(who)
        case 8..<14: mapIdea(who, op)
        default: familyIdea(who, op)
        }
    }

    private func familyIdea(_ who: Int, _ op: String) -> Idea {
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

    /// What somebody has on the screen.
    func view(of who: Int) -> Snapshot? {
        clients.first { $0.member == people[who].id }?.follower.snapshot ?? nil
    }

    // MARK: Inboxes

    private func inboxIdea(_ who: Int) -> Idea {
        let entries = view(of: who)?.inbox.entries ?? []
        switch dice.below(8) {
        case 0, 1: return (who, "activity.read", ["upTo": .time(Instant(milliseconds: time.trueMilliseconds()))])
        case 2...3 where !entries.isEmpty:
            return (who, "activity.read", ["upTo": .id(dice.pick(entries).id)])
        case 4...5 where !entries.isEmpty:
            return (who, "activity.dismiss", ["id": .id(dice.pick(entries).id)])
        case 6: return (who, "activity.setRules", ["quiet": dice.once(in: 2) ? quietHours() : .null])
        default:
            let kinds = ["invited", "voted", "newDevice", "meetingChanged", "confirmed"]
            let mute = JSON.array(kinds.filter { _ in dice.once(in: 3) }.map { .string($0) })
            return (who, "activity.setRules", ["mute": mute])
        }
    }

    /// Quiet hours that end in a minute or two.
    private func quietHours() -> JSON {
        let minutes = time.trueMilliseconds() / 60_000
        func clock(_ minute: Int64) -> JSON {
            let (hour, minute) = (minute / 60 % 24, minute % 60)
            return .string((hour < 10 ? "0" : "") + "\(hour):" + (minute < 10 ? "0" : "") + "\(minute)")
        }
        return ["from": clock(minutes - 5), "to": clock(minutes + 1 + Int64(dice.below(2))), "zone": "Etc/UTC"]
    }
}
