/// Things that came and went within a minute: many of them leave holes in the memory, which the allocator keeps until it
/// is asked. After a storm of that, such as a thousand phones that come back at once, memory is given back five seconds
/// later, and every ten seconds while the storm goes on; with a family's daily traffic never.
struct Churn {
    private(set) var count = 0
    private var begunAt: UInt64 = 0

    private static let most = 256
    /// So long after the last of it memory is given back.
    static let restSeconds: UInt64 = 5
    private static let second: UInt64 = 1_000_000_000
    /// A slow part of a request, such as a password's or a picture's, leaves as much as so many connections.
    static let slowWeight = 8

    /// Something came and went.
    ///
    /// - Parameter isPlanned: Whether it is planned already that memory is given back.
    /// - Returns: When it is to be given back, where that is due.
    mutating func note(by weight: Int, now: UInt64, isPlanned: Bool) -> UInt64? {
        if now >= begunAt &+ 60 * Self.second { (count, begunAt) = (0, now) }
        count += weight
        guard count >= Self.most, !isPlanned else { return nil }
        count = 0
        return now &+ Self.restSeconds * Self.second
    }

    /// Memory was given back: when to do so again, while the storm goes on.
    mutating func gaveBack(now: UInt64) -> UInt64? {
        defer { (count, begunAt) = (0, now) }
        return count >= Self.most / 4 ? now &+ 10 * Self.second : nil
    }
}
