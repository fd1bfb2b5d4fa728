import KinModel

/// Lists of things to buy, to do and to pack together.
extension ListsPart: Worded {
    package static var words: AreaWords {
        AreaWords(
            file: "lists",
            known: [KnownLists.self], sentence: { $0.lists() }, line: { (voice, line, _) in voice.list(line) },
            headings: ["list": { (voice, id) in voice.names.list(id, voice.reader) }],
            signs: ["list": ("memo", "lists")])
    }
}

extension InboxVoice {
    /// What a line says of a list.
    func list(_ line: JSON) -> String? {
        guard line["kind"]?.string == "listed" else { return nil }
        return phrase("inbox.listed", ["by": by(line)])
    }
}

extension Voice {
    /// What happened to a list or to what stands on it.
    func lists() -> String? {
        switch event.type {
        case SharedList.added.name: told("event.list.added", event[SharedList.added])
        case SharedList.changed.name: told("event.list.changed", event[SharedList.changed])
        case SharedList.shown.name: told("event.list.shown", event[SharedList.shown])
        case SharedList.hidden.name: told("event.list.hidden", event[SharedList.hidden])
        case SharedList.removed.name: told("event.list.removed", event[SharedList.removed])
        case SharedList.tied.name: told("event.list.tied", event[SharedList.tied])
        case ListItem.put.name: event[ListItem.put].map { item($0.item) }
        case ListItem.removed.name: event[ListItem.removed].map { removed($0) }
        default: nil
        }
    }

    private var somebody: String { by ?? phrase("by.daemon") }

    private func told(_ key: String, _ data: SharedList.Whole?) -> String? {
        data.map { phrase(key, ["by": somebody, "list": Plain.line($0.list.name)]) }
    }

    private func told(_ key: String, _ data: SharedList.Named?) -> String? {
        data.map { phrase(key, ["by": somebody, "list": names.list($0.list, reader)]) }
    }

    private func item(_ item: ListItem) -> String {
        let said = phrase(
            "event.item.\(names[KnownLists.self].deed.rawValue)",
            ["by": somebody, "item": item.line, "list": names.list(item.list, reader)])
        // What repeats says whose turn it is next.
        guard names[KnownLists.self].deed == .ticked, item.repeats != nil, !item.turns.isEmpty, let next = item.member
        else { return said }
        return phrase("event.item.turn", ["said": said, "name": member(next)])
    }

    private func removed(_ data: ListItem.Named) -> String {
        phrase(
            "event.item.removed",
            [
                "by": somebody, "item": names[KnownLists.self].gone ?? phrase("names.an-item"),
                "list": names.list(data.list, reader),
            ])
    }
}
