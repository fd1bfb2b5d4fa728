package import KinModel

/// What time it is, as far as the wall clock can be believed.
///
/// Two clocks are compared: the wall clock, which anybody can set, and the time since the machine started, which nobody
/// can. As long as both go on by the same, "now" is the wall clock. When they part by a minute or more, the wall clock is
/// *doubted*: now is the last moment that was trusted, and what went by since on the other clock. Three things end the
/// doubt: the clocks agree again, the kernel says that it is synchronised, or somebody at the machine says that it is
/// right. See ``Doubt`` for what begins it.
package struct TrustedClock: Equatable {
    /// Why the wall clock is not believed.
    package enum Doubt: String {
        /// It jumped while the daemon ran, or while it did not and the machine did.
        case jumped
        /// It starts before the last moment that was trusted.
        case behind
        /// It starts long after that, and nothing has set it since the machine started.
        case ahead
    }

    /// What is kept in the database, so that another start goes on from it.
    package struct Kept: Equatable {
        /// The moment that was last trusted.
        package var moment: Instant
        /// When that was on the other clock.
        package var sinceBoot: Int64
        /// Which start of the machine that counts from.
        package var boot: String
        /// Since when the clock was doubted, and why.
        package var doubt: Doubt?
        package var doubtSince: Instant?
        /// When the last event was: later than the moment by a minute at most, since that is written seldom.
        package var latest = Instant.earliest
    }

    /// Milliseconds that two clocks may be apart and still agree.
    package static let apartMax = Limits.clockApartSeconds * 1000

    /// No clock that shows less is right.
    package static let earliest = Instant("2026-01-01T00:00:00Z") ?? .earliest

    /// The last moment that was trusted, and when it was on the other clock.
    private var trusted: Instant
    private var trustedSinceBoot: Int64
    /// Time stands still rather than go back by less than what is doubted: what was told later is never of earlier.
    private var least = Instant.earliest
    /// The latest reading.
    package private(set) var reading: ClockReading
    package private(set) var doubt: Doubt?
    /// Since when, by ``now``.
    package private(set) var doubtSince: Instant?
    /// From which moment to which one the time went when the wall clock was put right; until somebody has taken note.
    package private(set) var wasPutRight: Jump?

    /// A step of the time that is believed.
    package struct Jump: Equatable {
        package var from: Instant
        package var to: Instant
    }

    /// The clock of a start.
    package init(_ kept: Kept?, _ reading: ClockReading) {
        self.reading = reading
        trusted = kept?.moment ?? max(reading.wall, Self.earliest)
        trustedSinceBoot = reading.sinceBoot
        guard let kept else {
            if !agrees(reading.wall) { begin(.behind) }
            return
        }
        doubt = kept.doubt
        doubtSince = kept.doubtSince
        defer { settle() }
        if kept.boot == reading.boot, kept.sinceBoot <= reading.sinceBoot {
            trustedSinceBoot = kept.sinceBoot
            // As while it runs: a clock that was put back by less than what is doubted makes no event earlier than one before
            // it.
            let soon = Instant(milliseconds: expected.milliseconds + Self.apartMax)
            least = min(max(kept.moment, kept.latest), soon)
            read(reading)
            return
        }
        // Another start of the machine: nothing says for how long it was off.
        trusted = max(kept.moment, kept.latest)
        least = trusted
        guard !isSaidToBeRight else {
            let wasDoubted = doubt != nil
            believe(reading.wall)
            // That the machine was off is no news.
            if !wasDoubted, let jump = wasPutRight, jump.to > jump.from { wasPutRight = nil }
            return
        }
        guard doubt == nil else { return }
        let ahead = reading.wall.milliseconds(since: trusted)
        if ahead <= -Self.apartMax {
            begin(.behind)
        } else if ahead >= Limits.clockAheadDays * 86_400_000, !reading.wasSynchronised {
            begin(.ahead)
        } else {
            trusted = reading.wall
        }
    }

    /// The time as it is believed to be.
    package var now: Instant { max(doubt == nil ? reading.wall : expected, least) }

    /// How far the wall clock is ahead of that, in milliseconds.
    package var ahead: Int64 { reading.wall.milliseconds(since: now) }

    /// As it is kept in the database.
    package var kept: Kept {
        Kept(moment: now, sinceBoot: reading.sinceBoot, boot: reading.boot, doubt: doubt, doubtSince: doubtSince)
    }

    /// Looks at the clocks again.
    package mutating func read(_ reading: ClockReading) {
        self.reading = reading
        defer { settle() }
        if agrees(reading.wall) {
            (doubt, doubtSince) = (nil, nil)
            trusted = reading.wall
            trustedSinceBoot = reading.sinceBoot
        } else if isSaidToBeRight {
            believe(reading.wall)
        } else if doubt == nil {
            begin(.jumped)
        }
    }

    /// The wall clock is right: somebody says so who knows. Not of a time that cannot be.
    package mutating func trust() { believe(max(reading.wall, Self.earliest)) }

    /// Somebody has taken note of it.
    package mutating func noted() { wasPutRight = nil }

    // MARK: Inside

    /// What the wall clock would show if it had gone on from the last trusted moment.
    private var expected: Instant {
        Instant(milliseconds: trusted.milliseconds + max(0, reading.sinceBoot - trustedSinceBoot))
    }

    /// Whether the kernel says so, of a time that can be.
    private var isSaidToBeRight: Bool { reading.isSynchronised && reading.wall >= Self.earliest }

    private func agrees(_ wall: Instant) -> Bool { abs(wall.milliseconds(since: expected)) < Self.apartMax }

    private mutating func begin(_ doubt: Doubt) {
        self.doubt = doubt
        doubtSince = expected
    }

    private mutating func believe(_ wall: Instant) {
        if !agrees(wall) { wasPutRight = Jump(from: wasPutRight?.from ?? expected, to: wall) }
        (doubt, doubtSince) = (nil, nil)
        trusted = wall
        trustedSinceBoot = reading.sinceBoot
        least = wall
    }

    private mutating func settle() { least = now }
}
