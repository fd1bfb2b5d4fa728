import KinKeeper
import KinModel

extension MemberSharing {
    /// Refuses what would show somebody more, or keep more to be shown, where the caller's word is not the member's own.
    func refuseWidening(isOn: Bool, rules: [SharingRule]?, days: Int64?, _ act: Act) throws(Rejection) {
        guard act.keeps(.waitingSessionsWidenNothing), case .member(let caller) = act.caller, caller.isWaiting else {
            return
        }
        let widens = try rules.map { (rules) throws(Rejection) in try !isNarrower(rules, act) } ?? false
        guard !isOn, (days ?? 0) <= historyDays, !widens else { throw caller.waits }
    }
}
