import KinCalendar
import KinKeeper
import KinModel

/// A search for times at which nobody is busy, as far as the caller may know.
struct FreeTimes {
    /// A time, and of whom it is not known that they have nothing on.
    struct Found: WireRecord {
        let start: Instant
        let end: Instant
        let free: [Identifier]
        let unknown: [Identifier]

        static let fields = Fields(
            nil, Found.init(start:end:free:unknown:), .required("start", \.start, .time),
            .required("end", \.end, .time),
            .required(
                "free", \.free, .list(.id, max: Limits.membersMax), "Who has nothing on then, the caller among them."),
            .required(
                "unknown", \.unknown, .list(.id, max: Limits.membersMax),
                "Who shows the caller nothing; they need not be free."))
    }

    /// The times that a request asks for.
    static let fields: [Field] = [
        .required("from", .token(max: 10), "The first day, such as 2026-11-24."),
        .required("to", .token(max: 10), "The last day."),
        .required("minutes", .integer(15...Limits.foundMinutesMax), "How long."),
        .optional("earliest", .token(max: 5), "When it begins at the earliest on each day; 08:00 if left out."),
        .optional("latest", .token(max: 5), "When it ends at the latest on each day; 22:00 if left out."),
        .optional("count", .integer(1...Int64(Limits.meetingSlotsMax)), "How many; 5 if left out."),
    ]

    private static let stepSeconds: Int64 = 1800

    private let days: [Civil]
    private let zone: Zone
    private let seconds: Int64
    private let (earliest, latest): (Int, Int)
    private let count: Int

    init(_ asked: JSON.Object, _ times: MeetingTimes, _ act: Act) throws(Rejection) {
        func day(_ field: String) throws(Rejection) -> Civil {
            guard let text = asked[field]?.string, text.utf8.count == 10, let day = Civil(text + "T00:00") else {
                throw Rejection(.invalid, "\(field) is a day such as 2026-11-24.", field: field)
            }
            return day
        }
        func clock(_ field: String, _ otherwise: Int) throws(Rejection) -> Int {
            guard let text = asked[field]?.string else { return otherwise }
            if text == "24:00" { return 1440 }
            guard text.utf8.count == 5, let civil = Civil("2026-01-01T" + text) else {
                throw Rejection(.invalid, "\(field) is a time of the day such as 18:00.", field: field)
            }
            return civil.hour * 60 + civil.minute
        }
        let (first, last) = (try day("from"), try day("to"))
        guard first <= last else { throw Rejection(.invalid, "to is before from.", field: "to") }
        let length = last.days(since: first) + 1
        guard length <= Limits.foundDaysMax else {
            throw Rejection(.invalid, "Look in \(Limits.foundDaysMax) days at most.", field: "to")
        }
        (earliest, latest) = (try clock("earliest", 480), try clock("latest", 1320))
        let minutes = asked["minutes"]?.int ?? 60
        guard earliest + Int(minutes) <= latest else {
            throw Rejection(
                .invalid, "\(minutes) minutes do not fit between earliest and latest.", field: "latest")
        }
        seconds = minutes * 60
        days = (0..<length).map { first.adding(days: $0) }
        zone = times.place
        count = Int(asked["count"]?.int ?? 5)
    }

    /// Times at which the caller and all of these have nothing on; each day's first ones before any day's second.
    func find(_ members: [Identifier], _ act: Act) throws(Rejection) -> [Found] {
        guard let first = days.first, let last = days.last else { return [] }
        let caller = try act.member.id
        let (from, to) = (moment(first, 0), moment(last, 1440))
        var (free, unknown, plans): ([Identifier], [Identifier], [Plan]) = ([], [], [])
        for member in [caller] + members where member != caller || free.isEmpty {
            if let known = try act.hooks.plans?(act, member, from, to) {
                free.append(member)
                plans += known
            } else {
                unknown.append(member)
            }
        }
        plans.sort { ($0.start, $0.end) < ($1.start, $1.end) }
        let each = days.map { day in times(on: day, plans, now: act.now) }
        var found: [(start: Instant, end: Instant)] = []
        for round in 0..<(each.map(\.count).max() ?? 0) {
            for day in each where day.count > round && found.count < count { found.append(day[round]) }
        }
        return found.sorted { $0.start < $1.start }.map {
            Found(start: $0.start, end: $0.end, free: free, unknown: unknown)
        }
    }

    /// Times of one day on which nothing is, by half hours, that do not overlap.
    private func times(on day: Civil, _ plans: [Plan], now: Instant) -> [(start: Instant, end: Instant)] {
        let (opens, closes) = (moment(day, earliest), moment(day, latest))
        var start = opens
        var found: [(start: Instant, end: Instant)] = []
        while start.adding(seconds: seconds) <= closes {
            let end = start.adding(seconds: seconds)
            let busy = plans.filter { $0.isOn(from: start, to: end) }.map(\.end).max()
            if let after = busy.map({ max($0, start.adding(seconds: 1)) }) ?? (start < now ? now : nil) {
                let steps = (after.milliseconds(since: opens) + Self.stepSeconds * 1000 - 1) / (Self.stepSeconds * 1000)
                start = max(start.adding(seconds: Self.stepSeconds), opens.adding(seconds: steps * Self.stepSeconds))
                continue
            }
            found.append((start, end))
            start = end
        }
        return found
    }

    private func moment(_ day: Civil, _ minutes: Int) -> Instant {
        switch zone.instant(of: day.adding(seconds: minutes * 60)) {
        case .one(let instant), .repeated(let instant, _), .skipped(_, let instant): instant
        }
    }
}
