/// Limits of meals that stand on the wire, each with its unit.
extension Limits {
    /// Characters of a dish's title.
    public static let dishTitleCharactersMax = 100
    /// Characters of the text that says how a dish is made.
    public static let dishTextCharactersMax = 8000
    /// Characters of the source of a dish's recipe.
    public static let dishSourceCharactersMax = 500
    /// Ingredients of a dish.
    public static let dishIngredientsMax = 60
    /// Servings of a dish or a meal.
    public static let servingsMax: Int64 = 100
    /// Minutes that a dish takes: a week.
    public static let dishMinutesMax: Int64 = 10_080
    /// Choices of dishes for one meal.
    public static let mealChoicesMax = 8
    /// Numbers that all choices of one meal, removed ones too, have used.
    public static let mealChoiceNumberMax: Int64 = 10_000
    /// Characters of a meal's note.
    public static let mealNoteCharactersMax = 300
    /// Characters of the name of a canteen or school.
    public static let menuSourceCharactersMax = 40
    /// Characters of a dish on a menu.
    public static let menuTextCharactersMax = 200
    /// Characters of a price.
    public static let menuPriceCharactersMax = 20
    /// Dishes that one menu has for a day.
    public static let menuLinesPerDayMax = 12
}
