import Glibc
import KinLoop

/// Time as it is measured here.
enum Clock {
    private static let time = SystemTime()

    /// Microseconds of a clock that only goes forward.
    static var microseconds: Double { Double(time.monotonicNanoseconds()) / 1000 }

    /// Milliseconds since 1970.
    static var wallMilliseconds: Int64 { time.wallMilliseconds() }

    /// Microseconds of CPU time that this thread has used.
    static var threadMicroseconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1_000_000 + Double(time.tv_nsec) / 1000
    }
}
