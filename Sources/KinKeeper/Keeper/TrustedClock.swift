package import KinModel

/// What time it is, as far as the wall clock can be believed.
///
/// Two clocks are compared: the wall clock, which anybody can set, and the time since the machine started, which nobody
/// can set. As long as both advance equally, "now" is the wall clock. When they differ by a minute or more, the wall
/// clock is *doubted*: "now" is then the last trusted moment plus the time that the other clock has counted since.
/// Three things end the doubt: the clocks agree again, the kernel says that it is synchronised, or somebody at the
/// machine says that the clock is right. ``Doubt`` lists what begins it.
package struct TrustedClock: Equatable {
    /// Why the wall clock is not believed.
    package enum Doubt: String, CaseIterable, Sendable {
        /// It jumped while the daemon ran, or while only the machine ran.
        case jumped
        /// At a start it shows less than the last trusted moment.
        case behind
        /// At a start it is far ahead of the last trusted moment, and nothing has set it since the machine started.
        case ahead
    }

    /// The part that is kept in the database, so that another start goes on from it.
    package struct Kept: Equatable {
        /// The moment that was last trusted.
        package var moment: Instant
        /// The time on the other clock at that moment.
        package var sinceBoot: Int64
        /// The start of the machine that `sinceBoot` counts from.
        package var boot: String
        /// Why the clock was doubted, and since when.
        package var doubt: Doubt?
        package var doubtSince: Instant?
        /// The moment of the last event. It may be later than `moment`, which is seldom written, by a minute at most.
        package var latest = Instant.earliest
    }

    /// Milliseconds that two clocks may be apart and still agree.
    package static let apartMax = Limits.clockApartSeconds * 1000

    /// A clock that shows an earlier moment is wrong.
    package static let earliest = Instant("2026-01-01T00:00:00Z") ?? .earliest

    /// The last trusted moment, and its time on the other clock.
    private var trusted: Instant
    private var trustedSinceBoot: Int64
    /// The earliest moment that ``now`` may have. When the clock goes back by less than what is doubted, time stands
    /// still instead, so that no event is dated before an earlier one.
    private var least = Instant.earliest
    /// The latest reading.
    package private(set) var reading: ClockReading
    package private(set) var doubt: Doubt?
    /// Since when the clock is doubted, by ``now``.
    package private(set) var doubtSince: Instant?
    /// The step that the time made when the wall clock was put right; kept until it was handled.
    package private(set) var wasPutRight: Jump?

    /// A step of the time that is believed.
    package struct Jump: Equatable {
        package var from: Instant
        package var to: Instant
    }

    /// The clock at a start of the daemon.
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
            // As at run time: when the clock was put back by less than what is doubted, no event is dated before an
            // earlier one.
            let soon = Instant(milliseconds: expected.milliseconds + Self.apartMax)
            least = min(max(kept.moment, kept.latest), soon)
            read(reading)
            return
        }
        // The machine was started again. Nothing tells how long it was off.
        trusted = max(kept.moment, kept.latest)
        least = trusted
        guard !isSaidToBeRight else {
            let wasDoubted = doubt != nil
            believe(reading.wall)
            // A jump forward only says that the machine was off.
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

    /// The milliseconds by which the wall clock is ahead of ``now``.
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

    /// Somebody who knows says that the wall clock is right. An impossible time is not believed.
    package mutating func trust() { believe(max(reading.wall, Self.earliest)) }

    /// The step was handled.
    package mutating func noted() { wasPutRight = nil }

    // MARK: Inside

    /// The time that the wall clock would show if it had gone on from the last trusted moment.
    private var expected: Instant {
        Instant(milliseconds: trusted.milliseconds + max(0, reading.sinceBoot - trustedSinceBoot))
    }

    /// Whether the kernel says that the clock is right, and the time is possible.
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
