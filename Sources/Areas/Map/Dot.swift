import KinKeeper
import KinModel
import KinStore

/// A member's dots as they stand in the database, the own and those that others are shown, and what of them goes into
/// the log when they move. What others see as a cell is moved by cells alone, apart from the other two.
///
/// One row of the log for each payload: `position/MEMBER/exact` for those who see all, `…/coarse` for those who see a
/// cell; ``Stopover`` has those of names of places and of home. The owner is told with the first of them, or, while the own
/// dot is not the shown one, by a row of its own, `…/own`; while sharing is off the row under `…/exact` is the owner's
/// alone.
struct Dot {
    let member: Identifier
    /// Where the member was last, known to the member alone.
    private(set) var own: Position?
    /// What those who see all are shown; `nil` while sharing is off.
    private(set) var shown: Position?
    /// What those who see cells are shown; `nil` while sharing is off. It is made of what ``cells`` believes and of nothing
    /// else: neither of `own` and `shown` nor of whether they are there.
    private(set) var coarse: CoarseDot?
    /// Which points move it, and where it will be when sharing is switched on.
    private(set) var cells: CellJudge
    /// What the own points tell of moving and resting.
    private var gait: Gait?
    private(set) var hasOwnMoved = false
    private(set) var hasShownMoved = false
    private var isFirstShown = false
    private var coarseBefore: CoarseDot?
    private var cellsBefore: CellJudge
    private var isCoarseToTell = false

    /// The log's `about` for everything of a member's map.
    static func about(_ member: Identifier) -> String { "position/\(member)" }

    var about: String { Self.about(member) }
    var exactKey: String { about + "/exact" }
    var coarseKey: String { about + "/coarse" }
    var ownKey: String { about + "/own" }

    init(_ member: Identifier, _ act: Act) throws(Rejection) {
        self.member = member
        var dots: [(position: Position, isShown: Bool, rest: Gait.Rest?)] = []
        var (cells, coarse) = (CellJudge(), CoarseDot?.none)
        // In one statement, since every point asks: any of them may be there without the others.
        try act.ask { (database) throws(StoreFailure) in
            try database.each(Self.all, .id(member)) { row in
                if !row.isNull("member") {
                    dots.append((Position(latest: row), isShown: row.bool("shown"), rest: Gait.Rest(row)))
                }
                if !row.isNull("coarse_at") { coarse = CoarseDot(row) }
                if !row.isNull("believed_at") { cells = CellJudge(row) }
                return true
            }
        }
        own = dots.first { !$0.isShown }?.position
        gait = dots.first { !$0.isShown }.flatMap { dot in
            dot.rest.map { Gait(motion: dot.position.motion, rest: $0) }
        }
        shown = dots.first { $0.isShown }?.position
        (self.cells, cellsBefore) = (cells, cells)
        (self.coarse, coarseBefore) = (coarse, coarse)
    }

    private static let all = """
        SELECT l.member, l.lat, l.lon, l.at, l.accuracy, l.altitude, l.speed, l.course, l.battery, l.charging, l.moving,
        l.since, l.shown, l.rest_lat, l.rest_lon, l.rest_accuracy, l.rest_at,
        c.cell_row AS coarse_row, c.cell_column AS coarse_column, c.at AS coarse_at, c.away_since,
        j.cell_row, j.cell_column, j.at AS believed_at, j.device, j.doubted_row, j.doubted_column, j.doubted_at, j.doubted_device,
        j.doubted_count, j.shown_at
        FROM (SELECT ?1 AS member) m LEFT JOIN coarse_dots c ON c.member = m.member
        LEFT JOIN cell_judges j ON j.member = m.member LEFT JOIN latest_positions l ON l.member = m.member
        """

