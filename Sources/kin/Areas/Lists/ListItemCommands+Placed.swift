import KinModel
import KinWords

/// Changes the fields of an item, and its place.
extension ListCommands {
    /// Changes the fields that the options name; `none` removes a value.
    static func change(_ call: Invocation) throws(Problem) {
        guard ["text", "note", "section", "who", "due", "repeat", "turns"].contains(where: { call.value($0) != nil })
        else {
            throw call.misused
        }
        let seen = try find(call.words[1], call)
        let item = try one(call, in: seen.list)
        var edit: JSON = ["id": .id(item.id)]
        if let text = call.value("text") {
            let written = WrittenItem(text)
            edit["text"] = .string(written.text)
            if let amount = written.amount {
                edit["amount"] = .double(amount)
                edit["unit"] = line(written.unit)
            }
        }
        if let note = call.value("note") { edit["note"] = line(note == "none" ? nil : note) }
        if let section = call.value("section") { edit["section"] = line(section == "none" ? nil : section) }
        if let who = call.value("who") {
            let member: JSON = who == "none" ? .null : .id(try People(call).member(who).id)
            edit["member"] = member
        }
        if let due = call.value("due") {
            let day: JSON = due == "none" ? .null : JSON.day(try CalendarCommands.day(due))
            edit["due"] = day
        }
        if let rule = call.value("repeat") {
            edit["repeat"] = line(rule == "none" ? nil : rule)
            // An item that no longer repeats stays due as it was.
            if rule == "none", call.value("due") == nil { edit["due"] = line(item.due) }
        }
        if let names = call.value("turns") { edit["turns"] = try turns(names, call) }
        let result = try call.call("item.put", ["list": .id(seen.list.id), "items": [edit]])
        say(call, result, "list.changed", seen)
    }

    private static func line(_ text: String?) -> JSON {
        guard let text else { return .null }
        return .string(text)
    }

    /// Moves an open item by one place within its section.
    static func move(_ call: Invocation, isUp: Bool) throws(Problem) {
        let seen = try find(call.words[1], call)
        let item = try one(call, in: seen.list)
        let items = try call.call("list.show", ["list": .id(seen.list.id)])["items"]?.array ?? []
        let all = sorted(items.compactMap(ListItem.init), of: seen.list)
        guard place(of: item, isUp: isUp, among: all) != nil else {
            throw Problem(.refused, phrase("list.no-further", ["item": item.line]))
        }
        guard let order = order(of: item, isUp: isUp, among: all) else {
            throw Problem(.refused, phrase("list.no-room", ["item": item.line]))
        }
        let edit: JSON = ["id": .id(item.id), "order": .string(order)]
        let result = try call.call("item.put", ["list": .id(seen.list.id), "items": [edit]])
        say(call, result, "list.moved", seen)
    }

    /// The neighbours of an open item after it is moved by one place within its section, among sorted items; `nil`
    /// where it cannot go further.
    private static func place(
        of item: ListItem, isUp: Bool, among items: [ListItem]
    ) -> (low: String?, high: String?)? {
        let all = items.filter { !$0.isTicked && $0.section == item.section }
        let index = all.firstIndex { $0.id == item.id }
        guard let index, all.indices.contains(isUp ? index - 1 : index + 1) else { return nil }
        let (before, after) = isUp ? (index - 2, index - 1) : (index + 1, index + 2)
        return (
            all.indices.contains(before) ? all[before].place : nil,
            all.indices.contains(after) ? all[after].place : nil
        )
    }

    /// The key by which the item is sorted after the move; `nil` if there is no room.
    static func order(of item: ListItem, isUp: Bool, among items: [ListItem]) -> String? {
        place(of: item, isUp: isUp, among: items).flatMap { between($0.low, $0.high) }
    }

    /// A key that sorts between two others; `nil` for one of them stands for an end. The answer is `nil` if no key
    /// fits.
    static func between(_ low: String?, _ high: String?) -> String? {
        let (lows, highs) = (Array(low ?? ""), Array(high ?? ""))
        var isBounded = high != nil
        var order = ""
        for index in 0..<64 {
            let from = index < lows.count ? lows[index].hexDigitValue ?? 0 : 0
            var to = 16
            if isBounded { to = index < highs.count ? highs[index].hexDigitValue ?? 0 : 0 }
            if to - from > 1 {
                order += String((from + to) / 2, radix: 16)
                // Other clients may have set keys that are not made of these digits.
                guard order > (low ?? "") else { return nil }
                if let high, order >= high { return nil }
                return order
            }
            order += String(from, radix: 16)
            if to > from { isBounded = false }
        }
        return nil
    }

    /// Names the sections of a list, in their order; `none` for no sections.
    static func section(_ call: Invocation) throws(Problem) {
        let seen = try find(call.words[1], call)
        let text = call.words.dropFirst(2).joined(separator: " ")
        var names: [String] = []
        if text != "none" {
            names = text.split(separator: ",")
                .map { $0.split(separator: " ").joined(separator: " ") }.filter { !$0.isEmpty }
        }
        let result = try call.call(
            "list.update", ["list": .id(seen.list.id), "sections": .array(names.map { .string($0) })])
        let list = Plain.line(seen.list.name)
        guard !names.isEmpty else { return call.answer(result, phrase("list.no-sections", ["list": list])) }
        call.answer(
            result,
            phrase("list.sections", ["list": list, "sections": names.map { Plain.line($0) }.joined(separator: ", ")]))
    }

    private static func one(_ call: Invocation, in list: SharedList) throws(Problem) -> ListItem {
        let found = try meant(call, in: list)
        guard let item = found.first, found.count == 1 else { throw call.misused }
        return item
    }
}
