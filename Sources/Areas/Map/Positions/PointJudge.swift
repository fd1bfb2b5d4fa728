import KinGeo
import KinKeeper
import KinModel
import KinStore

/// The quality of a point. Every point but a ``good`` one is kept apart: in the history with its reason, and nowhere
/// else.
enum PointQuality: Int64, Sendable {
    case good = 0
    /// It may be anywhere: less accurate than ``Limits/pointAccuracyMax``.
    case inaccurate = 1
    /// Nobody gets there so fast from the point before.
    case jump = 2
    /// It is from the future: the phone's clock is wrong.
    case clock = 3
    /// The point before says the same of the same moment.
    case repeated = 4

    /// Whether the point counts for coarse viewers. This depends on nothing within a cell. ``CellJudge`` decides which
    /// of these points move anything.
    var hasCell: Bool {
        switch self {
        case .good, .jump, .repeated: true
        case .inaccurate, .clock: false
        }
    }
}

/// Judges a member's points one after the other, in the order of their times.
///
/// A jump is recognised by the speed that it would need from the last good point, after both accuracies are taken off.
/// Only points of the same device are compared, since a tablet at home and a phone on a journey are no jumps. A point
/// that was entered by hand, without an accuracy, is believed. When the last good point was wrong, later points agree
/// with each other and not with it: the third of them is believed.
struct PointJudge {
    /// A point that was seen, as far as the next is judged by it.
    struct Seen: Equatable {
        var coordinate: Coordinate
        var at: Instant
        var accuracy: Double?
        /// The number of the device that says so; `nil` where that is not known.
        var device: Int64?
    }

    /// The newest good one.
    private(set) var last: Seen?
    /// The newest of those that jumped, and how many there were that agree with it.
    private(set) var doubted: (seen: Seen, count: Int64)?
    private(set) var isDoubtChanged = false

    init(last: Seen?, doubted: (seen: Seen, count: Int64)?) {
        self.last = last
        self.doubted = doubted
    }

    /// Metres that two points may lie apart without any movement, besides their own accuracies.
    private static let slack = 200.0

    /// Whether getting from one to the other would need an impossible speed.
    static func isJump(_ one: Seen, _ other: Seen) -> Bool {
        if let mine = one.device, let its = other.device, mine != its { return false }
        let milliseconds = abs(other.at.milliseconds - one.at.milliseconds)
        let doubt = (one.accuracy ?? Point.accuracyAssumed) + (other.accuracy ?? Point.accuracyAssumed) + slack
        let reach = Limits.pointSpeedMax * Double(milliseconds) / 1000
        return one.coordinate.roughDistance(to: other.coordinate) - doubt > reach
    }

    /// The quality of a point. `isMeasured`: a phone reported it, and nobody entered it. `upTo` answers the newest good
    /// point in the history at a moment or before it.
    mutating func judge(
        _ point: Point, from device: Int64?, isMeasured: Bool, now: Instant,
        upTo: (Instant) throws(Rejection) -> Seen?
    ) throws(Rejection) -> PointQuality {
        if !Point.isPossible(point.at, now: now) { return .clock }
        if let accuracy = point.accuracy, accuracy > Limits.pointAccuracyMax { return .inaccurate }
        let seen = Seen(coordinate: point.coordinate, at: point.at, accuracy: point.accuracy, device: device)
        guard let last, point.at <= last.at else {
            return try judgeNewer(seen, isMeasured: isMeasured, upTo: upTo)
        }
        if last.isSame(as: seen) { return .repeated }
        guard isMeasured, let earlier = try upTo(point.at) else { return .good }
        return Self.isJump(earlier, seen) ? .jump : .good
    }

    private mutating func judgeNewer(
        _ seen: Seen, isMeasured: Bool, upTo: (Instant) throws(Rejection) -> Seen?
    ) throws(Rejection) -> PointQuality {
        if isMeasured, var last, Self.isJump(last, seen) {
            // Only the history knows which device the position is of; it is asked only now.
            if last.device == nil, let kept = try upTo(last.at), kept.at == last.at { last.device = kept.device }
            if !Self.isJump(last, seen) {
                self.last = seen
                return .good
            }
            let agrees = doubted.map { seen.at > $0.seen.at && !Self.isJump($0.seen, seen) } ?? false
            let count = agrees ? (doubted?.count ?? 0) + 1 : 1
            isDoubtChanged = true
            guard count >= Limits.pointsBelieved else {
                doubted = (seen, count)
                return .jump
            }
        }
        if doubted != nil { isDoubtChanged = true }
        doubted = nil
        last = seen
        return .good
    }
}

extension PointJudge {
    /// Of a member, as the rows have it; `last` is the own position.
    static func of(_ track: Int64, last: Position?, _ act: Act) throws(Rejection) -> PointJudge {
        let memory = act.memory(TrackMemory.self)
        let isUndoubted = memory.undoubted.value(of: track, act) ?? false
        let doubted =
            isUndoubted
            ? nil
            : try act.first(
                "SELECT lat, lon, at, accuracy, count FROM doubted_points WHERE track = ?", .int(track)
            ) { row in (seen: Seen(row), count: row.int("count")) }
        if doubted == nil { memory.undoubted.remember(true, of: track, act) }
        return PointJudge(
            last: last.map {
                Seen(coordinate: Coordinate(lat: $0.lat, lon: $0.lon), at: $0.at, accuracy: $0.accuracy)
            }, doubted: doubted)
    }

    /// Writes down what is doubted.
    func save(_ track: Int64, _ act: Act) throws(Rejection) {
        guard isDoubtChanged else { return }
        guard let (seen, count) = doubted else {
            try act.run("DELETE FROM doubted_points WHERE track = ?", .int(track))
            return
        }
        try act.run(
            "INSERT OR REPLACE INTO doubted_points (track, lat, lon, at, accuracy, count) VALUES (?,?,?,?,?,?)",
            .int(track), .double(seen.coordinate.lat), .double(seen.coordinate.lon), .time(seen.at),
            Value(seen.accuracy), .int(count))
    }

    /// The newest good point of a history up to a moment.
    static func upTo(_ at: Instant, _ track: Int64, _ act: Act) throws(Rejection) -> Seen? {
        try act.first(
            """
            SELECT lat, lon, at, accuracy, device FROM positions WHERE track = ? AND at <= ? AND quality = 0
            ORDER BY track DESC, at DESC LIMIT 1
            """, .int(track), .time(at)
        ) { row in
            var seen = Seen(row)
            seen.device = row.int("device")
            return seen
        }
    }
}

extension PointJudge.Seen {
    /// Whether both say the same of the same moment.
    fileprivate func isSame(as other: Self) -> Bool {
        coordinate == other.coordinate && at == other.at && accuracy == other.accuracy
    }

    /// From the columns lat, lon, at, accuracy.
    fileprivate init(_ row: borrowing Row) {
        self.init(
            coordinate: Coordinate(lat: row.double("lat"), lon: row.double("lon")), at: row.instant("at"),
            accuracy: row.optionalDouble("accuracy"))
    }
}
