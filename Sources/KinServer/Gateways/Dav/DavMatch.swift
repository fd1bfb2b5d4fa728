import KinXML

/// A text that a filter looks for (RFC 6352, 10.5.4; RFC 4791, 9.7.5).
struct DavMatch {
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

    private let text: String
    private let collation: String
    private let kind: String
    private let isNegated: Bool

    /// Reads `text-match`.
    init(_ element: XMLElement, collation usual: String) throws(Flaw) {
        let collation = element["collation"] ?? usual
        guard ["i;unicode-casemap", "i;ascii-casemap", "i;octet", "default"].contains(collation) else {
            throw .collation(collation)
        }
        let kind = element["match-type"] ?? "contains"
        guard ["contains", "equals", "starts-with", "ends-with"].contains(kind) else { throw .unknown(kind) }
        text = element.text
        self.collation = collation
        self.kind = kind
        isNegated = element["negate-condition"] == "yes"
    }

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

/// A condition on a parameter of a property (`param-filter`).
struct DavParameter {
    let name: String
    let isAbsent: Bool
    let match: DavMatch?

    /// Whether the values that it has fit.
    func fits(_ values: [String]) -> Bool {
        if isAbsent { return values.isEmpty }
        guard let match else { return !values.isEmpty }
        return values.contains { match.fits($0) }
    }
}
