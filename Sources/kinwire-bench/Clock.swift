import KinLoop

/// Time as it is measured here.
enum Clock {
    private static let time = SystemTime()

    /// Microseconds of a clock that only goes forward.
    static var microseconds: Double { Double(time.monotonicNanoseconds()) / 1000 }

    /// Milliseconds since 1970.
    static var wallMilliseconds: Int64 { time.wallMilliseconds() }
}
