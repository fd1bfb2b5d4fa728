import KinCodec

/// What an answer says about being kept (RFC 9111), read for a cache that several people share.
struct Freshness: Sendable, Hashable {
    /// Nothing forbids to keep it, and it is of use: it is fresh for a while, or can be confirmed.
    let isStorable: Bool
    /// Seconds from its making for which nobody need ask again; 0 where it does not say.
    let lifetimeSeconds: Int
    /// Seconds that it was old when it came (RFC 9111 §5.1).
    let ageSeconds: Int
    /// Whether it may be given too old, while the other side cannot be reached (RFC 9111 §4.2.4).
    let mayBeStale: Bool

    /// A year; more is not believed.
    static let secondsMax = 31_536_000

    /// Of the answer to a GET. `Expires` is passed over: without `max-age` an answer is confirmed each time.
    init(status: Int, _ headers: HTTPHeaders) {
        var lifetime: Int?
        var shared: Int?
        var words: Set<String> = []
        for token in headers.tokens("Cache-Control") {
            let parts = token.split(separator: "=", maxSplits: 1)
            guard let word = parts.first?.lowercased() else { continue }
            words.insert(word)
            // Said twice and not the same: the shorter one.
            let seconds = parts.count == 2 ? Self.seconds(parts[1]) : 0
            if word == "max-age" { lifetime = min(lifetime ?? seconds, seconds) }
            if word == "s-maxage" { shared = min(shared ?? seconds, seconds) }
        }
        // The encoding is always the same here, so an answer that differs by it alone is the same for all.
        let varies = headers.tokens("Vary").contains { $0.lowercased() != "accept-encoding" }
        let seconds = words.contains("no-cache") ? 0 : shared ?? lifetime ?? 0
        let hasValidator = headers["ETag"] != nil || headers["Last-Modified"] != nil
        isStorable =
            status == 200 && !varies && words.isDisjoint(with: ["no-store", "private"]) && (seconds > 0 || hasValidator)
        lifetimeSeconds = seconds
        ageSeconds = headers["Age"].map { Self.seconds($0) } ?? 0
        mayBeStale = words.isDisjoint(with: ["no-cache", "must-revalidate", "proxy-revalidate", "s-maxage"])
    }

    /// Whether nobody need ask, so long after it came. A clock that went back makes it old.
    func isFresh(afterMilliseconds milliseconds: Int64) -> Bool {
        milliseconds >= 0 && milliseconds / 1000 < Int64(max(0, lifetimeSeconds - ageSeconds))
    }

    /// Delta seconds (RFC 9111 §1.2.2), in quotes too; what is malformed counts as 0, too much as a year.
    private static func seconds(_ text: some StringProtocol) -> Int {
        let digits = text.utf8.filter { $0 != 0x22 && $0 != 0x20 }
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
        return min(secondsMax, Int(String(decoding: digits, as: UTF8.self)) ?? secondsMax)
    }
}
