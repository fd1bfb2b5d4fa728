import KinModel
import KinStore

/// A member's history as somebody else may see it: the least of what the viewer could see at each point's own time, of
/// what when it arrived, and of what now; and nothing from when the history was not to be looked at.
extension Track {
    /// Where the next page goes on: a time the viewer knows, and how many of that time were on pages before. It tells
    /// nothing that the positions do not. The time is a position's, or when the viewer's sight became what it was then.
    struct Mark: Equatable {
        let at: Instant
        let skip: Int

        init(at: Instant, skip: Int) {
            self.at = at
            self.skip = skip
        }

        init?(_ text: String) {
            let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
            guard numbers.count == 2, let at = numbers[0], let skip = numbers[1].flatMap({ Int(exactly: $0) }),
                skip >= 0, (Instant.earliest.milliseconds...Instant.latest.milliseconds).contains(at)
            else { return nil }
            self.init(at: Instant(milliseconds: at), skip: skip)
        }

        var text: String { "\(at.milliseconds).\(skip)" }
    }

    /// Points looked at for one page at most, seen or not.
    private static let lookedAtMax = 20_000

    /// Versions that follow each other and show the viewer the same.
    private struct Run {
        var versions: ClosedRange<Int64>
        let precision: Precision
        let since: Instant
        var end: Instant
    }

    /// A page of a member's history for a viewer, oldest first, and where the next one goes on.
    static func page(
        of consent: Consent, for viewer: Int32, from: Instant, to: Instant, after mark: Mark?, limit: Int, _ act: Act
    ) throws(Rejection) -> (positions: [Position], next: Mark?) {
        let runs = try runs(of: consent, for: viewer, act)
        let oldest = act.now.adding(days: -consent.historyDays)
        var page = Page(mark: mark, limit: limit)
        for run in runs where !page.isFull {
            let start = max(from, oldest)
            let goneOn = mark?.at ?? .earliest
            switch run.precision {
            case .exact:
                try exact(consent, run, runs, from: max(start, goneOn, run.since), to: min(to, run.end), &page, act)
            // The time of a coarse dot is rounded down, so that it may lie before its version.
            case .coarse:
                let first = goneOn > run.since ? max(start, goneOn) : start
                if goneOn <= run.end { try coarse(consent, run, runs, from: first, to: to, &page, act) }
            default: break
            }
        }
        return (page.positions, page.next)
    }

    private static func runs(of consent: Consent, for viewer: Int32, _ act: Act) throws(Rejection) -> [Run] {
        let now = consent.viewers.historyPrecision(for: viewer)
        let versions = try act.rows(
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

    /// A point that arrived under other rules than those of its time is seen if these show as much.
    private static func isSeen(taken: Int64?, _ run: Run, _ runs: [Run]) -> Bool {
        guard let taken else { return true }
        return runs.contains { $0.versions.contains(taken) && $0.precision >= run.precision }
    }

    /// The rows of a stretch seen exactly; tests hold it to the index.
    static let exactRows = """
        SELECT ?1, lat, lon, at, accuracy, altitude, speed, course, battery, taken FROM positions
        WHERE track = ?2 AND at >= ?3 AND at <= ?4 AND quality = 0
        AND version >= ?5 AND version <= ?6
        ORDER BY track, at, device, mark
        """

    /// The same of a stretch seen as cells.
    static let coarseRows = """
        SELECT cell_row, cell_column, at, taken FROM coarse_positions
        WHERE track = ?1 AND at >= ?2 AND at <= ?3 AND version >= ?4 AND version <= ?5 ORDER BY track, at, number
        """

    private static func exact(
        _ consent: Consent, _ run: Run, _ runs: [Run], from: Instant, to: Instant, _ page: inout Page, _ act: Act
    ) throws(Rejection) {
        guard from <= to else { return }
        try act.ask { (database) throws(StoreFailure) in
            try database.each(
                exactRows, .id(consent.member), .int(consent.track), .time(from), .time(to),
                .int(run.versions.lowerBound), .int(run.versions.upperBound)
            ) { row in
                guard isSeen(taken: row.optionalInt(9), run, runs) else { return page.pass(row.instant(3)) }
                return page.take(Position(row), at: row.instant(3))
            }
        }
    }

    private static func coarse(
        _ consent: Consent, _ run: Run, _ runs: [Run], from: Instant, to: Instant, _ page: inout Page, _ act: Act
    ) throws(Rejection) {
        guard from <= to else { return }
        try act.ask { (database) throws(StoreFailure) in
            try database.each(
                coarseRows, .int(consent.track), .time(from), .time(to), .int(run.versions.lowerBound),
                .int(run.versions.upperBound)
            ) { row in
                let at = max(row.instant(2), run.since)
                guard isSeen(taken: row.optionalInt(3), run, runs) else { return page.pass(at) }
                let dot = CoarseDot(
                    cell: Cell(row: row.int(0), column: row.int(1)), at: row.instant(2), awaySince: nil)
                return page.take(dot.position(of: consent.member), at: at)
            }
        }
    }

    /// Positions as they are gathered.
    private struct Page {
        let mark: Mark?
        let limit: Int
        var positions: [Position] = []
        var next: Mark?
        private var looked = 0
        private var ofLastMoment = 0
        private var lastMoment: Instant?

        init(mark: Mark?, limit: Int) {
            self.mark = mark
            self.limit = limit
        }

        var isFull: Bool { next != nil }

        /// Takes one that is seen, in the order of `at`; false when the page is full.
        mutating func take(_ position: Position, at: Instant) -> Bool {
            if at != lastMoment {
                lastMoment = at
                ofLastMoment = 0
            }
            if let mark, at == mark.at, ofLastMoment < mark.skip {
                ofLastMoment += 1
                return true
            }
            guard positions.count < limit else {
                next = Mark(at: at, skip: ofLastMoment)
                return false
            }
            ofLastMoment += 1
            positions.append(position)
            return true
        }

        /// Passes one that is not; false when too many were.
        mutating func pass(_ at: Instant) -> Bool {
            looked += 1
            guard looked >= Track.lookedAtMax else { return true }
            next = Mark(at: at, skip: at == lastMoment ? ofLastMoment : 0)
            return false
        }
    }
}
