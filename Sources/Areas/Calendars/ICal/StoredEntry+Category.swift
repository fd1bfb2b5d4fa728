import KinICal
import KinKeeper
import KinModel

extension StoredEntry {
    /// Categories of the family's own that stand in what was kept, of all of it and of single days.
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
