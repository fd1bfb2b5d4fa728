import KinKeeper
import KinModel
import KinStore

/// A planned meal as it is stored, with its audience.
struct StoredMeal {
    /// The small number that other tables name it by; 0 before it is stored.
    private(set) var number: Int64 = 0
    /// The part that members who see the meal are told.
    var wire: Meal
    /// The member who planned it. After that member has left, the member who has it now.
    var owner: Identifier
    /// The audience, besides the owner.
    var sharedWith: SharedWith
    /// The number of its next choice.
    private(set) var next: Int64 = 1

    init(_ wire: Meal, of owner: Identifier, sharedWith: SharedWith) {
        (self.wire, self.owner, self.sharedWith) = (wire, owner, sharedWith)
    }

    // MARK: Reading

    private static let columns = Columns<Meal>(called: ["date": "day"], elsewhere: ["choices", "parts"])
    private static let choices = Columns<MealChoice>()
    private static let parts = Columns<MealPart>(elsewhere: ["votes"])
    private static let selected =
        "m.number, m.owner, m.next, m.audience, m.household, " + columns.names(of: "m")

    private init(_ row: borrowing Row, _ database: Database) throws(StoreFailure) {
        let number = row.int("number")
        self.number = number
        owner = row.identifier("owner")
        next = row.int("next")
        let choices = try database.rows(
            "SELECT \(Self.choices.names) FROM meal_choices WHERE meal = ? ORDER BY number", .int(number)
        ) { (row) throws(StoreFailure) in try Self.choices.read(row).json }
        let parts = try database.rows(
            "SELECT \(Self.parts.names), votes FROM meal_parts WHERE meal = ? ORDER BY member", .int(number)
        ) { (row) throws(StoreFailure) in
            var part = try Self.parts.read(row)
            part.votes = row.text("votes").split(separator: " ").compactMap { Int64($0) }
            return part.json
        }
        wire = try Self.columns.read(row, ["choices": .array(choices), "parts": .array(parts)])
        sharedWith = try SharedWith(word: row.text("audience"), household: row.optionalIdentifier("household")) {
            () throws(StoreFailure) in try Meals.shared.members(of: number, database)
        }
    }

    private static func rows(
        _ rest: String, _ values: [Value], _ database: Database
    ) throws(StoreFailure) -> [StoredMeal] {
        try database.rows("SELECT \(selected) FROM meals m " + rest, values: values) {
            (row) throws(StoreFailure) in try StoredMeal(row, database)
        }
    }

    /// The condition that finds a member's meals between two days, by the index of the days, however many meals there
    /// are.
    static let seenRest =
        "CROSS JOIN meal_sight s WHERE m.day BETWEEN ? AND ? AND s.member = ? AND s.meal = m.number "

    /// The meals that a member sees from a day on, the earliest first.
    static func seen(
        by member: Identifier, from: String, to: String = "9", words: [String] = [], limit: Int, _ database: Database
    ) throws(StoreFailure) -> [StoredMeal] {
        let conditions = words.map { _ in "AND instr(m.plain, ?) > 0 " }.joined()
        return try rows(
            "\(seenRest)\(conditions)ORDER BY m.day, m.id LIMIT \(limit)",
            [.text(from), .text(to), .id(member)] + words.map { .text($0) }, database)
    }

    /// Whether a member sees a meal before a day.
    static func isThere(before day: String, seenBy member: Identifier, _ database: Database) throws(StoreFailure)
        -> Bool
    {
        try database.first(
            """
            SELECT 1 FROM meals m CROSS JOIN meal_sight s
            WHERE m.day < ? AND s.member = ? AND s.meal = m.number LIMIT 1
            """, .text(day), .id(member)
        ) { row in row.bool(0) } ?? false
    }

    /// A meal that the caller sees; 1404 for any other, whether it exists or not.
    static func visible(_ act: Act, _ id: Identifier) throws(Rejection) -> StoredMeal {
        let member = try act.member.id
        let found = try act.ask { (database) throws(StoreFailure) in
            try rows(
                "JOIN meal_sight s ON s.meal = m.number WHERE s.member = ? AND m.id = ?", [.id(member), .id(id)],
                database
            ).first
        }
        guard let found else { throw Rejection.notFound("meal", id.description, field: "meal") }
        return found
    }

    /// The meal with a number.
    static func find(_ number: Int64, _ act: Act) throws(Rejection) -> StoredMeal? {
        try act.ask { (database) throws(StoreFailure) in
            try rows("WHERE m.number = ?", [.int(number)], database).first
        }
    }

