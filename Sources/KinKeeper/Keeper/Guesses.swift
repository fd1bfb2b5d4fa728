public import KinModel

/// Counts wrong secrets of one sort by the address that they come from, so that guessing is slow. A right secret is
/// taken, whatever others behind the same address have tried. The type `Sort` tells one sort from another, such as the
/// area.
public final class Guesses<Sort>: AreaMemory {
    private struct Tries {
        var count: Int
        var last: Instant
    }

    /// Longest wait, in seconds; and seconds after which all is forgotten.
    private static var waitSecondsMax: Int64 { 900 }
    private static var forgottenAfterSeconds: Int64 { 86_400 }

    private var tries: [String: Tries] = [:]

    /// Nobody has tried anything yet.
    public init() {}

    /// A try counts, even when the turn it was made in is rolled back.
    public func turn(_ turn: Turn) {}

    /// Everything was deleted.
    public func forget() { tries = [:] }

    /// Counts a wrong secret; or answers for how many seconds no secret is looked at.
    public func wrong(from address: String, now: Instant) -> Int? {
        var known = tries[address] ?? Tries(count: 0, last: now)
        let since = now.milliseconds(since: known.last)
        if since >= Self.forgottenAfterSeconds * 1000 { known.count = 0 }
        if known.count >= Limits.guessesFree {
            let doublings = Int64(min(known.count - Limits.guessesFree, 20))
            let left = min(Int64(1) << doublings, Self.waitSecondsMax) * 1000 - since
            if left > 0 { return Int((left + 999) / 1000) }
        }
        if tries[address] == nil, tries.count >= Limits.guessersMax {
            let fewest = tries.values.map(\.count).min() ?? 0
            tries = tries.filter { $0.value.count > fewest }
        }
        tries[address] = Tries(count: min(known.count + 1, 64), last: now)
        return nil
    }
}
