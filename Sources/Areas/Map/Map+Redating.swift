import KinKeeper
import KinModel
import KinStore

/// The tables of the map, and what follows for time-limited permissions when a clock was put right.
extension Map {
    static let tables = [
        Table("sharing", dated: ["since"], ahead: ["until", "held_until"]), Table("sharing_rules", ahead: ["until"]),
        Table("sharing_versions", dated: ["since"]),
        Table("sharing_groups", ahead: ["until"]),
        Table("positions", ahead: ["at"]), Table("point_count", isKept: true), Table("position_devices"),
        Table("doubted_points", datedByPhones: ["at"]),
        Table("latest_positions", datedByPhones: ["at", "since", "rest_at"]),
        Table("cell_judges", datedByPhones: ["at", "doubted_at", "shown_at"]),
        Table(
            "latest_coarse_positions", datedByPhones: ["at", "away_since"], roundedSeconds: Limits.coarseTimeSeconds),
        Table("coarse_positions", datedByPhones: ["at"], roundedSeconds: Limits.coarseTimeSeconds),
        Table("stopovers", datedByPhones: ["at"], roundedSeconds: Limits.coarseTimeSeconds),
        Table("looks", dated: ["first_at", "last_at"], ahead: ["from_at", "to_at"]),
        Table("guest_links", dated: ["made_at"], ahead: ["until"]), Table("guest_link_places"), MapSource.table,
        Table("tracker_ids"), Table("neutral_tracker_ids"),
        Table("phones", dated: ["since", "contact"], datedByPhones: ["place"]),
        Table("phone_commands", dated: ["added"]), Table("phone_transitions", ahead: ["at"]),
        Table("phone_waypoints"),
        Table("position_asks", dated: ["at"]),
    ]

    static func redate(_ redating: Redating, _ act: Act) throws(Rejection) {
        switch redating {
        case .moved: break
        // Points that seemed to be from the future may have been right.
        case .wasBehind(let since):
            try act.plan(Track.judgeDue, about: String(since.milliseconds), at: act.now)
        case .toNow:
            let now = Value.time(act.now)
            // A permission for a span lasts that span from now on.
            try act.run("UPDATE guest_links SET until = ?1 + until - made_at WHERE made_at > ?1", now)
            // Rules do not say when they were made. They were not made before the member's last version.
            try act.run(
                """
                UPDATE sharing_rules AS r SET until = ?1 + until - v.since
                FROM (SELECT track, max(since) AS since FROM sharing_versions GROUP BY track) AS v
                WHERE v.track = r.track AND v.since > ?1 AND r.until > v.since
                """, now)
            try act.run("UPDATE sharing SET until = ?1 + until - since WHERE since > ?1", now)
            // Phones date points. Points that can no longer be true are kept apart, with others of that kind.
            try act.run(
                "UPDATE positions SET quality = ?2 WHERE at > ?1 AND quality <> ?2",
                .time(act.now.adding(seconds: Limits.futureSecondsMax)), .int(PointQuality.clock.rawValue))
            try act.run("UPDATE looks SET day = ?1 WHERE day > ?1", .int(act.now.milliseconds / 86_400_000))
            // Work that plans itself is due now, and plans itself anew.
            try act.replan([MemberSharing.silenceDue, MemberSharing.ruleDue, Track.pruneDue], noLaterThan: act.now)
            for sharing in try MemberSharing.all(act) {
                if let until = sharing.until {
                    try act.plan(MemberSharing.endDue, about: LatestPositions.about(sharing.member), at: until)
                }
            }
        }
    }
}

extension Counter {
    /// Points of phone apps that were taken and of no use.
    static let pointsUnusable = Counter("phone_points_unusable", "Points of phone apps that were taken and of no use.")
}

extension Quota {
    /// Points that the history takes in a day.
    static let points = Quota("points", today: "pointsToday", slack: 64)
}
