package import KinModel
import KinStore

/// Members and things that people name in what they write.
extension Act {
    /// The members whom a text mentions: `@` with a username, or with a display name as the family writes it.
    package func mentioned(in text: String?) throws(Rejection) -> Set<Identifier> {
        guard let text, text.utf8.contains(UInt8(ascii: "@")) else { return [] }
        let people = try rows("SELECT id, username, display_name FROM members") { row in
            (id: row.identifier("id"), names: [row.optionalText("username"), row.optionalText("display_name")])
        }
        let names = people.flatMap { person in
            person.names.compactMap(\.self).filter { !$0.isEmpty }.map { (id: person.id, name: $0.lowercased()) }
        }.sorted { $0.name.count > $1.name.count }
        var found: Set<Identifier> = []
        var before: Character?
        var rest = text.lowercased()[...]
        while let sign = rest.popFirst(), found.count < Limits.mentionsMax {
            defer { before = sign }
            guard sign == "@", before.map({ !$0.isLetter && !$0.isNumber }) ?? true else { continue }
            let named = names.first { name in
                guard rest.hasPrefix(name.name) else { return false }
                let next = rest.dropFirst(name.name.count).first
                return next.map { !$0.isLetter && !$0.isNumber } ?? true
            }
            if let named {
                // Several people may have one name.
                found.formUnion(names.filter { $0.name == named.name }.map(\.id))
            }
        }
        return found
    }

    /// Refuses a thing, such as `meeting/` with an identifier, that the caller does not see. The answer is 1404 whether
    /// the thing exists or not.
    package func requireSeen(_ about: String, field: String) throws(Rejection) {
        guard let reader = try roster[try member.id], try sees(about, reader) else {
            throw Rejection(.notFound, "What it is about is not there, or not for you to see.", field: field)
        }
    }

    /// With whom something is shared that belongs to a thing which the caller sees, such as `meal/` with an identifier: with
    /// nobody who does not see the thing now, and with those whom the caller may know to see it.
    package func sharedAs(_ about: String) throws(Rejection) -> SharedWith {
        let parts = about.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = Identifier(parts[1]),
            let find = areas.lazy.compactMap({ $0.readers[String(parts[0])] }).first
        else { return .nobody }
        guard let readers = try find(self, id) else { return .everyone }
        let own = try member.id
        return .members(try roster.entries(in: readers).map(\.id).filter { $0 != own }.sorted())
    }

    /// Whether a member sees a thing, such as `meeting/` with an identifier. Nobody sees what is gone.
    package func sees(_ about: String, _ reader: Roster.Entry) throws(Rejection) -> Bool {
        let parts = about.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = Identifier(parts[1]),
            let sees = areas.lazy.compactMap({ $0.sees[String(parts[0])] }).first
        else { return false }
        return try sees(self, id, reader) == true
    }
}
