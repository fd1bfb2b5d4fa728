/// How often each host was asked: a bucket of tokens for each, which fills again with time.
struct RateTable: Sendable {
    private struct Bucket: Sendable {
        /// In thousandths.
        var tokens: Int
        var filledAt: UInt64
    }

    /// Hosts that are remembered at most. Asks of all hosts together are counted too, so this is not reached by asking.
    static let hostsMax = 1024

    private var buckets: [String: Bucket] = [:]

    /// Takes a token; or the seconds after which there is one.
    ///
    /// - Parameters:
    ///   - now: Nanoseconds of a clock that only goes forward.
    ///   - most: Tokens in a full bucket.
    mutating func take(_ name: String, most: Int, perMinute: Int, now: UInt64) -> Int? {
        let most = max(1, most) * 1000
        let perMinute = max(1, perMinute) * 1000
        var bucket = buckets[name] ?? Bucket(tokens: most, filledAt: now)
        let milliseconds = Int(clamping: (now &- bucket.filledAt) / 1_000_000)
        // A day fills every bucket.
        let gained = min(milliseconds, 86_400_000) * perMinute / 60_000
        if gained > 0 {
            bucket.tokens = min(most, bucket.tokens + gained)
            bucket.filledAt = now
        }
        defer { buckets[name] = bucket }
        guard bucket.tokens >= 1000 else {
            return max(1, ((1000 - bucket.tokens) * 60 + perMinute - 1) / perMinute)
        }
        bucket.tokens -= 1000
        if buckets.count >= Self.hostsMax, buckets[name] == nil { forget(now) }
        return nil
    }

    /// Forgets the half that was asked longest ago.
    private mutating func forget(_ now: UInt64) {
        let kept = buckets.sorted { $0.value.filledAt > $1.value.filledAt }.prefix(Self.hostsMax / 2)
        buckets = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }
}
