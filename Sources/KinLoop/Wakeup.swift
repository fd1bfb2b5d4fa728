import CLinux
import Glibc

/// Lets any thread wake the waiting one (an eventfd).
public final class Wakeup: Sendable {
    private let descriptor: Descriptor

    /// Opens the eventfd.
    public init() throws(LoopFailure) {
        descriptor = Descriptor(owning: try LoopFailure.check("eventfd", kin_eventfd()))
    }

    /// The descriptor to poll; readable while a wake is pending. Stays this object's.
    public var fd: Int32 { descriptor.number }

    /// Wakes the waiting thread; from any thread, never waits.
    public func wake() {
        // EAGAIN would take 2⁶⁴−2 wakes that nobody took back. Nothing else can fail on an eventfd of our own.
        _ = eventfd_write(descriptor.number, 1)
    }

    /// Resets the pending wakes; returns how many there were.
    @discardableResult
    public func drain() -> UInt64 {
        var count: UInt64 = 0
        return unsafe eventfd_read(descriptor.number, &count) == 0 ? count : 0
    }

    /// Waits until a wake is pending, without taking it. False when the time is over first.
    /// - Parameter timeoutMilliseconds: `nil` is without end.
    public func wait(timeoutMilliseconds: Int?) -> Bool {
        Readiness.wait(fd, readable: true, writable: false, timeoutMilliseconds: timeoutMilliseconds) != .timedOut
    }
}
