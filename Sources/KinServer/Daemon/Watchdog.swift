import KinLoop
import Synchronization

/// How often a thread got on with its work: counted by it, looked at by another.
package final class Beats: Sendable {
    private let beats = Atomic<UInt64>(0)

    package init() {}

    /// Called by the thread that is watched; costs one addition.
    package func beat() { beats.wrappingAdd(1, ordering: .relaxed) }

    var count: UInt64 { beats.load(ordering: .relaxed) }
}

/// Tells the service manager that the daemon lives, as long as both threads do: the loop by coming here, the keeper by
/// what it counted since it was last asked for a sign of life. A keeper that hangs, or whose one statement takes longer
/// than the manager waits, is not spoken for, and the manager starts the daemon anew.
struct Watchdog {
    private let intervalNanoseconds: UInt64
    private let keeper: Beats
    private let ask: () -> Void
    private let tell: () -> Void
    private var lookedAt: UInt64
    private var seen: UInt64

    /// `microseconds` is how long the manager waits for a sign of life (`WATCHDOG_USEC`). `ask` makes the keeper count even
    /// when nobody wants anything of it.
    init(
        microseconds: UInt64, keeper: Beats, now: UInt64, ask: @escaping () -> Void,
        tell: @escaping () -> Void = ServiceNotice.watchdog
    ) {
        intervalNanoseconds = microseconds.multipliedReportingOverflow(by: 1000).partialValue
        self.keeper = keeper
        self.ask = ask
        self.tell = tell
        lookedAt = now
        seen = keeper.count
        ask()
    }

    /// How long the loop may wait for something to happen: a quarter of the time, so that a keeper which was busy at one
    /// look is spoken for at the next.
    var waitMilliseconds: Int { max(1, Int(clamping: intervalNanoseconds / 4_000_000)) }

    /// Called in every turn of the loop.
    mutating func look(now: UInt64) {
        guard now &- lookedAt >= intervalNanoseconds / 4 else { return }
        lookedAt = now
        let count = keeper.count
        guard count != seen else { return }
        seen = count
        tell()
        ask()
    }
}
