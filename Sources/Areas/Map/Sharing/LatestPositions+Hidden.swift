import KinKeeper
import KinModel
import KinStore

/// Events for members who lose sight of a member.
extension LatestPositions {
    private func hiddenKey(_ version: Int64) -> String { about + "/hidden/\(version)" }
    private func hiddenCellKey(_ version: Int64) -> String { about + "/hidden/\(version)/coarse" }

    /// Tells members who lose sight of a position that existed. The rows have keys of their own, so that later events
    /// for others do not remove them for a member who is away. Each is withdrawn once all of its audience see the
    /// member again.
    func tellHidden(
        _ viewers: Viewers, insteadOf before: Viewers, version: Int64, _ act: Act
    ) throws(Rejection) {
        func tell(_ audience: Audience, _ key: String, _ column: String) throws(Rejection) {
            guard !audience.isEmpty else { return }
            try act.emit(Position.hidden, .init(member: member), about: about, to: audience, key: key)
            try act.run(
                "UPDATE sharing_versions SET \(column) = ? WHERE version = ?", .blob(audience.bytes), .int(version))
        }
        let losing = viewers.losing(from: before)
        if shown != nil { try tell(losing.subtracting(before[.coarse]), hiddenKey(version), "hidden") }
        guard coarse != nil else { return }
        // While there is only a cell, a new exact viewer sees nothing.
        let isNothingExact = shown == nil && own == nil
        let outOfSight = isNothingExact ? before[.coarse].subtracting(viewers[.coarse]) : Audience()
        try tell(
            losing.intersection(before[.coarse]).union(outOfSight), hiddenCellKey(version), "hidden_cells")
    }

    /// Withdraws what was told of losing sight, where all of them have a position again.
    func forgetHidden(_ viewers: Viewers, besides version: Int64, _ act: Act) throws(Rejection) {
        let told = try act.rows(
            """
            SELECT v.version, v.hidden, v.hidden_cells FROM sharing s JOIN sharing_versions v ON v.track = s.track
            WHERE s.member = ? AND (v.hidden IS NOT NULL OR v.hidden_cells IS NOT NULL) AND v.version <> ?
            """, .id(member), .int(version)
        ) { (row) throws(StoreFailure) in
            (row.int("version"), row.optionalBlob("hidden"), row.optionalBlob("hidden_cells"))
        }
        for (version, all, cells) in told {
            for (bytes, key, column) in [
                (all, hiddenKey(version), "hidden"), (cells, hiddenCellKey(version), "hidden_cells"),
            ] {
                guard let bytes, isSeenAgain(by: Audience(bytes: bytes), viewers) else { continue }
                try act.withdraw(key: key)
                try act.run("UPDATE sharing_versions SET \(column) = NULL WHERE version = ?", .int(version))
            }
        }
    }

    /// Whether each of them is told a position again. Coarse viewers must not learn from this whether there is an exact
    /// position. So a row that they share with others stays until retention removes it.
    private func isSeenAgain(by audience: Audience, _ viewers: Viewers) -> Bool {
        guard audience.intersection(viewers[.coarse]).isEmpty else {
            return coarse != nil && audience.subtracting(viewers[.coarse]).isEmpty
        }
        return shown != nil && audience.subtracting(viewers.all).isEmpty
    }
}
