package import KinKeeper
import KinModel
import KinStore

/// The family's meals: dishes, the plan of the week with its cooks and eaters, and the menus of canteens and schools.
/// The rules stand in the documentation's page Meals.
package enum Meals {
    /// The quota of changes that one member makes in a day.
    static let changes = Quota("meals")

    package static let area = Area(
        "Meals", view: "meals",
        tables: [
            Table("meals"), Table("meal_named"), Table("meal_sight"), Table("meal_choices"), Table("meal_parts"),
            Table("dishes"), Table("dish_items"), Table("menu_lines"), Table("meal_fills"), Table("meal_shares"),
            Table("meal_window"), Table("dish_outside"),
        ],
        migrations: migrations,
        methods: [
            put, remove, list, show, vote, decide, eat, cook, shop, addDish, updateDish, removeDish, listDishes,
            showDish, importDishes, fetchDishes, allowOutside, setMenu, listMenus, importMenu,
        ],
        events: [
            Meal.put, Meal.shown, Meal.hidden, Meal.removed, Meal.cooks, Dish.added, Dish.updated, Dish.removed,
            MenuLine.set,
        ],
        upkeep: { (act) throws(Rejection) in try upkeep(act) },
        told: [
            Member.updated.name: { (act, told) throws(Rejection) in try forget(act, told) },
            SharedList.removed.name: { (act, told) throws(Rejection) in
                guard let list = told[SharedList.removed]?.list else { return }
                for table in ["meal_fills", "meal_shares"] {
                    try act.run("DELETE FROM \(table) WHERE list = ?", .id(list))
                }
            },
        ],
        shared: [shared], inbox: inboxRules, inboxKinds: inboxKinds,
        sees: [
            "meal": { (act, meal, member) throws(Rejection) in
                try act.first(
                    """
                    SELECT EXISTS (SELECT 1 FROM meal_sight s WHERE s.meal = m.number AND s.member = ?2)
                    FROM meals m WHERE m.id = ?1
                    """, .id(meal), .id(member.id)
                ) { row in row.bool(0) }
            }
        ],
        readers: [
            "meal": { (act, meal) throws(Rejection) in try StoredMeal.visible(act, meal).readers(act) }
        ],
        quotas: [changes],
        life: Area.Life(
            inherit: { (act, from, to) throws(Rejection) in
                try leave(from, act)
                for var meal in try StoredMeal.owned(by: from, act) {
                    meal.owner = to
                    try meal.save(isChanged: false, act)
                }
            },
            deleteOwned: { (act, member) throws(Rejection) in
                try leave(member, act)
                let leaving = try act.roster.only(member)
                for meal in try StoredMeal.owned(by: member, act) { try meal.remove(except: leaving, act) }
            }),
        formats: [
            Area.Format("recipe", judge: RecipePage.judge), Area.Format("menu", judge: MenuFile.judge),
        ], searched: searched,
        snapshot: [
            .required(
                "meals", .list(Meal.shape, max: Limits.mealsSnapshotBytesMax / Limits.mealBytesMin),
                "Meals in sight, from the last days on; meal.list and meal.show answer earlier ones.")
        ],
        snapshotBytesMax: Limits.mealsSnapshotBytesMax + 64,
        show: { (database, viewer, snapshot) throws(StoreFailure) in
            let from = try window(database)
            let meals = try StoredMeal.seen(
                by: viewer.id, from: from, limit: Limits.mealsSnapshotBytesMax / Limits.mealBytesMin + 1, database)
            let shown = snapshot.fitting(
                meals.map(\.wire), in: "meals", bytesMax: Limits.mealsSnapshotBytesMax, largest: Limits.mealBytesMax
            ) { $0.json.bytes.count + 1 }
            for meal in shown { snapshot.meals[meal.id] = meal }
            if try StoredMeal.isThere(before: from, seenBy: viewer.id, database) { snapshot.more.insert("meals") }
        })

    /// `day` is a meal's day as text. `plain` is the text that is searched, in lower case. `next` is the number of the
    /// next choice. `meal_window` has the day from which on snapshots show meals. `meal_fills` are items that meals put
    /// on lists, with their text then as a number; `meal_shares` has the part of each item that is for one meal.
    static let migrations = [
        Migration(
            number: 50, name: "meals",
            tables: [
                "meals", "meal_named", "meal_sight", "meal_choices", "meal_parts", "dishes", "dish_items", "menu_lines",
                "meal_fills", "meal_shares", "meal_window",
            ],
            sql: """
                CREATE TABLE meals (
                    number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, owner BLOB NOT NULL, day TEXT NOT NULL,
                    slot TEXT NOT NULL, chosen INTEGER, cook BLOB, servings INTEGER, note TEXT, plain TEXT NOT NULL,
                    next INTEGER NOT NULL, audience TEXT NOT NULL, household BLOB
                ) STRICT;
                CREATE INDEX meals_by_day ON meals (day, id);
                CREATE INDEX meals_by_owner ON meals (owner, day);
                CREATE INDEX meals_by_cook ON meals (cook) WHERE cook IS NOT NULL;
                """ + "\n" + SharedThings.sql("meals", column: "meal", members: "meal_named", sight: "meal_sight")
                    + "\n"
                        + """
                        CREATE TABLE meal_choices (
                            meal INTEGER NOT NULL REFERENCES meals (number) ON DELETE CASCADE, number INTEGER NOT NULL,
                            title TEXT NOT NULL, dish BLOB, PRIMARY KEY (meal, number)
                        ) STRICT, WITHOUT ROWID;
                        CREATE TABLE meal_parts (
                            meal INTEGER NOT NULL REFERENCES meals (number) ON DELETE CASCADE, member BLOB NOT NULL,
                            eats TEXT, votes TEXT NOT NULL, PRIMARY KEY (meal, member)
                        ) STRICT, WITHOUT ROWID;
                        CREATE INDEX meal_parts_by_member ON meal_parts (member);
                        CREATE TABLE dishes (
                            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, title TEXT NOT NULL, plain TEXT NOT NULL,
                            words TEXT NOT NULL, servings INTEGER, minutes INTEGER, text TEXT, source TEXT
                        ) STRICT;
                        CREATE INDEX dishes_by_title ON dishes (plain, id);
                        CREATE TABLE dish_items (
                            dish INTEGER NOT NULL REFERENCES dishes (number) ON DELETE CASCADE, place INTEGER NOT NULL,
                            text TEXT NOT NULL, amount REAL, unit TEXT, section TEXT, PRIMARY KEY (dish, place)
                        ) STRICT, WITHOUT ROWID;
                        CREATE TABLE menu_lines (
                            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, source TEXT NOT NULL, day TEXT NOT NULL,
                            text TEXT NOT NULL, price TEXT
                        ) STRICT;
                        CREATE INDEX menu_lines_by_day ON menu_lines (day, source, number);
                        CREATE TABLE meal_fills (
                            list BLOB NOT NULL, item BLOB NOT NULL, key INTEGER NOT NULL, said INTEGER NOT NULL,
                            PRIMARY KEY (list, item)
                        ) STRICT, WITHOUT ROWID;
                        CREATE TABLE meal_shares (
                            list BLOB NOT NULL, item BLOB NOT NULL, meal BLOB NOT NULL, key INTEGER NOT NULL,
                            day TEXT NOT NULL, amount INTEGER, PRIMARY KEY (list, item, meal)
                        ) STRICT, WITHOUT ROWID;
                        CREATE INDEX meal_shares_by_day ON meal_shares (day);
                        CREATE TABLE meal_window (one INTEGER PRIMARY KEY CHECK (one = 1), day TEXT NOT NULL) STRICT;
                        """),
        // There is a row once an admin has decided.
        Migration(
            number: 64, name: "recipes from outside", tables: ["dish_outside"],
            sql: "CREATE TABLE dish_outside (is_on INTEGER NOT NULL) STRICT;"),
        Migration(
            number: 94, name: "menus and rooms that are searched", tables: ["due"],
            sql: Searched.sql(takingIn: "menu")),
    ]

    /// Tells the mechanism how to find the members who see a meal.
    static let shared = SharedThings(
        "meals", column: "meal", members: "meal_named", sight: "meal_sight",
        // A member who loses sight of a meal no longer cooks it, and the member's answer is removed.
        lostForGood: "t.cook IS ?1 OR t.number IN (SELECT meal FROM meal_parts WHERE member = ?1)"
    ) { (act, number, change) throws(Rejection) in
        if var meal = try StoredMeal.find(number, act) { try meal.tell(change, act) }
    }

    /// The `about` of the log's rows about a meal.
    static func about(_ meal: Identifier) -> String { "meal/\(meal)" }

    /// The `about` of the log's rows about a dish.
    static func about(dish: Identifier) -> String { "dish/\(dish)" }

    /// Takes one from a member's quota of changes for the day.
    static func count(_ act: Act) throws(Rejection) {
        guard try changes.take(1, of: Limits.mealChangesPerDayMax, for: act.member.id, act) else {
            throw Quota.usedUp(
                "You changed \(Limits.mealChangesPerDayMax) meals and dishes today, which is the most; go on tomorrow.",
                act)
        }
    }

    // MARK: The window

    /// The day from which on snapshots show meals.
    static func window(_ database: Database) throws(StoreFailure) -> String {
        try database.first("SELECT day FROM meal_window") { row in row.text(0) } ?? ""
    }

    /// Moves the window along with the days. Meals that leave it need no event: a snapshot then says that there is
    /// more.
    static func moveWindow(_ act: Act) throws(Rejection) {
        guard !act.isClockDoubted else { return }
        let day = MealDay.of(act.now.adding(days: -Limits.mealDaysShown))
        let before = try act.ask { (database) throws(StoreFailure) in try window(database) }
        guard day != before else { return }
        try act.run("INSERT OR REPLACE INTO meal_window (one, day) VALUES (1, ?)", .text(day))
        // The clock was put back. Members may never have been told about meals that are shown again.
        if day < before { try act.reset(Audience(try act.roster.entries.map(\.number))) }
    }

    private static func upkeep(_ act: Act) throws(Rejection) {
        try moveWindow(act)
        guard !act.isClockDoubted else { return }
        let past = MealDay.of(act.now.adding(days: -Limits.mealFillDaysKept))
        try act.run("DELETE FROM meal_shares WHERE day < ?", .text(past))
        try act.run(
            "DELETE FROM menu_lines WHERE day < ?", .text(MealDay.of(act.now.adding(days: -Limits.menuDaysKept))))
        try act.run(
            """
            DELETE FROM meal_fills WHERE NOT EXISTS (
                SELECT 1 FROM meal_shares s WHERE s.list = meal_fills.list AND s.item = meal_fills.item)
            """)
    }

    // MARK: The family changes

    /// A member who becomes a guest is no longer told of earlier changes of dishes and menus.
    private static func forget(_ act: Act, _ told: Told) throws(Rejection) {
        guard told[Member.updated]?.changed.contains("role") == true, let member = told.subject,
            try act.roster[member]?.role == .guest
        else { return }
        let only = try act.roster.only(member)
        for about in ["dish/", "menus"] { try act.narrow(about: about, by: only) }
    }

    /// A member leaves. The member no longer cooks anything, and no meal keeps anything about the member. Nobody is
    /// told about meals long past.
    private static func leave(_ member: Identifier, _ act: Act) throws(Rejection) {
        let from = try act.ask { (database) throws(StoreFailure) in try window(database) }
        let meals = try act.rows(
            """
            SELECT number FROM meals WHERE cook = ?1 AND day >= ?2 UNION
            SELECT m.number FROM meal_parts p JOIN meals m ON m.number = p.meal WHERE p.member = ?1 AND m.day >= ?2
            """, .id(member), .text(from)
        ) { row in row.int(0) }
        for number in meals {
            guard var meal = try StoredMeal.find(number, act) else { continue }
            meal.wire.parts.removeAll { $0.member == member }
            if meal.wire.cook == member { meal.wire.cook = nil }
            try meal.save(isChanged: true, act)
        }
        try act.run("DELETE FROM meal_parts WHERE member = ?", .id(member))
        try act.run("UPDATE meals SET cook = NULL WHERE cook = ?", .id(member))
    }
}
