import Glibc

/// What `poll(2)` says about one descriptor.
enum Readiness: Equatable {
    case ready(readable: Bool, writable: Bool, hangup: Bool)
    case timedOut

    /// Waits for one descriptor; interruptions by signals do not prolong or end the wait.
    static func wait(_ fd: Int32, readable: Bool, writable: Bool, timeoutMilliseconds: Int?) -> Readiness {
        let deadline = Deadline(afterMilliseconds: timeoutMilliseconds)
        while true {
            let events = (readable ? POLLIN : 0) | (writable ? POLLOUT : 0)
            var entry = pollfd(fd: fd, events: Int16(truncatingIfNeeded: events), revents: 0)
            let count = unsafe poll(&entry, 1, deadline.pollTimeout)
            if count > 0 {
                let found = Int32(entry.revents)
                precondition(found & POLLNVAL == 0, "only open descriptors are waited for")
                return .ready(
                    readable: found & POLLIN != 0, writable: found & POLLOUT != 0,
                    hangup: found & (POLLHUP | POLLERR) != 0)
            }
            if count == 0, deadline.hasPassed { return .timedOut }
            precondition(count == 0 || errno == EINTR || errno == ENOMEM, "poll takes one valid entry")
        }
    }
}
