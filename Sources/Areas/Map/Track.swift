import KinKeeper
import KinModel
import KinStore

/// The history of one member: where the member was, each point once, as long as the member keeps it.
enum Track {
    /// Rows one turn may prune: the keeper has others waiting.
    static let prunedPerTurnMax = 20_000
    /// Due work that goes on pruning.
    static let pruneDue = "positions.prune"

    /// Points on their way in, in the order of their times. A long batch takes several turns of the keeper: each turn
    /// brings some into the history, and the last moves the dots and the places, once.
    struct Batch: Sendable {
        let points: [Point]
        /// Whether the history takes them; else they only move the dots and the places.
        let isKept: Bool
        /// How many are in the history.
        private(set) var done = 0
        /// Where the member was last, once all of it is in.
        fileprivate(set) var own: Position?
        fileprivate var judge: PointJudge?
        /// Those of them that may move something, by their places.
        fileprivate var seen: [Seen] = []

        /// What the last turn has to know of a point.
        fileprivate struct Seen {
            let index: Int
            /// What it is worth exactly; to those who see cells it may be worth something else.
            let isGood: Bool
            /// The number of its device, where the history knows it.
            let device: Int64?
            let isMeasured: Bool
            let isShown: Bool
            /// Whether the history keeps it.
            let isKept: Bool
        }

        init(_ points: [Point], isKept: Bool = true) {
            self.points = Track.inOrder(points)
            self.isKept = isKept
        }

        fileprivate mutating func next() -> Range<Int> {
            let some = points.indices[done...].prefix(Limits.itemsPerTurn)
            done = some.endIndex
            return some
        }

        fileprivate var isWhole: Bool { done == points.count }
    }

    /// Takes the next points of a batch in: into the history, and with the last of them to the dots and the places where
    /// they are newer. Late ones fill the history only, repeated ones change nothing, and absurd ones are kept apart.
    /// Answers whether it was all of the batch.
    static func take(_ batch: inout Batch, of member: Identifier, _ act: Act) throws(Rejection) -> Bool {
        var consent = try Consent.of(member, act)
        var dot = try Dot(member, act)
        var sight = Judge(consent)
        var judge = if let judge = batch.judge { judge } else { try PointJudge.of(consent, last: dot.own, act) }
        let isPhone = if case .member(let caller) = act.caller { caller.appPassword != nil } else { false }
        let oldest = act.now.adding(days: -consent.historyDays)
        var devices: [String: Int64] = [:]
        let track = consent
        for index in batch.next() {
            let point = batch.points[index]
            let name = point.device ?? ""
            if consent.historyDays > 0, devices[name] == nil { devices[name] = try device(name, of: consent, act) }
            let number = devices[name]
            let isMeasured = isPhone || point.accuracy != nil
            let quality = try judge.judge(
                point, from: number, isMeasured: isMeasured, now: act.now
            ) { (at) throws(Rejection) in try PointJudge.upTo(at, track, act) }
            // Nobody knows yet what such a point is worth: a member who keeps none would never see it again.
            let isWaiting = quality == .clock && act.isClockDoubted
            let isKept =
                batch.isKept && (consent.historyDays > 0 || isWaiting) && (point.at >= oldest || act.isClockDoubted)
            let judgement = try sight.judge(point.at, act)
            if isKept {
                try keep(point, quality, judgement, track: consent.track, device: number ?? 0, act)
                if consent.historyDays == 0 { try keepNewest(of: consent.track, act) }
            }
            guard quality.hasCell else { continue }
            batch.seen.append(
                Batch.Seen(
                    index: index, isGood: quality == .good, device: number, isMeasured: isMeasured,
                    isShown: judgement.isShown, isKept: isKept))
        }
        batch.judge = judge
        guard batch.isWhole else { return false }
        try judge.save(consent, act)
        let before = dot.own
        var moving: [Point] = []
        for seen in batch.seen {
            let point = batch.points[seen.index]
            // Sharing may have been switched since the first turn: the stricter counts.
            let judgement = try sight.judge(point.at, act)
            let isShown = seen.isShown && judgement.isShown
            if seen.isGood {
                if before.map({ point.at > $0.at }) ?? true, moving.last.map({ point.at > $0.at }) ?? true {
                    moving.append(point)
                }
                dot.take(point, isShown: isShown)
            }
            let cell = CellJudge.Seen(cell: Cell(lat: point.lat, lon: point.lon), at: point.at, device: seen.device)
            let told = dot.take(cell, isMeasured: seen.isMeasured, isShown: isShown)
            if seen.isKept, let told { try keep(told, judgement, track: consent.track, act) }
        }
        try dot.settle(consent, act)
        batch.own = dot.own
        try Stays.take(moving[...], of: member, wasSeen: before != nil, act)
        if dot.hasShownMoved, Stopover.isWanted(consent.viewers), let shown = dot.shown {
            try Stopover.settle(member, at: shown.at, consent.viewers, isWhole: false, act)
        }
        if consent.isSilent, dot.hasOwnMoved { try consent.isHeardAgain(act) }
        return true
    }

