import KinCalendar
import KinICal
import KinModel

/// Items as text: one object of iCalendar with a VTODO each (RFC 5545, 3.6.2), and back.
enum TodoText {
    /// The most days that one object may mark as done.
    private static let daysMax = 400

    /// Properties that the item has in fields of its own.
    private static let own: Set = ["UID", "DTSTAMP", "LAST-MODIFIED", "SUMMARY", "DESCRIPTION", "COMPLETED"]

    // MARK: Writing

    /// An item as an object.
    static func text(of todo: Todo) -> String {
        let (item, kept) = (todo.item.wire, todo.kept)
        let rest = kept.rest?.components.first { $0.name == "VTODO" }
        let said = todo.item.said.lastSaid ?? Instant(milliseconds: Int64(item.id.high >> 16))
        var lines = [
            ICalLine("UID", text: todo.uid), ICalLine("DTSTAMP", value: ICalTime(moment: said).description),
            ICalLine("LAST-MODIFIED", value: ICalTime(moment: said).description),
            ICalLine("SUMMARY", text: summary(of: item)),
        ]
        if let note = item.note { lines.append(ICalLine("DESCRIPTION", text: note)) }
        var dropped: Set<String> = ["DUE", "STATUS", "PERCENT-COMPLETE"]
        if let due = item.due {
            if let kept = rest?["DUE"], todo.kept.dueDay == due {
                lines.append(kept)
            } else if let kept = moved(rest?["DUE"], todo, to: due) {
                lines.append(kept)
                dropped.formUnion(["DTSTART", "DURATION"])
            } else {
                lines.append(
                    ICalLine("DUE", [ICalLine.Parameter("VALUE", "DATE")], value: String(due.filter(\.isNumber))))
                // RFC 5545, 3.8.2.3 and 3.6.2: a start of another kind, or a duration, cannot stand beside it.
                dropped.formUnion(["DTSTART", "DURATION"])
            }
        }
        if let rule = rule(of: todo.item) {
            lines.append(ICalLine("RRULE", value: rule))
            dropped.insert("RRULE")
        }
        if item.isTicked {
            lines += [ICalLine("STATUS", value: "COMPLETED"), ICalLine("PERCENT-COMPLETE", value: "100")]
            if let at = item.tickedAt {
                lines.append(ICalLine("COMPLETED", value: ICalTime(moment: at).description))
            }
        } else {
            let status = rest?["STATUS"].flatMap { openStates.contains($0.value.uppercased()) ? $0 : nil }
            lines.append(status ?? ICalLine("STATUS", value: "NEEDS-ACTION"))
            if let part = rest?["PERCENT-COMPLETE"], Int(part.value).map({ $0 < 100 }) ?? false { lines.append(part) }
        }
        lines += (rest?.lines ?? []).filter { !dropped.contains($0.name) }
        let whole = ICalComponent(
            "VCALENDAR", [ICalLine("VERSION", value: "2.0"), ICalLine("PRODID", value: "-//Kinwire//Lists//EN")],
            components: (kept.rest?.components ?? []).filter { $0.name == "VTIMEZONE" } + [
                ICalComponent("VTODO", lines, components: rest?.components ?? [])
            ])
        return whole.text
    }

    /// Moves a time of day along to the next day of a repeated item.
    private static func moved(_ kept: ICalLine?, _ todo: Todo, to due: String) -> ICalLine? {
        guard todo.item.wire.repeats != nil, let kept, let day = todo.kept.dueDay, kept.value.utf8.count > 8,
            kept.value.hasPrefix(day.filter(\.isNumber))
        else { return nil }
        return ICalLine(kept.name, kept.parameters, value: due.filter(\.isNumber) + kept.value.dropFirst(8))
    }

    /// The rule by which an item is due again, counted from the day that is due now. Of a limited number of times it
    /// has those that are left.
    static func rule(of stored: StoredItem) -> String? {
        let item = stored.wire
        guard !item.isTicked, let rule = item.repeats.flatMap({ RecurrenceRule($0) }),
            let due = item.due.flatMap({ Civil($0 + "T00:00") }),
            let start = stored.said.item.due.flatMap({ Civil($0 + "T00:00") })
        else { return nil }
        guard let count = rule.count else { return rule.description }
        let past = Series(start: start, isAllDay: true, rules: [rule])
            .occurrences(from: start, to: due, max: Limits.seriesStepsMax).all.count
        return rule.counting(max(1, count - past))?.description
    }

    private static let openStates: Set = ["NEEDS-ACTION", "IN-PROCESS", "CANCELLED"]

    /// The item in one line: `Milk (2 l)`.
    static func summary(of item: ListItem) -> String { item.text + amount(of: item) }

    private static func amount(of item: ListItem) -> String {
        guard let amount = item.amount else { return "" }
        let number = JSON.double(amount).text
        let plain = number.hasSuffix(".0") ? String(number.dropLast(2)) : number
        return " (\(plain)\(item.unit.map { " \($0)" } ?? ""))"
    }

    // MARK: Reading

    /// The contents of an object that a client wrote.
    struct Read {
        var uid: String?
        /// The time at which the item was changed, by the client's word.
        var said: Instant?
        /// The values of the item's fields in the object.
        var values: [ItemEdit.Field: JSON] = [:]
        /// The days of a repeated item that the object marks as done.
        var done: [String] = []
        var kept = KeptTodo()
    }

    /// The reason why an object is refused: the rule of CalDAV, and a sentence.
    struct Flaw: Error {
        let rule: String
        let sentence: String
    }

