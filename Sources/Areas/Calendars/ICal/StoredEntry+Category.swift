import KinICal
import KinKeeper
import KinModel

extension StoredEntry {
    /// A category of the family's own that stands in what was kept.
    mutating func takeCategory(_ act: Act) throws(Rejection) {
        guard wire.category == nil, let kept = raw, var component = try? ICalComponent(kept.utf8),
            let line = component["CATEGORIES"], !line.text.isEmpty
        else { return }
        let name = line.text
        do throws(Rejection) { try Calendars.checkCategory(name, act) } catch {
            guard error.kind == .invalid else { throw error }
            return
        }
        wire.category = name
        component.lines.removeAll { $0 == line }
        raw = component.lines.isEmpty && component.components.isEmpty ? nil : component.text
    }
}