    /// Takes a good point in, for the member and for who sees all; one that is not newer than the last moves nothing.
    /// `isShown`: others may see it.
    mutating func take(_ point: Point, isShown: Bool) {
        if let own, point.at <= own.at { return }
        // What was hidden is not told by how long it lasted either.
        if isShown, own?.at != shown?.at { gait = nil }
        gait = gait.map { $0.taking(point) } ?? Gait(point)
        own = point.position(of: member, motion: gait?.motion)
        hasOwnMoved = true
        guard isShown else { return }
        isFirstShown = isFirstShown || shown == nil
        shown = own
        hasShownMoved = true
    }

    /// Takes a point's cell in, whatever the point is worth to those who see all. `isMeasured`: a phone says so, no person;
    /// `isShown`: others may see it. Answers what coarse viewers are to be told of it.
    mutating func take(_ seen: CellJudge.Seen, isMeasured: Bool, isShown: Bool) -> CoarseDot? {
        let before = cells.last?.at
        guard cells.believes(seen, isMeasured: isMeasured), isShown else { return nil }
        cells.show()
        guard coarse != nil else {
            isFirstShown = true
            coarse = CoarseDot(seen.cell, at: seen.at)
            isCoarseToTell = true
            return coarse
        }
        guard coarse?.take(seen.cell, at: seen.at, before: before) == true else { return nil }
        isCoarseToTell = true
        return coarse
    }

    /// Writes down and tells what moved.
    func settle(_ consent: Consent, _ act: Act) throws(Rejection) {
        if hasOwnMoved, let own { try save(own, isShown: false, isBoth: hasShownMoved && own == shown, act) }
        if hasShownMoved, let shown {
            if !hasOwnMoved || own != shown { try save(shown, isShown: true, act) }
            try tellExact(shown, consent.viewers, act)
        }
        if isFirstShown { act.memory(LookMemory.self).forgetSettled() }
        if cells != cellsBefore { try cells.save(member, act) }
        if coarse != coarseBefore { try saveCoarse(act) }
        if isCoarseToTell { try tellCoarse(consent.viewers, act) }
        if hasOwnMoved, let own, own != shown {
            try tell(own, to: try act.roster.only(member), key: consent.isOn ? ownKey : exactKey, act)
        }
    }

    // MARK: Others may see it, or no longer

    /// Replaces the member's whole group of rows: from this act on each sees what `viewers` says. Who sees less than
    /// with the viewers before is told first that the dot is gone, so that nothing finer stays anywhere. `isOn` is
    /// whether sharing is on now; when it is switched on, the last dot is shown.
    mutating func show(
        to viewers: Viewers, insteadOf before: Viewers, version: Int64, isOn: Bool, _ act: Act
    ) throws(Rejection) {
        try tellHidden(viewers, insteadOf: before, version: version, act)
        guard isOn else { return try hide(act) }
        // How long the member has been there already was not theirs to see who see it only now.
        if shown == nil || !viewers[.exact].subtracting(before[.exact]).isEmpty,
            let last = (shown ?? own)?.forgettingMotion
        {
            if own?.at == last.at {
                own = last
                gait = nil
                try save(last, isShown: false, act)
            }
            shown = last
            try save(last, isShown: true, act)
        }
        if coarse == nil, let last = cells.last {
            coarse = CoarseDot(last.cell, at: last.at)
            cells.show()
            try cells.save(member, act)
            try saveCoarse(act)
        }
        // Only now that there is a dot to be told: where there is none, who is away learns from that row that it is gone.
        try forgetHidden(viewers, besides: version, act)
        if let shown { try tellExact(shown, viewers, act) }
        try tellCoarse(viewers, act)
        guard let shown else { return }
        if Stopover.isWanted(viewers) {
            try Stopover.settle(member, at: shown.at, viewers, isWhole: true, act)
        } else {
            try Stopover.withdraw(member, act)
        }
    }

    /// The dot is the owner's alone.
    private mutating func hide(_ act: Act) throws(Rejection) {
        try act.run("DELETE FROM latest_positions WHERE member = ? AND shown = 1", .id(member))
        try act.run("DELETE FROM coarse_dots WHERE member = ?", .id(member))
        shown = nil
        coarse = nil
        try act.withdraw(key: coarseKey)
        try Stopover.withdraw(member, act)
        if let own {
            try tell(own, to: try act.roster.only(member), key: exactKey, supersedes: [ownKey], act)
        } else {
            try act.withdraw(key: exactKey)
        }
    }

