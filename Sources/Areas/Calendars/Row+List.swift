import KinCodec
import KinModel
import KinStore

extension Row {
    /// A list that stands in one column as JSON, and what each of its elements says; none for NULL. If one of them cannot
    /// be read, the row is damaged: a list without it would be another.
    func list<Element>(_ column: Column, _ read: (JSON) -> Element?) -> [Element] {
        optionalText(column) { (text) -> [Element]? in
            guard let all = (try? JSON.parse(Array(text.utf8)))?.array else { return nil }
            let found = all.compactMap(read)
            return found.count == all.count ? found : nil
        } ?? []
    }
}
