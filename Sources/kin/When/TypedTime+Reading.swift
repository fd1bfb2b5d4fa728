import KinCalendar
import KinModel
import KinWords

extension TypedTime {
    /// The words of one span. They are read before it is known which moments they mean.
    struct Reading {
        /// A day and a time of one end.
        private struct Point {
            var weekday: Int?
            var day: Civil?
            /// Whether the date was typed without a year: then it is the next such date.
            var isYearless = false
            var hour: Int?
            var minute = 0
            var half: TimeWord.Half?
            var isBare = false
            var part: TimeWord.DayPart?
            /// Whether it is the first such day after today, and never today.
            var isNext = false
            /// Whether it is in the week after this one.
            var isNextWeek = false
            /// Whether the day was typed after its time: `6pm sat`.
            var isBehind = false

            var hasDay: Bool { day != nil || weekday != nil || isNext || isNextWeek }
        }

        private let text: String
        private let words: [(text: String, word: TimeWord)]
        private let today: Civil
        private var from = Point()
        private var to: Point?
        private(set) var spanSeconds: Int64?
        /// A span from now: `in 2 hours`. Days are counted on the calendar instead.
        private(set) var ahead: Int64?
        /// Whether days were counted, as in `in 2 days`. If no time is typed and a moment is wanted, it is the present
        /// time of day.
        private var isCounted = false
        /// Whether no time of day was typed, so that the part of the day gives it.
        private(set) var isStartAssumed = false

        init(_ text: String, today: Civil, order: DateOrder?) {
            self.text = Plain.line(text)
            self.today = today
            words = TimeWord.all(text, order)
        }

        /// Whether the day of the beginning was typed after its time.
        var isDayBehind: Bool { from.isBehind }

        /// The words that were understood so far, for the sentence about the others.
        private var understood: String {
            var parts: [String] = []
            if let day = from.day { parts.append("\(day.weekdayName) \(day.dayAndMonth(today))") }
            if let weekday = from.weekday { parts.append(phrase("weekday.\(weekday)")) }
            if let hour = from.hour,
                let time = Civil(year: 2000, month: 1, day: 1, hour: hour % 24, minute: from.minute)
            {
                parts.append(time.clock)
            }
            return parts.isEmpty ? phrase("when.understood-nothing") : parts.joined(separator: " ")
        }

        private func unclear(_ word: String) -> Problem {
            .usage(phrase("when.unclear", ["word": Plain.line(word), "text": text, "understood": understood]))
        }

        mutating func read() throws(Problem) {
            try readWords()
            guard from.hour != nil || ahead != nil else {
                throw .usage(phrase("when.no-time", ["text": text, "understood": understood]))
            }
        }

        /// Reads the words; a day by itself is enough.
        mutating func readWords() throws(Problem) {
            guard !words.isEmpty else { throw .usage(phrase("when.nothing")) }
            var rest = words[...]
            while !rest.isEmpty { rest = rest.dropFirst(try take(rest)) }
            guard !from.isNext || from.weekday != nil || from.isNextWeek else { throw unclear(text) }
            guard !from.isNextWeek || from.weekday != nil else { throw unclear(text) }
            inheritHalf()
            isStartAssumed = from.hour == nil && from.part != nil
            try settlePart(&from)
            if var end = to {
                // `tonight 8-10`.
                if end.part == nil, end.half == nil, !end.hasDay, end.isBare, let hour = end.hour, hour < 12,
                    let part = from.part, part != .morning, let start = from.hour, hour + 12 > start
                {
                    end.hour = hour + 12
                }
                try settlePart(&end)
                to = end
            }
        }

        /// The moment of a day without a time: its start, or the present time of day if days were counted.
        func day(_ now: Civil) -> Civil? {
            guard from.hour == nil, ahead == nil, to == nil, from.hasDay, let day = try? firstDay() else { return nil }
            guard isCounted else { return day }
            return Civil(year: day.year, month: day.month, day: day.day, hour: now.hour, minute: now.minute)
        }

