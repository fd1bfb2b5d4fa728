import KinLoop
import KinModel
import KinWords

/// Changes the items of lists.
extension ListCommands {
    static func add(_ call: Invocation) throws(Problem) {
        let seen = try find(call.words[1], call)
        let texts = call.words.dropFirst(2).joined(separator: " ").split(separator: ",")
            .map { $0.split(separator: " ").joined(separator: " ") }.filter { !$0.isEmpty }
        guard !texts.isEmpty else { throw call.misused }
        let who = try call.value("who").map { (name) throws(Problem) in try People(call).member(name).id }
        let due = try call.value("due").map { (text) throws(Problem) in JSON.day(try CalendarCommands.day(text)) }
        let turns = try call.value("turns").map { (names) throws(Problem) in
            try ListCommands.turns(names, call)
        }
        var items: [JSON] = []
        for text in texts {
            let written = WrittenItem(text)
            items.append(
                .object(leavingOut: [
                    "id": .id(newIdentifier(items.count)), "text": .string(written.text),
                    "amount": written.amount.map { .double($0) }, "unit": written.unit.map { .string($0) },
                    "section": call.value("section").map { .string($0) }, "member": who.map { .id($0) },
                    "due": due, "note": call.value("note").map { .string($0) },
                    "repeat": call.value("repeat").map { .string($0) }, "turns": turns,
                ]))
        }
        let result = try call.call("item.put", ["list": .id(seen.list.id), "items": .array(items)])
        say(call, result, "list.put", seen)
    }

    /// Items of lists in sight that begin with these words, the most frequent first.
    static func suggested(
        _ words: String, kind: SharedList.Kind?, _ call: Invocation
    ) throws(Problem) -> [(text: String, unit: String?, section: String?)] {
        let found = try call.call(
            "item.suggest",
            .object(leavingOut: ["words": .string(words), "kind": kind.map { .string($0.rawValue) }]))
        return (found["suggestions"]?.array ?? []).compactMap { one in
            one["text"]?.string.map { (text: $0, unit: one["unit"]?.string, section: one["section"]?.string) }
        }
    }

    /// Shows these items.
    static func suggest(_ call: Invocation) throws(Problem) {
        let words = call.words.dropFirst().joined(separator: " ")
        var kind: SharedList.Kind?
        if let text = call.value("kind") {
            kind = SharedList.Kind(rawValue: text.lowercased())
            guard kind != nil else { throw call.misused }
        }
        let found = try suggested(words, kind: kind, call)
        if call.wantsJSON {
            return call.output.say([
                "suggestions": .array(
                    found.map { one in
                        .object(leavingOut: [
                            "text": .string(one.text), "unit": one.unit.map { .string($0) },
                            "section": one.section.map { .string($0) },
                        ])
                    })
            ])
        }
        guard !found.isEmpty else { return call.output.say(phrase("list.none-suggested")) }
        for one in found {
            call.output.say(
                [one.text, one.unit, one.section].compactMap(\.self).map { Plain.line($0) }.joined(separator: " · "))
        }
    }

    static func tick(_ call: Invocation, on: Bool) throws(Problem) {
        let seen = try find(call.words[1], call)
        let meant = try meant(call, in: seen.list)
        let result = try call.call(
            "item.put",
            [
                "list": .id(seen.list.id),
                "items": .array(
                    meant.map { item in
                        // For a repeated item it is the day that was shown: a member who ticks it elsewhere means the
                        // same day.
                        let day = item.repeats == nil ? nil : on ? item.due : item.done
                        return .object(leavingOut: [
                            "id": .id(item.id), "ticked": .bool(on), "occurrence": day.map { .string($0) },
                        ])
                    }),
            ])
        say(call, result, on ? "list.ticked" : "list.unticked", seen)
    }

    /// Members who take turns, from `anna,ben,cleo`; `none` for nobody.
    static func turns(_ text: String, _ call: Invocation) throws(Problem) -> JSON {
        if text == "none" { return .null }
        let people = try People(call)
        var members: [JSON] = []
        for name in text.split(separator: ",") {
            members.append(.id(try people.member(name.split(separator: " ").joined(separator: " ")).id))
        }
        return .array(members)
    }

