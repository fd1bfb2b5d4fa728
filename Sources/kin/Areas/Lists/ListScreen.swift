import KinCalendar
import KinModel
import KinWords

/// A list on a terminal, where it is edited with keys: the lines, the chosen one, and the text that is typed. Keys and
/// events go in, and requests to the daemon come out.
struct ListScreen {
    /// The effect of a key: a request to the daemon, or a change of the whole screen.
    enum Deed: Equatable {
        /// Changes an item by `item.put`.
        case put(JSON)
        /// Asks for items of lists that begin with this text (``ListScreen/offer(_:)``).
        case suggest(String)
        /// Removes an item.
        case remove(Identifier)
        /// Leaves the screen.
        case leave
    }

    private enum Typing: Equatable {
        case adding
        case changing(Identifier)
    }

    private(set) var list: SharedList
    /// The items in the order in which they are shown.
    private(set) var items: [ListItem] = []
    private(set) var chosen: Identifier?
    /// Whether the list is out of sight.
    private(set) var isGone = false
    /// The message below the list, until the next key.
    var message: String?
    private var typing: Typing?
    private var typed = ""
    /// The suggestions for the typed line: the text before them, such as the amount, and the number of the one that is
    /// shown.
    private var offered: (before: String, texts: [String], at: Int)?
    /// The line that was sent last, until another key is pressed.
    private var sent: (typing: Typing, text: String)?
    private let names: Names
    private static let typedCharactersMax = 200

    init(_ list: SharedList, _ items: [ListItem], _ names: Names) {
        (self.list, self.names) = (list, names)
        learn(items)
    }

    // MARK: What others do

    /// Takes all items of the list.
    mutating func learn(_ all: [ListItem]) {
        items = ListCommands.sorted(all, of: list)
        if !items.contains(where: { $0.id == chosen }) { chosen = items.first?.id }
    }

    /// Adds an item, or takes its new state.
    mutating func put(_ item: ListItem) { learn(items.filter { $0.id != item.id } + [item]) }

    /// Removes an item. If it was chosen, the one below is chosen instead.
    mutating func remove(_ id: Identifier) {
        guard let index = items.firstIndex(where: { $0.id == id }) else { return }
        items.remove(at: index)
        if chosen == id { chosen = items.isEmpty ? nil : items[min(index, items.count - 1)].id }
        if typing == .changing(id) { typing = nil }
    }

    mutating func take(_ event: Event) {
        if let item = event[ListItem.put]?.item, item.list == list.id {
            put(item)
        } else if let data = event[ListItem.removed], data.list == list.id {
            remove(data.item)
        } else if let data = event[SharedList.changed] ?? event[SharedList.shown], data.list.id == list.id {
            list = data.list
            isGone = false
            learn(items)
        } else if let data = event[SharedList.hidden] ?? event[SharedList.removed], data.list == list.id {
            isGone = true
        }
    }

    /// The daemon refused the request of a key. Its sentence is shown below, and the typed line is there again.
    mutating func refused(_ sentence: String) {
        message = sentence
        if let sent { (typing, typed) = (sent.typing, sent.text) }
        sent = nil
    }

    // MARK: Keys

    /// The request to the daemon that a key makes; `nil` if the key only changes what is shown.
    mutating func take(_ key: Key) -> Deed? {
        (message, sent) = (nil, nil)
        if key != .tab { offered = nil }
        if key == .leave { return .leave }
        if let typing { return spell(key, typing) }
        let item = items.first { $0.id == chosen }
        switch (key, item) {
        case (.up, _), (.letter("k"), _): move(by: -1)
        case (.down, _), (.letter("j"), _): move(by: 1)
        case (.letter("a"), _), (.letter("+"), _): (typing, typed) = (.adding, "")
        case (.letter("q"), _), (.escape, _): return .leave
        case (.enter, let item?), (.letter(" "), let item?):
            // For a repeated item it is the day that is shown: a member who ticks it elsewhere means the same day.
            let day = item.repeats == nil ? nil : item.isTicked ? item.done : item.due
            return .put(
                .object(leavingOut: [
                    "id": .id(item.id), "ticked": .bool(!item.isTicked), "occurrence": day.map { .string($0) },
                ]))
        case (.letter("e"), let item?): (typing, typed) = (.changing(item.id), Self.written(item))
        case (.letter("x"), let item?), (.delete, let item?): return .remove(item.id)
        case (.letter("K"), let item?): return moved(item, isUp: true)
        case (.letter("J"), let item?): return moved(item, isUp: false)
        default: break
        }
        return nil
    }

    private mutating func move(by step: Int) {
        guard let index = items.firstIndex(where: { $0.id == chosen }) else { return }
        chosen = items[max(0, min(items.count - 1, index + step))].id
    }

    /// Moves an open item by one place within its section.
    private mutating func moved(_ item: ListItem, isUp: Bool) -> Deed? {
        guard let order = ListCommands.order(of: item, isUp: isUp, among: items) else {
            message = phrase("list.no-further", ["item": item.line])
            return nil
        }
        return .put(["id": .id(item.id), "order": .string(order)])
    }

