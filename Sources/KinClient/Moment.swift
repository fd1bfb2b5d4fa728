import KinLoop

/// A moment on the monotonic clock until which to wait; without one, for ever.
struct Moment {
    private let milliseconds: UInt64?

    /// Milliseconds of the clock that only goes forward.
    static var now: UInt64 { SystemTime().monotonicNanoseconds() / 1_000_000 }

    init(afterMilliseconds span: Int?) { milliseconds = span.map { Self.now &+ UInt64(max($0, 0)) } }

    /// At least 0; `nil` without end.
    var remainingMilliseconds: Int? {
        guard let milliseconds else { return nil }
        let now = Self.now
        return now >= milliseconds ? 0 : Int(clamping: milliseconds - now)
    }

    var hasPassed: Bool { remainingMilliseconds == 0 }
}
