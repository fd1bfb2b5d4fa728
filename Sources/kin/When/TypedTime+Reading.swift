import KinCalendar
import KinModel
import KinWords

extension TypedTime {
    /// What the words of one span say, before it is known which moments they mean.
    struct Reading {
        /// A day and a time of one end.
        private struct Point {
            var weekday: Int?
            var day: Civil?
            /// Typed without a year: the next such date.
            var isYearless = false
            var hour: Int?
            var minute = 0
            var half: TimeWord.Half?
            var isBare = false
        }

        private let text: String
        private let words: [(text: String, word: TimeWord)]
        private let today: Civil
        private var from = Point()
        private var to: Point?
        private(set) var spanSeconds: Int64?

        init(_ text: String, today: Civil) {
            self.text = Plain.line(text)
            self.today = today
            words = TimeWord.all(text)
        }

        /// What has been understood so far, for the sentence about what has not.
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
            guard !words.isEmpty else { throw .usage(phrase("when.nothing")) }
            var rest = words[...]
            while !rest.isEmpty { rest = rest.dropFirst(try take(rest)) }
            guard from.hour != nil else {
                throw .usage(phrase("when.no-time", ["text": text, "understood": understood]))
            }
            inheritHalf()
        }

        /// Takes what the first of these words says, with those that belong to it; answers how many.
        private mutating func take(_ rest: ArraySlice<(text: String, word: TimeWord)>) throws(Problem) -> Int {
            let item = rest[rest.startIndex]
            let next = rest.dropFirst().first?.word ?? .filler
            switch item.word {
            case .filler: return 1
            case .unknown, .year: throw unclear(item.text)
            case .ambiguous(let one, let other):
                throw .usage(phrase("when.ambiguous", ["word": item.text, "text": text, "one": one, "other": other]))
            case .dash:
                guard from.hour != nil, to == nil else { throw unclear(item.text) }
                to = Point()
            case .weekday(let number):
                try change(item.text) {
                    $0.weekday == nil && $0.hour == nil
                } _: {
                    $0.weekday = number
                }
            case .relative(let days):
                let day = today.adding(days: days)
                try change(item.text) {
                    $0.day == nil && $0.hour == nil
                } _: {
                    $0.day = day
                }
            case .date(let year, let month, let day): try set(item.text, year: year, month: month, day: day)
            case .day(let day),
                .clock(let day, _, nil, true) where next.month != nil:
                guard let month = next.month else { throw unclear(item.text) }
                return try set(item.text, rest.dropFirst(2), month: month, day: day)
            case .month(let month):
                switch next {
                case .day(let day), .clock(let day, _, nil, true):
                    return try set(item.text, rest.dropFirst(2), month: month, day: day)
                default: throw unclear(item.text)
                }
            case .clock(let hour, let minute, let half, let isBare):
                try change(item.text) {
                    $0.hour == nil
                } _: {
                    ($0.hour, $0.minute, $0.half, $0.isBare) = (hour, minute, half, isBare)
                }
            case .half(let half):
                try change(item.text) {
                    $0.half == nil && (1...12).contains($0.hour ?? 0)
                } _: {
                    $0.half = half
                }
            case .span(let seconds):
                guard from.hour != nil, to == nil, spanSeconds == nil else { throw unclear(item.text) }
                spanSeconds = seconds
            }
            return 1
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
            guard isFree(point), spanSeconds == nil else { throw unclear(word) }
            set(&point)
            if to == nil { from = point } else { to = point }
        }

        private mutating func set(_ word: String, year: Int?, month: Int, day: Int) throws(Problem) {
            var found = Civil(year: year ?? today.year, month: month, day: day)
            if year == nil, found.map({ $0 < today && !$0.isSameDay(as: today) }) ?? true {
                // Gone this year, or 29 February: the next year that has it.
                let thisYear = today.year
                found = (1...8).compactMap { Civil(year: thisYear + $0, month: month, day: day) }.first
            }
            guard let found else { throw .usage(phrase("when.no-date", ["word": word, "text": text])) }
            try change(word) {
                $0.day == nil && $0.hour == nil
            } _: {
                $0.day = found
                $0.isYearless = year == nil
            }
        }

        /// `6-8pm` means both; `11-1pm` does not.
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

        /// The beginning: on the day that was typed, else the next time it comes.
        func start(after now: Civil) throws(Problem) -> Civil {
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
                let start = try civil(day, from)
                // A date without a year that is today and over is next year's; one typed with its year is over.
                guard from.isYearless, day.isSameDay(as: today), start < now else { return start }
                return try civil(Civil(year: day.year + 1, month: day.month, day: day.day) ?? day, from)
            }
            let ahead = from.weekday.map { ($0 - today.weekday + 7) % 7 } ?? 0
            let first = try civil(today.adding(days: ahead), from)
            return first > now ? first : try civil(today.adding(days: ahead + (from.weekday == nil ? 1 : 7)), from)
        }

        /// The end, when one was typed: on its own day, else within the day after the beginning.
        func end(after start: Civil) throws(Problem) -> Civil? {
            guard let to else { return nil }
            guard to.hour != nil else {
                throw .usage(phrase("when.no-time", ["text": text, "understood": understood]))
            }
            let day = Civil(year: start.year, month: start.month, day: start.day) ?? start
            if let typed = to.day { return try civil(typed, to) }
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
}
