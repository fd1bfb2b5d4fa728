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
        // What is to be pruned is gone for the reader already.
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
