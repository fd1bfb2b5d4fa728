import CLinux
import Glibc

/// A set of many descriptors. Those that can be read are reported by the numbers they were added with. For clients that
/// hold thousands; see ``waitForAny(_:timeoutMilliseconds:)`` for a few.
public final class ReadableSet {
    private let epoll: Descriptor
    private var found = [kin_event](repeating: kin_event(), count: Int(KIN_EVENTS_MAX))

    /// An empty set.
    public init() throws(LoopFailure) {
        epoll = Descriptor(owning: try LoopFailure.check("epoll_create1", kin_epoll_create()))
    }

    /// Adds an open descriptor, which stays the caller's; closing it takes it out.
    public func add(_ descriptor: Int32, number: Int) throws(LoopFailure) {
        try LoopFailure.check(
            "epoll_ctl", kin_epoll_add(epoll.number, descriptor, UInt32(KIN_EPOLLIN), UInt64(number)))
    }

    /// Numbers of those that can be read, hung up or broke, at most 256 of them; empty when the time is over first, or a
    /// signal came.
    public func wait(timeoutMilliseconds: Int) -> [Int] {
        let count = unsafe kin_epoll_wait(epoll.number, &found, Int32(clamping: timeoutMilliseconds))
        return found.prefix(max(0, Int(count))).map { Int($0.data) }
    }
}
