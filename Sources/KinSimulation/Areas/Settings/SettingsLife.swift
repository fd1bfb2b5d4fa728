import KinModel

/// How the members of the box want clients to look.
final class SettingsLife: SimulatedArea {
    let weight = 1
    let lists = [ListQuestion(method: "settings.show", part: "settings")]

    func idea(_ world: World, _ who: Int, _ op: String) -> World.Idea {
        let value: JSON =
            switch world.dice.below(5) {
            case 0: ["language": world.dice.once(in: 2) ? "de" : .null]
            case 1: ["textSize": .int(8 + Int64(world.dice.below(41)))]
            case 2: ["tabs": .array(["map", "meetings", "contacts"].filter { _ in world.dice.once(in: 2) })]
            case 3: ["leftOut": .array(["toDecide", "birthdays"].filter { _ in world.dice.once(in: 2) })]
            default: ["theme": "dark", "zone": "Europe/Berlin", "weekStart": "monday", "clock": "hours12"]
            }
        return (who, "settings.set", value)
    }
}
