import KinKeeper
import KinModel
import KinStore

/// The history of one member: where the member was, each point once, as long as the member keeps it.
enum Track {
    /// Rows one turn may prune: the keeper has others waiting.
    static let prunedPerTurnMax = 20_000
    /// Due work that goes on pruning.
    static let pruneDue = "positions.prune"

    /// Counts points among those of the member's day; false where the history takes no more of them.
    static func takeQuota(_ count: Int, for member: Identifier, _ act: Act) throws(Rejection) -> Bool {
        try Quota.points.take(Int64(count), of: Limits.pointsPerDayMax, for: member, act)
    }

    /// The same for a phone, which would send a refused point for ever: points beyond the quota move the position and
    /// are not kept.
    static func takePhoneQuota(_ count: Int, for member: Identifier, _ act: Act) throws(Rejection) -> Bool {
        if try takeQuota(count, for: member, act) { return true }
        act.count(.pointsUnusable, count)
        act.note(
            .phone,
            "\(count) points of a phone were not kept: its member told \(Limits.pointsPerDayMax) today, the most there is."
        )
        return false
    }

    /// A digest that differs from that of points which arrive when that moment has come.
    private static func digest(_ point: Point, _ quality: PointQuality) -> Int64 {
        quality == .clock ? point.digest | apartBit : point.digest
    }

    /// In the digest of a point that seemed to be from the future.
    static let apartBit: Int64 = 1 << 32

    /// Of a member who keeps no history the newest point alone waits for the clock.
    static func keepNewest(of track: Int64, _ act: Act) throws(Rejection) {
        try act.run(
            "DELETE FROM positions WHERE track = ?1 AND at < (SELECT max(at) FROM positions WHERE track = ?1)",
            .int(track))
    }

    /// Two points of one device and moment are one, the first.
    static func keep(
        _ point: Point, _ quality: PointQuality, _ judgement: Judgement, track: Int64, device: Int64, _ act: Act
    ) throws(Rejection) {
        try act.run(
            """
            INSERT OR IGNORE INTO positions
            (track, at, device, digest, lat, lon, accuracy, altitude, speed, course, battery, quality, version, taken)
            VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)
            """,
            .int(track), .time(point.at), .int(device), .int(digest(point, quality)), .double(point.lat),
            .double(point.lon),
            Value(point.accuracy), Value(point.altitude), Value(point.speed), Value(point.course),
            Value(point.battery), .int(quality.rawValue), Value(judgement.version), Value(judgement.taken))
    }

    /// Keeps the coarse positions that viewers were told, for those who may look at the history. They tell neither the
    /// place within the cell nor the exact time.
    static func keep(
        _ coarse: CoarsePosition, _ judgement: Judgement, track: Int64, _ act: Act
    ) throws(Rejection) {
        guard let version = judgement.version else { return }
        try act.run(
            """
            INSERT INTO coarse_positions (track, number, at, cell_row, cell_column, version, taken)
            SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3, ?4, ?5, ?6 FROM coarse_positions WHERE track = ?1
            """, .int(track), .time(coarse.at), .int(coarse.cell.row), .int(coarse.cell.column), .int(version),
            Value(judgement.taken))
    }

    /// A device's number. Beyond ``Limits/devicesPerMemberMax`` names they share 0.
    static func device(_ name: String, of track: Int64, _ act: Act) throws(Rejection) -> Int64 {
        let memory = act.memory(TrackMemory.self)
        let key = TrackMemory.Device(track: track, name: name)
        if let known = memory.devices.value(of: key, act) { return known }
        if try known(name, of: track, act) == nil {
            try act.run(
                """
                INSERT INTO position_devices (track, name) SELECT ?1, ?2
                WHERE (SELECT count(*) FROM position_devices WHERE track = ?1) < ?3
                """, .int(track), .text(name), Value(Limits.devicesPerMemberMax))
        }
        guard let number = try known(name, of: track, act) else { return 0 }
        memory.devices.remember(number, of: key, act)
        return number
    }

    private static func known(_ name: String, of track: Int64, _ act: Act) throws(Rejection) -> Int64? {
        try act.first("SELECT device FROM position_devices WHERE track = ? AND name = ?", .int(track), .text(name)) {
            (row) throws(StoreFailure) in row.int(0)
        }
    }

    // MARK: Reading

    /// A place in a history from which the next page goes on: `at.device.digest`.
    struct RowKey: Equatable {
        let at: Int64
        let device: Int64
        let digest: Int64

        init(at: Int64, device: Int64, digest: Int64) {
            self.at = at
            self.device = device
            self.digest = digest
        }

        init?(_ text: String) {
            let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
            guard numbers.count == 3, let at = numbers[0], let device = numbers[1], let digest = numbers[2] else {
                return nil
            }
            self.init(at: at, device: device, digest: digest)
        }

        var text: String { "\(at).\(device).\(digest)" }
    }

    /// The rows of a page; tests hold it to the index.
    static let ownPage = """
        SELECT ?1 AS member, lat, lon, at, accuracy, altitude, speed, course, battery, device, digest
        FROM positions
        WHERE track = ?2 AND at >= ?3 AND at <= ?4 AND quality = 0 AND (at, device, digest) > (?5, ?6, ?7)
        ORDER BY track, at, device, digest LIMIT ?8
        """

    // MARK: Retention

    /// Removes older rows of one history, at most so many. Answers how many they were.
    @discardableResult
    static func prune(_ track: Int64, before oldest: Instant, rowsMax: Int, _ act: Act) throws(Rejection) -> Int {
        // There is at most one for each quarter of an hour and cell, so they are few.
        try act.run("DELETE FROM coarse_positions WHERE track = ? AND at < ?", .int(track), .time(oldest))
        return try act.run(
            """
            DELETE FROM positions WHERE (track, at, device, digest) IN
            (SELECT track, at, device, digest FROM positions WHERE track = ?1 AND at < ?2 ORDER BY at LIMIT ?3)
            """, .int(track), .time(oldest), Value(rowsMax))
    }
}
