public import KinModel

/// A zone for as long as its clocks are neither put forward nor back: a civil time is one moment, and found by one
/// subtraction. A month of many entries is placed by it, where ``Zone/instant(of:)`` searches the zone's changes for each.
public struct SteadyZone: Sendable {
    private let milliseconds: Int64

    fileprivate init(seconds: Int64) { milliseconds = seconds * 1000 }

    /// What a clock on the wall shows at a moment.
    public func civil(at instant: Instant) -> Civil { Civil(milliseconds: instant.milliseconds + milliseconds) }

    /// The moment at which a clock on the wall shows this.
    public func instant(of civil: Civil) -> Instant { Instant(milliseconds: civil.milliseconds - milliseconds) }
}

extension Zone {
    /// The zone between two moments, and for civil times that clocks show a day before and after, too; `nil` where clocks
    /// change near them.
    public func steady(from: Instant, to: Instant) -> SteadyZone? {
        // An offset is at most 26 hours, and a civil time is looked up a day to both sides.
        let margin: Int64 = 4 * 86_400
        return steadyOffset(
            from: from.milliseconds.flooredDivision(by: 1000) - margin,
            to: to.milliseconds.flooredDivision(by: 1000) + margin
        ).map { SteadyZone(seconds: $0) }
    }
}
