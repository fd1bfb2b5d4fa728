import KinKeeper
import KinModel
import KinStore

extension Track {
    /// Due work that judges points again that seemed to be from the future. Its `about` is the moment from which on, in
    /// milliseconds.
    static let judgeDue = "positions.judge"

    /// While the daemon's clock was behind, points of phones with right clocks were kept apart. Now that it is right,
    /// points whose time has come are taken as if they had just arrived, some at a time.
    static func judgeAgain(_ about: String, _ act: Act) throws(Rejection) {
        guard let since = Int64(about) else { return }
        var left = Limits.itemsPerTurn
        for sharing in try MemberSharing.all(act) where left > 0 {
            let points = try act.rows(
                """
                SELECT p.lat, p.lon, p.at, p.accuracy, p.altitude, p.speed, p.course, p.battery, d.name, p.digest, p.device
                FROM positions p LEFT JOIN position_devices d ON d.device = p.device
                WHERE p.track = ?1 AND p.at > ?2 AND p.at <= ?3 AND p.quality = ?4 ORDER BY p.at LIMIT ?5
                """, .int(sharing.track), .int(since), .time(act.now), .int(PointQuality.clock.rawValue), Value(left)
            ) { row in
                var point = Point(lat: row.double("lat"), lon: row.double("lon"), at: row.instant("at"))
                point.accuracy = row.optionalDouble("accuracy")
                point.altitude = row.optionalDouble("altitude")
                point.speed = row.optionalDouble("speed")
                point.course = row.optionalDouble("course")
                point.battery = row.optionalDouble("battery")
                point.device = row.optionalText("name").flatMap { $0.isEmpty ? nil : $0 }
                point.digest = row.int("digest")
                return (point, device: row.int("device"))
            }
            left -= points.count
            for (point, device) in points {
                try act.run(
                    "DELETE FROM positions WHERE track = ? AND at = ? AND device = ? AND digest = ?",
                    .int(sharing.track), .time(point.at), .int(device), .int(point.digest))
            }
            try take(
                points.map { point, _ in
                    var point = point
                    point.digest &= ~apartBit
                    return point
                }, of: sharing.member, act)
        }
        guard left <= 0 else { return }
        try act.plan(judgeDue, about: about, at: act.now.adding(seconds: 1))
    }
}
