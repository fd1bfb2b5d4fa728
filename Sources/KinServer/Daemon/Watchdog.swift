import KinLoop
import Synchronization

/// The count of a thread's steps forward. The thread counts, and another reads the count.
package final class Beats: Sendable {
    private let beats = Atomic<UInt64>(0)

    package init() {}

    /// Called by the thread that is watched; costs one addition.
    package func beat() { beats.wrappingAdd(1, ordering: .relaxed) }

    var count: UInt64 { beats.load(ordering: .relaxed) }
}

/// Tells the service manager that the daemon lives, as long as both threads do. The loop shows it by calling here; the
/// keeper shows it by having counted since it was last asked for a sign of life. When the keeper hangs, or one
/// statement takes longer than the manager waits, no sign is sent, and the manager restarts the daemon.
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

    /// The time for which the loop may wait for something to happen: a quarter of the manager's time. So a keeper that
    /// was busy at one look is reported alive at the next.
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