        /// Takes the first of these words, with those that belong to it. Answers how many were taken.
        private mutating func take(_ rest: ArraySlice<(text: String, word: TimeWord)>) throws(Problem) -> Int {
            let item = rest[rest.startIndex]
            let next = rest.dropFirst().first?.word ?? .filler
            switch item.word {
            case .filler:
                // `this evening`.
                if item.text == "this", case .part = next {
                    let day = today
                    try setDay(item.text) { $0.day = day }
                }
                return 1
            case .ahead: return try takeAhead(rest)
            case .next:
                var isWeek = false
                if case .unit(.weeks) = next { isWeek = true }
                try setDay(item.text) { if isWeek { $0.isNextWeek = true } else { $0.isNext = true } }
                return isWeek ? 2 : 1
            case .tonight:
                let day = today
                try setDay(item.text) { $0.day = day }
                try setPart(item.text, .evening)
            case .part(let part): try setPart(item.text, part)
            case .ambiguous(let one, let other):
                throw .usage(phrase("when.ambiguous", ["word": item.text, "text": text, "one": one, "other": other]))
            case .unknown, .year, .unit, .one, .halved: throw unclear(item.text)
            case .dash:
                guard from.hour != nil || ahead != nil, to == nil else { throw unclear(item.text) }
                to = Point()
            case .weekday(let number): try setDay(item.text) { $0.weekday = number }
            case .relative(1) where item.text == "morgen" && (to ?? from).hasDay && (to ?? from).hour == nil:
                // `heute morgen`, `Samstag morgen`.
                try setPart(item.text, .morning)
            case .relative(let days):
                let day = today.adding(days: days)
                try setDay(item.text) { $0.day = day }
            case .date(let year, let month, let day): try set(item.text, year: year, month: month, day: day)
            case .day(let day), .number(let day),
                .clock(let day, _, nil, true) where next.month != nil:
                guard let month = next.month else { throw unclear(item.text) }
                return try set(item.text, rest.dropFirst(2), month: month, day: day)
            case .month(let month):
                switch next {
                case .day(let day), .number(let day), .clock(let day, _, nil, true):
                    return try set(item.text, rest.dropFirst(2), month: month, day: day)
                default: throw unclear(item.text)
                }
            case .clock(let hour, let minute, let half, let isBare):
                try change(item.text) {
                    $0.hour == nil
                } _: {
                    ($0.hour, $0.minute, $0.half, $0.isBare) = (hour, minute, half, isBare)
                }
            case .half(.morning) where item.text == "am" && ((to ?? from).hour == nil || next.isDay):
                // `am Samstag`.
                return 1
            case .half(let half):
                try change(item.text) {
                    $0.half == nil && (1...12).contains($0.hour ?? 0)
                } _: {
                    $0.half = half
                }
            case .span(let seconds):
                // `18h` is a time where none was typed yet.
                if (to ?? from).hour == nil, ahead == nil || to != nil,
                    let match = item.text.wholeMatch(of: /(\d{1,2})h/), let hour = Int(match.output.1), hour <= 24
                {
                    try change(item.text) {
                        $0.hour == nil
                    } _: {
                        $0.hour = hour
                    }
                    return 1
                }
                guard from.hour != nil || ahead != nil, to == nil, spanSeconds == nil else {
                    throw unclear(item.text)
                }
                spanSeconds = seconds
            }
            return 1
        }

        /// `in 2 hours`, `in einer halben Stunde`, `in 2h`, `in 3 days`; but `in the evening` says nothing more than
        /// `evening`.
        private mutating func takeAhead(
            _ rest: ArraySlice<(text: String, word: TimeWord)>
        ) throws(Problem) -> Int {
            var count = 1
            var number: Int64?
            var isHalf = false
            let word = rest[rest.startIndex].text
            for item in rest.dropFirst() {
                count += 1
                switch item.word {
                case .halved where !isHalf: isHalf = true
                case .one where number == nil: number = 1
                case .number(let typed) where number == nil: number = Int64(typed)
                case .clock(let typed, _, nil, true) where number == nil && !isHalf: number = Int64(typed)
                case .span(let seconds) where count == 2:
                    return try setAhead(word, seconds: seconds, count)
                case .unit(let unit):
                    guard let number = number ?? (isHalf ? 1 : nil), number > 0 else { throw unclear(word) }
                    guard unit == .days || unit == .weeks else {
                        return try setAhead(word, seconds: number * unit.rawValue / (isHalf ? 2 : 1), count)
                    }
                    guard !isHalf else { throw unclear(word) }
                    let day = today.adding(days: Int(number * unit.rawValue / TimeWord.Unit.days.rawValue))
                    try setDay(word) { $0.day = day }
                    isCounted = true
                    return count
                case .filler, .part:
                    guard count == 2 else { throw unclear(word) }
                    return 1
                default: throw unclear(word)
                }
            }
            throw unclear(word)
        }