    private mutating func spell(_ key: Key, _ now: Typing) -> Deed? {
        switch key {
        case .letter(let letter): if typed.count < Self.typedCharactersMax { typed.append(letter) }
        case .erase: typed = String(typed.dropLast())
        case .escape: typing = nil
        case .tab: return completed()
        case .enter:
            let text = typed.split(separator: " ").joined(separator: " ")
            typed = ""
            // After an item the next one can be typed at once; an empty line ends that.
            if text.isEmpty || now != .adding { typing = nil }
            if text.isEmpty { return nil }
            sent = (now, text)
            return said(WrittenItem(text), now)
        case .up, .down, .delete, .leave: break
        }
        return nil
    }

    /// Puts the next suggestion into the line. The first time, it asks for the suggestions.
    private mutating func completed() -> Deed? {
        guard let now = offered else {
            let text = WrittenItem(typed.split(separator: " ").joined(separator: " ")).text
            return text.isEmpty ? nil : .suggest(text)
        }
        let next = (now.at + 1) % now.texts.count
        offered = (before: now.before, texts: now.texts, at: next)
        typed = now.before + now.texts[next]
        return nil
    }

    /// Suggests items of the lists that begin with the typed text. The first one is put into the line, behind the
    /// amount; the same key brings the others.
    mutating func offer(_ texts: [String]) {
        guard typing != nil else { return }
        let line = typed.split(separator: " ").joined(separator: " ")
        let text = WrittenItem(line).text
        guard let first = texts.first, line.hasSuffix(text) else {
            message = phrase("list.edit-none-such", ["text": Plain.line(text)])
            return
        }
        let before = String(line.dropLast(text.count))
        offered = (before: before, texts: texts, at: 0)
        typed = before + first
    }

    private func said(_ written: WrittenItem, _ now: Typing) -> Deed {
        var edit: JSON = [
            "text": .string(written.text), "amount": written.amount.map { .double($0) } ?? .null,
            "unit": written.unit.map { .string($0) } ?? .null,
        ]
        switch now {
        case .changing(let id): edit["id"] = .id(id)
        case .adding:
            // An item that was bought before is wanted again.
            let old = items.first { $0.isTicked && $0.text.lowercased() == written.text.lowercased() }
            edit["id"] = .id(old?.id ?? ListCommands.newIdentifier(0))
            if old != nil { edit["ticked"] = false }
        }
        return .put(edit)
    }

    /// An item as people would type it: `2 l milk`.
    static func written(_ item: ListItem) -> String {
        let amount = item.amount.map { amount in Int64(exactly: amount).map { String($0) } ?? String(amount) }
        return [amount, amount == nil ? nil : item.unit, item.text].compactMap(\.self).joined(separator: " ")
    }

    // MARK: What is shown

    /// The lines for a terminal with so many columns and rows.
    func lines(_ width: Int, _ height: Int, isColoured: Bool) -> [String] {
        func styled(_ text: String, _ code: String) -> String {
            let text = Plain.fitted(text, width)
            return isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
        }
        var rows: [String] = []
        var place = 0
        var section: String?
        for item in items {
            if !item.isTicked, item.section != section {
                section = item.section
                if let section { rows.append(styled("    " + Plain.line(section), "2")) }
            }
            let isChosen = item.id == chosen
            if isChosen { place = rows.count }
            rows.append(styled((isChosen ? "> " : "  ") + row(item), isChosen ? "1" : item.isTicked ? "2" : "0"))
        }
        if items.isEmpty { rows.append(styled("  " + phrase("list.edit-empty"), "2")) }
        // The chosen line is always among those that are shown.
        let room = max(1, height - 3)
        let first = max(0, min(place - room / 2, rows.count - room))
        let open = items.count { !$0.isTicked }
        let head = "\(Plain.line(list.name)) · " + phrase("list.edit-open", ["n": open])
        var lines = [styled(head, "1")]
        lines += rows[first..<min(rows.count, first + room)]
        lines += ["", styled(foot, "2")]
        return lines
    }

    private var foot: String {
        if let message { return message }
        switch typing {
        case .adding: return phrase("list.edit-add", ["text": typed]) + "_"
        case .changing: return phrase("list.edit-change", ["text": typed]) + "_"
        case nil: return phrase("list.edit-keys")
        }
    }

    private func row(_ item: ListItem) -> String {
        let due = item.due.map { due in
            phrase("list.due", ["day": Civil(due + "T00:00").map { Reader.here.date($0) } ?? Plain.line(due)])
        }
        let note = item.note?.split(whereSeparator: \.isNewline).first.map { Plain.line(String($0)) }
        let parts: [String?] = [
            "[\(item.isTicked ? "x" : " ")] \(item.line)", item.member.map { names.member($0) }, due,
            item.isTicked ? item.tickedBy.map { names.member($0) } : nil, note,
        ]
        return parts.compactMap(\.self).joined(separator: " · ")
    }
}
