/// A moment on the monotonic clock until which to wait; without a moment, for ever.
package struct Deadline: Sendable {
    let nanoseconds: UInt64?

    package init(afterMilliseconds milliseconds: Int?) {
        nanoseconds = milliseconds.map { milliseconds in
            let (span, overflow) = UInt64(max(milliseconds, 0)).multipliedReportingOverflow(by: 1_000_000)
            let (moment, late) = SystemTime.now().addingReportingOverflow(span)
            return overflow || late ? .max : moment
        }
    }

    init(at nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    package var hasPassed: Bool { remainingMilliseconds == 0 }

    /// Rounded up, so that a wait is never a busy one; `nil` without a moment.
    package var remainingMilliseconds: Int? {
        guard let nanoseconds else { return nil }
        let now = SystemTime.now()
        return now >= nanoseconds ? 0 : Int(clamping: (nanoseconds - now - 1) / 1_000_000 + 1)
    }

    /// As `poll` and `epoll_wait` take it: −1 is without end.
    var pollTimeout: Int32 { remainingMilliseconds.map { Int32(clamping: $0) } ?? -1 }
}
