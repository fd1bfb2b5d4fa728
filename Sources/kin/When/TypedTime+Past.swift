import KinCalendar
import KinModel

extension TypedTime {
    /// The last moment that people's words mean, now or before: `yesterday 18:00`, `2 hours ago`, `last fri 18:00`,
    /// `vor 2 Tagen`, `letzten Montag`; `nil` if they mean none.
    static func past(
        _ text: String, now: Instant, zone: Zone, order: DateOrder? = LocalTime.dateOrder
    ) -> Instant? {
        var words = text.lowercased().split(separator: " ").map { String($0) }
        guard words.count > 1 else { return nil }
        if words.last == "ago" || words[0] == "vor" {
            words.remove(at: words[0] == "vor" ? 0 : words.count - 1)
            let span = "in " + words.joined(separator: " ")
            guard let ahead = try? moment(span, now: now, zone: zone, order: order), ahead > now else { return nil }
            return now.adding(milliseconds: -ahead.milliseconds(since: now))
        }
        if ["last", "letzten", "letzter", "letzte", "vergangenen"].contains(words[0]) { words.removeFirst() }
        let typed = words.joined(separator: " ")
        let isCounted = TimeWord.all(typed, order).contains { if case .relative = $0.word { true } else { false } }
        // The words are read as if it were a day, a week and a year ago: the next such time after that may be the one
        // that is meant.
        for days in isCounted ? [0] : [0, 1, 7, 366] {
            let then = zone.civil(at: now).adding(days: -days)
            var reading = Reading(typed, today: then, order: order)
            guard (try? reading.readWords()) != nil, reading.ahead == nil else { return nil }
            guard let civil = reading.day(then) ?? (try? reading.start(after: then)) else { return nil }
            switch zone.instant(of: civil) {
            case .one(let instant), .repeated(let instant, _), .skipped(_, let instant):
                if instant <= now { return instant }
            }
        }
        return nil
    }
}
