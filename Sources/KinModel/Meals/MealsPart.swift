/// The meals that one member sees, from the last days on. Earlier ones are asked for (`meal.list`), and so are dishes and
/// menus.
public struct MealsPart: SnapshotPart {
    /// Meals in sight, by identifier.
    public var meals: [Identifier: Meal] = [:]

    /// Its name in the snapshot.
    public static let names = ["meals"]

    /// No meal.
    public init() {}

    /// Reads its member of a snapshot's object.
    public init(_ json: JSON) {
        for meal in (json["meals"]?.array ?? []).compactMap(Meal.init) { meals[meal.id] = meal }
    }

    /// The meals.
    public func json(_ name: String) -> JSON { .sorted(meals, \.json) }

    /// Empties it.
    public mutating func clear(_ name: String) { meals = [:] }

    /// Applies what an event says of a meal.
    public mutating func apply(_ event: Event, of me: Identifier?) {
        if let data = event[Meal.put] ?? event[Meal.shown] {
            meals[data.meal.id] = data.meal
        } else if let data = event[Meal.hidden] ?? event[Meal.removed] {
            meals[data.meal] = nil
        }
    }
}

extension Snapshot {
    /// Meals in sight, by identifier.
    public var meals: [Identifier: Meal] {
        get { self[MealsPart.self].meals }
        _modify { yield &self[MealsPart.self].meals }
    }
}
