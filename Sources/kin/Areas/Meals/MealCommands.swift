import KinCalendar
import KinLoop
import KinModel
import KinWords

/// Shows and plans the week's meals. A meal is named by its number in the week as it was shown last.
enum MealCommands {
    // MARK: Looking

    /// Shows the week of a day, from Monday on.
    static func week(_ call: Invocation) throws(Problem) {
        let day = try CalendarCommands.day(call.words.joined(separator: " "))
        let (from, to) = week(of: day)
        let found = try call.call("meal.list", ["from": .day(from), "to": .day(to)])
        let menus = try menus(from, to, call)
        if call.wantsJSON {
            var all = found
            all["lines"] = .array(menus.map(\.json))
            return call.output.say(all)
        }
        let meals = (found["meals"]?.array ?? []).compactMap(Meal.init)
        let names = try People(call).names
        let days = phrase("meal.week", ["from": said(from.isoDay), "to": said(to.isoDay)])
        guard !meals.isEmpty || !menus.isEmpty else {
            LastList(call, "meals")?.keep([])
            return call.output.say(phrase("meal.none", ["days": days]))
        }
        call.output.say(call.output.styled(days, "1"))
        list(meals, names, call)
        for line in menus {
            let price = line.price.map { ", " + Plain.line($0) } ?? ""
            call.output.say("\(said(line.date))  \(Plain.line(line.source)): \(Plain.line(line.text))\(price)")
        }
    }

    /// Shows the meals of any day that have some words, numbered like those of a week.
    static func search(_ call: Invocation) throws(Problem) {
        let words = call.words.dropFirst().joined(separator: " ")
        // All days that a meal may be on.
        let found = try call.call(
            "meal.list", ["from": "2000-01-01", "to": "2099-12-31", "words": .string(words)])
        if call.wantsJSON { return call.output.say(found) }
        let meals = (found["meals"]?.array ?? []).compactMap(Meal.init)
        guard !meals.isEmpty else { return call.output.say(phrase("meal.none-found")) }
        list(meals, try People(call).names, call)
        if found["isCut"] == true { call.output.say(phrase("meal.more-found", ["n": meals.count])) }
    }

    private static func list(_ meals: [Meal], _ names: Names, _ call: Invocation) {
        LastList(call, "meals")?.keep(meals.map(\.id))
        guard !meals.isEmpty else { return }
        var table = Table("", "day", "slot", "meal", "cooks", "eats")
        var last = ""
        for (index, meal) in meals.enumerated() {
            table.add(
                "\(index + 1)", meal.date == last ? "" : said(meal.date), phrase("meal.slot.\(meal.slot.rawValue)"),
                title(meal), meal.cook.map { names.member($0) } ?? "", eaters(meal, names))
            last = meal.date
        }
        table.print(to: call.output)
        for (index, meal) in meals.enumerated() {
            if let note = meal.note { call.output.say(Plain.padded("\(index + 1)", 4) + Plain.line(note)) }
        }
    }

    /// Guests see no menus.
    private static func menus(_ from: Civil, _ to: Civil, _ call: Invocation) throws(Problem) -> [MenuLine] {
        do throws(Problem) {
            let found = try call.call("menu.list", ["from": .day(from), "to": .day(to)])
            return (found["lines"]?.array ?? []).compactMap(MenuLine.init)
        } catch {
            guard error.exit == .refused else { throw error }
            return []
        }
    }

    private static func week(of day: Civil) -> (Civil, Civil) {
        let monday = day.adding(days: -((day.weekday + 6) % 7))
        return (monday, monday.adding(days: 6))
    }

    /// Shows one meal with all its fields.
    static func show(_ call: Invocation) throws(Problem) {
        let result = try call.call("meal.show", ["meal": .id(try meant(call))])
        guard !call.wantsJSON, let meal = result["meal"].flatMap(Meal.init) else { return call.output.say(result) }
        let names = try People(call).names
        let head = [said(meal.date), phrase("meal.slot.\(meal.slot.rawValue)"), title(meal)]
        call.output.say(call.output.styled(head.joined(separator: " · "), "1"))
        if let cook = meal.cook { call.output.say(phrase("meal.cooked-by", ["name": names.member(cook)])) }
        func those(_ answer: MealPart.Answer) -> String {
            meal.parts.filter { $0.eats == answer }.map { names.member($0.member) }.joined(separator: ", ")
        }
        let (eating, absent) = (those(.isIn), those(.out))
        if !eating.isEmpty { call.output.say(phrase("meal.eating", ["names": eating])) }
        if !absent.isEmpty { call.output.say(phrase("meal.not-eating", ["names": absent])) }
        for line in (meal.note ?? "").split(whereSeparator: \.isNewline) { call.output.say(Plain.line(String(line))) }
        if let whom = result["meal"]?["audience"] { call.output.say(AudienceWords.said(whom, names)) }
    }

