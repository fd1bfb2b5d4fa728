import KinModel

/// Numbers and times as phone apps write them: one app sends a text where another sends a number.
enum PhoneNumber {
    /// A finite number, also one in a text.
    static func read(_ json: JSON?) -> Double? {
        guard let number = json?.double ?? json?.string.flatMap({ read($0) }), number.isFinite else { return nil }
        return number
    }

    /// A finite number in a text.
    static func read(_ text: String?) -> Double? {
        guard let text, text.utf8.count <= 40, let number = Double(text.filter { $0 != " " }), number.isFinite else {
            return nil
        }
        return number
    }

    /// The number, unless it is negative: apps write a negative number for "unknown".
    static func known(_ number: Double?) -> Double? { number.flatMap { $0 >= 0 ? $0 : nil } }

    /// `true`, `false`, 1 or 0, also in a text.
    static func truth(_ json: JSON?) -> Bool? { json?.bool ?? truth(json?.string ?? json?.int.map { "\($0)" }) }

    /// `true`, `false`, 1 or 0.
    static func truth(_ text: String?) -> Bool? {
        switch text?.lowercased() {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }

    /// A moment, as a number or as text.
    static func moment(_ json: JSON?) -> Instant? {
        if let text = json?.string { return moment(text) }
        return json?.double.flatMap { moment($0) }
    }

    /// A moment: seconds or milliseconds since 1970, or ISO 8601, in UTC where it names no offset.
    static func moment(_ text: String?) -> Instant? {
        guard let text, text.utf8.count <= 64 else { return nil }
        if let number = read(text) { return moment(number) }
        var written = text.split(separator: " ").joined(separator: "T")
        // The date has hyphens too, so an offset begins only after the T.
        guard let time = written.firstIndex(of: "T") else { return nil }
        if let sign = written[time...].lastIndex(where: { $0 == "+" || $0 == "-" }) {
            let offset = written[written.index(after: sign)...]
            if offset.count == 4, offset.allSatisfy(\.isNumber) {
                written.insert(":", at: written.index(sign, offsetBy: 3))
            } else if offset.count == 2, offset.allSatisfy(\.isNumber) {
                written += ":00"
            }
        } else if !written.hasSuffix("Z"), !written.hasSuffix("z") {
            written += "Z"
        }
        return Instant(written)
    }

    /// Seconds or milliseconds since 1970: milliseconds since 1973, read as seconds, would be beyond the year 5000.
    private static func moment(_ number: Double) -> Instant? {
        let milliseconds = number.magnitude < 100_000_000_000 ? number * 1000 : number
        return Int64(exactly: milliseconds.rounded()).map { Instant(milliseconds: $0) }
    }
}
