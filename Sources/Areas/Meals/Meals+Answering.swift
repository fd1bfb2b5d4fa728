import KinKeeper
import KinModel
import KinStore

/// Members' answers to a planned meal.
extension Meals {
    private static let meal = Field.required("meal", .id)

    static let vote = Method.command(
        "meal.vote", "Says which of a meal's choices the caller would like; none takes the votes back.",
        access: .signedIn, note: "who sees it, until it is decided",
        [
            meal,
            .required("choices", MealPart.votesForm.shape, "Their numbers, instead of those that were named before."),
        ],
        result: result, route: Route("PUT", "/api/meals/{meal}/votes"), events: [Meal.put],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            try change(act, params) { (meal, member) throws(Rejection) in
                let votes = Set((params["choices"]?.array ?? []).compactMap(\.int)).sorted()
                let numbers = meal.wire.choices.map(\.number)
                guard meal.wire.decided == nil || votes.isEmpty else {
                    throw Rejection(.conflict, "This meal is decided already.", field: "choices")
                }
                guard votes.allSatisfy(numbers.contains) else { throw noSuchChoice(meal, "choices") }
                meal.say(member) { $0.votes = votes }
            }
        })

    static let decide = Method.command(
        "meal.decide", "Decides which of a meal's choices there is, or leaves it open again.", access: .signedIn,
        note: "who cooks, admins",
        [meal, .required("choice", .nullable(MealChoice.numberForm.shape), "Its number; null: it is open again.")],
        result: result, route: Route("PUT", "/api/meals/{meal}/choice"), events: [Meal.put],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            try change(act, params) { (meal, _) throws(Rejection) in
                try act.require(
                    meal.mayBeDecided(act), "Only the member who cooks and admins decide what there is.")
                let number = params["choice"]?.int
                guard number == nil || meal.wire.choices.contains(where: { $0.number == number }) else {
                    throw noSuchChoice(meal, "choice")
                }
                meal.wire.chosen = meal.wire.choices.count == 1 ? nil : number
            }
        })

    static let eat = Method.command(
        "meal.eat", "Says whether the caller eats with the others.", access: .signedIn, note: "who sees it",
        [meal, .required("eats", .oneOf(["in", "out", "unknown"]))],
        result: result, route: Route("PUT", "/api/meals/{meal}/eats"), events: [Meal.put],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            try change(act, params) { (meal, member) throws(Rejection) in
                let answer = MealPart.Answer(rawValue: try params.string("eats"))
                meal.say(member) { $0.eats = answer }
            }
        })

    static let cook = Method.command(
        "meal.cook", "Takes over the cooking where nobody cooks, or gives it back.", access: .signedIn,
        note: "who sees it", [meal, .required("cooks", .bool)],
        result: result, route: Route("PUT", "/api/meals/{meal}/cook"), events: [Meal.put],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            try change(act, params) { (meal, member) throws(Rejection) in
                guard meal.wire.cook == nil || meal.wire.cook == member else {
                    throw Rejection(.conflict, "Somebody else cooks already.", field: "cooks")
                }
                meal.wire.cook = params["cooks"]?.bool == true ? member : nil
            }
        })

    private static func noSuchChoice(_ meal: StoredMeal, _ field: String) -> Rejection {
        let there = meal.wire.choices.map { String($0.number) }.joined(separator: ", ")
        return Rejection(.invalid, "The meal has no such choice; there are: \(there).", field: field)
    }

    /// Changes a meal that the caller sees.
    private static func change(
        _ act: Act, _ params: Params, by body: (inout StoredMeal, Identifier) throws(Rejection) -> Void
    ) throws(Rejection) -> Outcome {
        try count(act)
        var meal = try StoredMeal.visible(act, try params.id("meal"))
        let before = meal.wire
        try body(&meal, try act.member.id)
        if meal.wire != before { try meal.save(isChanged: true, act) }
        return .done(rendered(meal, act), ids: [meal.wire.id])
    }
}
