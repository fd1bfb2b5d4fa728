import KinKeeper
import KinModel
import KinStore

/// A dish as it is stored.
struct StoredDish {
    private(set) var number: Int64 = 0
    var wire: Dish

    init(_ wire: Dish) { self.wire = wire }

    private static let columns = Columns<Dish>(elsewhere: ["ingredients"])
    private static let items = Columns<Ingredient>()

    private init(_ row: borrowing Row, _ database: Database) throws(StoreFailure) {
        let number = row.int("number")
        self.number = number
        let items = try database.rows(
            "SELECT \(Self.items.names) FROM dish_items WHERE dish = ? ORDER BY place", .int(number)
        ) { (row) throws(StoreFailure) in try Self.items.read(row).json }
        wire = try Self.columns.read(row, ["ingredients": .array(items)])
    }

    /// The dish with an identifier, if there is one.
    static func known(_ id: Identifier, _ act: Act) throws(Rejection) -> StoredDish? {
        try act.ask { (database) throws(StoreFailure) in
            try database.rows("SELECT number, \(columns.names) FROM dishes WHERE id = ?", .id(id)) {
                (row) throws(StoreFailure) in try StoredDish(row, database)
            }.first
        }
    }

    /// The dish with an identifier; 1404 if there is none.
    static func find(_ id: Identifier, field: String = "dish", _ act: Act) throws(Rejection) -> StoredDish {
        guard let found = try known(id, act) else {
            throw Rejection.notFound("dish", id.description, field: field)
        }
        return found
    }

    /// A dish with the same title and source; without a source, a dish that has none.
    static func titled(_ title: String, source: String?, _ act: Act) throws(Rejection) -> StoredDish? {
        let id = try act.first(
            "SELECT id FROM dishes WHERE plain = ? AND source IS ? ORDER BY id LIMIT 1", .text(title.lowercased()),
            Value(source)
        ) { row in row.identifier(0) }
        return try id.flatMap { (id) throws(Rejection) in try known(id, act) }
    }

    /// The part of a dish that a list shows.
    struct Head: WireRecord {
        let id: Identifier
        let title: String
        let servings: Int64?
        let minutes: Int64?

        static let fields = Fields(
            nil, Head.init(id:title:servings:minutes:), .required("id", \.id, .id),
            .required("title", \.title, Dish.titleForm),
            .optional("servings", \.servings, Meal.servingsForm, "For how many the amounts are."),
            .optional("minutes", \.minutes, Dish.minutesForm, "How long it takes."))
        static let columns = Columns<Head>()
    }

    /// A page of the dishes in the order of their titles, each as a list shows it.
    static func page(
        words: [String], after: Identifier?, limit: Int, _ act: Act
    ) throws(Rejection) -> [Head] {
        var conditions = words.map { _ in "instr(words, ?) > 0" }
        var values = words.map { Value.text($0) }
        if let after {
            conditions.append("(plain, id) > (SELECT plain, id FROM dishes WHERE id = ?)")
            values.append(.id(after))
        }
        let rest = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        return try act.ask { (database) throws(StoreFailure) in
            try database.rows(
                "SELECT \(Head.columns.names) FROM dishes \(rest) ORDER BY plain, id LIMIT \(limit)", values: values
            ) { (row) throws(StoreFailure) in try Head.columns.read(row) }
        }
    }

    static func count(_ act: Act) throws(Rejection) -> Int {
        Int(try act.first("SELECT count(*) FROM dishes") { row in row.int(0) } ?? 0)
    }

    /// Stores it, and tells the family.
    mutating func save(_ act: Act) throws(Rejection) {
        let isNew = number == 0
        let words = ([wire.title] + wire.ingredients.map(\.text)).joined(separator: "\n").lowercased()
        let more: [Value] = [.text(wire.title.lowercased()), .text(words)]
        if isNew {
            guard try Self.count(act) < Limits.dishesMax else {
                throw Rejection(
                    .tooLarge, "The family has \(Limits.dishesMax) dishes, which is the most; remove one first.")
            }
            try act.run(
                "INSERT INTO dishes (\(Self.columns.names), plain, words) VALUES (\(Self.columns.placeholders), ?, ?)",
                values: Self.columns.values(of: wire) + more)
            number = try act.first("SELECT number FROM dishes WHERE id = ?", .id(wire.id)) { row in row.int(0) } ?? 0
        } else {
            try act.run(
                "UPDATE dishes SET \(Self.columns.assignments), plain = ?, words = ? WHERE number = ?",
                values: Self.columns.values(of: wire) + more + [.int(number)])
            try act.run("DELETE FROM dish_items WHERE dish = ?", .int(number))
        }
        for (place, item) in wire.ingredients.enumerated() {
            try act.run(
                "INSERT INTO dish_items (\(Self.items.names), dish, place) VALUES (\(Self.items.placeholders), ?, ?)",
                values: Self.items.values(of: item) + [.int(number), .int(Int64(place))])
        }
        let about = Meals.about(dish: wire.id)
        // Members who were away are not told the former text.
        if !isNew { try act.erase(about: about) }
        try act.emit(
            isNew ? Dish.added : Dish.updated, .init(dish: wire), about: about, to: try act.roster.everyone)
    }

    /// Removes it. Planned meals keep its title.
    func remove(_ act: Act) throws(Rejection) {
        try act.run("DELETE FROM dishes WHERE number = ?", .int(number))
        let about = Meals.about(dish: wire.id)
        try act.erase(about: about)
        try act.emit(Dish.removed, .init(dish: wire.id), about: about, to: try act.roster.everyone)
    }
}