        private mutating func setAhead(_ word: String, seconds: Int64, _ count: Int) throws(Problem) -> Int {
            guard ahead == nil, to == nil, from.hour == nil, from.part == nil, !from.hasDay else { throw unclear(word) }
            ahead = seconds
            return count
        }

        /// Sets a day, which stands before its time or after it. After a span without a day, it is the span's day.
        private mutating func setDay(_ word: String, _ set: (inout Point) -> Void) throws(Problem) {
            guard spanSeconds == nil, ahead == nil || to != nil else { throw unclear(word) }
            let isOfStart = to.map { $0.hour != nil && !$0.hasDay } ?? true
            var point = isOfStart ? from : to ?? from
            let before = (point.weekday, point.day)
            guard point.hour == nil || !point.hasDay || point.isBehind else { throw unclear(word) }
            if point.hour != nil { point.isBehind = true }
            set(&point)
            // Neither the weekday nor the date may be given twice.
            guard before.0 == nil || before.0 == point.weekday, before.1 == nil || before.1 == point.day,
                before != (point.weekday, point.day) || point.isNext || point.isNextWeek
            else { throw unclear(word) }
            if isOfStart { from = point } else { to = point }
        }

        private mutating func setPart(_ word: String, _ part: TimeWord.DayPart) throws(Problem) {
            try change(word) {
                $0.part == nil
            } _: {
                $0.part = part
            }
        }

        /// Sets the hour: the one that is meant in a part of a day, or the one at which the part begins.
        private func settlePart(_ point: inout Point) throws(Problem) {
            guard let part = point.part else { return }
            guard let hour = point.hour else {
                point.hour = part.rawValue
                // A part of the day that has already begun starts at the next full hour.
                let isToday = point.day.map { $0.isSameDay(as: today) } ?? false
                if isToday, part == .evening, today.hour >= part.rawValue, today.hour < 23 {
                    point.hour = today.hour + 1
                }
                return
            }
            guard point.half == nil || (point.half == .morning) == (part == .morning) else { throw unclear(text) }
            let other = hour <= 12 && point.isBare || hour < 12 ? hour % 12 + 12 : hour
            switch part {
            case .morning where hour < 12: break
            case .afternoon where (12...18).contains(other): point.hour = other
            case .evening where hour != 12 && (16...24).contains(other): point.hour = other
            default: throw unclear(text)
            }
        }

        /// A day and a month's name, with the year if it follows.
        private mutating func set(
            _ word: String, _ rest: ArraySlice<(text: String, word: TimeWord)>, month: Int, day: Int
        ) throws(Problem) -> Int {
            var year: Int?
            if case .year(let number) = rest.first?.word { year = number }
            try set(word, year: year, month: month, day: day)
            return year == nil ? 2 : 3
        }

        private mutating func change(
            _ word: String, _ isFree: (Point) -> Bool, _ set: (inout Point) -> Void
        ) throws(Problem) {
            var point = to ?? from
            guard isFree(point), spanSeconds == nil, ahead == nil || to != nil else { throw unclear(word) }
            set(&point)
            if to == nil { from = point } else { to = point }
        }

        private mutating func set(_ word: String, year: Int?, month: Int, day: Int) throws(Problem) {
            var found = Civil(year: year ?? today.year, month: month, day: day)
            if year == nil, found.map({ $0 < today && !$0.isSameDay(as: today) }) ?? true {
                // The date is past this year, or it is 29 February: the next year that has it counts.
                let thisYear = today.year
                found = (1...8).compactMap { Civil(year: thisYear + $0, month: month, day: day) }.first
            }
            guard let found else { throw .usage(phrase("when.no-date", ["word": word, "text": text])) }
            try setDay(word) {
                $0.day = found
                $0.isYearless = year == nil
            }
        }

