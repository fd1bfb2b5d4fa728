import KinKeeper
import KinModel
import KinStore

extension Map {
    /// Rows of a history that one turn deletes: the keeper has others waiting.
    private static let forgottenPerTurnMax = 2_000

    static let forget = Method.command(
        "position.forget", "Deletes where the caller was between two times, both included.", access: .signedIn,
        note: """
            About oneself only. The latest position goes too where it is of that time, for whoever sees it, and so do \
            arrivals and departures: from the log, and from the inboxes of those who have not read of them. What they \
            have read stays with them.
            """,
        [.required("from", .time), .required("to", .time)],
        result: .object([.required("forgotten", .integer(0...Int64.max), "Positions that were deleted.")]),
        route: Route("DELETE", "/api/positions"), events: [Position.deleted], isSlow: true,
        again: { (_, _) throws(Rejection) in ["forgotten": 0] },
        apply: { (act, params) throws(Rejection) in
            let member = try act.member.id
            let (from, to) = (try params.time("from"), try params.time("to"))
            guard from <= to else { throw Rejection(.invalid, "to must not be before from.", field: "to") }
            guard
                let sharing = try act.ask({ (database) throws(StoreFailure) in try MemberSharing.find(database, member)
                })
            else { return .done(["forgotten": 0]) }
            let deleted = try Track.forget(sharing, from: from, to: to, rowsMax: forgottenPerTurnMax, act)
            let forgotten = act.done + deleted
            // A long read for somebody must not hold it, either.
            act.takeSightOfAll()
            // In turns, so that ten years of points hold nobody up.
            guard deleted < forgottenPerTurnMax else { return .later(.rest(after: forgotten)) }
            try LatestPositions.forget(sharing, from: from, to: to, act)
            try Traces.forget(member, from: from, to: to, act)
            act.truncateSoon()
            return .done(["forgotten": .int(Int64(forgotten))])
        }
    ).freeingRoom { _ in true }
}

extension Track {
    /// Deletes a member's points between two times, good and absurd ones, and what coarse viewers were told of then.
    /// Answers how many points there were, at most `rowsMax`: then there may be more.
    static func forget(
        _ sharing: MemberSharing, from: Instant, to: Instant, rowsMax: Int, _ act: Act
    ) throws(Rejection) -> Int {
        // A coarse position's time is rounded down: what was told of the range may have a time just before it.
        try act.run(
            "DELETE FROM coarse_positions WHERE track = ? AND at >= ? AND at <= ?", .int(sharing.track),
            .time(CoarsePosition.rounded(from)), .time(to))
        // Points that claim to be from the future may have been taken at any time.
        try act.run(
            "DELETE FROM positions WHERE track = ? AND at > ? AND quality = ?", .int(sharing.track), .time(act.now),
            .int(PointQuality.clock.rawValue))
        try act.run(
            "DELETE FROM doubted_points WHERE track = ? AND at >= ? AND at <= ?", .int(sharing.track), .time(from),
            .time(to))
        return try act.run(
            """
            DELETE FROM positions WHERE (track, at, device, digest) IN
            (SELECT track, at, device, digest FROM positions WHERE track = ?1 AND at >= ?2 AND at <= ?3 ORDER BY at LIMIT ?4)
            """, .int(sharing.track), .time(from), .time(to), Value(rowsMax))
    }
}

extension LatestPositions {
    /// Forgets what belongs to a time range, for the member and every viewer; cells go by their own times. Members who
    /// were told before that a position is hidden keep that row of the log, and learn nothing of this.
    static func forget(_ sharing: MemberSharing, from: Instant, to: Instant, _ act: Act) throws(Rejection) {
        let latest = try LatestPositions(sharing.member, act)
        func isOver(_ at: Instant?) -> Bool { at.map { $0 >= from && $0 <= to } ?? false }
        let isExactOver = isOver(latest.own?.at) || isOver(latest.shown?.at)
        let isCoarseOver = isOver(latest.cells.last?.at) || latest.coarse != nil && isOver(latest.cells.shownAt)
        var audience = Audience()
        if isExactOver {
            try latest.forgetExact(act)
            let owner = try act.roster.only(sharing.member)
            audience = sharing.viewers.all.subtracting(sharing.viewers[.coarse]).union(owner)
        }
        if isCoarseOver {
            if latest.coarse != nil { audience = audience.union(sharing.viewers[.coarse]) }
            try latest.forgetCoarse(act)
        } else if isOver(latest.cells.doubt?.seen.at) {
            var cells = latest.cells
            cells.forgetDoubt()
            try cells.save(sharing.member, act)
        }
        // Nothing that tells where or when is left.
        if isExactOver, isCoarseOver || latest.coarse == nil { try act.erase(about: latest.about, of: [Position.seen]) }
        try act.emit(
            Position.deleted, .init(member: sharing.member), about: about(sharing.member), to: audience)
    }

    /// Rows that say where or when go with it. The member's own sharing, and news in the member's inbox, are about the
    /// same thing and stay.
    private func forgetExact(_ act: Act) throws(Rejection) {
        try act.run("DELETE FROM latest_positions WHERE member = ?", .id(member))
        for key in [exactKey, ownKey] { try act.withdraw(key: key) }
        try Stopover.withdraw(member, act)
        try act.erase(about: about, of: Map.aboutExactPosition)
    }

    private func forgetCoarse(_ act: Act) throws(Rejection) {
        for table in ["latest_coarse_positions", "cell_judges"] {
            try act.run("DELETE FROM \(table) WHERE member = ?", .id(member))
        }
        try act.withdraw(key: coarseKey)
    }
}