    /// The same as a method's outcome: `answer` once all of the batch is in, of where the member was last.
    static func take(
        _ batch: Batch, of member: Identifier, _ act: Act, answer: (Position?) throws(Rejection) -> JSON
    ) throws(Rejection) -> Outcome {
        var batch = batch
        guard try take(&batch, of: member, act) else { return .later(.rest(after: batch.done, carrying: batch)) }
        return .done(try answer(batch.own))
    }

    /// Counts points among those of the member's day; false where the history takes no more of them.
    static func takeQuota(_ count: Int, for member: Identifier, _ act: Act) throws(Rejection) -> Bool {
        try Quota.points.take(Int64(count), of: Limits.pointsPerDayMax, for: member, act)
    }

    /// The same for a phone, which would send what is refused for ever: what is too much moves the dot and is not kept.
    static func takePhoneQuota(_ count: Int, for member: Identifier, _ act: Act) throws(Rejection) -> Bool {
        if try takeQuota(count, for: member, act) { return true }
        act.count(.pointsUnusable, count)
        act.note(
            .phone,
            "\(count) points of a phone were not kept: its member told \(Limits.pointsPerDayMax) today, the most there is."
        )
        return false
    }

    /// Takes a few points in, in this turn.
    static func take(
        _ points: [Point], of member: Identifier, isKept: Bool = true, _ act: Act
    ) throws(Rejection) {
        var batch = Batch(points, isKept: isKept)
        while try !take(&batch, of: member, act) {}
    }

    /// By their times; those of one moment as they came.
    fileprivate static func inOrder(_ points: [Point]) -> [Point] {
        guard zip(points, points.dropFirst()).contains(where: { $0.at > $1.at }) else { return points }
        return points.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    }

    /// Told apart from points that come when that moment is there.
    private static func mark(_ point: Point, _ quality: PointQuality) -> Int64 {
        quality == .clock ? point.mark | apartMark : point.mark
    }

    /// In the mark of a point that seemed to be from the future.
    static let apartMark: Int64 = 1 << 32

    /// Of a member who keeps no history the newest point alone waits for the clock.
    private static func keepNewest(of track: Int64, _ act: Act) throws(Rejection) {
        try act.run(
            "DELETE FROM positions WHERE track = ?1 AND at < (SELECT max(at) FROM positions WHERE track = ?1)",
            .int(track))
    }

    /// Two points of one device and moment are one, the first.
    private static func keep(
        _ point: Point, _ quality: PointQuality, _ judgement: Judgement, track: Int64, device: Int64, _ act: Act
    ) throws(Rejection) {
        try act.run(
            """
            INSERT OR IGNORE INTO positions
            (track, at, device, mark, lat, lon, accuracy, altitude, speed, course, battery, quality, version, taken)
            VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)
            """,
            .int(track), .time(point.at), .int(device), .int(mark(point, quality)), .double(point.lat),
            .double(point.lon),
            Value(point.accuracy), Value(point.altitude), Value(point.speed), Value(point.course),
            Value(point.battery), .int(quality.rawValue), Value(judgement.version), Value(judgement.taken))
    }

    /// What coarse viewers were told, for those who may look at the history: where in its cell a point lies, and when
    /// exactly, is not in it.
    private static func keep(
        _ dot: CoarseDot, _ judgement: Judgement, track: Int64, _ act: Act
    ) throws(Rejection) {
        guard let version = judgement.version else { return }
        try act.run(
            """
            INSERT INTO coarse_positions (track, number, at, cell_row, cell_column, version, taken)
            SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3, ?4, ?5, ?6 FROM coarse_positions WHERE track = ?1
            """, .int(track), .time(dot.at), .int(dot.cell.row), .int(dot.cell.column), .int(version),
            Value(judgement.taken))
    }

