import KinKeeper
import KinModel
import KinStore

/// A member's history as somebody else may see it: the least of what the viewer could see at each point's own time, of
/// what when it arrived, and of what now; and nothing from when the history was not to be looked at.
extension Track {
    /// Versions that follow each other and show the viewer the same.
    private struct Run {
        var versions: ClosedRange<Int64>
        let precision: Precision
        let since: Instant
        var end: Instant
    }

    /// Goes on with a page of a member's history for a viewer, oldest first, as far as one turn goes, or one pass of a
    /// long read. Answers whether it is whole.
    static func gather(
        _ page: inout Page, of consent: Consent, for viewer: Int32, from: Instant, to: Instant, now: Instant,
        _ database: Database
    ) throws(StoreFailure) -> Bool {
        page.beginTurn(by: consent.version)
        let runs = try runs(of: consent, for: viewer, database)
        let oldest = now.adding(days: -consent.historyDays)
        let start = max(from, oldest)
        let goneOn = page.mark?.at ?? .earliest
        for run in runs {
            guard page.enters(run.versions) else { continue }
            switch run.precision {
            case .exact:
                try exact(
                    consent, run, runs, from: max(start, goneOn, run.since), to: min(to, run.end), &page, database)
            // The time of a coarse dot is rounded down, so that it may lie before its version.
            case .coarse where goneOn <= run.end:
                let first = max(start, goneOn > run.since ? goneOn : CoarseDot.rounded(run.since))
                try coarse(consent, run, runs, from: first, to: min(to, run.end), &page, database)
            default: break
            }
            if page.isFull { return true }
            if page.isTired { return false }
        }
        return true
    }

    private static func runs(of consent: Consent, for viewer: Int32, _ database: Database) throws(StoreFailure) -> [Run]
    {
        let now = consent.viewers.historyPrecision(for: viewer)
        let versions = try database.rows(
            "SELECT version, since, viewers FROM sharing_versions WHERE track = ? ORDER BY version",
            .int(consent.track)
        ) { (row) throws(StoreFailure) in
            (
                version: row.int(0), since: row.instant(1),
                precision: min(now, Viewers(bytes: row.blob(2)).historyPrecision(for: viewer))
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
        SELECT ?1, lat, lon, at, accuracy, altitude, speed, course, battery, device, mark, quality, version, taken
        FROM positions WHERE track = ?2 AND at >= ?3 AND at <= ?4 AND (at, device, mark) > (?5, ?6, ?7)
        ORDER BY track, at, device, mark
        """

    /// The same of a stretch seen as cells.
    static let coarseRows = """
        SELECT cell_row, cell_column, at, number, version, taken FROM coarse_positions
        WHERE track = ?1 AND at >= ?2 AND at <= ?3 AND (at, number) > (?4, ?5) ORDER BY track, at, number
        """

    private static func exact(
        _ consent: Consent, _ run: Run, _ runs: [Run], from: Instant, to: Instant, _ page: inout Page,
        _ database: Database
    ) throws(StoreFailure) {
        guard from <= to else { return }
        let place = page.place ?? Place(at: from.milliseconds, device: -1, mark: .min)
        try database.each(
            exactRows, .id(consent.member), .int(consent.track), .int(max(from.milliseconds, place.at)), .time(to),
            .int(place.at), .int(place.device), .int(place.mark)
        ) { row in
            guard page.looks(at: Place(at: row.int(3), device: row.int(9), mark: row.int(10))) else { return false }
            let isGood = row.int(11) == PointQuality.good.rawValue
            guard isGood, isSeen(row.optionalInt(12), taken: row.optionalInt(13), run, runs) else { return true }
            return page.take(Position(row), at: row.instant(3))
        }
    }

    private static func coarse(
        _ consent: Consent, _ run: Run, _ runs: [Run], from: Instant, to: Instant, _ page: inout Page,
        _ database: Database
    ) throws(StoreFailure) {
        guard from <= to else { return }
        // Its rows are of no device; their numbers tell those of one moment apart.
        let place = page.place ?? Place(at: from.milliseconds, device: 0, mark: .min)
        try database.each(
            coarseRows, .int(consent.track), .int(max(from.milliseconds, place.at)), .time(to), .int(place.at),
            .int(place.mark)
        ) { row in
            guard page.looks(at: Place(at: row.int(2), device: 0, mark: row.int(3))) else { return false }
            guard isSeen(row.int(4), taken: row.optionalInt(5), run, runs) else { return true }
            let dot = CoarseDot(
                cell: Cell(row: row.int(0), column: row.int(1)), at: row.instant(2), awaySince: nil)
            return page.take(dot.position(of: consent.member), at: max(row.instant(2), run.since))
        }
    }
}
