import KinKeeper
import KinModel
import KinStore

/// A history as its own member sees it, and for how long the member keeps it.
extension Track {
    /// A page of a member's history, oldest first, with the place of its last point.
    static func page(
        of member: Identifier, from: Instant, to: Instant, after place: Place?, limit: Int64, _ act: Act
    ) throws(Rejection) -> (positions: [Position], last: Place?, hasMore: Bool) {
        guard let consent = try act.ask({ (database) throws(StoreFailure) in try Consent.find(database, member) })
        else {
            return ([], nil, false)
        }
        // What is to be pruned is gone for the reader already.
        let oldest = act.now.adding(days: -consent.historyDays)
        let start = max(from, oldest).milliseconds
        let place = place ?? Place(at: start, device: -1, mark: .min)
        let rows = try act.rows(
            ownPage, .id(member), .int(consent.track), .int(max(start, place.at)), .time(to), .int(place.at),
            .int(place.device),
            .int(place.mark), .int(limit + 1),
            map: { (row) throws(StoreFailure) in
                (Position(row), Place(at: row.int(3), device: row.int(9), mark: row.int(10)))
            })
        let kept = rows.prefix(Int(limit))
        return (kept.map(\.0), kept.last?.1, rows.count > kept.count)
    }

    /// Removes what is older than each member keeps, at most ``prunedPerTurnMax`` rows; the rest a second later.
    static func prune(_ act: Act) throws(Rejection) {
        var left = prunedPerTurnMax
        // Who keeps none needs no clock for that.
        for consent in try Consent.all(act) where !act.isClockDoubted || consent.historyDays == 0 {
            let oldest = consent.historyDays > 0 ? act.now.adding(days: -consent.historyDays) : .latest
            left -= try prune(consent.track, before: oldest, rowsMax: left, act)
            guard left <= 0 else { continue }
            try act.plan(pruneDue, about: "positions", at: act.now.adding(seconds: 1))
            return
        }
    }
}
