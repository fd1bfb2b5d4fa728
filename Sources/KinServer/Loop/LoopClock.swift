import KinLoop
import KinModel

/// The loop's time: the clock that only goes forward, and what the keeper believes of the one on the wall.
///
/// Confined to the loop's thread.
struct LoopClock {
    let source: any TimeSource
    /// The milliseconds by which the wall clock is ahead of the time that the keeper believes.
    var aheadMilliseconds: Int64 = 0
    private let startedNanoseconds: UInt64

    /// The server begins now.
    init(_ source: any TimeSource) {
        self.source = source
        startedNanoseconds = source.monotonicNanoseconds()
    }

    /// The time, as far as the keeper believes the wall clock.
    var now: Instant { Instant(milliseconds: source.wallMilliseconds() - aheadMilliseconds) }

    /// When the server began.
    var startedAt: Instant {
        let milliseconds = (source.monotonicNanoseconds() - startedNanoseconds) / 1_000_000
        return now.adding(milliseconds: -Int64(clamping: milliseconds))
    }
}
