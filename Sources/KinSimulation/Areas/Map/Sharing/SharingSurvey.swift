import KinKeeper

/// What the checkers find in many families together: for a person who wants to know which rules are not kept.
package enum SharingSurvey {
    /// How often each checker found something, and the first of each sort; then what was carried out.
    /// `leavingOut`: the name of a rule that is not kept.
    package static func lines(seeds: Range<UInt64>, steps: Int, leavingOut: String? = nil) -> [String] {
        let rules = Set([leavingOut.flatMap { Rule(rawValue: $0) }].compactMap(\.self))
        var found: [String: Int] = [:]
        var first: [String: String] = [:]
        var (done, refused, shown): ([String: Int], [String: Int], [String: Int]) = ([:], [:], [:])
        for seed in seeds {
            do throws(Finding) {
                let tally = try SharingWorld.survey(seed: seed, steps: steps, leavingOut: rules)
                found.merge(tally.found) { $0 + $1 }
                first.merge(tally.first) { first, _ in first }
                done.merge(tally.done) { $0 + $1 }
                refused.merge(tally.refused) { $0 + $1 }
                shown.merge(tally.shown) { $0 + $1 }
            } catch {
                found[error.checker, default: 0] += 1
                first[error.checker] = first[error.checker] ?? "seed \(seed), \(error.what)"
            }
        }
        let methods = Set(done.keys).union(refused.keys).sorted()
        return found.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value) times" }
            + first.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            + methods.map { "\($0): \(done[$0] ?? 0) done, \(refused[$0] ?? 0) refused" }
            + shown.sorted { $0.key < $1.key }.map { "shown by \($0.key): \($0.value)" }
    }
}
