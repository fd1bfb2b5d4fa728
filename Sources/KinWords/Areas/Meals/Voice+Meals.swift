import KinCalendar
package import KinModel

/// Meals as one sees them: what each is, and what the newest event took away.
package struct KnownMeals: Known {
    private var titles: [Identifier: String] = [:]

    package init() {}

    package mutating func learn(_ snapshot: Snapshot) {
        for meal in snapshot.meals.values { titles[meal.id] = meal.title }
    }

    package mutating func learn(_ data: JSON) {
        if let meal = data["meal"].flatMap(Meal.init) { titles[meal.id] = meal.title }
        if let dish = data["dish"].flatMap(Dish.init) { titles[dish.id] = dish.title }
    }

    package mutating func learn(_ event: Event) { learn(event.data) }

    fileprivate subscript(id: Identifier) -> String? { titles[id] }
}

extension Names {
    /// What a meal or a dish is called.
    package func meal(_ id: Identifier, _ reader: Reader) -> String {
        self[KnownMeals.self][id].map { Plain.line($0) } ?? reader.phrase("names.a-meal")
    }
}

/// What the family eats.
extension MealsPart: Worded {
    package static var words: AreaWords {
        AreaWords(
            file: "meals",
            known: [KnownMeals.self], sentence: { $0.meals() }, line: { (voice, line, _) in voice.meal(line) },
            headings: ["meal": { (voice, id) in id.map { voice.names.meal($0, voice.reader) } ?? "" }],
            signs: ["meal": ("fork_and_knife", "meals")])
    }
}

extension Voice {
    /// What happened to a meal, a dish or a menu.
    func meals() -> String? {
        switch event.type {
        case Meal.put.name: event[Meal.put].map { told("event.meal.put", $0.meal) }
        case Meal.shown.name: event[Meal.shown].map { told("event.meal.shown", $0.meal) }
        case Meal.cooks.name: event[Meal.cooks].map { told("event.meal.cooks", $0.meal) }
        case Meal.hidden.name: event[Meal.hidden].map { gone("event.meal.hidden", $0.meal) }
        case Meal.removed.name: event[Meal.removed].map { gone("event.meal.removed", $0.meal) }
        case Dish.added.name: event[Dish.added].map { told("event.dish.added", $0.dish) }
        case Dish.updated.name: event[Dish.updated].map { told("event.dish.updated", $0.dish) }
        case Dish.removed.name: event[Dish.removed].map { gone("event.dish.removed", $0.dish) }
        case MenuLine.set.name:
            event[MenuLine.set].map {
                phrase(
                    "event.menu.set",
                    ["by": somebody, "source": Plain.line($0.source), "date": reader.day($0.date, now)])
            }
        default: nil
        }
    }

    private var somebody: String { by ?? phrase("by.daemon") }

    private func told(_ key: String, _ meal: Meal) -> String {
        phrase(
            key,
            [
                "by": somebody, "meal": Plain.line(meal.title), "date": reader.day(meal.date, now),
                "slot": phrase("meal.slot.\(meal.slot.rawValue)"),
                "cook": meal.cook.map { names.member($0, reader) } ?? phrase("names.nobody-cooks"),
            ])
    }

    private func told(_ key: String, _ dish: Dish) -> String {
        phrase(key, ["by": somebody, "dish": Plain.line(dish.title)])
    }

    private func gone(_ key: String, _ id: Identifier) -> String {
        phrase(key, ["by": somebody, "meal": names.meal(id, reader)])
    }
}

extension InboxVoice {
    /// What a line says of a meal.
    func meal(_ line: JSON) -> String? {
        guard line["kind"]?.string == "cooks" else { return nil }
        return phrase("inbox.cooks", ["by": by(line), "date": reader.day(line["date"]?.string ?? "", now)])
    }
}

extension Reader {
    /// A meal's day, with its weekday, as days are written elsewhere.
    fileprivate func day(_ date: String, _ now: Instant) -> String {
        guard let civil = Civil(date + "T00:00") else { return Plain.line(date) }
        return "\(weekday(civil)) \(day(civil, today: self.civil(now)))"
    }
}
