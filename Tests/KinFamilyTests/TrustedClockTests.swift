import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinActivity
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

/// When a wall clock is believed, and what time it is when it is not.
@Suite struct TrustedClockTests {
    private static let start = FamilyBox.start
    private let kept = TrustedClock.Kept(moment: start, sinceBoot: 1_000_000, boot: "a")

    private func reading(
        _ wall: Int64, sinceBoot: Int64, boot: String = "a", isSynchronised: Bool = false, was: Bool = false
    ) -> ClockReading {
        ClockReading(
            wall: Self.start.adding(seconds: wall), sinceBoot: 1_000_000 + sinceBoot * 1000, boot: boot,
            isSynchronised: isSynchronised, wasSynchronised: was)
    }

    private static let day: Int64 = 86_400

    @Test(
        arguments: [
            // The machine went on: only how both clocks went counts.
            ("nothing happened", 100, 100, "a", false, nil),
            ("it slept for a month", 31 * day, 31 * day, "a", false, nil),
            ("59 s ahead", 159, 100, "a", false, nil), ("59 s behind", 41, 100, "a", false, nil),
            ("60 s ahead", 160, 100, "a", false, .jumped), ("60 s behind", 40, 100, "a", false, .jumped),
            // It started anew: only the wall clock says for how long it was off.
            ("behind", -60, 0, "b", false, .behind), ("1970", -1_700_000_000, 0, "b", false, .behind),
            ("behind by less than a minute", -59, 0, "b", false, nil),
            ("off for 29 days", 29 * day, 0, "b", false, nil), ("off for 30 days", 30 * day, 0, "b", false, .ahead),
            ("off for 30 days, and set since", 30 * day, 0, "b", true, nil),
            ("behind, and set since", -60, 0, "b", true, .behind),
        ] as [(String, Int64, Int64, String, Bool, TrustedClock.Doubt?)])
    func `a start is doubted when its clock cannot be`(
        what: String, wall: Int64, sinceBoot: Int64, boot: String, was: Bool, doubt: TrustedClock.Doubt?
    ) {
        let clock = TrustedClock(kept, reading(wall, sinceBoot: sinceBoot, boot: boot, was: was))
        #expect(clock.doubt == doubt, "\(what)")
        // Less than a minute is waited for.
        let now = doubt == nil ? max(wall, 0) : boot == "a" ? sinceBoot : 0
        #expect(clock.now == Self.start.adding(seconds: now), "\(what)")
        let synchronised = TrustedClock(kept, reading(wall, sinceBoot: sinceBoot, boot: boot, isSynchronised: true))
        #expect(synchronised.doubt == (wall < -1_000_000_000 ? .behind : nil), "\(what)")
    }

    @Test func `a doubted clock goes on by the other one, and is believed when it agrees again`() {
        var clock = TrustedClock(kept, reading(0, sinceBoot: 0))
        clock.read(reading(400 * Self.day, sinceBoot: 10))
        #expect(clock.doubt == .jumped && clock.now == Self.start.adding(seconds: 10))
        #expect(clock.doubtSince == Self.start.adding(seconds: 10))
        clock.read(reading(-400 * Self.day, sinceBoot: 7200))
        #expect(clock.doubt == .jumped && clock.now == Self.start.adding(seconds: 7200))
        clock.read(reading(7230, sinceBoot: 7210))
        #expect(clock.doubt == nil && clock.now == Self.start.adding(seconds: 7230) && clock.wasPutRight == nil)
    }

    @Test func `the kernel's word and an admin's end a doubt at once, at the new time`() {
        var clock = TrustedClock(kept, reading(0, sinceBoot: 0))
        clock.read(reading(3600, sinceBoot: 10))
        clock.read(reading(3610, sinceBoot: 20, isSynchronised: true))
        #expect(clock.doubt == nil && clock.now == Self.start.adding(seconds: 3610))
        #expect(clock.wasPutRight?.from == Self.start.adding(seconds: 20))
        clock.noted()
        // That it is synchronised no longer is nothing.
        clock.read(reading(3620, sinceBoot: 30))
        #expect(clock.doubt == nil && clock.wasPutRight == nil)
        clock.read(reading(0, sinceBoot: 40))
        #expect(clock.doubt == .jumped)
        clock.trust()
        #expect(clock.doubt == nil && clock.now == Self.start)
    }

    @Test func `a doubt outlives the daemon, and the machine`() {
        var clock = TrustedClock(kept, reading(0, sinceBoot: 0))
        clock.read(reading(20 * Self.day, sinceBoot: 10))
        let daemon = TrustedClock(clock.kept, reading(20 * Self.day + 60, sinceBoot: 70))
        #expect(daemon.doubt == .jumped && daemon.now == Self.start.adding(seconds: 70))
        let machine = TrustedClock(clock.kept, reading(20 * Self.day + 60, sinceBoot: -900, boot: "b"))
        #expect(machine.doubt == .jumped && machine.now == Self.start.adding(seconds: 10))
    }

    @Test func `a family's first clock is doubted only when it shows what cannot be`() {
        #expect(TrustedClock(nil, reading(0, sinceBoot: 0)).doubt == nil)
        let old = TrustedClock(nil, reading(-1_700_000_000, sinceBoot: 0, isSynchronised: true))
        #expect(old.doubt == .behind && old.now == TrustedClock.earliest)
    }

    @Test func `time stands still rather than go back by less than a minute`() {
        var clock = TrustedClock(kept, reading(0, sinceBoot: 0))
        clock.read(reading(100, sinceBoot: 100))
        clock.read(reading(60, sinceBoot: 110))
        #expect(clock.doubt == nil && clock.now == Self.start.adding(seconds: 100))
        clock.read(reading(101, sinceBoot: 151))
        #expect(clock.now == Self.start.adding(seconds: 101))
        var later = kept
        later.latest = Self.start.adding(seconds: 40)
        let machine = TrustedClock(later, reading(-500, sinceBoot: 0, boot: "b"))
        #expect(machine.doubt == .behind && machine.now == later.latest)
    }
}
