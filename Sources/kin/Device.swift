import KinModel
import KinWords

/// A device, or another thing with an id and a name, that the command line names.
enum Device {
    /// Whether a text means a waiting session, by its id or by its device's name.
    static func names(_ waiting: JSON, _ text: String) -> Bool {
        waiting["session"]?.string == text || waiting["device"]?.string?.lowercased() == text.lowercased()
    }

    /// The problem for a text that is no id.
    static func noIdentifier(_ text: String, _ list: String) -> Problem {
        .usage(phrase("device.no-id", ["text": Plain.line(text), "list": list]))
    }

    /// The id that a text means: by the id itself, by the name, or by words that no other name has.
    static func id(_ text: String, among list: [JSON], by name: String = "device") throws(Problem) -> String {
        if let exact = list.first(where: { $0["id"]?.string == text }) { return exact["id"]?.string ?? text }
        let words = text.lowercased()
        var meant = list.filter { $0[name]?.string?.lowercased().contains(words) == true }
        // A name that is part of another name must still be possible to type.
        let named = meant.filter { $0[name]?.string?.lowercased() == words }
        if named.count == 1 { meant = named }
        guard meant.count < 2 else {
            throw .usage(phrase("device.several", ["text": Plain.line(text), "n": meant.count]))
        }
        guard meant.count == 1 || Identifier(text) != nil else {
            let names = list.compactMap { $0[name]?.string }.map { Plain.line($0) }.joined(separator: ", ")
            throw Problem(
                .refused,
                phrase(names.isEmpty ? "device.none" : "device.unknown", ["text": Plain.line(text), "names": names]))
        }
        // The daemon refuses an id that is not in the list.
        return meant.first?["id"]?.string ?? text
    }
}
