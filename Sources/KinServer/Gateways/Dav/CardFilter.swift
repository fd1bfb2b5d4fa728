import KinContacts
import KinXML

/// Which vCards a client asks for (RFC 6352, 10.5).
struct CardFilter {
    /// Why a filter is not understood.
    enum Flaw: Error {
        case unknown(String)
        case collation(String)
        case tooLong

        var condition: String {
            if case .collation = self { "supported-collation" } else { "supported-filter" }
        }

        var sentence: String {
            switch self {
            case .unknown(let what): "The filter says \(what), which is not known here."
            case .collation(let name): "The collation \(name.prefix(60)) is not known here."
            case .tooLong: "A filter has \(DavLimits.conditionsMax) conditions at most."
            }
        }
    }

    private struct Match {
        let text: String
        let collation: String
        let kind: String
        let isNegated: Bool

        func fits(_ value: String) -> Bool {
            let (value, text) = (folded(value), folded(text))
            let fits: Bool
            switch kind {
            case "equals": fits = value == text
            case "starts-with": fits = value.starts(with: text)
            case "ends-with": fits = value.reversed().starts(with: text.reversed())
            default: fits = text.isEmpty || value.indices.contains { value[$0...].starts(with: text) }
            }
            return fits != isNegated
        }

        private func folded(_ text: String) -> [UInt8] {
            switch collation {
            case "i;octet": Array(text.utf8)
            case "i;ascii-casemap": text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
            default: Array(text.lowercased().utf8)
            }
        }
    }

    private struct Parameter {
        let name: String
        let isAbsent: Bool
        let match: Match?
    }

    private struct Condition {
        let name: String
        let isAbsent: Bool
        let isAll: Bool
        let matches: [Match]
        let parameters: [Parameter]
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
        func match(_ element: XMLElement) throws(Flaw) -> Match {
            try counted()
            let collation = element["collation"] ?? "i;unicode-casemap"
            guard ["i;unicode-casemap", "i;ascii-casemap", "i;octet", "default"].contains(collation) else {
                throw .collation(collation)
            }
            let kind = element["match-type"] ?? "contains"
            guard ["contains", "equals", "starts-with", "ends-with"].contains(kind) else { throw .unknown(kind) }
            return Match(
                text: element.text, collation: collation, kind: kind, isNegated: element["negate-condition"] == "yes")
        }
        isAll = filter["test"] == "allof"
        var conditions: [Condition] = []
        for child in filter.children {
            guard child.name == Dav.card("prop-filter"), let name = child["name"]?.uppercased() else {
                throw .unknown(child.name.local)
            }
            try counted()
            var matches: [Match] = []
            var parameters: [Parameter] = []
            var isAbsent = false
            for part in child.children {
                switch part.name {
                case Dav.card("is-not-defined"): isAbsent = true
                case Dav.card("text-match"): matches.append(try match(part))
                case Dav.card("param-filter"):
                    try counted()
                    let text = part.first(Dav.card("text-match"))
                    parameters.append(
                        Parameter(
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
                        let values = property.parameters.filter { $0.name == parameter.name }.map(\.value)
                        if parameter.isAbsent { return values.isEmpty }
                        guard let match = parameter.match else { return !values.isEmpty }
                        return values.contains { match.fits($0) }
                    }
                return condition.isAll ? results.allSatisfy { $0 } : results.contains(true)
            }
        }
        return isAll ? conditions.allSatisfy(holds) : conditions.contains(where: holds)
    }
}
