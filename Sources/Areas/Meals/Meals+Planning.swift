import KinKeeper
import KinModel
import KinStore

extension Meals {
    /// A meal. Members who decide its audience also see that.
    private struct OwnMeal: WireRecord {
        let meal: Meal
        let audience: JSON?

        static let fields = Fields(
            nil, OwnMeal.init(meal:audience:), .all(of: \.meal),
            .optional(
                "audience", \.audience, .json(SharedWith.shape),
                "With whom it is shared; for who planned it and admins."))
    }

    static let result = Shape.object([.required("meal", OwnMeal.shape)])

    private static let choice = Shape.object([
        .optional("title", Dish.titleForm.shape, "Of a meal that is only a title."),
        .optional("dish", .id, "A dish, with its title."),
    ])

    static let put = Method.command(
        "meal.put", "Plans a meal, or changes one.", access: .family,
        note: "Whoever sees a meal and is no guest changes it; with whom it is shared say who planned it and admins.",
        [
            .optional("meal", .id, "The one that is changed; a new one if left out."),
            .optional("date", Meal.dateForm.shape, "A day, such as 2026-11-24; a new one must have it."),
            .optional("slot", Form<Meal.Slot>.word.shape, "dinner if left out."),
            .optional("title", Dish.titleForm.shape, "What there is, where it is no dish that is known."),
            .optional("dish", .id, "What there is: a dish."),
            .optional(
                "choices", .list(choice, max: Limits.mealChoicesMax),
                "Several dishes instead, which are voted on. What stays keeps its number and votes."),
            .optional("servings", .nullable(Meal.servingsForm.shape), "For how many it is."),
            .optional("cook", .nullable(.id), "Who cooks; somebody who sees the meal."),
            .optional("note", .nullable(Meal.noteForm.shape)),
            .optional("audience", SharedWith.shape, SharedWith.summary + " everyone if left out."),
        ],
        result: result, route: Route("POST", "/api/meals"),
        events: [Meal.put, Meal.shown, Meal.hidden, Meal.cooks],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            try count(act)
            try moveWindow(act)
            let member = try act.member
            var meal: StoredMeal
            if let id = params.optionalID("meal") {
                meal = try StoredMeal.visible(act, id)
            } else {
                meal = StoredMeal(
                    Meal(
                        id: act.newIdentifier(), date: try MealDay.checked(params, "date"), slot: .dinner, choices: []),
                    of: member.id, sharedWith: .everyone)
                try checkRoom(for: meal.wire.date, of: member.id, isNew: true, act)
            }
            let before = meal
            try meal.take(params, act)
            if meal.number == 0 || meal.wire != before.wire || meal.sharedWith != before.sharedWith {
                try meal.save(isChanged: meal.wire != before.wire, act)
                try meal.tellCook(instead: before, act)
            }
            return .done(rendered(meal, act), ids: [meal.wire.id])
        })

    static let remove = Method.command(
        "meal.remove", "Takes a meal out of the plan, and out of the log.", access: .family,
        note: "who sees it and is no guest", [.required("meal", .id)], result: .nothing,
        route: Route("DELETE", "/api/meals/{meal}"), events: [Meal.removed],
        apply: { (act, params) throws(Rejection) in
            try StoredMeal.visible(act, try params.id("meal")).remove(act)
            return .done([:])
        }
    ).freeingRoom()

    static let list = Method.query(
        "meal.list", "The meals of some days that the caller sees, in their order.", access: .signedIn,
        note: "who sees them; a guest those that name the guest or the household",
        [
            .required("from", Meal.dateForm.shape, "The first day."),
            .required(
                "to", Meal.dateForm.shape,
                "The last; \(Limits.mealWindowDaysMax) days at most, and any number where words are given."),
            .optional(
                "words", .line(max: Limits.mealSearchCharactersMax), "Those that have each word in a title or the note."
            ),
        ],
        result: .object([
            .required("meals", .list(OwnMeal.shape, max: Limits.mealsPerAnswerMax)),
            .optional("isCut", .bool, "Whether there are more; ask for fewer days."),
        ]),
        route: Route("GET", "/api/meals"),
        apply: { (act, params) throws(Rejection) in
            let words = words(params.optionalString("words"))
            let days = try MealDay.range(params, max: words.isEmpty ? Limits.mealWindowDaysMax : 40_000)
            let member = try act.member.id
            let found = try act.ask { (database) throws(StoreFailure) in
                try StoredMeal.seen(
                    by: member, from: days.from, to: days.to, words: words, limit: Limits.mealsPerAnswerMax + 1,
                    database)
            }
            let meals = found.prefix(Limits.mealsPerAnswerMax).sorted {
                ($0.wire.date, $0.wire.slot.rank, $0.wire.id) < ($1.wire.date, $1.wire.slot.rank, $1.wire.id)
            }
            return .done(
                .object(leavingOut: [
                    "meals": .array(meals.map { json(of: $0, act) }),
                    "isCut": found.count > Limits.mealsPerAnswerMax ? true : nil,
                ]))
        }
    ).listing()

    static let show = Method.query(
        "meal.show", "One meal, of whatever day.", access: .signedIn,
        note: "who sees it; a guest one that names the guest or the household", [.required("meal", .id)],
        result: result, route: Route("GET", "/api/meals/{meal}"),
        apply: { (act, params) throws(Rejection) in
            .done(rendered(try StoredMeal.visible(act, try params.id("meal")), act))
        }
    ).listing()

    /// The words of a search, in lower case.
    static func words(_ text: String?) -> [String] {
        (text ?? "").lowercased().split(whereSeparator: \.isWhitespace).prefix(8).map { String($0) }
    }

    /// Refuses a further meal when a limit is reached.
    static func checkRoom(
        for date: String, of member: Identifier, isNew: Bool, _ act: Act
    ) throws(Rejection) {
        guard date <= MealDay.of(act.now.adding(days: Limits.mealDaysAheadMax)) else {
            throw Rejection(
                .invalid, "Meals are planned for \(Limits.mealDaysAheadMax) days ahead at most.", field: "date")
        }
        guard try StoredMeal.count(ownedBy: member, on: date, act) < Limits.mealsPerDateMax else {
            throw Rejection(
                .tooLarge, "One member plans \(Limits.mealsPerDateMax) meals for a day at most; that day is full.",
                field: "date")
        }
        guard isNew else { return }
        guard try StoredMeal.count(ownedBy: member, act) < Limits.mealsOwnedMax else {
            throw Rejection(
                .tooLarge, "You planned \(Limits.mealsOwnedMax) meals, which is the most; remove old ones first.")
        }
    }

    private static func json(of meal: StoredMeal, _ act: Act) -> JSON {
        let audience = meal.mayBeShared(act) ? meal.sharedWith : nil
        return OwnMeal(meal: meal.wire, audience: audience?.json).json
    }

    static func rendered(_ meal: StoredMeal, _ act: Act) -> JSON { ["meal": json(of: meal, act)] }

    /// The answer to a repeated command: the present state.
    static func again(_ act: Act, _ ids: [Identifier]) throws(Rejection) -> JSON {
        guard let id = ids.first else { return [:] }
        return rendered(try StoredMeal.visible(act, id), act)
    }
}

