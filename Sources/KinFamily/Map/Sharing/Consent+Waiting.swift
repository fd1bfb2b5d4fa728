import KinModel

extension Consent {
    /// Refuses what would show somebody more, or keep more to be shown, where the caller's word is not the member's own.
    func refuseWidening(isOn: Bool, rules: [SharingRule]?, days: Int64?, _ act: Act) throws(Rejection) {
        guard case .member(let caller) = act.caller, caller.isWaiting else { return }
        if isOn || (days ?? 0) > historyDays { throw caller.waits }
        guard let rules else { return }
        let before = try self.rules(act).filter { $0.holds(at: act.now) }
        let roster = try act.roster
        let household = roster[member]?.household
        for entry in roster.entries where entry.id != member {
            let now = Viewers.rule(for: entry, among: rules, household: household, now: act.now)
            let then = Viewers.rule(for: entry, among: before, household: household, now: act.now)
            guard now?.showsNoMore(than: then) ?? true else { throw caller.waits }
        }
        // Those who come later: a group is shown no more than it was.
        for rule in rules {
            let same = before.first { $0.viewer == rule.viewer }
            if case .member = rule.viewer { continue }
            guard rule.showsNoMore(than: same) else { throw caller.waits }
        }
    }
}

extension SharingRule {
    /// Whether another one shows as much, for as long, with as much of the past.
    func showsNoMore(than other: SharingRule?) -> Bool {
        guard precision != .off else { return true }
        guard let other, precision <= other.precision, !showsHistory || other.showsHistory else { return false }
        guard let end = other.until else { return true }
        return until.map { $0 <= end } ?? false
    }
}
