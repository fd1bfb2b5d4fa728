/// How many connections and other things came and went within a minute. Many of them leave holes in the memory, which
/// the allocator keeps until it is asked. After a storm, such as a thousand phones that come back at once, memory is
/// given back five seconds later, and every ten seconds while the storm lasts. A visit of the page, which asks for all its
/// files at once, counts as a storm of its own. The rest of a family's daily traffic never leads to that.
struct Churn {
    private(set) var count = 0
    private var begunAt: UInt64 = 0

    private static let most = 256
    /// Seconds after the last of a storm at which memory is given back.
    static let restSeconds: UInt64 = 5
    private static let second: UInt64 = 1_000_000_000
    /// A visit of the page counts as so many connections: as a storm.
    static let visitWeight = most
    /// The slow part of a request, such as a password or a picture, counts as so many connections.
    static let slowWeight = 8

    /// Notes that something came and went.
    ///
    /// - Parameter isPlanned: Whether giving memory back is planned already.
    /// - Returns: When to give it back, where that is due.
    mutating func note(by weight: Int, now: UInt64, isPlanned: Bool) -> UInt64? {
        if now >= begunAt &+ 60 * Self.second { (count, begunAt) = (0, now) }
        count += weight
        guard count >= Self.most, !isPlanned else { return nil }
        count = 0
        return now &+ Self.restSeconds * Self.second
    }

    /// Notes that memory was given back; answers when to do so again, while the storm lasts.
    mutating func gaveBack(now: UInt64) -> UInt64? {
        defer { (count, begunAt) = (0, now) }
        return count >= Self.most / 4 ? now &+ 10 * Self.second : nil
    }
}
