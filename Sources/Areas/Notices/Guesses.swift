import KinKeeper
import KinModel

/// Counts wrong topics by the address they come from, so that guessing is slow. A right one is taken whatever others
/// behind the same address have tried.
final class Guesses: AreaMemory {
    private struct Tries {
        var count: Int
        var last: Instant
    }

    /// Longest wait, in seconds; and seconds after which all is forgotten.
    private static let waitSecondsMax: Int64 = 900
    private static let forgottenAfterSeconds: Int64 = 86_400

    private var tries: [String: Tries] = [:]

    init() {}

    /// A try that was made is one, whatever becomes of the turn.
    func turn(_ turn: Turn) {}

    func forget() { tries = [:] }

    /// Counts a wrong topic, or answers for how many seconds none is looked at.
    func wrong(from address: String, now: Instant) -> Int? {
        var known = tries[address] ?? Tries(count: 0, last: now)
        let since = now.milliseconds(since: known.last)
        if since >= Self.forgottenAfterSeconds * 1000 { known.count = 0 }
        if known.count >= Limits.noticeGuessesFree {
            let doublings = Int64(min(known.count - Limits.noticeGuessesFree, 20))
            let left = min(Int64(1) << doublings, Self.waitSecondsMax) * 1000 - since
            if left > 0 { return Int((left + 999) / 1000) }
        }
        if tries[address] == nil, tries.count >= Limits.noticeGuessersMax {
            let fewest = tries.values.map(\.count).min() ?? 0
            tries = tries.filter { $0.value.count > fewest }
        }
        tries[address] = Tries(count: min(known.count + 1, 64), last: now)
        return nil
    }
}
