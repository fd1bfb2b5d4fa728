import KinICal
import KinKeeper
import KinModel

extension StoredEntry {
    /// Takes categories that the family added from kept lines, for the whole entry and for single days.
    mutating func takeCategory(_ act: Act) throws(Rejection) {
        try takeCategoryOfAll(act)
        try takeCategoriesOfDays(act)
    }

    private mutating func takeCategoryOfAll(_ act: Act) throws(Rejection) {
        guard wire.category == nil, let kept = raw, var component = try? ICalComponent(kept.utf8),
            let line = component["CATEGORIES"], !line.text.isEmpty
        else { return }
        let name = line.text
        guard try Calendars.hasCategory(name, act) else { return }
        wire.category = name
        component.lines.removeAll { $0 == line }
        raw = component.lines.isEmpty && component.components.isEmpty ? nil : component.text
    }
}
