import KinModel

/// The devices of the members of the box.
final class NoticesLife: SimulatedArea {
    private var devices: [Identifier] = []
    let weight = 1

    func idea(_ world: World, _ who: Int, _ op: String) -> World.Idea {
        let device = devices.isEmpty ? Identifier(high: 0, low: 0) : devices[world.dice.below(devices.count)]
        switch world.dice.below(8) {
        case 0...2: return (who, "notice.add", ["name": "Phone", "discreet": .bool(world.dice.once(in: 2))])
        case 3: return (who, "notice.test", ["device": .id(device)])
        case 4: return (who, "notice.change", ["device": .id(device), "name": "Tablet"])
        case 5:
            // Of whoever it is: what is in no inbox of the member's own is not put off.
            return (who, "notice.snooze", ["entry": .id(device), "minutes": .int(Int64(1 + world.dice.below(90)))])
        case 6:
            let quiet: JSON = ["from": "00:00", "to": "23:59", "zone": "UTC"]
            return (
                who, "activity.setRules",
                ["device": .id(device), "mute": ["said"], "quiet": world.dice.once(in: 2) ? quiet : .null]
            )
        default: return (who, "notice.remove", ["device": .id(device)])
        }
    }

    func answered(_ method: String, _ result: JSON) {
        if method == "notice.add", let device = result["device"]?["id"]?.identifier { devices.append(device) }
    }
}
