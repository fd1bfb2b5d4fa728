import KinModel

/// The complete list of entries between two times; `entry.list` answers in pages.
enum EntryPages {
    /// Pages that are asked for, of two hundred occurrences each. Nobody reads more; a line says that there is more.
    private static let most = 50

    /// All pages as one answer, with each entry once. The answer has a `next` if there is more.
    static func all(_ params: JSON, _ call: Invocation) throws(Problem) -> JSON {
        var page = try call.call("entry.list", params)
        var parts: [String: [JSON]] = [:]
        var known: Set<Identifier> = []
        for number in 1... {
            for name in ["occurrences", "busy", "birthdays"] { parts[name, default: []] += page[name]?.array ?? [] }
            for entry in page["entries"]?.array ?? [] {
                if let id = entry["id"]?.identifier, known.insert(id).inserted {
                    parts["entries", default: []].append(entry)
                }
            }
            guard let next = page["next"]?.string, number < most else { break }
            var behind = params
            behind["after"] = .string(next)
            page = try call.call("entry.list", behind)
        }
        for (name, part) in parts { page[name] = .array(part) }
        return page
    }
}
