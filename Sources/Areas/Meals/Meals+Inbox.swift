import KinKeeper
import KinModel

/// The entries of inboxes about meals. There is one kind: it tells a member who is to cook.
extension Meals {
    static let toCook = InboxKind(
        "cooks", word: .optional("date", Meal.dateForm.shape, "the day of the meal."))

    static let inboxKinds = [toCook]

    static let inboxRules = [InboxRule(Meal.cooks, toCook, .audience, word: { $0.meal.date })]
}
