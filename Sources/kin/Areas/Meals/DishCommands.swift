import KinCalendar
import KinCrypto
import KinLoop
import KinModel
import KinWords

/// The family's dishes, and the menus of canteens. A dish is named by its title, or by the beginning of that.
enum DishCommands {
    /// Bytes of a file that fits into a message.
    private static let bytesMax = 700 << 10

    static func add(_ call: Invocation) throws(Problem) {
        var said = try said(call)
        said["title"] = .string(call.words[1])
        answer(call, try call.call("dish.add", .object(said)), "dish.added", bare: "dish.added-bare")
    }

    /// Changes a dish. Typed ingredients replace the former ones. Fields that are not named stay; `none` removes
    /// servings, minutes and text.
    static func change(_ call: Invocation) throws(Problem) {
        var said = try said(call)
        for name in ["servings", "minutes", "text"] where MealCommands.isNone(call.value(name)) {
            said[name] = JSON.null
        }
        if let title = call.value("title") { said["title"] = .string(title) }
        guard said != [:] else { throw call.misused }
        said["dish"] = .id(try meant(call.words[1], call))
        let result = try call.call("dish.update", .object(said))
        answer(call, result, "dish.changed", bare: "dish.changed-bare")
    }

    /// The fields of a dish besides its title.
    private static func said(_ call: Invocation) throws(Problem) -> JSON.Object {
        var said: JSON.Object = [:]
        said["ingredients"] = ingredients(call)
        if !MealCommands.isNone(call.value("servings")) { said["servings"] = try servings(call) }
        if let text = call.value("text") { said["text"] = .string(text) }
        if let text = call.value("minutes"), !MealCommands.isNone(text) {
            guard let count = Int64(text) else { throw .usage(phrase("dish.bad-minutes")) }
            said["minutes"] = .int(count)
        }
        return said
    }

    /// The ingredients of a dish, as typed from the third word on; `nil` where there are none.
    private static func ingredients(_ call: Invocation) -> JSON? {
        let lines = call.words.dropFirst(2).joined(separator: " ").split(separator: ";")
            .map { $0.split(separator: " ").joined(separator: " ") }.filter { !$0.isEmpty }
        return lines.isEmpty ? nil : .array(lines.map { .string($0) })
    }

    private static func answer(_ call: Invocation, _ result: JSON, _ key: String, bare: String) {
        guard let dish = result["dish"].flatMap(Dish.init) else { return call.output.say(result) }
        call.answer(
            result,
            phrase(
                dish.ingredients.isEmpty ? bare : key,
                ["dish": Plain.line(dish.title), "items": dish.ingredients.map(\.line).joined(separator: "; ")]))
    }

    static func list(_ call: Invocation) throws(Problem) {
        let words = call.words.dropFirst().joined(separator: " ")
        var (all, after): ([JSON], JSON?) = ([], nil)
        repeat {
            let page = try call.call(
                "dish.list",
                .object(leavingOut: ["words": words.isEmpty ? nil : .string(words), "limit": 200, "after": after]))
            all += page["dishes"]?.array ?? []
            after = page["next"]
        } while after != nil
        if call.wantsJSON { return call.output.say(["dishes": .array(all)]) }
        guard !all.isEmpty else {
            return call.output.say(phrase(words.isEmpty ? "dish.none" : "dish.none-found"))
        }
        var table = Table("dish", "servings", "minutes")
        for dish in all {
            table.add(
                dish["title"]?.string ?? "", dish["servings"]?.int.map { "\($0)" } ?? "",
                dish["minutes"]?.int.map { "\($0)" } ?? "")
        }
        table.print(to: call.output)
    }

    static func show(_ call: Invocation) throws(Problem) {
        let result = try call.call("dish.show", ["dish": .id(try meant(named(call), call))])
        guard !call.wantsJSON, let dish = result["dish"].flatMap(Dish.init) else { return call.output.say(result) }
        call.output.say(call.output.styled(Plain.line(dish.title), "1"))
        if let servings = dish.servings { call.output.say(phrase("dish.servings", ["n": Int(servings)])) }
        for one in dish.ingredients { call.output.say("  " + one.line) }
        for line in (dish.text ?? "").split(whereSeparator: \.isNewline) { call.output.say(Plain.line(String(line))) }
        if let source = dish.source { call.output.say(Plain.line(source)) }
    }

    static func remove(_ call: Invocation) throws(Problem) {
        let result = try call.call("dish.remove", ["dish": .id(try meant(named(call), call))])
        call.answer(result, phrase("dish.removed", ["dish": Plain.line(call.words.dropFirst().joined(separator: " "))]))
    }

    /// Imports recipes from a saved page, or from a page at an address, which the daemon reads.
    static func takeIn(_ call: Invocation) throws(Problem) {
        let word = call.words[1]
        let isAddress = ["https://", "http://"].contains { word.lowercased().hasPrefix($0) }
        let result =
            isAddress
            ? try call.call("dish.fetch", ["address": .string(word)], timeoutMilliseconds: 600_000)
            : try call.call("dish.import", ["page": .string(try file(word))], timeoutMilliseconds: 600_000)
        report(call, result)
    }

