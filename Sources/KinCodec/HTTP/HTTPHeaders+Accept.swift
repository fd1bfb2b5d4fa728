extension HTTPHeaders {
    /// The offer that suits the field `Accept` best (RFC 9110 §12.5.1): highest quality, then the earliest offer.
    /// Without the field it is the first offer; `nil` when none is acceptable. Offers are like `text/event-stream`,
    /// in lower case, without parameters and, where text, UTF-8; ranges that ask for other parameters do not match.
    public func bestAccepted(of offers: [String]) -> String? {
        let ranges = tokens("Accept").compactMap { element -> (range: String, quality: Int)? in
            guard let (name, parameters) = MediaType.read(element) else { return nil }
            let asksForMore = parameters.contains { name, value in
                name != "q" && !(name == "charset" && ASCII.equal(value, "utf-8"))
            }
            guard !asksForMore else { return nil }
            return (ASCII.lowercased(name), parameters["q"].map(Self.quality) ?? 1000)
        }
        guard !ranges.isEmpty else { return values("Accept").allSatisfy(\.isEmpty) ? offers.first : nil }
        var best: (offer: String, quality: Int)?
        for offer in offers {
            let group = offer.prefix { $0 != "/" } + "/*"
            // The most specific range counts, whatever its quality.
            let match =
                ranges.first { $0.range == offer } ?? ranges.first { $0.range == group }
                ?? ranges.first { $0.range == "*/*" }
            if let match, match.quality > (best?.quality ?? 0) { best = (offer, match.quality) }
        }
        return best?.offer
    }

    /// `0.375` in thousandths; what is malformed counts as 0.
    private static func quality(_ text: String) -> Int {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, first == 0x30 || first == 0x31, bytes.count <= 5 else { return 0 }
        guard bytes.count > 1 else { return first == 0x31 ? 1000 : 0 }
        guard bytes[1] == UInt8(ascii: ".") else { return 0 }
        let digits = bytes[2...] + [UInt8](repeating: 0x30, count: 5 - bytes.count)
        guard let fraction = ASCII.number(digits) else { return 0 }
        return first == 0x31 ? (fraction == 0 ? 1000 : 0) : fraction
    }
}
