import KinKeeper
import KinModel
import KinStore

/// The member's rules, and their result when the rules, the roster or the time change.
extension MemberSharing {
    /// The rules, including ended ones, which ``Viewers`` ignores.
    func rules(_ act: Act) throws(Rejection) -> [SharingRule] {
        guard hasRules else { return SharingRule.first }
        return try act.ask { (database) throws(StoreFailure) in try SharingRule.all(track: track, database) }
    }

    /// Replaces the rules. `isNarrower`: the caller may show nobody more, so nobody enters a group by this.
    mutating func setRules(_ rules: [SharingRule], isNarrower: Bool = false, _ act: Act) throws(Rejection) {
        let before = try self.rules(act)
        guard before != Self.sorted(rules) || !hasRules else { return }
        hasRules = true
        if isOn {
            var groups = try SharingGroups.of(track, act)
            if isNarrower {
                groups.narrowed(to: rules, from: before)
            } else {
                groups.rulesChanged(from: before, to: rules, of: member, in: try act.roster, now: act.now)
            }
            try groups.save(track, act)
        }
        try SharingRule.save(rules, track: track, act)
        try save(act)
        try resolve(wasOn: isOn, act)
        try scheduleRules(rules, act)
        try askAboutNew(act)
        try tell([.rules], act)
    }

    /// In the order in which the database answers them.
    private static func sorted(_ rules: [SharingRule]) -> [SharingRule] {
        func key(_ rule: SharingRule) -> (Int, Identifier) {
            let nobody = Identifier(high: 0, low: 0)
            return switch rule.viewer {
            case .everyone: (0, nobody)
            case .household: (1, nobody)
            case .member(let id): (2, id)
            }
        }
        return rules.sorted { key($0) < key($1) }
    }

    private func scheduleRules(_ rules: [SharingRule], _ act: Act) throws(Rejection) {
        let next = rules.compactMap(\.until).filter { $0 > act.now }.min()
        try act.plan(Self.ruleDue, about: LatestPositions.about(member), at: next)
    }

    // MARK: What they come to

    /// Makes a new version when the rules give another result than before, and replaces what is shown. `fresh`: members
    /// who get a fresh snapshot anyway. Where nobody else sees more or less, nobody is told. But a change of the roster
    /// may also change a rule's result for others, as a rule with an end does while the clock is doubted.
    mutating func resolve(wasOn: Bool, fresh: Audience = Audience(), _ act: Act) throws(Rejection) {
        let before = viewers
        let now = try viewersNow(act)
        guard now != before || isOn != wasOn || version == nil else { return }
        try act.run(
            "INSERT INTO sharing_versions (track, since, viewers) VALUES (?, ?, ?)", .int(track), .time(act.now),
            .blob(now.bytes))
        let made = try act.first(
            "SELECT max(version) FROM sharing_versions", map: { (row) throws(StoreFailure) in row.int(0) })
        version = made
        versionSince = act.now
        viewers = now
        try save(act)
        act.memory(LookMemory.self).forgetSettled()
        try forgetVersions(act)
        let losing = now.losing(from: before)
        // Coarse viewers must not know names of places, although a cell is more than a name.
        let nameless = before[.place].intersection(now[.coarse])
        try Traces.takeBack(of: member, from: losing.union(nameless), act)
        // Members who get a fresh snapshot find nothing from before it in the log, either.
        let known = losing.intersection(fresh)
        if !known.isEmpty { try act.narrow(about: LatestPositions.about(member), type: Position.seen, by: known) }
        guard fresh.isEmpty || !now.differing(from: before).subtracting(fresh).isEmpty, let made else { return }
        var latest = try LatestPositions(member, act)
        try latest.show(to: now, insteadOf: before, version: made, isOn: isOn, act)
        try PlaceAgreements.viewersChanged(self, act)
    }

    /// The viewers by the rules now. While the clock is doubted, sharing with an end shows nobody anything. Of rules
    /// with an end, each viewer sees the least: with them or without.
    private func viewersNow(_ act: Act) throws(Rejection) -> Viewers {
        guard isOn else { return .nobody }
        let (rules, roster) = (try rules(act), try act.roster)
        var groups = try SharingGroups.of(track, act)
        if !act.keeps(.newcomersAreAskedAbout) { groups.confirm(rules, of: member, in: roster, now: act.now) }
        guard act.isClockDoubted else { return Viewers(rules, groups, of: member, in: roster, now: act.now) }
        guard until == nil else { return .nobody }
        // Which rules may have ended: none; those for members; those for the household too; all that have an end.
        let lasting: [(SharingRule) -> Bool] = [
            { _ in true },
            { if case .member = $0.viewer { $0.until == nil } else { true } },
            { $0.viewer == .everyone || $0.until == nil },
            { $0.until == nil },
        ]
        return lasting.map { Viewers(rules.filter($0), groups, of: member, in: roster, now: .earliest) }
            .reduce(nil) { (least: Viewers?, next) in least?.least(next, in: roster) ?? next } ?? .nobody
    }

    /// Removes versions beyond the maximum, the oldest first; only the owner sees points that name them.
    private func forgetVersions(_ act: Act) throws(Rejection) {
        try act.run(
            """
            DELETE FROM sharing_versions WHERE track = ?1 AND version <=
            (SELECT version FROM sharing_versions WHERE track = ?1 ORDER BY version DESC LIMIT 1 OFFSET ?2)
            """, .int(track), Value(Limits.sharingVersionsMax))
    }

    /// Removes versions that no kept point can name any more, and old looks.
    static func prune(_ act: Act) throws(Rejection) {
        for var sharing in try all(act) {
            // Sharing from before there were versions.
            if sharing.version == nil, sharing.isOn {
                try sharing.resolve(wasOn: true, fresh: Audience(try act.roster.entries.map(\.number)), act)
            }
            let oldest = act.now.adding(days: -sharing.historyDays)
            try act.run(
                """
                DELETE FROM sharing_versions WHERE track = ?1 AND version < (SELECT max(version) FROM sharing_versions
                WHERE track = ?1 AND since <= ?2)
                """, .int(sharing.track), .time(oldest))
        }
        try Looks.prune(act)
    }

    // MARK: By the daemon itself

    /// One or more of a member's rules reached their end.
    static func ruleFellDue(_ about: String, _ act: Act) throws(Rejection) {
        guard let member = Identifier(about.split(separator: "/").last ?? ""),
            var sharing = try act.ask({ (database) throws(StoreFailure) in try find(database, member) })
        else { return }
        let rules = try sharing.rules(act)
        let left = rules.filter { $0.holds(at: act.now) }
        if left != rules { return try sharing.setRules(left, act) }
        try sharing.scheduleRules(rules, act)
    }

    /// The family's members, households or roles changed. Nobody sees more by that: a member who came into a group
    /// waits for the answer. A member who joined or has another role gets a fresh snapshot from that, so nobody is told
    /// coordinates unless somebody `moved`. Other members may see places now, too.
    static func rosterChanged(fresh: Audience, _ act: Act) throws(Rejection) {
        for var sharing in try all(act) {
            try sharing.leaveGroups(act)
            guard sharing.isOn else { continue }
            try sharing.resolve(wasOn: true, fresh: fresh, act)
            try sharing.askAboutNew(act)
            try Stopover.stayChanged(sharing.member, act)
        }
    }
}