    /// A day such as `Mon 24 Nov`, in the form that people use here.
    static func said(_ date: String) -> String {
        guard let civil = Civil(date + "T00:00") else { return Plain.line(date) }
        return "\(Reader.here.weekday(civil)) \(Reader.here.day(civil, today: LocalTime.civil(LocalTime.now)))"
    }

    /// The dish of a meal; if there are several choices, each with its number and its votes.
    private static func title(_ meal: Meal) -> String {
        let servings = meal.servings.map { " (\($0))" } ?? ""
        if let decided = meal.decided { return Plain.line(decided.title) + servings }
        return meal.choices.map { choice in
            let votes = meal.votes(for: choice)
            return "\(choice.number) \(Plain.line(choice.title))" + (votes > 0 ? " [\(votes)]" : "")
        }.joined(separator: " / ") + servings
    }

    private static func eaters(_ meal: Meal, _ names: Names) -> String {
        let those = meal.parts.filter { $0.eats != nil }.map { part in
            (part.eats == .out ? "-" : "+") + names.member(part.member)
        }
        return those.joined(separator: " ")
    }

    // MARK: Planning

    static func plan(_ call: Invocation) throws(Problem) {
        let day = try CalendarCommands.day(call.words[1])
        guard let choices = try choices(call) else { throw call.misused }
        let cook = try call.value("cook").map { (name) throws(Problem) in try People(call).member(name).id }
        let result = try call.call(
            "meal.put",
            .object(leavingOut: [
                "date": .day(day), "choices": choices,
                "slot": try slot(call),
                "servings": try DishCommands.servings(call), "cook": cook.map { .id($0) },
                "note": call.value("note").map { .string($0) },
                "audience": try call.value("for").map { (text) throws(Problem) in try AudienceWords.typed(text, call) },
            ]))
        answer(call, result, "meal.planned")
    }

    /// The choices of a meal, as typed from the third word on; `nil` where there are none.
    private static func choices(_ call: Invocation) throws(Problem) -> JSON? {
        let titles = call.words.dropFirst(2).joined(separator: " ").split(separator: "/")
            .map { $0.split(separator: " ").joined(separator: " ") }.filter { !$0.isEmpty }
        var choices: [JSON] = []
        for title in titles {
            // A dish of that title brings its ingredients.
            let dish = try DishCommands.known(title, call)
            choices.append(dish.map { ["dish": .id($0)] } ?? ["title": .string(title)])
        }
        return choices.isEmpty ? nil : .array(choices)
    }

    /// Changes a planned meal. Properties that are not named stay; `none` takes servings, cook or note away.
    static func change(_ call: Invocation) throws(Problem) {
        var said: JSON.Object = [:]
        said["choices"] = try choices(call)
        if let day = call.value("day") { said["date"] = .day(try CalendarCommands.day(day)) }
        said["slot"] = try slot(call)
        said["servings"] = isNone(call.value("servings")) ? JSON.null : try DishCommands.servings(call)
        if let name = call.value("cook") {
            said["cook"] = isNone(name) ? JSON.null : .id(try People(call).member(name).id)
        }
        if let note = call.value("note") { said["note"] = isNone(note) ? JSON.null : .string(note) }
        if let whom = call.value("for") { said["audience"] = try AudienceWords.typed(whom, call) }
        guard said != [:] else { throw call.misused }
        said["meal"] = .id(try meant(call))
        answer(call, try call.call("meal.put", .object(said)), "meal.changed")
    }

    static func isNone(_ text: String?) -> Bool { text?.lowercased() == "none" }

    /// A mealtime, in either language.
    private static func slot(_ call: Invocation) throws(Problem) -> JSON? {
        guard let text = call.value("slot") else { return nil }
        let words = [
            "breakfast": "breakfast", "frühstück": "breakfast", "lunch": "lunch", "mittag": "lunch",
            "mittagessen": "lunch", "snack": "snack", "zwischendurch": "snack", "dinner": "dinner", "abend": "dinner",
            "abendessen": "dinner", "abendbrot": "dinner",
        ]
        guard let slot = words[text.lowercased()] else {
            throw .usage(phrase("meal.no-slot", ["text": Plain.line(text)]))
        }
        return .string(slot)
    }

