import KinCalendar
import KinKeeper
import KinModel

/// Times as clients send them: a moment with its offset, or a civil time, which is read in the meeting's zone.
struct MeetingTimes {
    static let shape = Shape.either(.time, .named("CivilTime", .token(max: 32)))

    /// The shape of a slot in a request.
    static let span = Shape.object([
        .required("start", shape, "RFC 3339, or a civil time such as 2026-11-22T18:00, read in the zone."),
        .required("end", shape),
    ])

    private let zone: Zone

    /// The zone's name.
    var name: String { zone.name }
    /// The zone.
    var place: Zone { zone }

    /// Of a zone by its name; 1422 when there is none such.
    init(zone name: String) throws(Rejection) {
        guard let zone = Zone(name) else {
            guard Zone.areInstalled else {
                throw Rejection(
                    .unavailable, "This machine knows no time zones; install Debian's package tzdata on it.")
            }
            throw Rejection(
                .invalid, "There is no time zone \(Text.quoted(name)); give one such as Europe/Berlin.", field: "zone")
        }
        self.zone = zone
    }

    /// A moment. A civil time that the zone's clocks skip is refused; of one that comes twice the first counts.
    func read(_ json: JSON?, _ field: String) throws(Rejection) -> Instant {
        guard let text = json?.string else { throw Rejection(.params, "\(field) is missing.", field: field) }
        if let instant = Instant(text) { return instant }
        guard let civil = Civil(text) else {
            throw Rejection(
                .invalid,
                "\(field) must be a time such as 2026-11-20T18:04:05Z, or 2026-11-20T18:04 to be read in the zone.",
                field: field)
        }
        switch zone.instant(of: civil) {
        case .one(let instant): return instant
        case .repeated(let first, _): return first
        case .skipped:
            throw Rejection(
                .invalid,
                "\(field) is \(civil), which is skipped in \(zone.name) when the clocks go forward; give another time.",
                field: field)
        }
    }

    /// A span of time to come: it ends after it begins, is not over, and not too far off.
    func span(_ json: JSON, _ field: String, _ act: Act) throws(Rejection) -> (start: Instant, end: Instant) {
        let start = try read(json["start"], field + ".start")
        let end = try read(json["end"], field + ".end")
        try Self.check(start, end, field, act)
        return (start, end)
    }

    static func check(_ start: Instant, _ end: Instant, _ field: String, _ act: Act) throws(Rejection) {
        guard start < end else {
            throw Rejection(.invalid, "\(field) ends before it starts, or at once.", field: field + ".end")
        }
        guard end > act.now else {
            throw Rejection(.invalid, "\(field) is over; give a time to come.", field: field + ".end")
        }
        guard end <= act.now.adding(days: Limits.meetingDaysAheadMax) else {
            throw Rejection(
                .invalid, "\(field) lies more than \(Limits.meetingDaysAheadMax) days ahead.", field: field + ".end")
        }
    }

    /// A deadline: to come, and not after the last slot.
    func deadline(_ json: JSON, ends: Instant, _ act: Act) throws(Rejection) -> Instant {
        let deadline = try read(json, "deadline")
        guard deadline > act.now else {
            throw Rejection(.invalid, "The deadline has passed already; give a time to come.", field: "deadline")
        }
        try Self.check(deadline: deadline, ends: ends)
        return deadline
    }

    static func check(deadline: Instant, ends: Instant) throws(Rejection) {
        guard deadline <= ends else {
            throw Rejection(.invalid, "The deadline is after the end of the last slot.", field: "deadline")
        }
    }
}
