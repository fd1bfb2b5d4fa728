import KinKeeper
import KinModel
import KinStore

/// A history as its own member sees it, and for how long the member keeps it.
extension Track {
    /// A page of a member's history, oldest first, with the place of its last point.
    static func page(
        of sharing: MemberSharing?, from: Instant, to: Instant, after place: RowKey?, limit: Int64, now: Instant,
        _ database: Database
    ) throws(StoreFailure) -> (positions: [Position], last: RowKey?, hasMore: Bool) {
        guard let sharing else { return ([], nil, false) }
        // Points that are about to be pruned are already hidden from the reader.
        let oldest = now.adding(days: -sharing.historyDays)
        let start = max(from, oldest).milliseconds
        let place = place ?? RowKey(at: start, device: -1, digest: .min)
        let rows = try database.rows(
            ownPage, .id(sharing.member), .int(sharing.track), .int(max(start, place.at)), .time(to), .int(place.at),
            .int(place.device),
            .int(place.digest), .int(limit + 1),
            map: { (row) throws(StoreFailure) in
                (Position(row), RowKey(at: row.int("at"), device: row.int("device"), digest: row.int("digest")))
            })
        let kept = rows.prefix(Int(limit))
        return (kept.map(\.0), kept.last?.1, rows.count > kept.count)
    }

    /// The validator of a member's own history: it changes when a point comes or goes. There is none for what others see of
    /// it, because the points that they do not see would have to be left out one by one.
    static func state(
        of sharing: MemberSharing, from: Instant, to: Instant, now: Instant, _ database: Database
    ) throws(StoreFailure) -> String? {
        let start = max(from, now.adding(days: -sharing.historyDays))
        return try database.first(
            """
            SELECT count(*) AS points, coalesce(sum(at % 1000000007), 0) AS times,
            coalesce(sum(digest & 4294967295), 0) AS low, coalesce(sum(digest >> 32), 0) AS high,
            coalesce(sum(CAST(lat * 1e7 AS INTEGER)), 0) AS lats, coalesce(sum(CAST(lon * 1e7 AS INTEGER)), 0) AS lons,
            coalesce(sum((at % 1000003) * (CAST(lat * 1e5 AS INTEGER))), 0) AS both
            FROM positions WHERE track = ?1 AND at >= ?2 AND at <= ?3 AND quality = 0
            """, .int(sharing.track), .time(start), .time(to)
        ) { row in
            [
                row.int("points"), row.int("times"), row.int("low"), row.int("high"), row.int("lats"), row.int("lons"),
                row.int("both"),
            ].map(\.description).joined(separator: " ")
        }
    }

    /// Removes what is older than each member keeps, at most ``prunedPerTurnMax`` rows; the rest a second later.
    static func prune(_ act: Act) throws(Rejection) {
        var left = prunedPerTurnMax
        // A member who keeps no history needs no clock for that.
        for sharing in try MemberSharing.all(act) where !act.isClockDoubted || sharing.historyDays == 0 {
            let oldest = sharing.historyDays > 0 ? act.now.adding(days: -sharing.historyDays) : .latest
            left -= try prune(sharing.track, before: oldest, rowsMax: left, act)
            guard left <= 0 else { continue }
            try act.plan(pruneDue, about: "positions", at: act.now.adding(seconds: 1))
            return
        }
    }
}
