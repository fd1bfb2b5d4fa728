public import KinKeeper
public import KinLoop
import KinModel

extension ClockReading {
    /// What the clocks say now.
    public init(_ time: any TimeSource) {
        let synchronisation = time.synchronisation()
        self.init(
            wall: Instant(milliseconds: time.wallMilliseconds()),
            sinceBoot: Int64(clamping: time.monotonicNanoseconds() / 1_000_000), boot: time.boot,
            isSynchronised: synchronisation.isNow, wasSynchronised: synchronisation.wasSinceBoot)
    }
}
