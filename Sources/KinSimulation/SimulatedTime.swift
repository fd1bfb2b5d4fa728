public import KinLoop
import Synchronization

/// A clock that moves only when told to.
public final class SimulatedTime: TimeSource {
    private let wall: Mutex<Int64>
    private let monotonic = Mutex<UInt64>(1_000_000_000)

    /// A clock at a moment in milliseconds since 1970.
    public init(milliseconds: Int64) { wall = Mutex(milliseconds) }

    /// The wall clock.
    public func wallMilliseconds() -> Int64 { wall.withLock { $0 } }
    /// The clock that never jumps.
    public func monotonicNanoseconds() -> UInt64 { monotonic.withLock { $0 } }

    /// Both clocks go on.
    public func advance(milliseconds: Int64) {
        wall.withLock { $0 += milliseconds }
        monotonic.withLock { $0 += UInt64(milliseconds) * 1_000_000 }
    }

    /// Only the wall clock jumps, either way.
    public func jump(milliseconds: Int64) { wall.withLock { $0 += milliseconds } }
}
