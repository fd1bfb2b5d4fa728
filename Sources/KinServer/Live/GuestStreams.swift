/// The streams of guest links' pages that are open: whose they are, and when each asks again what its link shows.
///
/// A page's stream asks the keeper, as the page itself would. It asks soon after something was committed, whatever that
/// was, and says nothing where its link shows the same as before.
///
/// Confined to the loop's thread.
struct GuestStreams {
    /// What there may be no more of.
    enum Full: Equatable {
        case ofLink, ofAddress, ofAll
    }

    /// What is due for a stream.
    struct Due: Equatable {
        let key: UInt64
        /// A sign of life goes out.
        var isBeat = false
        /// It asks what its link shows; `isWhole`: also where that is the same, since the time left gets shorter.
        var asks = false
        var isWhole = false
    }

    private struct Kept {
        let link: String
        let address: String?
        var beatAt: UInt64
        var beats = 0
        /// When it may ask again.
        var pausesUntil: UInt64
        /// When its link ends.
        var endsAt: UInt64?
        var isBehind = false
        var isAsking = false

        var asksAt: UInt64? {
            guard !isAsking else { return nil }
            if isBehind { return pausesUntil }
            return endsAt.map { max($0, pausesUntil) }
        }

        var nextAt: UInt64 { min(beatAt, asksAt ?? .max) }
    }

    /// So many signs of life after each other, the page is told everything once.
    static let beatsToWhole = 4

    /// By their connections' keys.
    private var kept: [UInt64: Kept] = [:]

    var isEmpty: Bool { kept.isEmpty }
    /// Their connections' keys, in no order.
    var keys: [UInt64] { Array(kept.keys) }

    func has(_ key: UInt64) -> Bool { kept[key] != nil }

    /// Why there may not be one more; `nil`: there may be. `address`: `nil` for this machine.
    func full(link: String, address: String?, _ limits: ServerLimits) -> Full? {
        if kept.values.count(where: { $0.link == link }) >= limits.guestStreamsPerLinkMax { return .ofLink }
        if let address, kept.values.count(where: { $0.address == address }) >= limits.guestStreamsPerAddressMax {
            return .ofAddress
        }
        return kept.count >= limits.guestStreamsMax ? .ofAll : nil
    }

    mutating func begin(_ key: UInt64, link: String, address: String?, now: UInt64, _ limits: ServerLimits) {
        kept[key] = Kept(
            link: link, address: address, beatAt: now &+ Self.nanoseconds(limits.guestStreamBeatMilliseconds),
            pausesUntil: now &+ Self.nanoseconds(limits.guestStreamPauseMilliseconds))
    }

    mutating func end(_ key: UInt64) { kept[key] = nil }

    /// Something was committed: any of them may be behind.
    mutating func fellBehind() {
        for key in kept.keys { kept[key]?.isBehind = true }
    }

    /// The keeper has answered; the link ends at `endsAt`.
    mutating func answered(_ key: UInt64, endsAt: UInt64?) {
        kept[key]?.isAsking = false
        kept[key]?.endsAt = endsAt
    }

    /// It could not ask, or was told to come back.
    mutating func postpone(_ key: UInt64) {
        kept[key]?.isAsking = false
        kept[key]?.isBehind = true
    }

    /// When something is due.
    var next: UInt64? { kept.values.lazy.map(\.nextAt).min() }

    /// Takes the streams for which something is due, in the order of the connections' keys. A stream that is to ask
    /// counts as asking from here on.
    mutating func takeDue(_ now: UInt64, _ limits: ServerLimits) -> [Due] {
        var all: [Due] = []
        for key in kept.keys.sorted() {
            guard var one = kept[key], one.nextAt <= now else { continue }
            var due = Due(key: key)
            if one.beatAt <= now {
                due.isBeat = true
                one.beats += 1
                one.beatAt = now &+ Self.nanoseconds(limits.guestStreamBeatMilliseconds)
                due.isWhole = one.beats % Self.beatsToWhole == 0 && !one.isAsking
            }
            if due.isWhole || one.asksAt.map({ $0 <= now }) ?? false {
                due.asks = true
                one.isAsking = true
                one.isBehind = false
                one.pausesUntil = now &+ Self.nanoseconds(limits.guestStreamPauseMilliseconds)
            }
            kept[key] = one
            all.append(due)
        }
        return all
    }

    private static func nanoseconds(_ milliseconds: Int) -> UInt64 { UInt64(milliseconds) &* 1_000_000 }
}