extension StoredMeal {
    /// Takes the fields that were given.
    fileprivate mutating func take(_ params: Params, _ act: Act) throws(Rejection) {
        if number != 0, params.has("date") {
            let date = try MealDay.checked(params, "date")
            if date != wire.date { try Meals.checkRoom(for: date, of: owner, isNew: false, act) }
            wire.date = date
        }
        if let slot = params.optionalString("slot").flatMap(Meal.Slot.init) { wire.slot = slot }
        if params.has("title") || params.has("dish") || params.has("choices") { try takeChoices(params, act) }
        guard !wire.choices.isEmpty else {
            throw Rejection(.invalid, "Say what there is: a title, a dish or several choices.", field: "title")
        }
        if let servings = params["servings"] { wire.servings = servings.int }
        if let note = params["note"] { wire.note = note.string.flatMap { $0.isEmpty ? nil : $0 } }
        if let audience = params["audience"] {
            try act.require(
                mayBeShared(act), "Only the member who planned it and admins say with whom a meal is shared.")
            sharedWith = try SharedWith(audience, household: try act.roster[owner]?.household, act)
        }
        guard let cook = params["cook"] else { return }
        wire.cook = cook.identifier
        guard let id = wire.cook else { return }
        guard let entry = try act.roster[id], sharedWith.includes(entry, of: owner) else {
            // Whom the caller does not see stays unknown.
            let name = Text.quoted(try act.member(id, field: "cook").displayName)
            throw Rejection(.notFound, "\(name) does not see this meal.", field: "cook")
        }
        try entry.mustAnswer(field: "cook")
    }

    private mutating func takeChoices(_ params: Params, _ act: Act) throws(Rejection) {
        try act.require(
            wire.chosen == nil || mayBeDecided(act),
            "This meal is decided. Only the member who cooks and admins change what there is.")
        let given = params["choices"]?.array?.map { Params($0.object ?? [:]) } ?? [params]
        guard !given.isEmpty else {
            throw Rejection(.invalid, "Say what there is: a title, a dish or several choices.", field: "choices")
        }
        var choices: [(title: String, dish: Identifier?)] = []
        for one in given {
            if let dish = one.optionalID("dish") {
                // A dish that was removed meanwhile stays as a title.
                if let old = wire.choices.first(where: { $0.dish == dish }) {
                    choices.append((old.title, dish))
                } else {
                    choices.append((try StoredDish.find(dish, act).wire.title, dish))
                }
            } else if let title = one.optionalString("title") {
                choices.append((title, nil))
            } else {
                throw Rejection(.invalid, "Each choice has a title or a dish.", field: "choices")
            }
        }
        try offer(choices)
    }

    /// Tells a member who is to cook now and was not before, or not on that day, whoever decided it.
    fileprivate func tellCook(instead before: StoredMeal, _ act: Act) throws(Rejection) {
        guard let cook = wire.cook, !act.isOneself(cook) else { return }
        if before.number != 0, before.wire.cook == cook, before.wire.date == wire.date { return }
        try act.emit(
            Meal.cooks, .init(meal: wire), about: Meals.about(wire.id),
            to: try act.roster.only(cook).intersection(try seers(act)), key: Meals.about(wire.id) + "/cook",
            title: wire.title, owner: owner)
    }
}
