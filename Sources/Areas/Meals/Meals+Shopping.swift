import KinKeeper
import KinModel
import KinStore

/// Puts the ingredients of planned meals on a list.
extension Meals {
    static let shop = Method.command(
        "meal.shop", "Puts what the meals of some days need on a list.", access: .family,
        note: """
            Of the meals that the caller sees, those whose dish is decided. Amounts are for the meal's servings, and added up \
            by unit. Called again, it puts nothing twice: it changes what it put there, and leaves what somebody ticked, \
            changed or took off.
            """,
        [
            .required("from", Meal.dateForm.shape, "The first day."),
            .required("to", Meal.dateForm.shape, "The last; \(Limits.mealFillDaysMax) days at most."),
            .required("list", .id, "A list that the caller sees."),
        ],
        result: .object([
            .required(
                "items", .list(ListItem.shape, max: Limits.mealFillItemsMax), "What is needed for them, as it is now."),
            .required("removed", .integer(0...Int64.max), "How many things were taken off, since no meal needs them."),
            .required("left", .integer(0...Int64.max), "How many needs were left as somebody had them."),
        ]),
        route: Route("POST", "/api/meals/shop"), events: [ListItem.put, ListItem.removed],
        again: { (_, _) throws(Rejection) in ["items": [], "removed": 0, "left": 0] },
        apply: { (act, params) throws(Rejection) in
            try count(act)
            let days = try MealDay.range(params, max: Limits.mealFillDaysMax)
            let list = try params.id("list")
            guard let hook = act.hooks.listing else { throw Rejection(.unavailable, "Nothing here has lists.") }
            let standing = try hook.items(act, list)
            let member = try act.member.id
            let meals = try act.ask { (database) throws(StoreFailure) in
                try StoredMeal.seen(
                    by: member, from: days.from, to: days.to, limit: Limits.mealsPerAnswerMax + 1, database)
            }.map(\.wire)
            guard meals.count <= Limits.mealsPerAnswerMax else {
                throw Rejection(
                    .tooLarge, "These are more than \(Limits.mealsPerAnswerMax) meals; take fewer days.", field: "to")
            }
            let memory = try FillMemory(of: list, act)
            var judged: [Identifier: Bool] = [:]
            for share in memory.shares where judged[share.meal] == nil {
                let isThere = try StoredMeal.isThere(share.meal, act)
                let isSeen = try sees(share.meal, member, act)
                judged[share.meal] = isSeen || !isThere
            }
            let filling = Filling(
                try needs(of: meals, act), of: Set(meals.map(\.id)), on: standing, put: memory.put,
                shares: memory.shares, from: days.from, to: days.to, isJudged: { judged[$0] ?? true })
            guard filling.wanted.count <= Limits.mealFillItemsMax else {
                throw Rejection(
                    .tooLarge, "These meals need more than \(Limits.mealFillItemsMax) things; take fewer days.",
                    field: "to")
            }
            try hook.remove(act, list, filling.needless)
            for item in filling.needless + filling.given { try memory.forget(item, act) }
            var items: [JSON] = []
            for wanted in filling.wanted {
                let (amount, unit) = wanted.measure.written
                let now = try hook.put(
                    act, list,
                    [
                        ListItem(
                            list: list, id: wanted.item ?? act.newIdentifier(), text: wanted.text, amount: amount,
                            unit: unit, section: wanted.item == nil ? wanted.section : nil)
                    ])
                guard let item = now.first else { continue }
                try memory.keep(wanted, as: item, act)
                items.append(item.json)
            }
            return .done([
                "items": .array(items), "removed": .int(Int64(filling.needless.count)),
                "left": .int(Int64(filling.left)),
            ])
        })

    private static func sees(_ meal: Identifier, _ member: Identifier, _ act: Act) throws(Rejection) -> Bool {
        try act.first(
            "SELECT 1 FROM meals m JOIN meal_sight s ON s.meal = m.number WHERE m.id = ? AND s.member = ?", .id(meal),
            .id(member)
        ) { row in row.bool(0) } ?? false
    }

    /// The needs of meals, each thing of a meal once.
    private static func needs(of meals: [Meal], _ act: Act) throws(Rejection) -> [Filling.Need] {
        var needs: [Filling.Need] = []
        var dishes: [Identifier: Dish] = [:]
        for meal in meals {
            guard let id = meal.decided?.dish else { continue }
            if dishes[id] == nil { dishes[id] = try StoredDish.known(id, act)?.wire }
            guard let dish = dishes[id] else { continue }
            var places: [Filling.Key: Int] = [:]
            for one in dish.ingredients {
                let whole = Measure(one.amount, one.unit)
                let measure =
                    if let made = dish.servings, let wanted = meal.servings { whole.scaled(to: wanted, of: made) } else
                    {
                        whole
                    }
                let need = Filling.Need(
                    meal: meal.id, date: meal.date, text: one.text, section: one.section, measure: measure)
                if let place = places[need.key] {
                    needs[place].measure.thousandths = needs[place].measure.thousandths.map {
                        $0 + (measure.thousandths ?? 0)
                    }
                } else {
                    places[need.key] = needs.count
                    needs.append(need)
                }
            }
        }
        return needs
    }
}

/// The items that meals put on a list before.
private struct FillMemory {
    let list: Identifier
    let put: [Filling.Put]
    let shares: [Filling.Share]

    init(of list: Identifier, _ act: Act) throws(Rejection) {
        self.list = list
        put = try act.rows("SELECT item, key, said FROM meal_fills WHERE list = ?", .id(list)) { row in
            Filling.Put(item: row.identifier("item"), key: Filling.Key(hash: row.int("key")), said: row.int("said"))
        }
        shares = try act.rows(
            "SELECT item, key, meal, day, amount FROM meal_shares WHERE list = ?", .id(list)
        ) { row in
            Filling.Share(
                item: row.identifier("item"), key: Filling.Key(hash: row.int("key")), meal: row.identifier("meal"),
                date: row.text("day"), thousandths: row.optionalInt("amount"))
        }
    }

    func forget(_ item: Identifier, _ act: Act) throws(Rejection) {
        for table in ["meal_fills", "meal_shares"] {
            try act.run("DELETE FROM \(table) WHERE list = ? AND item = ?", .id(list), .id(item))
        }
    }

    func keep(_ wanted: Filling.Wanted, as item: ListItem, _ act: Act) throws(Rejection) {
        try forget(item.id, act)
        try act.run(
            "INSERT INTO meal_fills (list, item, key, said) VALUES (?,?,?,?)", .id(list), .id(item.id),
            .int(wanted.key.hash), .int(Filling.said(item)))
        for share in wanted.shares {
            try act.run(
                "INSERT OR REPLACE INTO meal_shares (list, item, meal, key, day, amount) VALUES (?,?,?,?,?,?)",
                .id(list), .id(item.id), .id(share.meal), .int(wanted.key.hash), .text(share.date),
                Value(share.thousandths))
        }
    }
}
