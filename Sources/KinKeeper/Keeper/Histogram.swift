/// How often something was how large: counts per bucket, and the sum. Adding costs a few comparisons.
public struct Histogram: Sendable, Equatable {
    /// Upper bounds of the buckets, ascending; beyond the last is one more.
    public let bounds: [UInt64]
    /// How many fell into each bucket and not into an earlier one.
    public private(set) var counts: [UInt64]
    /// Everything added.
    public private(set) var sum: UInt64 = 0

    /// An empty one.
    public init(bounds: [UInt64]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    /// Adds one value.
    public mutating func observe(_ value: UInt64) {
        var index = 0
        while index < bounds.count, value > bounds[index] { index += 1 }
        counts[index] &+= 1
        sum &+= value
    }
}
