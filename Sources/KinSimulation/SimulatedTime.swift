public import KinLoop
import Synchronization

/// A clock that moves only when told to.
public final class SimulatedTime: TimeSource {
    private let wall: Mutex<Int64>
    private let truth: Mutex<Int64>
    private let monotonic = Mutex<UInt64>(1_000_000_000)
    private let synchronised = Mutex(false)
    private let boots = Mutex(0)

    /// A clock at a moment in milliseconds since 1970.
    public init(milliseconds: Int64) {
        wall = Mutex(milliseconds)
        truth = Mutex(milliseconds)
    }

    /// The wall clock.
    public func wallMilliseconds() -> Int64 { wall.withLock { $0 } }
    /// The clock that never jumps.
    public func monotonicNanoseconds() -> UInt64 { monotonic.withLock { $0 } }

    /// Whether something sets the wall clock right: nothing, unless told so.
    public func synchronisation() -> Synchronisation {
        let isNow = synchronised.withLock { $0 }
        return Synchronisation(isNow: isNow, wasSinceBoot: isNow)
    }
    /// Something sets the wall clock right from now on, or no longer.
    public func setSynchronised(_ isNow: Bool) { synchronised.withLock { $0 = isNow } }

    /// Which start of the machine it is.
    public var boot: String { "boot \(boots.withLock { $0 })" }
    /// The machine starts again. The clock that never jumps goes on from where it was: whoever runs through it all is this
    /// very process.
    public func startMachine() { boots.withLock { $0 += 1 } }

    /// Both clocks go on.
    public func advance(milliseconds: Int64) {
        wall.withLock { $0 += milliseconds }
        truth.withLock { $0 += milliseconds }
        monotonic.withLock { $0 += UInt64(milliseconds) * 1_000_000 }
    }

    /// What the time really is: what phones and people go by.
    public func trueMilliseconds() -> Int64 { truth.withLock { $0 } }

    /// The wall clock shows another time.
    public func show(milliseconds: Int64) { wall.withLock { $0 = milliseconds } }

    /// Only the wall clock jumps, either way.
    public func jump(milliseconds: Int64) { wall.withLock { $0 += milliseconds } }
}
