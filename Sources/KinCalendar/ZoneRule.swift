import KinModel

/// What holds after a zone file's last transition: the value of POSIX's `TZ`, with the hours of RFC 8536 (3.3.1) from
/// −167 to 167.
struct ZoneRule: Sendable {
    private let standard: Int64
    private let standardName: String
    private let saving: (offset: Int64, name: String, from: Change, to: Change)?

    /// Reads such as `CET-1CEST,M3.5.0,M10.5.0/3` or `<+0530>-5:30`; `nil` for anything else.
    init?(_ text: [UInt8]) {
        var reader = Reader(text)
        guard let name = reader.name(), let west = reader.time(hoursMax: 24) else { return nil }
        standard = -west
        standardName = name
        if reader.isAtEnd {
            saving = nil
            return
        }
        guard let name = reader.name() else { return nil }
        var offset = standard + 3600
        if !reader.isNext(",") {
            guard let west = reader.time(hoursMax: 24) else { return nil }
            offset = -west
        }
        guard reader.skip(","), let from = reader.change(), reader.skip(","), let to = reader.change(), reader.isAtEnd
        else { return nil }
        saving = (offset, name, from, to)
    }

    /// Seconds east of UTC, at seconds since 1970.
    func offset(at time: Int64) -> Int64 { saving.map { isSaving(at: time) ? $0.offset : standard } ?? standard }

    /// What that is at all times, where clocks are not put forward and back.
    var steadyOffset: Int64? { saving == nil ? standard : nil }

    /// What the time is called then.
    func name(at time: Int64) -> String { saving.map { isSaving(at: time) ? $0.name : standardName } ?? standardName }

    private func isSaving(at time: Int64) -> Bool {
        guard let saving else { return false }
        let year = Instant.date(daysSince1970: (time + standard).flooredDivision(by: 86_400)).year
        // A rule may fall into the year beside the one it is reckoned for: the last change before the moment counts.
        var latest = Int64.min
        var isSaving = false
        for year in (year - 1)...(year + 1) {
            for (at, next) in [
                (saving.from.seconds(in: year) - standard, true),
                (saving.to.seconds(in: year) - saving.offset, false),
            ] where at <= time && at >= latest {
                latest = at
                isSaving = next
            }
        }
        return isSaving
    }

    /// A day of each year, and a time on that day's wall.
    private struct Change: Sendable {
        enum Day: Sendable {
            /// Day 1 to 365; 29 February is never counted.
            case julian(Int64)
            /// Day 0 to 365; 29 February is counted.
            case ofYear(Int64)
            /// The week-th weekday (0 for Sunday) of a month; 5 for the last.
            case weekday(month: Int64, week: Int64, weekday: Int64)
        }

        let day: Day
        let time: Int64

        /// Seconds since 1970 on the wall.
        func seconds(in year: Int64) -> Int64 {
            let newYear = Instant.daysSince1970(year: year, month: 1, day: 1)
            switch day {
            case .julian(let number):
                let isLeap = Instant.days(in: 2, of: year) == 29
                return (newYear + number - (isLeap && number >= 60 ? 0 : 1)) * 86_400 + time
            case .ofYear(let number): return (newYear + number) * 86_400 + time
            case .weekday(let month, let week, let weekday):
                let first = Instant.daysSince1970(year: year, month: month, day: 1)
                // 1970-01-01 was a Thursday, 4 when Sunday is 0.
                let weekdayOfFirst = first + 4 - (first + 4).flooredDivision(by: 7) * 7
                var day = (weekday - weekdayOfFirst + 7) % 7 + (week - 1) * 7
                if day >= Instant.days(in: month, of: year) { day -= 7 }
                return (first + day) * 86_400 + time
            }
        }
    }

    private struct Reader {
        private let text: [UInt8]
        private var at = 0

        init(_ text: [UInt8]) { self.text = text }

        var isAtEnd: Bool { at == text.count }

        func isNext(_ mark: Unicode.Scalar) -> Bool { at < text.count && text[at] == UInt8(ascii: mark) }

        mutating func skip(_ mark: Unicode.Scalar) -> Bool {
            guard isNext(mark) else { return false }
            at += 1
            return true
        }

        /// Three letters or more, or anything between angle brackets.
        mutating func name() -> String? {
            if skip("<") {
                guard let end = text[at...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
                defer { at = end + 1 }
                return String(decoding: text[at..<end], as: UTF8.self)
            }
            let start = at
            while at < text.count, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(text[at] & 0xDF) { at += 1 }
            return at - start >= 3 ? String(decoding: text[start..<at], as: UTF8.self) : nil
        }

        mutating func number(max: Int64) -> Int64? {
            let start = at
            var value: Int64 = 0
            while at < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[at]) {
                value = value * 10 + Int64(text[at] - UInt8(ascii: "0"))
                guard value <= max else { return nil }
                at += 1
            }
            return at > start ? value : nil
        }

        /// `[+-]hh[:mm[:ss]]` in seconds.
        mutating func time(hoursMax: Int64) -> Int64? {
            let isNegative = skip("-")
            if !isNegative { _ = skip("+") }
            guard let hours = number(max: hoursMax) else { return nil }
            var seconds = hours * 3600
            for unit in [60, 1] as [Int64] where skip(":") {
                guard let part = number(max: 59) else { return nil }
                seconds += part * unit
            }
            return isNegative ? -seconds : seconds
        }

        mutating func change() -> Change? {
            let day: Change.Day
            if skip("M") {
                guard let month = number(max: 12), month >= 1, skip("."), let week = number(max: 5), week >= 1,
                    skip("."), let weekday = number(max: 6)
                else { return nil }
                day = .weekday(month: month, week: week, weekday: weekday)
            } else if skip("J") {
                guard let number = number(max: 365), number >= 1 else { return nil }
                day = .julian(number)
            } else {
                guard let number = number(max: 365) else { return nil }
                day = .ofYear(number)
            }
            guard skip("/") else { return Change(day: day, time: 7200) }
            return time(hoursMax: 167).map { Change(day: day, time: $0) }
        }
    }
}
