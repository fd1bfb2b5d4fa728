import KinKeeper
import KinModel

/// Lines of inboxes about meals: only that a member is to cook, for that member.
extension Meals {
    static let toCook = InboxKind(
        "cooks", word: .optional("date", Meal.dateForm.shape, "the day of the meal."))

    static let inboxKinds = [toCook]

    static let inboxRules = [InboxRule(Meal.cooks, toCook, .audience, word: { $0.meal.date })]
}