    /// A device's number. Beyond ``Limits/devicesPerMemberMax`` names they share 0.
    private static func device(_ name: String, of consent: Consent, _ act: Act) throws(Rejection) -> Int64 {
        let known = try act.first(
            "SELECT device FROM position_devices WHERE track = ? AND name = ?", .int(consent.track), .text(name),
            map: { (row) throws(StoreFailure) in row.int(0) })
        if let known { return known }
        let made = try act.run(
            """
            INSERT INTO position_devices (track, name) SELECT ?1, ?2
            WHERE (SELECT count(*) FROM position_devices WHERE track = ?1) < ?3
            """, .int(consent.track), .text(name), Value(Limits.devicesPerMemberMax))
        guard made > 0 else { return 0 }
        return try act.first(
            "SELECT device FROM position_devices WHERE track = ? AND name = ?", .int(consent.track), .text(name),
            map: { (row) throws(StoreFailure) in row.int(0) }) ?? 0
    }

    // MARK: Reading

    /// A place in a history from which the next page goes on: `at.device.mark`.
    struct Place: Equatable {
        let at: Int64
        let device: Int64
        let mark: Int64

        init(at: Int64, device: Int64, mark: Int64) {
            self.at = at
            self.device = device
            self.mark = mark
        }

        init?(_ text: String) {
            let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
            guard numbers.count == 3, let at = numbers[0], let device = numbers[1], let mark = numbers[2] else {
                return nil
            }
            self.init(at: at, device: device, mark: mark)
        }

        var text: String { "\(at).\(device).\(mark)" }
    }

    /// The rows of a page; tests hold it to the index.
    static let ownPage = """
        SELECT ?1, lat, lon, at, accuracy, altitude, speed, course, battery, device, mark FROM positions
        WHERE track = ?2 AND at >= ?3 AND at <= ?4 AND quality = 0 AND (at, device, mark) > (?5, ?6, ?7)
        ORDER BY track, at, device, mark LIMIT ?8
        """

    /// A page of a member's history, oldest first, with the place of its last point.
    static func page(
        of consent: Consent?, from: Instant, to: Instant, after place: Place?, limit: Int64, now: Instant,
        _ database: Database
    ) throws(StoreFailure) -> (positions: [Position], last: Place?, hasMore: Bool) {
        guard let consent else { return ([], nil, false) }
        // What is to be pruned is gone for the reader already.
        let oldest = now.adding(days: -consent.historyDays)
        let start = max(from, oldest).milliseconds
        let place = place ?? Place(at: start, device: -1, mark: .min)
        let rows = try database.rows(
            ownPage, .id(consent.member), .int(consent.track), .int(max(start, place.at)), .time(to), .int(place.at),
            .int(place.device),
            .int(place.mark), .int(limit + 1),
            map: { (row) throws(StoreFailure) in
                (Position(row), Place(at: row.int(3), device: row.int(9), mark: row.int(10)))
            })
        let kept = rows.prefix(Int(limit))
        return (kept.map(\.0), kept.last?.1, rows.count > kept.count)
    }

    // MARK: Retention

    /// Removes what is older than each member keeps, at most ``prunedPerTurnMax`` rows; the rest a second later.
    static func prune(_ act: Act) throws(Rejection) {
        var left = prunedPerTurnMax
        // Who keeps none needs no clock for that.
        for consent in try Consent.all(act) where !act.isClockDoubted || consent.historyDays == 0 {
            left -= try prune(consent, rowsMax: left, act)
            guard left <= 0 else { continue }
            try act.plan(pruneDue, about: "positions", at: act.now.adding(seconds: 1))
            return
        }
    }

    @discardableResult
    private static func prune(_ consent: Consent, rowsMax: Int, _ act: Act) throws(Rejection) -> Int {
        let oldest = consent.historyDays > 0 ? act.now.adding(days: -consent.historyDays) : .latest
        // One a quarter of an hour and cell at most, so that they are few.
        try act.run("DELETE FROM coarse_positions WHERE track = ? AND at < ?", .int(consent.track), .time(oldest))
        return try act.run(
            """
            DELETE FROM positions WHERE (track, at, device, mark) IN
            (SELECT track, at, device, mark FROM positions WHERE track = ?1 AND at < ?2 ORDER BY at LIMIT ?3)
            """, .int(consent.track), .time(oldest), Value(rowsMax))
    }
}
