/// Repeatable randomness: SplitMix64 (Steele, Lea, Flood 2014). One seed, one history.
public struct Dice: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Dice of a seed.
    public init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// From 0 to below `bound`.
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
    /// True once in so many times.
    mutating func once(in times: Int) -> Bool { below(times) == 0 }
    /// One of them.
    mutating func pick<T>(_ all: [T]) -> T { all[below(all.count)] }
    /// Bytes.
    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 32) } }
}
