package import KinModel

/// Limits of the area, each with its unit; those of what is seen of a meal stand beside it.
extension Limits {
    /// Dishes of a family.
    package static let dishesMax = 2000
    /// Dishes in one answer.
    package static let dishesPerAnswerMax = 200
    /// Meals that one member planned and that are kept.
    package static let mealsOwnedMax = 20_000
    /// Meals that one member plans for one day.
    package static let mealsPerDateMax = 12
    /// Changes of meals, dishes and menus by one member in a day, answers counted.
    package static let mealChangesPerDayMax: Int64 = 2000
    /// Days from today for which meals are planned.
    package static let mealDaysAheadMax: Int64 = 400
    /// Days of one question about meals or menus.
    package static let mealWindowDaysMax: Int64 = 62
    /// Meals in one answer.
    package static let mealsPerAnswerMax = 500
    /// Characters of a search for meals or dishes.
    package static let mealSearchCharactersMax = 100
    /// Days before today from which on meals stand in a snapshot: the week that it is anywhere.
    package static let mealDaysShown: Int64 = 7
    /// Days of meals that are put on a list at once.
    package static let mealFillDaysMax: Int64 = 31
    /// Days that it is remembered what was put on which list for a meal, after its day.
    package static let mealFillDaysKept: Int64 = 90
    /// Things that are put on a list at once.
    package static let mealFillItemsMax = 500
    /// Bytes of meals in a snapshot.
    package static let mealsSnapshotBytesMax = 64 << 10
    /// Bytes that no meal takes in a snapshot, with the comma behind it.
    package static let mealBytesMax = 64 << 10
    /// Bytes that every meal takes in a snapshot at least.
    package static let mealBytesMin = 120
    /// Bytes of a saved page with recipes.
    package static let recipePageBytesMax = 4 << 20
    /// Milliseconds for reading a page with recipes outside.
    package static let recipeMilliseconds = 20_000
    /// How often one host is asked for recipes in a minute.
    package static let recipesPerMinute = 6
    /// Recipes that are taken from one page.
    package static let recipesPerPageMax = 20
    /// Pieces of JSON-LD that are looked at in one page.
    package static let recipeScriptsMax = 32
    /// Values of JSON-LD that are looked at in one page.
    package static let recipeValuesMax = 50_000
    /// Remarks about one recipe or one row of a menu.
    package static let mealRemarksMax = 8
    /// Bytes of a file with a menu.
    package static let menuFileBytesMax = 1 << 20
    /// Rows of a file with a menu.
    package static let menuRowsMax = 1000
    /// Days that a menu is kept after its day.
    package static let menuDaysKept: Int64 = 400
    /// Lines of menus that a family keeps.
    package static let menuLinesMax = 20_000
    /// Lines of menus in one answer.
    package static let menuLinesPerAnswerMax = 1000
    /// Days of one call of `menu.set`.
    package static let menuDaysPerCallMax = 62
}
