import KinKeeper
import KinModel

/// Slows failed sign-ins, in memory: per account and address together, per account over all addresses, per address over
/// all accounts. A few tries are free, then the wait doubles with each failure, up to a quarter of an hour.
///
/// A device of the account's own, and a session that changes its password, answer only for their own tries, so that
/// nobody can lock a parent out of them. Whether an account exists makes no difference: unknown names are slowed in the
/// same way.
///
/// Waits are counted by the time since the machine started, which nobody can set.
///
/// A try counts when it begins, since many could be on their way to the workers at once; a success takes it back.
final class SignInSlowdown: AreaMemory {
    /// The one who tries a password.
    enum Guesser: Hashable {
        /// Somebody from there.
        case stranger(address: String)
        /// Something that only the account's member has: the secret of a known device, or a session.
        case own(String)
    }

    /// The things that are counted.
    enum Key: Hashable {
        case pair(account: String, Guesser)
        case account(String)
        case address(String)

        /// Tries that cost nothing.
        var free: Int {
            switch self {
            case .pair: 5
            case .account: 10
            case .address: 20
            }
        }
    }

    struct Failures {
        var count: Int
        var last: Instant
    }

    /// Longest wait, in seconds.
    static let waitSecondsMax: Int64 = 900
    /// Failures are forgotten after so many seconds without another.
    static let forgottenAfterSeconds: Int64 = 86_400

    private(set) var failures: [Key: Failures] = [:]

    init() {}

    /// A try counts, even when its turn is rolled back; and waits do not depend on the day.
    func turn(_ turn: Turn) {}

    /// Counts a try, or answers for how many seconds none is taken; then it is not counted.
    func begin(account: String, by guesser: Guesser, now: Instant) -> Int? {
        let keys = Self.keys(account, guesser)
        let milliseconds = keys.map { wait($0, now) }.max() ?? 0
        if milliseconds > 0 { return Int((milliseconds + 999) / 1000) }
        for key in keys { count(key, now) }
        return nil
    }

    /// The try was right: it is taken back together with the pair's earlier failures, so the pair starts afresh. The
    /// counts of the account and of the address stay. Otherwise a guesser could clear an address with an account of
    /// their own.
    func succeeded(account: String, by guesser: Guesser) {
        takeBack(failures[.pair(account: account, guesser)]?.count ?? 1, account, guesser)
    }

    /// Nobody looked at the try: it says nothing.
    func takeBack(account: String, by guesser: Guesser) { takeBack(1, account, guesser) }

    private func takeBack(_ tries: Int, _ account: String, _ guesser: Guesser) {
        for key in Self.keys(account, guesser) {
            guard let found = failures[key] else { continue }
            if found.count <= tries { failures[key] = nil } else { failures[key]?.count -= tries }
        }
    }

    /// Forgets everything: the family was closed.
    func forget() { failures = [:] }

    private static func keys(_ account: String, _ guesser: Guesser) -> [Key] {
        let pair = Key.pair(account: account, guesser)
        guard case .stranger(let address) = guesser else { return [pair] }
        return [pair, .account(account), .address(address)]
    }

    /// Milliseconds until a try of this key is taken.
    private func wait(_ key: Key, _ now: Instant) -> Int64 {
        guard let found = failures[key], found.count >= key.free else { return 0 }
        let since = now.milliseconds(since: found.last)
        guard since < Self.forgottenAfterSeconds * 1000 else { return 0 }
        let doublings = min(found.count - key.free, 20)
        return max(0, min(Int64(1) << Int64(doublings), Self.waitSecondsMax) * 1000 - since)
    }

    private func count(_ key: Key, _ now: Instant) {
        if let found = failures[key] {
            let isFresh = now.milliseconds(since: found.last) < Self.forgottenAfterSeconds * 1000
            // The count stops where the wait does: no number from outside grows without end.
            failures[key] = Failures(count: isFresh ? min(found.count + 1, 64) : 1, last: now)
            return
        }
        if failures.count >= Limits.signInFailuresMax { makeRoom(now) }
        failures[key] = Failures(count: 1, last: now)
    }

    /// Drops entries that would be forgotten anyway, then those with the fewest failures. So a flood of made-up names
    /// does not remove the count of an account under attack.
    private func makeRoom(_ now: Instant) {
        failures = failures.filter { now.milliseconds(since: $0.value.last) < Self.forgottenAfterSeconds * 1000 }
        guard failures.count >= Limits.signInFailuresMax, let fewest = failures.values.map(\.count).min() else {
            return
        }
        failures = failures.filter { $0.value.count > fewest }
    }
}