        /// In `6-8pm`, both hours are in the afternoon; in `11-1pm`, only the second is.
        private mutating func inheritHalf() {
            guard let end = to, end.half == .afternoon, from.half == nil, from.isBare, let hour = from.hour,
                let other = end.hour, hour < 12, hour < other % 12 || (hour == other)
            else { return }
            from.half = .afternoon
        }

        private static func hour(_ point: Point) -> Int {
            let hour = point.hour ?? 0
            return switch point.half {
            case .morning: hour % 12
            case .afternoon: hour % 12 + 12
            case nil: hour
            }
        }

        private func civil(_ day: Civil, _ point: Point) throws(Problem) -> Civil {
            let hour = Self.hour(point)
            let shifted = hour == 24 ? day.adding(days: 1) : day
            guard
                let civil = Civil(
                    year: shifted.year, month: shifted.month, day: shifted.day, hour: hour % 24, minute: point.minute)
            else { throw unclear(text) }
            return civil
        }

        /// The first day that is meant, possibly today; the time of day does not count.
        private func firstDay() throws(Problem) -> Civil {
            let start = Civil(year: today.year, month: today.month, day: today.day) ?? today
            if let day = from.day {
                if let weekday = from.weekday, weekday != day.weekday {
                    throw .usage(
                        phrase(
                            "when.other-weekday",
                            [
                                "text": text, "date": day.dayAndMonth(today), "weekday": day.weekdayName,
                                "typed": phrase("weekday.\(weekday)"),
                            ]))
                }
                return Civil(year: day.year, month: day.month, day: day.day) ?? day
            }
            guard let weekday = from.weekday else { return start }
            if from.isNextWeek { return start.adding(days: 7 + weekday - start.weekday) }
            let ahead = (weekday - start.weekday + 7) % 7
            return start.adding(days: from.isNext && ahead == 0 ? 7 : ahead)
        }

        /// The beginning: on the typed day, or else at the next such time.
        func start(after now: Civil) throws(Problem) -> Civil {
            let day = try firstDay()
            let start = try civil(day, from)
            if from.day != nil {
                // A date without a year that is today, with a time that is past, is next year's. A date with its year
                // is past.
                guard from.isYearless, day.isSameDay(as: today), start < now else { return start }
                return try civil(Civil(year: day.year + 1, month: day.month, day: day.day) ?? day, from)
            }
            guard start <= now, !from.isNext, !from.isNextWeek else { return start }
            return try civil(day.adding(days: from.weekday == nil ? 1 : 7), from)
        }

        /// Whether `next` was taken as a day of this week, which some people would call this week's.
        var isNextWithinWeek: Bool {
            guard from.isNext, let weekday = from.weekday else { return false }
            return weekday > today.weekday
        }

        /// The end, if one was typed: on its own day, or else within a day after the beginning.
        func end(after start: Civil) throws(Problem) -> Civil? {
            guard let to else { return nil }
            guard to.hour != nil else {
                throw .usage(phrase("when.no-time", ["text": text, "understood": understood]))
            }
            let day = Civil(year: start.year, month: start.month, day: start.day) ?? start
            if let typed = to.day {
                // Without a year it is the next such day after the beginning.
                guard to.isYearless, typed < day else { return try civil(typed, to) }
                let later = (0...8).compactMap { Civil(year: day.year + $0, month: typed.month, day: typed.day) }
                return try civil(later.first { $0 >= day } ?? typed, to)
            }
            if let weekday = to.weekday {
                return try civil(day.adding(days: (weekday - day.weekday + 7) % 7), to)
            }
            let end = try civil(day, to)
            return end > start ? end : try civil(day.adding(days: 1), to)
        }
    }
}

extension TimeWord {
    fileprivate var month: Int? { if case .month(let month) = self { month } else { nil } }

    /// Whether it says a day.
    fileprivate var isDay: Bool {
        switch self {
        case .weekday, .relative, .date, .day, .next, .tonight: true
        default: false
        }
    }
}
