/// Events of planned meals, with their data.
extension Meal {
    package static let put = EventType(
        "meal.put", "A meal is planned, or is another; who sees it.", Whole.self, isLatestOnly: true)
    package static let shown = EventType(
        "meal.shown", "A meal, to each who sees it from now on.", Whole.self, sight: .gives)
    package static let hidden = EventType(
        "meal.hidden", "To each who sees the meal no longer.", Named.self, sight: .takes,
        clears: { ["meal/\($0.meal)"] })
    package static let removed = EventType(
        "meal.removed", "A meal is planned no longer; who saw it.", Named.self, sight: .ends)
    package static let cooks = EventType(
        "meal.cooks", "Somebody is to cook a meal; that member.", Whole.self)

    /// The whole meal.
    package struct Whole: WireRecord {
        package let meal: Meal

        package init(meal: Meal) { self.meal = meal }

        package static let fields = Fields(nil, Whole.init(meal:), .required("meal", \.meal, Meal.form))
    }

    /// The meal, by its identifier.
    package struct Named: WireRecord {
        package let meal: Identifier

        package init(meal: Identifier) { self.meal = meal }

        package static let fields = Fields(nil, Named.init(meal:), .required("meal", \.meal, .id))
    }
}

/// Events of dishes.
extension Dish {
    package static let added = EventType("dish.added", "A dish is new; everyone.", Whole.self)
    package static let updated = EventType("dish.updated", "A dish is another; everyone.", Whole.self)
    package static let removed = EventType("dish.removed", "A dish is gone; everyone.", Named.self, sight: .ends)

    /// The whole dish.
    package struct Whole: WireRecord {
        package let dish: Dish

        package init(dish: Dish) { self.dish = dish }

        package static let fields = Fields(nil, Whole.init(dish:), .required("dish", \.dish, Dish.form))
    }

    /// The dish, by its identifier.
    package struct Named: WireRecord {
        package let dish: Identifier

        package init(dish: Identifier) { self.dish = dish }

        package static let fields = Fields(nil, Named.init(dish:), .required("dish", \.dish, .id))
    }
}

/// Events of menus.
extension MenuLine {
    package static let set = EventType(
        "menu.set", "A canteen's or school's menu for a day is another; everyone.", Day.self, isLatestOnly: true)

    /// The whole menu of a day.
    package struct Day: WireRecord {
        package let source: String
        package let date: String
        package let lines: [MenuLine]

        package init(source: String, date: String, lines: [MenuLine]) {
            (self.source, self.date, self.lines) = (source, date, lines)
        }

        package static let fields = Fields(
            nil, Day.init(source:date:lines:), .required("source", \.source, MenuLine.sourceForm),
            .required("date", \.date, Meal.dateForm),
            .required("lines", \.lines, .list(MenuLine.form, max: Limits.menuLinesPerDayMax)))
    }
}