    // MARK: Telling

    private func tellExact(_ shown: Position, _ viewers: Viewers, _ act: Act) throws(Rejection) {
        // Never back to an older dot: an owner whose own is another keeps the row that says so.
        if shown == own {
            let audience = viewers[.exact].union(try act.roster.only(member))
            try tell(shown, to: audience, key: exactKey, supersedes: [ownKey], act)
        } else {
            try tell(shown, to: viewers[.exact], key: exactKey, act)
        }
    }

    /// The event's own time is rounded like the dot's.
    private func tellCoarse(_ viewers: Viewers, _ act: Act) throws(Rejection) {
        guard let coarse else { return }
        try act.emit(
            "position", about: about, to: viewers[.coarse], data: coarse.position(of: member).json, key: coarseKey,
            toldAt: CoarseDot.rounded(act.now))
    }

    private func tell(
        _ position: Position, to audience: Audience, key: String, supersedes: [String] = [], _ act: Act
    ) throws(Rejection) {
        try act.emit("position", about: about, to: audience, data: position.json, key: key, supersedes: supersedes)
    }

    // MARK: In the database

    private func saveCoarse(_ act: Act) throws(Rejection) {
        guard let coarse else { return }
        try act.run(
            "INSERT OR REPLACE INTO coarse_dots (member, cell_row, cell_column, at, away_since) VALUES (?,?,?,?,?)",
            .id(member), .int(coarse.cell.row), .int(coarse.cell.column), .time(coarse.at), Value(coarse.awaySince))
    }

    /// `isBoth`: it is the own one and the shown one, which are written together.
    private func save(
        _ position: Position, isShown: Bool, isBoth: Bool = false, _ act: Act
    ) throws(Rejection) {
        var isMoving: Bool?
        if let motion = position.motion { if case .moving = motion { isMoving = true } else { isMoving = false } }
        let rest = isShown ? nil : gait?.rest
        try act.run(
            isBoth ? Self.writeBoth : Self.write,
            .id(position.member), .bool(isShown), .double(position.lat), .double(position.lon), .time(position.at),
            Value(position.accuracy), Value(position.altitude), Value(position.speed), Value(position.course),
            Value(position.battery), Value(position.charging), Value(isMoving), Value(position.motion?.since),
            Value(rest?.lat), Value(rest?.lon), Value(rest?.accuracy), Value(rest?.at))
    }

    private static let write = """
        INSERT OR REPLACE INTO latest_positions
        (member, shown, lat, lon, at, accuracy, altitude, speed, course, battery, charging, moving, since,
        rest_lat, rest_lon, rest_accuracy, rest_at)
        VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17)
        """
    /// Where the rest began is the own one's alone.
    private static let writeBoth = write + ", (?1,1,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,NULL,NULL,NULL,NULL)"
}

extension Position {
    /// Without whether and since when the member moved or rested.
    fileprivate var forgettingMotion: Position {
        Position(
            member: member, lat: lat, lon: lon, at: at, accuracy: accuracy, altitude: altitude, speed: speed,
            course: course, battery: battery, charging: charging)
    }
}

extension Gait.Rest {
    /// From the columns rest_lat, rest_lon, rest_accuracy, rest_at; `nil` when none was written.
    fileprivate init?(_ row: borrowing Row) {
        guard let at = row.optionalInstant("rest_at") else { return nil }
        self.init(
            lat: row.double("rest_lat"), lon: row.double("rest_lon"), accuracy: row.optionalDouble("rest_accuracy"),
            at: at)
    }
}

extension CoarseDot {
    /// From the columns coarse_row, coarse_column, coarse_at, away_since.
    init(_ row: borrowing Row) {
        self.init(
            cell: Cell(row: row.int("coarse_row"), column: row.int("coarse_column")), at: row.instant("coarse_at"),
            awaySince: row.optionalInstant("away_since"))
    }
}
