import Glibc
import KinModel

extension Instant {
    /// What the machine's clock says: the daemon that is tested goes by it, too.
    static var now: Instant {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Instant(milliseconds: Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000)
    }
}
