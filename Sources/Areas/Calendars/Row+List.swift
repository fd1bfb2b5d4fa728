import KinCodec
import KinModel
import KinStore

extension Row {
    /// A list that is stored as JSON in one column, with each element read; empty for NULL. If an element cannot be
    /// read, the row is damaged, because the list without it would be another list.
    func list<Element>(_ column: Column, _ read: (JSON) -> Element?) -> [Element] {
        optionalText(column) { (text) -> [Element]? in
            guard let all = (try? JSON.parse(Array(text.utf8)))?.array else { return nil }
            let found = all.compactMap(read)
            return found.count == all.count ? found : nil
        } ?? []
    }
}