    /// Allows or forbids that recipes are read outside.
    static func allow(_ call: Invocation) throws(Problem) {
        guard ["on", "off"].contains(call.words[1]) else { throw call.misused }
        let isOn = call.words[1] == "on"
        let done = try call.call("dish.allowOutside", ["on": .bool(isOn)])
        call.answer(done, phrase(isOn ? "dish.outside-on" : "dish.outside-off"))
    }

    /// Imports a canteen's menu from a file.
    static func menu(_ call: Invocation) throws(Problem) {
        let result = try call.call(
            "menu.import", ["source": .string(call.words[1]), "file": .string(try file(call.words[2]))],
            timeoutMilliseconds: 600_000)
        report(call, result)
    }

    /// Sets a canteen's menu for one day, as people type it: `Lentils = 3.20; Fish`. With `none` the day has no menu.
    static func setMenu(_ call: Invocation) throws(Problem) {
        let (source, day) = (call.words[2], try CalendarCommands.day(call.words[3]))
        let typed = call.words.dropFirst(4).joined(separator: " ")
        var dishes: [JSON] = []
        if typed.lowercased() != "none" {
            for one in typed.split(separator: ";") {
                let parts = one.split(separator: "=", maxSplits: 1).map { part in
                    part.split(separator: " ").joined(separator: " ")
                }
                guard let text = parts.first, !text.isEmpty else { continue }
                let price = parts.count == 2 && !parts[1].isEmpty ? parts[1] : nil
                dishes.append(.object(leavingOut: ["text": .string(text), "price": price.map { .string($0) }]))
            }
            guard !dishes.isEmpty else { throw call.misused }
        }
        let days: JSON = [["date": .day(day), "dishes": .array(dishes)]]
        let result = try call.call("menu.set", ["source": .string(source), "days": days])
        call.answer(
            result,
            phrase(
                dishes.isEmpty ? "meal.menu-cleared" : "meal.menu-set",
                ["source": Plain.line(source), "day": MealCommands.said(day.isoDay)]))
    }

    private static func report(_ call: Invocation, _ result: JSON) {
        if call.wantsJSON { return call.output.say(result) }
        for entry in result["entries"]?.array ?? [] {
            let outcome = phrase("dish.outcome.\(entry["outcome"]?.string ?? "refused")")
            let (name, date) = (entry["name"]?.string ?? "", entry["date"]?.string)
            // A day that is left without dishes is called after itself.
            let what = [date.map { MealCommands.said($0) }, name == date ? nil : Plain.line(name)]
            call.output.say("\(outcome): \(what.compactMap(\.self).joined(separator: " · "))")
            for remark in (entry["remarks"]?.array ?? []).compactMap(\.string) {
                call.output.say("  " + Plain.line(Reader.here.refusal(remark)))
            }
        }
        call.output.say(phrase("dish.taken", ["n": Int(result["taken"]?.int ?? 0)]))
    }

    private static func file(_ path: String) throws(Problem) -> String {
        do throws(LoopFailure) { return Base64.encode(try Files.read(path, max: bytesMax)) } catch {
            throw .unreadable(path, error)
        }
    }

    // MARK: What is typed

    static func servings(_ call: Invocation) throws(Problem) -> JSON? {
        guard let text = call.value("servings") else { return nil }
        guard let count = Int64(text), (1...Limits.servingsMax).contains(count) else {
            throw .usage(phrase("dish.bad-servings", ["n": Int(Limits.servingsMax)]))
        }
        return .int(count)
    }

    /// The dish with a title, whatever the case of its letters.
    static func known(_ title: String, _ call: Invocation) throws(Problem) -> Identifier? {
        try found(title, call).first { $0.title.lowercased() == title.lowercased() }?.id
    }

    private static func found(_ text: String, _ call: Invocation) throws(Problem) -> [(id: Identifier, title: String)] {
        let words = String(text.prefix(100))
        let page = try call.call("dish.list", ["words": .string(words), "limit": 200])
        return (page["dishes"]?.array ?? []).compactMap { dish in
            dish["id"]?.identifier.map { ($0, dish["title"]?.string ?? "") }
        }
    }

    /// The name of a dish, as typed from the second word on.
    private static func named(_ call: Invocation) -> String { call.words.dropFirst().joined(separator: " ") }

    private static func meant(_ text: String, _ call: Invocation) throws(Problem) -> Identifier {
        let all = try found(text, call)
        let same = all.filter { $0.title.lowercased() == text.lowercased() }
        let meant = same.isEmpty ? all.filter { $0.title.lowercased().hasPrefix(text.lowercased()) } : same
        guard let one = meant.first else { throw Problem(.refused, phrase("dish.no-dish", ["text": Plain.line(text)])) }
        guard meant.count == 1 else {
            let names = meant.prefix(5).map { Plain.line($0.title) }.joined(separator: ", ")
            throw .usage(phrase("dish.several", ["text": Plain.line(text), "names": names]))
        }
        return one.id
    }
}

extension Ingredient {
    /// `flour, 200 g`.
    fileprivate var line: String {
        let nobody = Identifier(high: 0, low: 0)
        return ListItem(list: nobody, id: nobody, text: text, amount: amount, unit: unit).line
    }
}
