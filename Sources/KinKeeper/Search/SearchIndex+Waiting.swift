import KinModel
import KinStore

/// Rows of kinds that are taken in later (``Searched/isTakenInLater``): a command that says something new leaves the index as
/// it is, and many are taken in at once. A row of the index is changed and removed at once, as that of any other kind. What
/// waits is taken in before anybody searches, so that nobody notices.
///
/// Of such a kind every row in the index has a lower number than every row that waits. So the database says which wait, and
/// neither a power loss nor a rollback loses one.
extension SearchIndex {
    /// Whether a changed row waits to be taken in: it is new, or is changed or gone before it was taken in.
    static func waits(_ number: Int64, _ searched: Searched, _ act: Act) throws(Rejection) -> Bool {
        guard searched.isTakenInLater else {
            // Hits of one moment have the order in which they came, whatever else came in between and whoever sees that.
            if act.memory(SearchWaiting.self).has(of: act.now) { try takeIn(act) }
            return false
        }
        guard try number > greatest(of: searched, act) else { return false }
        let row = SearchWaiting.Row(kind: searched.kind, number: number)
        try waiting(act).add(row, at: act.now, act.uptime)
        return true
    }

    /// Takes in what waits, where it is as much as may wait.
    static func takeInMany(_ act: Act) throws(Rejection) {
        if act.memory(SearchWaiting.self).rows.count >= Limits.searchWaitingMax { try takeIn(act) }
    }

    /// Takes in what has waited long enough. A refusal must not make every turn try again.
    static func takeInDue(_ act: Act) throws(Rejection) {
        act.memory(SearchWaiting.self).wait(from: act.uptime)
        try takeIn(act)
    }

    /// Takes in all that waits, as it is now.
    static func takeIn(_ act: Act) throws(Rejection) {
        let waiting = try waiting(act)
        guard !waiting.rows.isEmpty else { return }
        // The last room of a full disk is for commands that free some. What was just said is not found until there is more.
        guard !act.store.isShortOfRoom else { return waiting.wait(from: act.uptime) }
        let kinds = act.keeper.registry.searchedKinds
        for row in waiting.takeAll() {
            guard let searched = kinds.first(where: { $0.kind == row.kind }) else { continue }
            try settle(searched, row.number, act)
        }
    }

    /// The rows that wait, all of them. More than ``Limits/searchWaitingMax`` and what one act makes never wait, so they are
    /// among the newest.
    private static func waiting(_ act: Act) throws(Rejection) -> SearchWaiting {
        let waiting = act.memory(SearchWaiting.self)
        guard !waiting.isWhole else { return waiting }
        var found: [SearchWaiting.Row] = []
        for searched in act.keeper.registry.searchedKinds where searched.isTakenInLater {
            let newest = try act.rows(
                """
                SELECT rowid FROM \(searched.table) WHERE rowid > ? ORDER BY rowid DESC
                LIMIT \(2 * Limits.searchWaitingMax)
                """, .int(try greatest(of: searched, act))
            ) { row in row.int(0) }
            found += newest.reversed().map { SearchWaiting.Row(kind: searched.kind, number: $0) }
        }
        waiting.complete(found, act.uptime)
        return waiting
    }

    /// The greatest number of a kind in the index.
    private static func greatest(of searched: Searched, _ act: Act) throws(Rejection) -> Int64 {
        try act.first("SELECT coalesce(max(number), 0) FROM searched WHERE kind = ?", .text(searched.kind)) { row in
            row.int(0)
        } ?? 0
    }
}
