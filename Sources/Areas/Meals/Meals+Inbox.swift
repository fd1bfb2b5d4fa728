import KinKeeper
import KinModel

/// What inboxes say of meals: only that somebody is to cook, to that member.
extension Meals {
    static let toCook = InboxKind(
        "cooks", word: .optional("date", Meal.dateForm.shape, "the day of the meal."))

    static let inboxKinds = [toCook]

    static let inboxRules = [InboxRule(Meal.cooks, toCook, .audience, word: { $0.meal.date })]
}
