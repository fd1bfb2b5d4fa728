import KinKeeper
import KinModel
import KinStore

/// The family's dishes: everybody who is no guest reads and writes them.
extension Meals {
    private static let dishResult = Shape.object([.required("dish", Dish.shape)])
    private static let named = Field.required("dish", .id)
    private static let ingredients = Shape.list(
        .either(.line(max: Limits.itemTextCharactersMax), Ingredient.shape), max: Limits.dishIngredientsMax)

    /// The fields of a dish. `shape` says whether `null` may stand for one.
    private static func parts(_ shape: (Shape) -> Shape) -> [Field] {
        [
            .optional("servings", shape(Meal.servingsForm.shape), "For how many the amounts are."),
            .optional("minutes", shape(Dish.minutesForm.shape), "How long it takes."),
            .optional("ingredients", ingredients, "A line such as 200 g flour is read into amount, unit and text."),
            .optional("text", shape(Dish.textForm.shape), "How it is made."),
            .optional("source", shape(Dish.sourceForm.shape), "Where the recipe is from."),
        ]
    }

    static let addDish = Method.command(
        "dish.add", "Adds a dish.", access: .family, [.required("title", Dish.titleForm.shape)] + parts { $0 },
        result: dishResult, route: Route("POST", "/api/dishes", status: 201), events: [Dish.added],
        again: { (act, ids) throws(Rejection) in try dishAgain(act, ids) },
        apply: { (act, params) throws(Rejection) in
            try count(act)
            var dish = StoredDish(Dish(id: act.newIdentifier(), title: try params.string("title")))
            try dish.wire.take(params)
            try dish.save(act)
            return .done(["dish": dish.wire.json], ids: [dish.wire.id])
        })

    static let updateDish = Method.command(
        "dish.update", "Changes a dish; null takes a field away, and the ingredients are given whole.",
        access: .family, [named, .optional("title", Dish.titleForm.shape)] + parts { .nullable($0) },
        result: dishResult,
        route: Route("PATCH", "/api/dishes/{dish}"), events: [Dish.updated],
        again: { (act, ids) throws(Rejection) in try dishAgain(act, ids) },
        apply: { (act, params) throws(Rejection) in
            try count(act)
            var dish = try StoredDish.find(try params.id("dish"), act)
            let before = dish.wire
            try dish.wire.take(params)
            if dish.wire != before { try dish.save(act) }
            return .done(["dish": dish.wire.json], ids: [dish.wire.id])
        })

    static let removeDish = Method.command(
        "dish.remove", "Removes a dish, from the log too. What was planned keeps its title.", access: .family, [named],
        result: .nothing, route: Route("DELETE", "/api/dishes/{dish}"), events: [Dish.removed],
        apply: { (act, params) throws(Rejection) in
            try StoredDish.find(try params.id("dish"), act).remove(act)
            return .done([:])
        }
    ).freeingRoom()

    static let showDish = Method.query(
        "dish.show", "One dish, with what it is made of and how.", access: .family, [named], result: dishResult,
        route: Route("GET", "/api/dishes/{dish}"),
        apply: { (act, params) throws(Rejection) in
            .done(["dish": try StoredDish.find(try params.id("dish"), act).wire.json])
        }
    ).listing()

    static let listDishes = Method.query(
        "dish.list", "The dishes by their titles, without what they are made of.", access: .family,
        [
            .optional(
                "words", .line(max: Limits.mealSearchCharactersMax),
                "Those that have each word in their title or in an ingredient."),
            .optional("after", .id, "The next of the page before."),
            .optional("limit", .integer(1...Int64(Limits.dishesPerAnswerMax)), "50 if left out."),
        ],
        result: .object([
            .required("dishes", .list(StoredDish.Head.shape, max: Limits.dishesPerAnswerMax)),
            .optional("next", .id, "To be given as after; there while there are more."),
            .required("outside", .bool, "Whether an admin allowed that recipes are read outside (dish.fetch)."),
        ]),
        route: Route("GET", "/api/dishes"),
        apply: { (act, params) throws(Rejection) in
            let limit = Int(params.optionalInt("limit") ?? 50)
            let after = params.optionalID("after")
            if let after { _ = try StoredDish.find(after, field: "after", act) }
            let found = try StoredDish.page(
                words: words(params.optionalString("words")), after: after, limit: limit + 1, act)
            let page = Array(found.prefix(limit))
            return .done(
                .object(leavingOut: [
                    "dishes": .array(page.map(\.json)),
                    "next": found.count > limit ? page.last.map { .id($0.id) } : nil,
                    "outside": .bool(try mayReadOutside(act)),
                ]))
        }
    ).listing()

    private static func dishAgain(_ act: Act, _ ids: [Identifier]) throws(Rejection) -> JSON {
        guard let id = ids.first else { return [:] }
        return ["dish": try StoredDish.find(id, act).wire.json]
    }
}

extension Dish {
    /// Takes the fields that were given.
    fileprivate mutating func take(_ params: Params) throws(Rejection) {
        func text(_ name: String, _ now: String?) -> String? {
            guard let given = params[name] else { return now }
            return given.string.flatMap { $0.isEmpty ? nil : $0 }
        }
        if let title = params.optionalString("title") { self.title = title }
        if let servings = params["servings"] { self.servings = servings.int }
        if let minutes = params["minutes"] { self.minutes = minutes.int }
        self.text = text("text", self.text)
        source = text("source", source)
        guard let given = params["ingredients"] else { return }
        ingredients = (given.array ?? []).compactMap { one in
            one.string.map { IngredientLine.read($0) } ?? Ingredient(one)
        }
    }
}
