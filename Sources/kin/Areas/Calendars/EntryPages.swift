import KinModel

/// What is on between two times, whole: `entry.list` answers it by pages.
enum EntryPages {
    /// Pages that are asked for, of two hundred occurrences each. Nobody reads more; that there is more is said.
    private static let most = 50

    /// All pages as one answer, with each entry once. It has a `next` where there is still more.
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
