import KinKeeper
import KinModel
import KinStore

/// A member's history as somebody else may see it: the least of what the viewer could see at each point's own time,
/// when the point arrived, and now. Nothing is shown from times at which the viewer could not look at the history.
extension Track {
    /// Versions that follow each other and show the viewer the same.
    private struct Run {
        var versions: ClosedRange<Int64>
        let precision: Precision
        let since: Instant
        var end: Instant
    }

    /// Goes on with a page of a member's history for a viewer, oldest first, as far as one stride goes. Answers whether it is
    /// whole.
    static func gather(
        _ page: inout Page, of sharing: MemberSharing, for viewer: Int32, from: Instant, to: Instant, now: Instant,
        _ database: Database
    ) throws(StoreFailure) -> Bool {
        page.beginStride()
        let runs = try runs(of: sharing, for: viewer, database)
        let oldest = now.adding(days: -sharing.historyDays)
        let start = max(from, oldest)
        let goneOn = page.after?.at ?? .earliest
        for run in runs {
            guard page.enters(run.versions) else { continue }
            switch run.precision {
            case .exact:
                try exact(
                    sharing, run, runs, from: max(start, goneOn, run.since), to: min(to, run.end), &page, database)
            // The time of a coarse position is rounded down, so that it may lie before its version.
            case .coarse where goneOn <= run.end:
                let first = max(start, goneOn > run.since ? goneOn : CoarsePosition.rounded(run.since))
                try coarse(sharing, run, runs, from: first, to: min(to, run.end), &page, database)
            default: break
            }
            if page.isFull { return true }
            if page.isTired { return false }
        }
        return true
    }

    private static func runs(of sharing: MemberSharing, for viewer: Int32, _ database: Database) throws(StoreFailure)
        -> [Run]
    {
        let now = sharing.viewers.historyPrecision(for: viewer)
        let versions = try database.rows(
            "SELECT version, since, viewers FROM sharing_versions WHERE track = ? ORDER BY version",
            .int(sharing.track)
        ) { (row) throws(StoreFailure) in
            (
                version: row.int("version"), since: row.instant("since"),
                precision: min(now, Viewers(bytes: row.blob("viewers")).historyPrecision(for: viewer))
            )
        }
        var runs: [Run] = []
        for (index, version) in versions.enumerated() where version.precision != .off {
            let end = index + 1 < versions.count ? versions[index + 1].since : .latest
            if index > 0, versions[index - 1].precision == version.precision, let last = runs.indices.last {
                runs[last].versions = runs[last].versions.lowerBound...version.version
                runs[last].end = end
            } else {
                runs.append(
                    Run(
                        versions: version.version...version.version, precision: version.precision,
                        since: version.since, end: end))
            }
        }
        return runs
    }

    /// Whether a point of a version is of this stretch, and, where it arrived under other rules than those of its time,
    /// these show as much.
    private static func isSeen(_ version: Int64?, taken: Int64?, _ run: Run, _ runs: [Run]) -> Bool {
        guard let version, run.versions.contains(version) else { return false }
        guard let taken else { return true }
        return runs.contains { $0.versions.contains(taken) && $0.precision >= run.precision }
    }

    /// The rows among which those of a stretch seen exactly are; tests hold it to the index.
    static let exactRows = """
        SELECT ?1 AS member, lat, lon, at, accuracy, altitude, speed, course, battery, device, digest, quality, version, taken
        FROM positions WHERE track = ?2 AND at >= ?3 AND at <= ?4 AND (at, device, digest) > (?5, ?6, ?7)
        ORDER BY track, at, device, digest
        """

    /// The same of a stretch seen as cells.
    static let coarseRows = """
        SELECT cell_row, cell_column, at, number, version, taken FROM coarse_positions
        WHERE track = ?1 AND at >= ?2 AND at <= ?3 AND (at, number) > (?4, ?5) ORDER BY track, at, number
        """

    private static func exact(
        _ sharing: MemberSharing, _ run: Run, _ runs: [Run], from: Instant, to: Instant, _ page: inout Page,
        _ database: Database
    ) throws(StoreFailure) {
        guard from <= to else { return }
        let place = page.place ?? RowKey(at: from.milliseconds, device: -1, digest: .min)
        try database.each(
            exactRows, .id(sharing.member), .int(sharing.track), .int(max(from.milliseconds, place.at)), .time(to),
            .int(place.at), .int(place.device), .int(place.digest)
        ) { row in
            guard page.looks(at: RowKey(at: row.int("at"), device: row.int("device"), digest: row.int("digest"))) else {
                return false
            }
            let isGood = row.int("quality") == PointQuality.good.rawValue
            guard isGood, isSeen(row.optionalInt("version"), taken: row.optionalInt("taken"), run, runs) else {
                return true
            }
            return page.take(Position(row), at: row.instant("at"))
        }
    }

    private static func coarse(
        _ sharing: MemberSharing, _ run: Run, _ runs: [Run], from: Instant, to: Instant, _ page: inout Page,
        _ database: Database
    ) throws(StoreFailure) {
        guard from <= to else { return }
        // Its rows are of no device; their numbers tell those of one moment apart.
        let place = page.place ?? RowKey(at: from.milliseconds, device: 0, digest: .min)
        try database.each(
            coarseRows, .int(sharing.track), .int(max(from.milliseconds, place.at)), .time(to), .int(place.at),
            .int(place.digest)
        ) { row in
            guard page.looks(at: RowKey(at: row.int("at"), device: 0, digest: row.int("number"))) else { return false }
            guard isSeen(row.int("version"), taken: row.optionalInt("taken"), run, runs) else { return true }
            let coarse = CoarsePosition(
                cell: Cell(row: row.int("cell_row"), column: row.int("cell_column")), at: row.instant("at"),
                awaySince: nil)
            return page.take(coarse.position(of: sharing.member), at: max(coarse.at, run.since))
        }
    }
}
