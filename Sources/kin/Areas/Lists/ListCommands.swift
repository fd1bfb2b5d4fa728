import KinCalendar
import KinLoop
import KinModel
import KinWords

/// Shows and changes lists. A list is named by its name or the beginning of that. An item is named by its number in the
/// list as it was shown last, or by its text.
enum ListCommands {
    /// A list in the daemon's answer, with its audience if the caller may know it.
    struct Seen {
        let list: SharedList
        let json: JSON

        init?(_ json: JSON) {
            guard let list = SharedList(json) else { return nil }
            (self.list, self.json) = (list, json)
        }
    }

    static func all(_ call: Invocation, words: String? = nil) throws(Problem) -> [Seen] {
        let found = try call.call("list.list", .object(leavingOut: ["words": words.map { .string($0) }]))
        return (found["lists"]?.array ?? []).compactMap(Seen.init)
    }

    // MARK: Looking

    static func overview(_ call: Invocation) throws(Problem) {
        let lists = try all(call)
        if call.wantsJSON { return call.output.say(["lists": .array(lists.map(\.json))]) }
        guard !lists.isEmpty else { return call.output.say(phrase("list.none")) }
        try print(lists, call)
    }

    static func search(_ call: Invocation) throws(Problem) {
        let lists = try all(call, words: call.words.dropFirst().joined(separator: " "))
        if call.wantsJSON { return call.output.say(["lists": .array(lists.map(\.json))]) }
        guard !lists.isEmpty else { return call.output.say(phrase("list.none-found")) }
        try print(lists, call)
    }

    private static func print(_ lists: [Seen], _ call: Invocation) throws(Problem) {
        let names = try People(call).names
        var table = Table("list", "open", "kind", "owner")
        for seen in lists {
            let items = try items(of: seen.list, call)
            table.add(
                seen.list.name, "\(items.count { !$0.isTicked })", phrase("list.kind.\(seen.list.kind.rawValue)"),
                names.member(seen.list.owner))
        }
        table.print(to: call.output)
        call.output.say(phrase("list.hint"))
    }

    static func show(_ call: Invocation) throws(Problem) {
        let seen = try find(call.words.joined(separator: " "), call)
        let result = try call.call("list.show", ["list": .id(seen.list.id)])
        if call.wantsJSON { return call.output.say(result) }
        let items = sorted((result["items"]?.array ?? []).compactMap(ListItem.init), of: seen.list)
        keep(items, call)
        let names = try People(call).names
        let whom = result["list"]?["audience"].map { " · " + AudienceWords.said($0, names) } ?? ""
        call.output.say(call.output.styled(Plain.line(seen.list.name) + whom, "1"))
        if let about = result["list"]?["about"]?.string {
            call.output.say(phrase("list.belongs", ["thing": named(about, call)]))
        }
        guard !items.isEmpty else {
            let name = Machine.quoted(Plain.line(seen.list.name))
            return call.output.say(phrase("list.empty", ["list": name]))
        }
        for line in lines(items, names) { call.output.say(line) }
        if result["list"]?["notified"]?.bool == true { call.output.say(phrase("list.tells-you")) }
    }

    /// A line for each item, under its section; ticked items come last.
    static func lines(_ items: [ListItem], _ names: Names) -> [String] {
        var lines: [String] = []
        var section: String?
        for (index, item) in items.enumerated() {
            if !item.isTicked, item.section != section {
                section = item.section
                if let section { lines.append("  " + Plain.line(section)) }
            }
            var text = "\(Plain.padded("\(index + 1)", 4))[\(item.isTicked ? "x" : " ")] \(item.line)"
            if let member = item.member { text += " · " + names.member(member) }
            if let due = item.due {
                let day = Civil(due + "T00:00").map { Reader.here.date($0) } ?? Plain.line(due)
                text += " · " + phrase("list.due", ["day": day])
            }
            if let rule = item.repeats { text += " · " + (RepeatWords.said(rule) ?? Plain.line(rule)) }
            if item.isTicked, let by = item.tickedBy {
                text += " · " + phrase("list.ticked-by", ["name": names.member(by)])
            }
            lines.append(text)
            if !item.turns.isEmpty {
                let turns = item.turns.map { names.member($0) }.joined(separator: ", ")
                lines.append("        " + phrase("list.turns", ["names": turns]))
            }
            if let done = item.done, !item.isTicked, let by = item.tickedBy {
                let day = Civil(done + "T00:00").map { Reader.here.date($0) } ?? Plain.line(done)
                lines.append("        " + phrase("list.done-last", ["day": day, "name": names.member(by)]))
            }
            for note in (item.note ?? "").split(whereSeparator: \.isNewline) {
                lines.append("        " + Plain.line(String(note)))
            }
        }
        return lines
    }

    /// Open items in the order of the list's sections, then those of other sections, then ticked ones.
    static func sorted(_ items: [ListItem], of list: SharedList) -> [ListItem] {
        func rank(_ item: ListItem) -> Int {
            guard let section = item.section else { return -1 }
            return list.sections.firstIndex(of: section) ?? list.sections.count
        }
        return items.sorted {
            if $0.isTicked != $1.isTicked { return !$0.isTicked }
            if !$0.isTicked {
                let (one, other) = (rank($0), rank($1))
                if one != other { return one < other }
                if ($0.section ?? "") != ($1.section ?? "") { return ($0.section ?? "") < ($1.section ?? "") }
            }
            return ($0.place, $0.id) < ($1.place, $1.id)
        }
    }

