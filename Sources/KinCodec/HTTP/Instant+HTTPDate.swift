public import KinModel

extension Instant {
    /// As the field `Date` has it (IMF-fixdate, RFC 9110 §5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
    public var httpDate: String {
        // 2026-11-20T18:04:05.123Z
        let text = Array(description.utf8)
        func part(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
        var day = milliseconds / 86_400_000
        if milliseconds % 86_400_000 < 0 { day -= 1 }
        // 1970-01-01 was a Thursday.
        let weekday = Self.weekdays[Int(((day + 4) % 7 + 7) % 7)]
        let month = Self.months[(ASCII.number(text[5..<7]) ?? 1) - 1]
        return "\(weekday), \(part(8..<10)) \(month) \(part(0..<4)) \(part(11..<19)) GMT"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
