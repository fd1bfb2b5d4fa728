import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel

@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

/// The clocks of a machine that can be wrong: what they say when the time really is another. Set right by nobody, unless
/// `isSynchronised`.
struct MachineClocks {
    /// How far the wall clock is ahead of the real time, in milliseconds.
    var ahead: Int64 = 0
    /// Whether the kernel says that it is set right.
    var isSynchronised = true
    /// Whether it was at any time since the machine started.
    var wasSynchronised = true
    private var started = FamilyBox.start.adding(days: -3)
    private var boots = 0

    /// A machine whose clock nobody sets.
    static var alone: MachineClocks {
        var clocks = MachineClocks()
        clocks.isSynchronised = false
        clocks.wasSynchronised = false
        return clocks
    }

    /// The wall clock is put ahead by so many days, or back.
    mutating func put(days: Int64) { ahead += days * 86_400_000 }

    /// The wall clock shows this, whatever the time is.
    mutating func show(_ wall: Instant, at time: Instant) { ahead = wall.milliseconds(since: time) }

    /// The machine starts.
    mutating func boot(at time: Instant) {
        started = time
        boots += 1
    }

    func reading(at time: Instant) -> ClockReading {
        ClockReading(
            wall: Instant(milliseconds: time.milliseconds + ahead), sinceBoot: time.milliseconds(since: started),
            boot: "boot \(boots)", isSynchronised: isSynchronised, wasSynchronised: wasSynchronised)
    }
}
