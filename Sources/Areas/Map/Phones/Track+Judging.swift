import KinKeeper
import KinModel
import KinStore

extension Track {
    /// Due work that judges points again which seemed to be from the future; its `about` is since when, in milliseconds.
    static let judgeDue = "positions.judge"

    /// While the daemon's clock was behind, points of phones whose clocks are right were kept apart. Now that it is right,
    /// those whose time has come are taken as they would have been, some at a time.
    static func judgeAgain(_ about: String, _ act: Act) throws(Rejection) {
        guard let since = Int64(about) else { return }
        var left = Limits.itemsPerTurn
        for consent in try Consent.all(act) where left > 0 {
            let points = try act.rows(
                """
                SELECT p.lat, p.lon, p.at, p.accuracy, p.altitude, p.speed, p.course, p.battery, d.name, p.mark, p.device
                FROM positions p LEFT JOIN position_devices d ON d.device = p.device
                WHERE p.track = ?1 AND p.at > ?2 AND p.at <= ?3 AND p.quality = ?4 ORDER BY p.at LIMIT ?5
                """, .int(consent.track), .int(since), .time(act.now), .int(PointQuality.clock.rawValue), Value(left)
            ) { row in
                var point = Point(lat: row.double(0), lon: row.double(1), at: row.instant(2))
                point.accuracy = row.optionalDouble(3)
                point.altitude = row.optionalDouble(4)
                point.speed = row.optionalDouble(5)
                point.course = row.optionalDouble(6)
                point.battery = row.optionalDouble(7)
                point.device = row.optionalText(8).flatMap { $0.isEmpty ? nil : $0 }
                point.mark = row.int(9)
                return (point, device: row.int(10))
            }
            left -= points.count
            for (point, device) in points {
                try act.run(
                    "DELETE FROM positions WHERE track = ? AND at = ? AND device = ? AND mark = ?",
                    .int(consent.track), .time(point.at), .int(device), .int(point.mark))
            }
            try take(
                points.map { point, _ in
                    var point = point
                    point.mark &= ~apartMark
                    return point
                }, of: consent.member, act)
        }
        guard left <= 0 else { return }
        try act.plan(judgeDue, about: about, at: act.now.adding(seconds: 1))
    }
}