    private static func items(of list: SharedList, _ call: Invocation) throws(Problem) -> [ListItem] {
        (try call.call("list.show", ["list": .id(list.id)])["items"]?.array ?? []).compactMap(ListItem.init)
    }

    private static func keep(_ items: [ListItem], _ call: Invocation) { LastList(call, "list")?.keep(items.map(\.id)) }

    // MARK: Lists

    static func make(_ call: Invocation) throws(Problem) {
        let name = call.words.dropFirst().joined(separator: " ")
        let result = try call.call(
            "list.add",
            .object(leavingOut: [
                "name": .string(name), "kind": call.value("kind").map { .string($0.lowercased()) },
                "audience": try call.value("for").map { (text) throws(Problem) in try AudienceWords.typed(text, call) },
                "about": try ThingChoice.named(call).map { .string($0) },
            ]))
        call.answer(
            result,
            phrase(
                "list.made", ["list": Plain.line(name), "command": "kin list add \(Machine.quoted(Plain.line(name)))"]))
    }

    static func rename(_ call: Invocation) throws(Problem) {
        let seen = try find(call.words[1], call)
        let name = call.words.dropFirst(2).joined(separator: " ")
        let result = try call.call("list.update", ["list": .id(seen.list.id), "name": .string(name)])
        call.answer(result, phrase("list.renamed", ["list": Plain.line(seen.list.name), "name": Plain.line(name)]))
    }

    static func share(_ call: Invocation) throws(Problem) {
        let seen = try find(call.words[1], call)
        let whom = try AudienceWords.typed(call.words[2], call)
        let result = try call.call("list.update", ["list": .id(seen.list.id), "audience": whom])
        let names = try People(call).names
        call.answer(
            result,
            phrase("list.shared", ["list": Plain.line(seen.list.name), "audience": AudienceWords.said(whom, names)]))
    }

    /// Sets the thing to which a list belongs; `none` for nothing.
    static func tie(_ call: Invocation) throws(Problem) {
        let seen = try find(call.words[1], call)
        let isNone = call.words[2] == "none"
        let thing = try ThingChoice.typed(call.words[2], call)
        let about: JSON = isNone ? .null : .string(thing)
        let result = try call.call("list.update", ["list": .id(seen.list.id), "about": about])
        let list = Plain.line(seen.list.name)
        guard !isNone else { return call.answer(result, phrase("list.untied", ["list": list])) }
        call.answer(result, phrase("list.tied", ["list": list, "thing": named(thing, call)]))
    }

    /// `meeting: Choir`.
    private static func named(_ about: String, _ call: Invocation) -> String {
        guard let (kind, title, _) = MessageCommands.thing(about, call) else { return Plain.line(about) }
        return [kind, title].compactMap(\.self).joined(separator: ": ")
    }

    /// Shows the lists that belong to a thing.
    static func about(_ call: Invocation) throws(Problem) {
        let found = try call.call("list.list", ["about": .string(try ThingChoice.named(call) ?? "")])
        let lists = (found["lists"]?.array ?? []).compactMap(Seen.init)
        if call.wantsJSON { return call.output.say(["lists": .array(lists.map(\.json))]) }
        guard !lists.isEmpty else { return call.output.say(phrase("list.none-about")) }
        try print(lists, call)
    }

    /// Sets whether the caller's inbox tells of changes by others on a list.
    static func notify(_ call: Invocation) throws(Problem) {
        guard let isOn = ["on": true, "off": false][call.words[2].lowercased()] else { throw call.misused }
        let seen = try find(call.words[1], call)
        let result = try call.call("list.notify", ["list": .id(seen.list.id), "on": .bool(isOn)])
        call.answer(
            result, phrase(isOn ? "list.told" : "list.told-no-more", ["list": Plain.line(seen.list.name)]))
    }

    static func remove(_ call: Invocation) throws(Problem) {
        let seen = try find(call.words[1], call)
        let name = Plain.line(seen.list.name)
        guard Input.confirms(call, phrase("list.remove", ["list": name])) else {
            throw Input.kept(phrase("list.kept", ["list": name]))
        }
        let result = try call.call("list.remove", ["list": .id(seen.list.id)])
        call.answer(result, phrase("list.removed", ["list": name]))
    }

    /// The list that a text names: by its identifier, its name, or the beginning of that.
    static func find(_ text: String, _ call: Invocation) throws(Problem) -> Seen {
        let lists = try all(call)
        if let id = Identifier(text), let one = lists.first(where: { $0.list.id == id }) { return one }
        let named = lists.filter { $0.list.name.lowercased() == text.lowercased() }
        let meant = named.isEmpty ? lists.filter { $0.list.name.lowercased().hasPrefix(text.lowercased()) } : named
        guard let one = meant.first else {
            throw Problem(.refused, phrase("list.no-list", ["text": Plain.line(text)]))
        }
        guard meant.count == 1 else {
            let names = meant.prefix(5).map { Plain.line($0.list.name) }.joined(separator: ", ")
            throw .usage(phrase("list.several", ["text": Plain.line(text), "names": names]))
        }
        return one
    }
}