    /// Whether a meal exists, whoever sees it.
    static func isThere(_ id: Identifier, _ act: Act) throws(Rejection) -> Bool {
        try act.first("SELECT 1 FROM meals WHERE id = ?", .id(id)) { row in row.bool(0) } ?? false
    }

    /// All meals that a member owns.
    static func owned(by member: Identifier, _ act: Act) throws(Rejection) -> [StoredMeal] {
        try act.ask { (database) throws(StoreFailure) in
            try rows("WHERE m.owner = ? ORDER BY m.day, m.id", [.id(member)], database)
        }
    }

    /// The number of meals that a member owns, on one day or on all.
    static func count(ownedBy member: Identifier, on day: String? = nil, _ act: Act) throws(Rejection) -> Int {
        Int(
            try act.first(
                "SELECT count(*) FROM meals WHERE owner = ?1 AND (?2 IS NULL OR day = ?2)", .id(member), Value(day)
            ) { row in row.int(0) } ?? 0)
    }

    // MARK: Who

    /// The members who see it, as stored.
    func seers(_ act: Act) throws(Rejection) -> Audience { try Meals.shared.seers(of: number, act) }

    /// For whom it is, as far as the caller may know it; `nil`: every member. Who planned it and admins know its
    /// audience, everybody else who cooks and who answered.
    func readers(_ act: Act) throws(Rejection) -> Audience? {
        if sharedWith == .everyone { return nil }
        let seers = try seers(act)
        if mayBeShared(act) { return seers }
        let roster = try act.roster
        let named = wire.parts.map(\.member) + [wire.cook].compactMap(\.self)
        return Audience(named.compactMap { roster[$0]?.number }).intersection(seers)
    }

    /// Whether the caller may set its audience.
    func mayBeShared(_ act: Act) -> Bool { act.isOneself(owner) || act.isAdministrator }

    /// Whether the caller may decide which dish there is.
    func mayBeDecided(_ act: Act) -> Bool { wire.cook.map(act.isOneself) ?? false || act.isAdministrator }

    // MARK: Changing

    /// Sets its choices. A choice that was there before keeps its number and its votes.
    mutating func offer(_ given: [(title: String, dish: Identifier?)]) throws(Rejection) {
        var choices: [MealChoice] = []
        for one in given {
            let old = wire.choices.first { $0.title == one.title && $0.dish == one.dish }
            guard !choices.contains(where: { $0.title == one.title && $0.dish == one.dish }) else { continue }
            choices.append(old ?? MealChoice(number: next, title: one.title, dish: one.dish))
            if old == nil { next += 1 }
        }
        guard next <= Limits.mealChoiceNumberMax else {
            throw Rejection(.tooLarge, "This meal was changed too often; plan it anew.", field: "choices")
        }
        wire.choices = choices.sorted { $0.number < $1.number }
        let numbers = Set(choices.map(\.number))
        for index in wire.parts.indices { wire.parts[index].votes.removeAll { !numbers.contains($0) } }
        wire.parts.removeAll { $0.eats == nil && $0.votes.isEmpty }
        if choices.count == 1 || wire.chosen.map({ !numbers.contains($0) }) == true { wire.chosen = nil }
    }

    /// Changes what a member has said of the meal.
    mutating func say(_ member: Identifier, _ change: (inout MealPart) -> Void) {
        var part = wire.parts.first { $0.member == member } ?? MealPart(member: member)
        change(&part)
        wire.parts.removeAll { $0.member == member }
        if part.eats != nil || !part.votes.isEmpty { wire.parts.append(part) }
        wire.parts.sort { $0.member < $1.member }
    }

    // MARK: Writing

    /// Stores it, and tells members who see it and members who no longer do.
    mutating func save(isChanged: Bool, _ act: Act) throws(Rejection) {
        let isNew = number == 0
        let plain = (wire.choices.map(\.title) + [wire.note ?? ""]).joined(separator: "\n").lowercased()
        let more: [Value] = [.text(plain), .int(next), .id(owner)]
        if isNew {
            try act.run(
                """
                INSERT INTO meals (\(Self.columns.names), plain, next, owner, audience)
                VALUES (\(Self.columns.placeholders), ?, ?, ?, '')
                """, values: Self.columns.values(of: wire) + more)
            number = try act.first("SELECT number FROM meals WHERE id = ?", .id(wire.id)) { row in row.int(0) } ?? 0
        } else {
            try act.run(
                "UPDATE meals SET \(Self.columns.assignments), plain = ?, next = ?, owner = ? WHERE number = ?",
                values: Self.columns.values(of: wire) + more + [.int(number)])
        }
        if isNew || isChanged { try saveParts(act) }
        if !isNew, isChanged { try settleCook(act) }
        try Meals.shared.save(sharedWith, of: number, act)
        try tell(try Meals.shared.settle(number, of: owner, sharedWith, act), isChanged: isChanged, isNew: isNew, act)
    }

