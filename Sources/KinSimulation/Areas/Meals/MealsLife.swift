import KinModel
import KinStore

/// What the members of the box plan to eat.
final class MealsLife: SimulatedArea {
    let weight = 3
    /// A week far enough ahead to be in every snapshot, whatever the clock does.
    private static let days = (1...7).map { "2027-09-0\($0)" }
    let lists = [
        ListQuestion(
            method: "meal.list", params: ["from": .string(days[0]), "to": .string(days[6])], part: "meals"),
        ListQuestion(method: "dish.list", params: ["limit": 200], kept: KeptDishes.self),
        ListQuestion(
            method: "menu.list", params: ["from": .string(days[0]), "to": .string(days[6])], kept: KeptMenus.self),
    ]
    /// Of a kitchen of which nobody says anything else.
    var stock: [(method: String, params: JSON)] {
        let dishes: JSON = [["text": "Stew", "price": "3.20"], ["text": "Dumplings"]]
        let day: JSON = ["date": .string(Self.days[6]), "dishes": dishes]
        return [
            ("dish.add", ["title": "Porridge", "servings": 2, "ingredients": ["200 g oats"]]),
            ("dish.add", ["title": "Goulash", "servings": 4, "minutes": 90, "ingredients": ["1 kg beef"]]),
            ("menu.set", ["source": "Kindergarten", "days": [day]]),
        ]
    }
    /// Dishes that answers told of; they may be gone.
    private var dishes: [Identifier] = []
    private static let mostDishes = 12

    func idea(_ world: World, _ who: Int, _ op: String) -> World.Idea {
        let seen = (world.view(of: who)?.meals.values ?? [:].values).sorted { $0.id < $1.id }
        let dice = world.dice.below(23)
        if dice > 19 { return menu(world, who, op) }
        if dishes.isEmpty, world.dice.once(in: 2) { return addDish(who, op) }
        guard !seen.isEmpty, dice > 3 else { return plan(world, who, op) }
        let meal = world.dice.pick(seen)
        let id = JSON.id(meal.id)
        switch dice {
        case 4: return (who, "meal.remove", ["meal": id])
        case 5...6: return (who, "meal.put", ["meal": id, "audience": SharedSight.audience(world)])
        case 7: return (who, "meal.put", ["meal": id, "date": .string(world.dice.pick(Self.days))])
        case 8: return (who, "meal.put", ["meal": id, "cook": .id(world.dice.pick(world.people).id)])
        case 9: return (who, "meal.cook", ["meal": id, "cooks": .bool(world.dice.once(in: 2))])
        case 10...12:
            let answer: JSON = world.dice.pick(["in", "out", "unknown"])
            return (who, "meal.eat", ["meal": id, "eats": answer])
        case 13...14:
            let choices = meal.choices.map(\.number).filter { _ in world.dice.once(in: 2) }
            return (who, "meal.vote", ["meal": id, "choices": .array(choices.map { .int($0) })])
        case 15:
            let choice = world.dice.pick(meal.choices)
            return (who, "meal.decide", ["meal": id, "choice": .int(choice.number)])
        case 16...17:
            let lists = (world.view(of: who)?.lists.values ?? [:].values).sorted { $0.id < $1.id }
            guard !lists.isEmpty else { break }
            return (
                who, "meal.shop",
                ["from": .string(Self.days[0]), "to": .string(Self.days[6]), "list": .id(world.dice.pick(lists).id)]
            )
        case 18 where !dishes.isEmpty:
            let dish = dishes.remove(at: world.dice.below(dishes.count))
            return world.dice.once(in: 2)
                ? (who, "dish.remove", ["dish": .id(dish)])
                : (who, "dish.update", ["dish": .id(dish), "ingredients": ["1 l milk", "250 g flour"]])
        case 19 where dishes.count < Self.mostDishes: return addDish(who, op)
        default: break
        }
        return plan(world, who, op)
    }

    private func addDish(_ who: Int, _ op: String) -> World.Idea {
        (who, "dish.add", ["title": .string(op), "servings": 2, "ingredients": ["500 g flour", "2 eggs", "Salz"]])
    }

