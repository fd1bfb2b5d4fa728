import KinModel

/// An edit of an item: some of its fields, at one moment. For each field the later edit wins, whenever it arrives; of
/// two edits of the same moment the greater text wins. So any order of arrival ends with the same item, and an older
/// edit never undoes a newer one.
struct ItemEdit: Sendable {
    /// A field that is judged by itself.
    enum Field: String, CaseIterable, Sendable {
        case text, amount, unit, section, note, member, due, order, ticked
        case repeats = "repeat"
        case turns
    }

    let id: Identifier
    /// When it was said, never later than it arrived.
    let at: Instant
    /// Who said it.
    let by: Identifier
    /// What is said; `null` takes a field away.
    var values: [Field: JSON]
    /// The day that ``Field/ticked`` is said of, where the item repeats.
    var occurrence: String?
    /// The day on which it was said, by the clock of who said it.
    var through: String?

    /// The edit as it is meant of an item that is known: what repeats is ticked for the day that is due, and no longer for
    /// the one that was ticked last; once it repeats no more, it is due as it was. `today` is for what has no day yet.
    func meant(of item: ListItem, today: @autoclosure () -> String) -> ItemEdit {
        var edit = self
        let rule = values[.repeats]
        if item.repeats != nil {
            if rule?.isNull != true, occurrence == nil, let isTicked = values[.ticked]?.bool {
                edit.occurrence = isTicked ? item.due : item.done
            }
            if rule?.isNull == true, values[.due] == nil { edit.values[.due] = item.due.map { .string($0) } }
        }
        if rule?.string != nil, values[.due]?.string == nil, item.due == nil { edit.values[.due] = .string(today()) }
        // What is ticked as it begins to repeat is ticked for its first day.
        if rule?.string != nil, item.repeats == nil, occurrence == nil, values[.ticked]?.bool == true {
            edit.occurrence = edit.values[.due]?.string ?? item.due
        }
        return edit
    }
}

/// When each field of an item got the value that it has.
typealias ItemStamps = [ItemEdit.Field: Instant]

extension ListItem {
    /// Applies an edit; answers whether it decided a field, even if the value stayed the same.
    mutating func take(_ edit: ItemEdit, _ stamps: inout ItemStamps) -> Bool {
        var isNews = false
        for field in ItemEdit.Field.allCases {
            guard let value = edit.values[field] else { continue }
            if let stamp = stamps[field] {
                guard edit.at >= stamp else { continue }
                guard edit.at > stamp || rank(field, value, edit.by) > rank(field) else { continue }
            }
            stamps[field] = edit.at
            set(field, value, edit)
            isNews = true
        }
        return isNews
    }

    /// The text by which a value is compared with another of the same moment.
    private func rank(_ field: ItemEdit.Field, _ value: JSON, _ by: Identifier) -> String {
        field == .ticked ? "\(value.text) \(by)" : value.isNull ? "" : value.text
    }

    /// The same for the value that the item has.
    private func rank(_ field: ItemEdit.Field) -> String {
        if field == .ticked { return "\(isTicked) \(tickedBy?.description ?? "")" }
        return json[field.rawValue]?.text ?? ""
    }

    private mutating func set(_ field: ItemEdit.Field, _ value: JSON, _ edit: ItemEdit) {
        switch field {
        case .text: text = value.string ?? text
        case .amount: amount = value.double
        case .unit: unit = value.string
        case .section: section = value.string
        case .note: note = value.string.flatMap { $0.isEmpty ? nil : $0 }
        case .member: member = value.identifier
        case .due: due = value.string
        case .order: order = value.string
        case .repeats: repeats = value.string
        case .turns: turns = (value.array ?? []).compactMap(\.identifier)
        case .ticked:
            isTicked = value.bool ?? false
            // The member who removed the tick is kept, too: this decides between two edits of the same moment.
            tickedBy = edit.by
            tickedAt = isTicked ? edit.at : nil
        }
    }
}