    static func take(_ call: Invocation) throws(Problem) {
        let seen = try find(call.words[1], call)
        let meant = try meant(call, in: seen.list)
        let result = try call.call(
            "item.remove", ["list": .id(seen.list.id), "items": .array(meant.map { .id($0.id) })])
        call.answer(
            result,
            phrase(
                "list.taken", ["list": Plain.line(seen.list.name), "items": meant.map(\.line).joined(separator: "; ")]))
    }

    /// Removes the ticked items.
    static func clear(_ call: Invocation) throws(Problem) {
        let seen = try find(call.words[1], call)
        let items = try call.call("list.show", ["list": .id(seen.list.id)])["items"]?.array ?? []
        var done = items.compactMap(ListItem.init).filter(\.isTicked).map { JSON.id($0.id) }
        let count = done.count
        while !done.isEmpty {
            _ = try call.call("item.remove", ["list": .id(seen.list.id), "items": .array(Array(done.prefix(100)))])
            done.removeFirst(min(100, done.count))
        }
        call.answer(
            ["removed": .int(Int64(count))],
            phrase("list.cleared", ["n": count, "list": Plain.line(seen.list.name)]))
    }

    static func say(_ call: Invocation, _ result: JSON, _ key: String, _ seen: Seen) {
        let items = (result["items"]?.array ?? []).compactMap(ListItem.init).map(\.line)
        call.answer(
            result, phrase(key, ["list": Plain.line(seen.list.name), "items": items.joined(separator: "; ")]))
    }

    /// The items that the words after the list's name mean: by their numbers in the list as it was shown last, or by
    /// the words of one item.
    static func meant(_ call: Invocation, in list: SharedList) throws(Problem) -> [ListItem] {
        let words = Array(call.words.dropFirst(2))
        let all = sorted(
            (try call.call("list.show", ["list": .id(list.id)])["items"]?.array ?? []).compactMap(ListItem.init),
            of: list)
        let numbers = words.compactMap { Int($0) }
        if numbers.count == words.count {
            let last = LastList(call, "list")?.ids ?? []
            return try numbers.map { (number) throws(Problem) in
                guard last.indices.contains(number - 1), let item = all.first(where: { $0.id == last[number - 1] })
                else {
                    throw .usage(
                        phrase("list.no-number", ["number": number, "list": Machine.quoted(Plain.line(list.name))]))
                }
                return item
            }
        }
        let text = words.joined(separator: " ").lowercased()
        let exact = all.filter { $0.text.lowercased() == text }
        let found = exact.isEmpty ? all.filter { $0.text.lowercased().contains(text) } : exact
        guard !found.isEmpty else {
            throw Problem(
                .refused, phrase("list.no-item", ["text": Plain.line(text), "list": Plain.line(list.name)]))
        }
        guard found.count == 1 else {
            throw .usage(
                phrase(
                    "list.several-items",
                    ["text": Plain.line(text), "names": found.prefix(5).map(\.line).joined(separator: "; ")]))
        }
        return found
    }

    /// A new identifier. Identifiers of one call have the order of their items.
    static func newIdentifier(_ index: Int) -> Identifier {
        Identifier(
            at: LocalTime.now.adding(milliseconds: Int64(index)),
            random: (UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max)))
    }
}

/// An item as people type it: `2 l milk`, `3 bread`, `milk`.
struct WrittenItem {
    var text: String
    var amount: Double?
    var unit: String?

    /// Units that may stand between the amount and the thing; any other word belongs to the thing.
    private static let units: Set = [
        "g", "kg", "mg", "l", "ml", "cl", "dl", "m", "cm", "mm", "oz", "lb", "lbs", "pcs", "stk", "pack", "packs",
        "bottle", "bottles", "can", "cans", "bag", "bags", "box", "boxes", "x", "el", "tl", "tbsp", "tsp",
    ]

    init(_ written: String) {
        text = written
        let words = written.split(separator: " ").map { String($0) }
        guard words.count > 1, let first = words.first,
            let amount = Double(first.replacing(",", with: ".")), amount.isFinite, amount > 0
        else { return }
        let hasUnit = words.count > 2 && Self.units.contains(words[1].lowercased())
        self.amount = amount
        unit = hasUnit && words[1].lowercased() != "x" ? words[1] : nil
        text = words.dropFirst(hasUnit ? 2 : 1).joined(separator: " ")
    }
}
