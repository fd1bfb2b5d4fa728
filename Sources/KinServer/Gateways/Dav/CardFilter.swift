import KinContacts
import KinXML

/// A client's choice among vCards (RFC 6352, 10.5).
struct CardFilter {
    typealias Flaw = DavMatch.Flaw

    private struct Condition {
        let name: String
        let isAbsent: Bool
        let isAll: Bool
        let matches: [DavMatch]
        let parameters: [DavParameter]
    }

    private let conditions: [Condition]
    private let isAll: Bool

    /// Whether every card fits.
    var isAnything: Bool { conditions.isEmpty }

    init(_ filter: XMLElement?) throws(Flaw) {
        guard let filter else {
            conditions = []
            isAll = false
            return
        }
        var count = 0
        func counted() throws(Flaw) {
            count += 1
            if count > DavLimits.conditionsMax { throw .tooLong }
        }
        func match(_ element: XMLElement) throws(Flaw) -> DavMatch {
            try counted()
            return try DavMatch(element, collation: "i;unicode-casemap")
        }
        isAll = filter["test"] == "allof"
        var conditions: [Condition] = []
        for child in filter.children {
            guard child.name == Dav.card("prop-filter"), let name = child["name"]?.uppercased() else {
                throw .unknown(child.name.local)
            }
            try counted()
            var matches: [DavMatch] = []
            var parameters: [DavParameter] = []
            var isAbsent = false
            for part in child.children {
                switch part.name {
                case Dav.card("is-not-defined"): isAbsent = true
                case Dav.card("text-match"): matches.append(try match(part))
                case Dav.card("param-filter"):
                    try counted()
                    let text = part.first(Dav.card("text-match"))
                    parameters.append(
                        DavParameter(
                            name: part["name"]?.uppercased() ?? "",
                            isAbsent: part.first(Dav.card("is-not-defined")) != nil,
                            match: try text.map { (text) throws(Flaw) in try match(text) }))
                default: throw .unknown(part.name.local)
                }
            }
            conditions.append(
                Condition(
                    name: name, isAbsent: isAbsent, isAll: child["test"] == "allof", matches: matches,
                    parameters: parameters))
        }
        self.conditions = conditions
    }

    /// Whether a card fits.
    func fits(_ card: String) -> Bool {
        guard !conditions.isEmpty else { return true }
        var properties: [VCardProperty] = []
        var lines = VCardLines(Array(card.utf8))
        while let line = lines.next() {
            if !line.isCut, let property = VCardProperty(line.bytes) { properties.append(property) }
        }
        func holds(_ condition: Condition) -> Bool {
            let named = properties.filter { property in
                condition.name == property.name
                    || condition.name == (property.group.map { $0.uppercased() + "." } ?? "") + property.name
            }
            if condition.isAbsent { return named.isEmpty }
            if condition.matches.isEmpty, condition.parameters.isEmpty { return !named.isEmpty }
            return named.contains { property in
                let results =
                    condition.matches.map { $0.fits(property.text) }
                    + condition.parameters.map { parameter in
                        parameter.fits(property.parameters.filter { $0.name == parameter.name }.map(\.value))
                    }
                return condition.isAll ? results.allSatisfy { $0 } : results.contains(true)
            }
        }
        return isAll ? conditions.allSatisfy(holds) : conditions.contains(where: holds)
    }
}