    /// Reads an object for an item that exists or is to be made.
    static func read(_ text: String, before known: StoredItem?, zone: Zone) throws(Flaw) -> Read {
        let item = known?.wire
        let whole: ICalComponent
        do throws(ICalComponent.Failure) { whole = try ICalComponent(text.utf8) } catch {
            throw Flaw(rule: error == .tooLarge ? "size" : "data", sentence: "It is no iCalendar that can be read.")
        }
        guard whole.name == "VCALENDAR" else { throw Flaw(rule: "data", sentence: "It is no VCALENDAR.") }
        let kinds = Set(whole.components.map(\.name)).subtracting(["VTIMEZONE"])
        guard kinds == ["VTODO"] else {
            throw Flaw(rule: kinds.contains("VTODO") ? "object" : "component", sentence: "A list holds tasks (VTODO).")
        }
        let all = whole.components.filter { $0.name == "VTODO" }
        // Some clients write, beside the task that repeats, which of its days are done (RFC 5545, 3.8.4.4).
        let todos = all.filter { $0["RECURRENCE-ID"] == nil }
        guard todos.count == 1, var todo = todos.first, all.allSatisfy({ $0["UID"]?.text == todo["UID"]?.text }) else {
            throw Flaw(rule: "object", sentence: "One object has one task.")
        }
        var read = Read(uid: todo["UID"]?.text, said: todo["LAST-MODIFIED"].flatMap { time($0) })
        // If there are many, the newest count: the day that is due follows from the last one.
        let done = all.filter { $0["STATUS"]?.value.uppercased() == "COMPLETED" }
            .compactMap { $0["RECURRENCE-ID"].flatMap { day($0, zone) } }.sorted()
        read.done = Array(done.suffix(daysMax))
        let status = todo["STATUS"]?.value.uppercased()
        let isWhole = todo["PERCENT-COMPLETE"].flatMap { Int($0.value) } == 100
        read.values[.ticked] = .bool(
            status == "COMPLETED" || status == nil && (todo["COMPLETED"] != nil || isWhole))
        // The texts are compared whole, with spaces joined, because a client may have joined them. Only words of the
        // client's own are cut.
        let summary = joined(todo["SUMMARY"]?.text ?? "")
        if let item, summary == joined(Self.summary(of: item)) {
            read.values[.text] = .string(item.text)
        } else if let item, item.amount != nil, summary.hasSuffix(joined(amount(of: item))) {
            let words = line(String(summary.dropLast(joined(amount(of: item)).count)))
            read.values[.text] = .string(words.isEmpty ? item.text : words)
        } else {
            read.values[.text] = .string(summary.isEmpty ? "…" : line(summary))
            // The amount now stands in the words.
            (read.values[.amount], read.values[.unit]) = (.null, .null)
        }
        let note = String((todo["DESCRIPTION"]?.text ?? "").prefix(Limits.itemNoteCharactersMax))
        read.values[.note] = note.isEmpty ? .null : .string(note)
        read.values[.due] = .null
        if let due = todo["DUE"], let day = day(due, zone) {
            read.values[.due] = .string(day)
            read.kept.dueDay = day
        }
        read.values[.repeats] = .null
        if let rule = rule(of: todo, due: read.kept.dueDay) {
            // The rule is the one that was written out: a smaller number of times that are left makes no other rule.
            let isKnown = known.flatMap { Self.rule(of: $0) } == rule.description
            read.values[.repeats] = .string(isKnown ? item?.repeats ?? rule.description : rule.description)
            todo.lines.removeAll { $0.name == "RRULE" }
        }
        // Lines that would be written the same way anyway are not kept.
        let plain = ["STATUS": ["NEEDS-ACTION", "COMPLETED"], "PERCENT-COMPLETE": ["0", "100"]]
        todo.lines.removeAll { line in
            own.contains(line.name) || plain[line.name]?.contains(line.value.uppercased()) ?? false
                || line.name == "DUE" && line.parameters == [ICalLine.Parameter("VALUE", "DATE")]
        }
        let zones = whole.components.filter { $0.name == "VTIMEZONE" }
        if !todo.lines.isEmpty || !todo.components.isEmpty {
            read.kept.rest = ICalComponent("VCALENDAR", components: zones + [todo])
        }
        guard read.kept.rest?.text.utf8.count ?? 0 <= Limits.todoRestBytesMax else {
            throw Flaw(rule: "size", sentence: "A task has \(Limits.todoRestBytesMax >> 10) KiB at most.")
        }
        return read
    }

    /// The rule of a task that has a first day, if lists can follow it; otherwise the rule is kept as it is.
    private static func rule(of todo: ICalComponent, due: String?) -> RecurrenceRule? {
        guard let start = due.flatMap({ Civil($0 + "T00:00") }),
            let rule = todo["RRULE"].flatMap({ RecurrenceRule($0.value) }), rule.isExpanded,
            rule.description.utf8.count <= Limits.itemRuleCharactersMax,
            Series(start: start, isAllDay: true, rules: [rule]).mayRepeat
        else { return nil }
        return rule
    }

    /// The text in one line.
    private static func joined(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
        return String(String.UnicodeScalarView(scalars)).split(separator: " ").joined(separator: " ")
    }

    /// The text in one line, within bounds.
    private static func line(_ text: String) -> String { String(joined(text).prefix(Limits.itemTextCharactersMax)) }

    private static func time(_ line: ICalLine) -> Instant? {
        ICalTime(line.value).flatMap { $0.isUTC ? $0.moment : nil }
    }

    /// The day of a time, by the time's own clock; for universal time, by the reader's.
    private static func day(_ line: ICalLine, _ zone: Zone) -> String? {
        guard let time = ICalTime(line.value) else { return nil }
        let civil = time.isUTC ? zone.civil(at: time.moment) : time.civil
        return String(civil.description.prefix(10))
    }
}
