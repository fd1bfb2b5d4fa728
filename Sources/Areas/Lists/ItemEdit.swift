import KinModel

/// An edit of an item: some of its fields, at one moment. For each field the later edit wins, whenever it arrives; of
/// two edits of the same moment the one with the greater identifier. Where neither has one, or both are one edit, the
/// greater text wins. So any order of arrival ends with the same item, and an older edit never undoes a newer one.
struct ItemEdit: Sendable {
    /// A field that is judged by itself.
    enum Field: String, CaseIterable, Sendable {
        case text, amount, unit, section, note, member, due, order, ticked
        case repeats = "repeat"
        case turns
    }

    let id: Identifier
    /// The moment at which the edit was made; never later than its arrival.
    let at: Instant
    /// The member who made it.
    let by: Identifier
    /// The new values of fields; `null` removes a value.
    var values: [Field: JSON]
    /// The day for which ``Field/ticked`` holds, if the item repeats.
    var occurrence: String?
    /// The day on which the edit was made, by the clock of the member who made it.
    var through: String?
    /// The edit's identifier, as the client gave it. An edit without one loses against every edit that has one.
    var edit: Identifier?

    /// The edit in the form that suits a known item. A repeated item is ticked for the day that is due. A tick is
    /// removed from the day that was ticked last. An item that stops repeating stays due on its present day. `today` is
    /// the day for an item that has none yet.
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
        // An item that is ticked in the same edit in which it begins to repeat is ticked for its first day.
        if rule?.string != nil, item.repeats == nil, occurrence == nil, values[.ticked]?.bool == true {
            edit.occurrence = edit.values[.due]?.string ?? item.due
        }
        return edit
    }
}

/// The moment at which a field of an item got its present value, and the edit that gave it.
struct ItemStamp: Sendable, Hashable, Comparable {
    let at: Instant
    var edit: Identifier?

    /// The later stamp is the greater. Of two stamps of one moment it is the one with the greater edit.
    static func < (one: ItemStamp, other: ItemStamp) -> Bool {
        if one.at != other.at { return one.at < other.at }
        guard let name = other.edit else { return false }
        return one.edit.map { $0 < name } ?? true
    }
}

/// The stamps of all fields.
typealias ItemStamps = [ItemEdit.Field: ItemStamp]

extension ListItem {
    /// Applies an edit; answers whether it decided a field, even if the value stayed the same.
    mutating func take(_ edit: ItemEdit, _ stamps: inout ItemStamps) -> Bool {
        var isNews = false
        for field in ItemEdit.Field.allCases {
            guard let value = edit.values[field] else { continue }
            let now = ItemStamp(at: edit.at, edit: edit.edit)
            if let stamp = stamps[field] {
                guard now >= stamp else { continue }
                guard now > stamp || rank(field, value, edit.by) > rank(field) else { continue }
            }
            stamps[field] = now
            set(field, value, edit)
            isNews = true
        }
        return isNews
    }

    /// The text by which a value is compared with another of the same moment, if their edits do not decide.
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
