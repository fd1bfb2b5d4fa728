import KinModel

/// Moments as feeds write them: RFC 3339, a date alone, or the form of mail (RFC 822, and what many servers make of
/// it).
enum FeedDate {
    static func read(_ text: String) -> Instant? {
        let text = String(text.prefix(64)).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !text.isEmpty else { return nil }
        return Instant(text) ?? Instant(text + "Z") ?? Instant(text + "T00:00:00Z") ?? short(text) ?? mail(text)
    }

    /// `2026-11-20T18:04Z`, `2026-11-20 18:04:05+0100`.
    private static func short(_ text: String) -> Instant? {
        guard text.utf8.count > 15, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let clock = text.dropFirst(11).prefix { $0.isNumber || $0 == ":" || $0 == "." }
        let zone = text.dropFirst(11 + clock.count).filter { $0 != " " && $0 != ":" }
        let behind = zone.count == 5 ? zone.prefix(3) + ":" + zone.suffix(2) : zone.isEmpty ? "Z" : zone
        return Instant("\(text.prefix(10))T\(clock)\(clock.count == 5 ? ":00" : "")\(behind)")
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    /// Hours before or after UTC; RFC 822 names no others.
    private static let zones = [
        "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7, "cet": 1, "cest": 2,
        "bst": 1,
    ]

    /// `Sat, 07 Sep 2002 09:42:31 GMT`.
    private static func mail(_ text: String) -> Instant? {
        var words = text.lowercased().split { " ,".contains($0) }
        if let first = words.first, first.first?.isNumber == false { words.removeFirst() }
        // `7-Sep-2002`.
        if let date = words.first, date.contains("-") { words.replaceSubrange(0..<1, with: date.split(separator: "-")) }
        guard words.count >= 4, let month = months.firstIndex(of: String(words[1].prefix(3))), var year = Int(words[2]),
            (0...9999).contains(year)
        else { return nil }
        if words[2].count == 2 { year += year < 70 ? 2000 : 1900 }
        func two(_ number: some StringProtocol) -> String { number.count == 1 ? "0\(number)" : "\(number)" }
        let four = String(repeating: "0", count: max(0, 4 - "\(year)".count)) + "\(year)"
        let clock = words[3].split(separator: ":").map { two($0) } + ["00"]
        guard clock.count >= 3 else { return nil }
        var zone = "Z"
        if words.count > 4 {
            let said = words[4].filter { $0 != ":" }
            if said.hasPrefix("+") || said.hasPrefix("-") {
                zone = "\(said.prefix(3)):\(said.suffix(2))"
            } else if let hours = zones[said] {
                zone = (hours < 0 ? "-" : "+") + two("\(abs(hours))") + ":00"
            }
        }
        return Instant(
            "\(four)-\(two("\(month + 1)"))-\(two(words[0]))T\(clock[0]):\(clock[1]):\(clock[2])\(zone)")
    }
}