    private func saveParts(_ act: Act) throws(Rejection) {
        try act.run("DELETE FROM meal_choices WHERE meal = ?", .int(number))
        for choice in wire.choices {
            try act.run(
                "INSERT INTO meal_choices (\(Self.choices.names), meal) VALUES (\(Self.choices.placeholders), ?)",
                values: Self.choices.values(of: choice) + [.int(number)])
        }
        try act.run("DELETE FROM meal_parts WHERE meal = ?", .int(number))
        for part in wire.parts {
            try act.run(
                "INSERT INTO meal_parts (\(Self.parts.names), meal, votes) VALUES (\(Self.parts.placeholders), ?, ?)",
                values: Self.parts.values(of: part) + [
                    .int(number), .text(part.votes.map(String.init).joined(separator: " ")),
                ])
        }
    }

    /// Frees members who no longer see it: they neither cook nor eat there, and no row of the log tells that they did.
    private mutating func free(_ lost: Audience, _ act: Act) throws(Rejection) -> Bool {
        let gone = Set(try act.roster.entries.filter { lost.contains($0.number) }.map(\.id))
        let cooked = wire.cook.map(gone.contains) ?? false
        guard cooked || wire.parts.contains(where: { gone.contains($0.member) }) else { return false }
        wire.parts.removeAll { gone.contains($0.member) }
        if cooked { wire.cook = nil }
        try act.run(
            "UPDATE meals SET \(Self.columns.assignments) WHERE number = ?",
            values: Self.columns.values(of: wire) + [.int(number)])
        try saveParts(act)
        try settleCook(act)
        return true
    }

    /// Removes from inboxes and from the log that a member cooks who no longer does, or not on that day.
    private func settleCook(_ act: Act) throws(Rejection) {
        let about = Meals.about(wire.id)
        try act.settle(Meals.toCook, about: about) { (line, reader) in reader != wire.cook || line.word != wire.date }
        try act.withdraw(key: about + "/cook")
        try act.retitle(about, wire.title)
    }

    /// Tells members who gain sight of it and members who lose it.
    mutating func tell(
        _ change: SharedThings.Change, isChanged: Bool = false, isNew: Bool = false, _ act: Act
    ) throws(Rejection) {
        let about = Meals.about(wire.id)
        // A member who no longer sees the meal is not told its earlier content, either, however long that member was away.
        if !change.lost.isEmpty { try act.narrow(about: about, by: change.lost) }
        let isFreed = change.lost.isEmpty ? false : try free(change.lost, act)
        // No row of the log tells its earlier state any more, not even a row without a key.
        if isChanged || isFreed {
            try act.erase(rows: try act.logged(about: about, types: [Meal.shown]).map(\.position))
        }
        if isNew || isChanged || isFreed {
            try act.emit(
                Meal.put, .init(meal: wire), about: about, to: isNew ? change.gained : change.kept, key: about,
                title: wire.title, owner: owner)
        }
        if !isNew, !change.gained.isEmpty {
            let from = try act.ask { (database) throws(StoreFailure) in try Meals.window(database) }
            if wire.date >= from {
                try act.emit(
                    Meal.shown, .init(meal: wire), about: about, to: change.gained, title: wire.title, owner: owner)
            }
        }
        // The event is about no meal: it must outlive this one in the log, for members who are away until both are
        // gone.
        try act.emit(Meal.hidden, .init(meal: wire.id), about: "meals", to: change.lost, isHeard: true)
    }

    /// Removes it with everything that is stored about it.
    func remove(except leaving: Audience = Audience(), _ act: Act) throws(Rejection) {
        let seers = try seers(act)
        let about = Meals.about(wire.id)
        // The rows about its audience and choices go with this row.
        try act.run("DELETE FROM meals WHERE number = ?", .int(number))
        try act.narrow(about: about, by: Audience(try act.roster.entries.map(\.number)).union(seers))
        try act.erase(about: about)
        try act.emit(
            Meal.removed, .init(meal: wire.id), about: about, to: seers.subtracting(leaving), isHeard: true)
    }
}
