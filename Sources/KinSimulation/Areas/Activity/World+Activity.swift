import KinModel

/// What people in the box do with what they are told.
extension World {
    func inboxIdea(_ who: Int) -> Idea {
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
