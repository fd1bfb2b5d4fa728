import Glibc

/// Waits until one of a few descriptors can be read, hung up or broke. For clients; the daemon's loop has epoll.
///
/// - Parameters:
///   - descriptors: Open ones, which stay the caller's.
///   - timeoutMilliseconds: `nil` is without end. A signal may end the wait early.
/// - Returns: Whether each can be read, in their order.
@discardableResult
public func waitForAny(_ descriptors: [Int32], timeoutMilliseconds: Int?) -> [Bool] {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let timeout = timeoutMilliseconds.map { Int32(clamping: max($0, 0)) } ?? -1
    let count = unsafe poll(&entries, nfds_t(entries.count), timeout)
    guard count > 0 else { return descriptors.map { _ in false } }
    return entries.map { entry in
        precondition(Int32(entry.revents) & POLLNVAL == 0, "only open descriptors are waited for")
        return entry.revents != 0
    }
}
