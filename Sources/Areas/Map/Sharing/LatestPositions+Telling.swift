import KinKeeper
import KinModel
import KinStore

/// The rows of the log that tell that a member's positions moved, or that others gained or lost sight of the member.
///
/// One row of the log for each payload: `position/MEMBER/exact` for exact viewers, `…/coarse` for coarse viewers.
/// ``Stopover`` has the rows for names of places and for home. The owner is told with the first of them. While the own
/// position is not the shown one, the owner has a row of its own, `…/own`. While sharing is off, the row under
/// `…/exact` is the owner's alone.
extension LatestPositions {
    /// Writes down and tells what moved.
    func settle(_ sharing: MemberSharing, _ act: Act) throws(Rejection) {
        if hasOwnMoved, let own { try save(own, isShown: false, isBoth: hasShownMoved && own == shown, act) }
        if hasShownMoved, let shown {
            if !hasOwnMoved || own != shown { try save(shown, isShown: true, act) }
            try tellExact(shown, sharing.viewers, act)
        }
        if isFirstShown { act.memory(LookMemory.self).forgetSettled() }
        if cells != cellsBefore { try cells.save(member, act) }
        if coarse != coarseBefore { try saveCoarse(act) }
        if isCoarseToTell { try tellCoarse(sharing.viewers, act) }
        if hasOwnMoved, let own, own != shown {
            try tell(own, to: try act.roster.only(member), key: sharing.isOn ? ownKey : exactKey, act)
        }
    }

    // MARK: Others may see it, or no longer

    /// Replaces all rows about the member: from this act on each viewer sees what `viewers` says. A viewer who sees
    /// less than before is first told that the position is gone, so that nothing finer stays anywhere. `isOn` is
    /// whether sharing is on now; when it is switched on, the last position is shown.
    mutating func show(
        to viewers: Viewers, insteadOf before: Viewers, version: Int64, isOn: Bool, _ act: Act
    ) throws(Rejection) {
        try tellHidden(viewers, insteadOf: before, version: version, act)
        guard isOn else { return try hide(act) }
        // New viewers must not learn how long the member has been there already.
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
            coarse = CoarsePosition(last.cell, at: last.at)
            cells.show()
            try cells.save(member, act)
            try saveCoarse(act)
        }
        // Only now is there a position to tell. Where there is none, members who are away learn from that row that it
        // is gone.
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

    /// The position is the owner's alone.
    private mutating func hide(_ act: Act) throws(Rejection) {
        try act.run("DELETE FROM latest_positions WHERE member = ? AND shown = 1", .id(member))
        try act.run("DELETE FROM latest_coarse_positions WHERE member = ?", .id(member))
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
        // Never back to an older position: an owner with a different own position keeps the row that tells it.
        if shown == own {
            let audience = viewers[.exact].union(try act.roster.only(member))
            try tell(shown, to: audience, key: exactKey, supersedes: [ownKey], act)
        } else {
            try tell(shown, to: viewers[.exact], key: exactKey, act)
        }
    }

    /// The event's own time is rounded like the position's.
    private func tellCoarse(_ viewers: Viewers, _ act: Act) throws(Rejection) {
        guard let coarse else { return }
        try act.emit(
            Position.seen, .position(coarse.position(of: member)), about: about, to: viewers[.coarse], key: coarseKey,
            toldAt: CoarsePosition.rounded(act.now))
    }

    private func tell(
        _ position: Position, to audience: Audience, key: String, supersedes: [String] = [], _ act: Act
    ) throws(Rejection) {
        try act.emit(
            Position.seen, .position(position), about: about, to: audience, key: key, supersedes: supersedes)
    }
}

extension Position {
    /// Without whether and since when the member moved or rested.
    fileprivate var forgettingMotion: Position {
        Position(
            member: member, lat: lat, lon: lon, at: at, accuracy: accuracy, altitude: altitude, speed: speed,
            course: course, battery: battery, charging: charging)
    }
}
