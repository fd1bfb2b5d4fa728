import KinModel

/// The family's dishes, as a client keeps what it lists of them.
struct KeptDishes: KeptList {
    private(set) var lines: [String: JSON] = [:]

    init?(_ result: JSON) {
        // The rest is on the next page.
        guard result["next"] == nil, let dishes = result["dishes"]?.array else { return nil }
        for dish in dishes { lines[dish["id"]?.string ?? ""] = dish }
    }

    mutating func apply(_ event: Event) -> Bool {
        if let dish = (event[Dish.added] ?? event[Dish.updated])?.dish {
            lines[dish.id.description] = .object(leavingOut: [
                "id": .id(dish.id), "title": .string(dish.title), "servings": dish.servings.map { .int($0) },
                "minutes": dish.minutes.map { .int($0) },
            ])
        } else if let data = event[Dish.removed] {
            lines[data.dish.description] = nil
        }
        return true
    }
}

/// What canteens and schools cook on the days that are listed.
struct KeptMenus: KeptList {
    private var days: [String: [MenuLine]] = [:]

    var lines: [String: JSON] { days.mapValues { .array($0.map(\.json)) } }

    init?(_ result: JSON) {
        guard result["isCut"] == nil, let lines = result["lines"]?.array else { return nil }
        for line in lines.compactMap(MenuLine.init) { days[Self.day(line.source, line.date), default: []].append(line) }
    }

    /// Every event is of a day that is listed: the box has no others.
    mutating func apply(_ event: Event) -> Bool {
        if let data = event[MenuLine.set] {
            days[Self.day(data.source, data.date)] = data.lines.isEmpty ? nil : data.lines
        }
        return true
    }

    private static func day(_ source: String, _ date: String) -> String { "\(date) \(source)" }
}