    /// What a canteen or a school cooks on a day; nothing, now and then.
    private func menu(_ world: World, _ who: Int, _ op: String) -> World.Idea {
        let dishes: [JSON] = [["text": .string(op), "price": "3.20"], ["text": "Soup"], ["text": "Pancakes"]]
        let day: JSON = [
            "date": .string(world.dice.pick(Self.days)), "dishes": .array(Array(dishes.prefix(world.dice.below(4)))),
        ]
        return (who, "menu.set", ["source": .string(world.dice.pick(["Canteen", "School"])), "days": [day]])
    }

    private func plan(_ world: World, _ who: Int, _ op: String) -> World.Idea {
        var params: JSON = [
            "date": .string(world.dice.pick(Self.days)), "note": .string(op), "servings": 4,
            "audience": SharedSight.audience(world),
        ]
        switch dishes.isEmpty ? 0 : world.dice.below(3) {
        case 0: params["choices"] = [["title": "Soup"], ["title": "Pancakes"]]
        case 1: params["choices"] = [["dish": .id(world.dice.pick(dishes))], ["title": "Pancakes"]]
        default: params["dish"] = .id(world.dice.pick(dishes))
        }
        return (who, "meal.put", params)
    }

    func answered(_ method: String, _ result: JSON) {
        guard method == "dish.add", let id = result["dish"]?["id"]?.identifier, !dishes.contains(id) else { return }
        dishes.append(id)
    }

    private static let shared = SharedSight("meals", column: "meal", named: "meal_named", seen: "meal_sight")

    func sight(_ daemon: SimulatedDaemon) throws(StoreFailure) -> [String: (Onlooker, Identifier) ->
        Bool]
    { ["meal": try Self.shared.isSeen(daemon), "dish": { (reader, _) in reader.role != "guest" }] }

    /// The readers that are stored for a meal are those of the rules; every meal is something; a decision is one of the
    /// meal's choices.
    func books(_ world: World, _ daemon: SimulatedDaemon) throws(StoreFailure) -> Finding? {
        if let fault = try Self.shared.fault(daemon, "meals") { return fault }
        let odd = try daemon.reader.first(
            """
            SELECT 'decided: ' || m.number FROM meals m WHERE m.chosen IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM meal_choices c WHERE c.meal = m.number AND c.number = m.chosen)
            UNION ALL SELECT 'of nothing: ' || m.number FROM meals m
            WHERE NOT EXISTS (SELECT 1 FROM meal_choices c WHERE c.meal = m.number)
            """
        ) { row in row.text(0) }
        return odd.map { Finding(checker: "meals", what: "a meal is \($0)") }
    }

    func twice(_ daemon: SimulatedDaemon) throws(StoreFailure) -> String? {
        try daemon.reader.first(
            """
            SELECT note FROM meals WHERE note IS NOT NULL GROUP BY note HAVING count(*) > 1
            UNION ALL SELECT title FROM dishes GROUP BY title HAVING count(*) > 1
            """
        ) { row in row.text(0) }
    }

    func spoil(_ fault: Fault, _ events: [LogRow]) -> [String] {
        switch fault {
        case .mealOfAnother: ["INSERT OR IGNORE INTO meal_sight SELECT m.id, l.number FROM members m, meals l"]
        // What is lost is never found again: each turn has a later value than all turns before.
        case .dishUntold: ["UPDATE dishes SET minutes = coalesce(minutes, 0) % \(Limits.dishMinutesMax) + 1"]
        case .menuUntold: ["UPDATE menu_lines SET price = CAST(CAST(coalesce(price, '0') AS INTEGER) + 1 AS TEXT)"]
        default: []
        }
    }
}

extension Fault {
    /// Everybody is written down as seeing every meal.
    public static let mealOfAnother = Fault("mealOfAnother")
    /// Dishes become others, and no event says so.
    public static let dishUntold = Fault("dishUntold")
    /// Menus become others, and no event says so.
    public static let menuUntold = Fault("menuUntold")
}
