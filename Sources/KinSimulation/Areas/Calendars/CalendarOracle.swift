import KinCalendar
import KinModel

/// What clocks show in three zones, by the rules of the law and without the database of zones.
enum LegalZone: String, CaseIterable {
    case berlin = "Europe/Berlin"
    case newYork = "America/New_York"
    case universal = "Etc/UTC"

    private var standard: Int { self == .berlin ? 3600 : self == .newYork ? -18_000 : 0 }

    /// Seconds since 1970 at which summer begins and ends in a year.
    private func summer(of year: Int) -> Range<Int>? {
        func sunday(_ number: Int, of month: Int) -> Int {
            let first = Civil(year: year, month: month, day: 1) ?? Self.epoch
            let days = (7 - first.weekday) % 7 + (number - 1) * 7
            return first.adding(days: days).days(since: Self.epoch) * 86_400
        }
        switch self {
        // Directive 2000/84/EC: the last Sundays of March and October, at one in universal time. Both months have 31 days.
        case .berlin:
            func last(of month: Int) -> Int {
                let day = Civil(year: year, month: month, day: 31) ?? Self.epoch
                return day.adding(days: -(day.weekday % 7)).days(since: Self.epoch) * 86_400 + 3600
            }
            return last(of: 3)..<last(of: 10)
        // 15 U.S.C. § 260a: the second Sunday of March and the first of November, at two on the clock that is left.
        case .newYork: return sunday(2, of: 3) + 7200 + 18_000..<sunday(1, of: 11) + 7200 + 14_400
        case .universal: return nil
        }
    }

    static let epoch = Civil(year: 1970, month: 1, day: 1) ?? Zone.utc.civil(at: Instant(milliseconds: 0))

    func offset(at seconds: Int) -> Int {
        let year = Self.epoch.adding(seconds: seconds).year
        return standard + (summer(of: year)?.contains(seconds) == true ? 3600 : 0)
    }

    func civil(at moment: Instant) -> Civil {
        let seconds = Int(moment.milliseconds / 1000)
        return Self.epoch.adding(seconds: seconds + offset(at: seconds))
    }

    /// What comes twice counts the first time; what is skipped is read by the offset before.
    func moment(of civil: Civil) -> Instant {
        let wall = civil.seconds(since: Self.epoch)
        let early = wall - standard - 3600
        let late = wall - standard
        let seconds = offset(at: early) == standard + 3600 ? early : late
        return Instant(milliseconds: Int64(seconds) * 1000)
    }
}

/// An entry as its writers meant it.
struct PlannedEntry {
    let id: Identifier
    let owner: String
    var calendar: Identifier
    var isPublic = true
    /// For whom it is, of those who may read its calendar; `nil`: all of them.
    var audience: Set<String>?
    var invited: Set<String> = []
    /// By occurrence; `nil` for all.
    var declined: [String: Set<Civil?>] = [:]
    var start: Civil
    /// `nil` for whole days.
    var zone: LegalZone?
    /// Minutes, or days where they are whole.
    var length: Int
    /// Every how many days; 0 for once.
    var step = 0
    /// Before which it ends.
    var end: Civil?
    var removed: Set<Civil> = []
    var moved: [Civil: Civil] = [:]
    var reminders: [String: Set<Int>] = [:]
    /// Who wanted to be reminded, and lost sight of it or was asked no longer: whether they still are is not said.
    var unsure: Set<String> = []

    var isAllDay: Bool { zone == nil }

    /// Whether somebody may know that there is something.
    func isFor(_ member: String) -> Bool { owner == member || audience?.contains(member) ?? true }

    struct Occurrence {
        let name: Civil
        let starts: Civil
        let start: Instant
        let end: Instant
    }

    /// The names of all that may be of interest until a day.
    func names(until last: Civil) -> [Civil] {
        var all: [Civil] = []
        var one = start
        while one <= last, end.map({ one < $0 }) ?? true {
            if !removed.contains(one) { all.append(one) }
            guard step > 0 else { break }
            one = one.adding(days: step)
        }
        return all
    }

    func occurrence(_ name: Civil, reader: LegalZone) -> Occurrence {
        let starts = moved[name] ?? name
        let place = zone ?? reader
        let begins = place.moment(of: starts)
        let ends =
            isAllDay ? place.moment(of: starts.adding(days: length)) : begins.adding(seconds: Int64(length) * 60)
        return Occurrence(name: name, starts: starts, start: begins, end: ends)
    }

    func isDeclined(by member: String, _ name: Civil) -> Bool {
        declined[member]?.contains(name) == true || declined[member]?.contains(Civil?.none) == true
    }
}
