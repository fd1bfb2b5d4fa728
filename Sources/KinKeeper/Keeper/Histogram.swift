/// A histogram: counts per bucket, and the sum. Adding a value costs a few comparisons.
public struct Histogram: Sendable, Equatable {
    /// Upper bounds of the buckets, ascending. One more bucket holds what is beyond the last.
    public let bounds: [UInt64]
    /// The count of values in each bucket; each value counts once.
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
