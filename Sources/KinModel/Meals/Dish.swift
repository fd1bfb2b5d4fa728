/// A dish that the family cooks: what it is made of, and how.
public struct Dish: WireRecord {
    /// Which one.
    public let id: Identifier
    /// What it is called.
    public var title: String
    /// For how many servings the amounts of its ingredients are.
    public var servings: Int64?
    /// How long it takes, in minutes.
    public var minutes: Int64?
    /// What it is made of, in the order of the recipe.
    public var ingredients: [Ingredient]
    /// How it is made.
    public var text: String?
    /// Where the recipe is from: a book's page, or an address.
    public var source: String?

    /// A dish.
    public init(
        id: Identifier, title: String, servings: Int64? = nil, minutes: Int64? = nil, ingredients: [Ingredient] = [],
        text: String? = nil, source: String? = nil
    ) {
        self.id = id
        self.title = title
        self.servings = servings
        self.minutes = minutes
        self.ingredients = ingredients
        self.text = text
        self.source = source
    }

    /// As it is written.
    public static let fields = Fields(
        "Dish", Dish.init(id:title:servings:minutes:ingredients:text:source:),
        .required("id", \.id, .id),
        .required("title", \.title, titleForm),
        .optional("servings", \.servings, Meal.servingsForm, "For how many the amounts are."),
        .optional("minutes", \.minutes, minutesForm, "How long it takes."),
        .required("ingredients", \.ingredients, ingredientList, absent: []),
        .optional("text", \.text, textForm, "How it is made."),
        .optional("source", \.source, sourceForm, "Where the recipe is from."))

    /// What it is called.
    public static let titleForm = Form.line(max: Limits.dishTitleCharactersMax)
    /// How long it takes.
    public static let minutesForm = Form.integer(1...Limits.dishMinutesMax)
    /// What it is made of.
    public static let ingredientList = Form.list(Ingredient.form, max: Limits.dishIngredientsMax)
    /// How it is made.
    public static let textForm = Form.text(max: Limits.dishTextCharactersMax)
    /// Where the recipe is from.
    public static let sourceForm = Form<String>.line(max: Limits.dishSourceCharactersMax)
}

/// One thing that a dish is made of.
public struct Ingredient: WireRecord, Hashable {
    /// What it is.
    public var text: String
    /// How much of it, for all servings of the dish.
    public var amount: Double?
    /// The unit of that amount, such as `g`; pieces if there is none.
    public var unit: String?
    /// The section of the shop where it is.
    public var section: String?

    /// An ingredient.
    public init(text: String, amount: Double? = nil, unit: String? = nil, section: String? = nil) {
        self.text = text
        self.amount = amount
        self.unit = unit
        self.section = section
    }

    /// As it is written.
    public static let fields = Fields(
        "Ingredient", Ingredient.init(text:amount:unit:section:),
        .required("text", \.text, ListItem.textForm),
        .optional("amount", \.amount, ListItem.amountForm, "For all servings of the dish."),
        .optional("unit", \.unit, ListItem.unitForm, "Such as g; pieces if there is none."),
        .optional("section", \.section, ListItem.sectionForm, "The section of the shop where it is."))
}

/// One dish on the menu of a canteen or a school, on one day.
public struct MenuLine: WireRecord, Hashable {
    /// Which one.
    public let id: Identifier
    /// The canteen or school.
    public let source: String
    /// The day, such as `2026-11-24`.
    public let date: String
    /// What there is.
    public let text: String
    /// What it costs, as the canteen writes it.
    public let price: String?

    /// A line of a menu.
    public init(id: Identifier, source: String, date: String, text: String, price: String? = nil) {
        self.id = id
        self.source = source
        self.date = date
        self.text = text
        self.price = price
    }

    /// As it is written.
    public static let fields = Fields(
        "MenuLine", MenuLine.init(id:source:date:text:price:),
        .required("id", \.id, .id),
        .required("source", \.source, sourceForm, "The canteen or school."),
        .required("date", \.date, Meal.dateForm, "A day, such as 2026-11-24."),
        .required("text", \.text, textForm),
        .optional("price", \.price, priceForm, "As the canteen writes it."))

    /// The canteen or school.
    public static let sourceForm = Form<String>.line(max: Limits.menuSourceCharactersMax)
    /// What there is.
    public static let textForm = Form<String>.line(max: Limits.menuTextCharactersMax)
    /// What it costs.
    public static let priceForm = Form<String>.line(max: Limits.menuPriceCharactersMax)
}
