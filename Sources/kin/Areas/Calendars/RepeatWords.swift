import KinCalendar
import KinModel
import KinWords

/// A rule of RFC 5545 in people's words: `every 2 weeks on Mon and Thu, until 30 Jun 2027`.
enum RepeatWords {
    /// The words for a rule; `nil` if there are no plain words for it here.
    static func said(_ rule: String, _ reader: Reader = .here, today: Civil = LocalTime.civil(LocalTime.now)) -> String?
    {
        var parts: [String: String] = [:]
        for part in rule.uppercased().split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, parts[String(pair[0])] == nil else { return nil }
            parts[String(pair[0])] = String(pair[1])
        }
        guard let often = often(&parts) else { return nil }
        var text = often
        if let days = parts.removeValue(forKey: "BYDAY") {
            guard let said = self.days(days, reader) else { return nil }
            text += " " + phrase("repeat.on", ["days": said])
        }
        if let day = parts.removeValue(forKey: "BYMONTHDAY") {
            guard let number = Int(day), (1...31).contains(number) else { return nil }
            text += " " + phrase("repeat.on-date", ["day": number])
        }
        // A yearly rule repeats in the month in which it begins, so the month need not be said.
        parts["BYMONTH"] = nil
        parts["WKST"] = nil
        if let until = parts.removeValue(forKey: "UNTIL") {
            guard let end = civil(until) else { return nil }
            text += ", " + phrase("repeat.until", ["day": reader.day(end, today: today)])
        }
        if let count = parts.removeValue(forKey: "COUNT") {
            guard let number = Int(count) else { return nil }
            text += ", " + phrase("repeat.times", ["n": number])
        }
        return parts.isEmpty ? text : nil
    }

    private static func often(_ parts: inout [String: String]) -> String? {
        guard let interval = Int(parts.removeValue(forKey: "INTERVAL") ?? "1"), interval > 0 else { return nil }
        switch parts.removeValue(forKey: "FREQ") {
        case "DAILY": return phrase(interval == 1 ? "repeat.daily" : "repeat.days", ["n": interval])
        case "WEEKLY": return phrase(interval == 1 ? "repeat.weekly" : "repeat.weeks", ["n": interval])
        case "MONTHLY": return phrase(interval == 1 ? "repeat.monthly" : "repeat.months", ["n": interval])
        case "YEARLY": return phrase(interval == 1 ? "repeat.yearly" : "repeat.years", ["n": interval])
        default: return nil
        }
    }

    /// `Mon, Thu`; `2TU` is the second Tuesday, `-1FR` the last Friday.
    private static func days(_ text: String, _ reader: Reader) -> String? {
        let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
        var said: [String] = []
        for part in text.split(separator: ",") {
            guard let weekday = names.firstIndex(of: String(part.suffix(2))) else { return nil }
            let name = reader.phrase("weekday.\(weekday + 1)")
            switch part.dropLast(2) {
            case "": said.append(name)
            case "-1": said.append(phrase("repeat.last", ["day": name]))
            case let number:
                guard let place = Int(number), (1...5).contains(place) else { return nil }
                said.append(phrase("repeat.nth", ["n": place, "day": name]))
            }
        }
        return said.isEmpty ? nil : said.joined(separator: ", ")
    }

    /// `20270630` or `20270630T215959Z`.
    private static func civil(_ text: String) -> Civil? {
        let digits = text.prefix(8)
        guard digits.count == 8, let year = Int(digits.prefix(4)), let month = Int(digits.dropFirst(4).prefix(2)),
            let day = Int(digits.suffix(2))
        else { return nil }
        return Civil(year: year, month: month, day: day)
    }
}
