package import KinModel

/// Limits of the area, each with its unit. Limits of the fields that clients see of a meal stand beside the meal.
extension Limits {
    /// Dishes of a family.
    package static let dishesMax = 2000
    /// Dishes in one answer.
    package static let dishesPerAnswerMax = 200
    /// Meals planned by one member that are kept.
    package static let mealsOwnedMax = 20_000
    /// Meals that one member plans for one day.
    package static let mealsPerDateMax = 12
    /// Changes of meals, dishes and menus by one member in a day; answers count too.
    package static let mealChangesPerDayMax: Int64 = 2000
    /// Days from today up to which meals can be planned.
    package static let mealDaysAheadMax: Int64 = 400
    /// Days that one question about meals or menus may span.
    package static let mealWindowDaysMax: Int64 = 62
    /// Meals in one answer.
    package static let mealsPerAnswerMax = 500
    /// Characters of a search for meals or dishes.
    package static let mealSearchCharactersMax = 100
    /// Days before today from which on a snapshot shows meals. They cover the present week in every time zone.
    package static let mealDaysShown: Int64 = 7
    /// Days whose meals are put on a list at once.
    package static let mealFillDaysMax: Int64 = 31
    /// Days after a meal for which it is remembered what was put on which list for it.
    package static let mealFillDaysKept: Int64 = 90
    /// Things that are put on a list at once.
    package static let mealFillItemsMax = 500
    /// Bytes of meals in a snapshot.
    package static let mealsSnapshotBytesMax = 64 << 10
    /// Bytes in a snapshot that every meal stays below, with the comma behind it.
    package static let mealBytesMax = 64 << 10
    /// Bytes that every meal takes in a snapshot at least.
    package static let mealBytesMin = 120
    /// Bytes of a saved page with recipes.
    package static let recipePageBytesMax = 4 << 20
    /// Milliseconds for reading a page with recipes outside.
    package static let recipeMilliseconds = 20_000
    /// Requests for recipes to one host in a minute.
    package static let recipesPerMinute = 6
    /// Recipes that are taken from one page.
    package static let recipesPerPageMax = 20
    /// Pieces of JSON-LD that are read of one page.
    package static let recipeScriptsMax = 32
    /// Values of JSON-LD that are read of one page.
    package static let recipeValuesMax = 50_000
    /// Remarks about one recipe or one row of a menu.
    package static let mealRemarksMax = 8
    /// Bytes of a file with a menu.
    package static let menuFileBytesMax = 1 << 20
    /// Rows of a file with a menu.
    package static let menuRowsMax = 1000
    /// Days from today for which a dish that repeats is taken out of a file.
    package static let menuRepeatDaysMax = 62
    /// Rules of one file that are followed, beside those with a short COUNT; of what repeats by more the first day is
    /// taken. Rules whose UNTIL is past are not counted.
    package static let menuSeriesMax = 100
    /// Rules of one file with a short COUNT that are followed beside the others.
    package static let menuShortSeriesMax = 200
    /// The highest COUNT that is short.
    package static let menuShortCountMax = 400
    /// Days after its day for which a menu is kept.
    package static let menuDaysKept: Int64 = 400
    /// Lines of menus that a family keeps.
    package static let menuLinesMax = 20_000
    /// Lines of menus in one answer.
    package static let menuLinesPerAnswerMax = 1000
    /// Days that one call of `menu.set` may have.
    package static let menuDaysPerCallMax = 62
}