    static func cook(_ call: Invocation) throws(Problem) {
        let cooks = call.words.count == 2
        guard cooks || call.words[2].lowercased() == "no" else { throw call.misused }
        let result = try call.call("meal.cook", ["meal": .id(try meant(call)), "cooks": .bool(cooks)])
        answer(call, result, cooks ? "meal.you-cook" : "meal.you-do-not-cook")
    }

    static func eat(_ call: Invocation) throws(Problem) {
        let word = call.words[2].lowercased()
        guard ["in", "out", "unknown"].contains(word) else { throw call.misused }
        let result = try call.call("meal.eat", ["meal": .id(try meant(call)), "eats": .string(word)])
        answer(call, result, "meal.eats.\(word)")
    }

    static func vote(_ call: Invocation) throws(Problem) {
        let numbers = isNone(call.words[2]) ? [] : try numbers(call)
        let result = try call.call(
            "meal.vote", ["meal": .id(try meant(call)), "choices": .array(numbers.map { .int($0) })])
        answer(call, result, numbers.isEmpty ? "meal.no-vote" : "meal.voted")
    }

    static func decide(_ call: Invocation) throws(Problem) {
        if isNone(call.words[2]) {
            let result = try call.call("meal.decide", ["meal": .id(try meant(call)), "choice": .null])
            return answer(call, result, "meal.is-open")
        }
        guard let number = try numbers(call).first else { throw call.misused }
        let result = try call.call("meal.decide", ["meal": .id(try meant(call)), "choice": .int(number)])
        answer(call, result, "meal.decided")
    }

    static func remove(_ call: Invocation) throws(Problem) {
        let result = try call.call("meal.remove", ["meal": .id(try meant(call))])
        call.answer(result, phrase("meal.removed"))
    }

    static func fill(_ call: Invocation) throws(Problem) {
        let list = try ListCommands.find(call.words[1], call).list
        let before = (try call.call("list.show", ["list": .id(list.id)])["items"]?.array ?? []).compactMap(
            ListItem.init)
        let typed = call.words.dropFirst(2).joined(separator: " ")
        // Meals of past days need nothing any more. On the last day of a week one shops for the next.
        var from = try CalendarCommands.day("")
        var to = week(of: from.adding(days: 1)).1
        if !typed.isEmpty {
            from = try CalendarCommands.day(typed)
            to = from.adding(days: 6)
        }
        if let days = try CalendarCommands.count(call, most: 31) { to = from.adding(days: days - 1) }
        let result = try call.call(
            "meal.shop", ["from": .day(from), "to": .day(to), "list": .id(list.id)])
        let needed = (result["items"]?.array ?? []).compactMap(ListItem.init)
        // An item that stood there unchanged was not put there by this command.
        let items = needed.filter { item in !before.contains { $0.id == item.id && $0.line == item.line } }.map(\.line)
        let isAll = !needed.isEmpty || result["left"]?.int ?? 0 > 0
        call.answer(
            result,
            phrase(
                !items.isEmpty ? "meal.filled" : isAll ? "meal.filled-already" : "meal.filled-nothing",
                [
                    "list": Plain.line(list.name), "items": items.joined(separator: "; "), "from": said(from.isoDay),
                    "to": said(to.isoDay),
                ]))
    }

    private static func answer(_ call: Invocation, _ result: JSON, _ key: String) {
        let meal = result["meal"].flatMap(Meal.init)
        call.answer(
            result, phrase(key, ["meal": meal.map(title) ?? "", "day": meal.map { said($0.date) } ?? ""]))
    }

    /// The meal that the second word names by its number.
    private static func meant(_ call: Invocation) throws(Problem) -> Identifier { try find(call.words[1], call) }

    /// The meal with a number in the week as it was shown last, or with an identifier.
    static func find(_ text: String, _ call: Invocation) throws(Problem) -> Identifier {
        if let id = Identifier(text) { return id }
        let last = LastList(call, "meals")?.ids ?? []
        guard let number = Int(text), last.indices.contains(number - 1) else {
            throw .usage(phrase("meal.no-number", ["text": Plain.line(text)]))
        }
        return last[number - 1]
    }

    private static func numbers(_ call: Invocation) throws(Problem) -> [Int64] {
        let words = call.words.dropFirst(2).flatMap { $0.split(separator: ",") }
        let numbers = words.compactMap { Int64($0) }
        guard numbers.count == words.count else { throw call.misused }
        return numbers
    }
}
