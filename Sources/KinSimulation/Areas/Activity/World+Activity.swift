import KinModel

/// What people in the box do with what they are told.
extension World {
    func inboxIdea(_ who: Int) -> Idea {
        let entries = view(of: who)?.inbox.entries ?? []
        switch dice.below(12) {
        case 0, 1: return (who, "activity.read", ["upTo": .time(Instant(milliseconds: time.trueMilliseconds()))])
        case 2...3 where !entries.isEmpty:
            return (who, "activity.read", ["upTo": .id(dice.pick(entries).id)])
        case 4...5 where !entries.isEmpty:
            return (who, "activity.dismiss", ["id": .id(dice.pick(entries).id)])
        case 6: return (who, "activity.setRules", ["quiet": dice.once(in: 2) ? quietHours() : .null])
        case 7: return (who, "activity.dismiss", ["upTo": .time(Instant(milliseconds: time.trueMilliseconds()))])
        case 8, 9:
            let hearers = people.filter { _ in dice.once(in: 3) }.map { JSON.id($0.id) }
            let text = JSON.string("said \(dice.below(1 << 30))")
            guard dice.once(in: 2), !hearers.isEmpty else { return (who, "activity.say", ["text": text]) }
            return (who, "activity.say", ["text": text, "to": .array(hearers)])
        case 10:
            let said = entries.compactMap { $0.about.hasPrefix("said/") ? Identifier($0.about.dropFirst(5)) : nil }
            guard !said.isEmpty else { return (who, "activity.say", ["text": "nothing"]) }
            // Who wrote it may; others are refused.
            let (speaker, id) = (dice.below(people.count), JSON.id(dice.pick(said)))
            if dice.once(in: 2) { return (speaker, "activity.withdraw", ["id": id]) }
            return (speaker, "activity.correct", ["id": id, "text": "corrected"])
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
