import Glibc

extension LoopFailure {
    /// Passes the result of a call of the C shim on, or throws its negative errno.
    @discardableResult
    static func check(_ call: String, _ result: Int32) throws(LoopFailure) -> Int32 {
        if result < 0 { throw .system(call: call, errno: -result) }
        return result
    }

    /// The failure of binding or connecting to a place.
    static func at(_ place: String, call: String, errno: Int32) -> LoopFailure {
        switch errno {
        case EADDRINUSE: .addressInUse(place)
        case EACCES, EPERM: .notPermitted(place)
        case EADDRNOTAVAIL: .badAddress(place)
        case ETIMEDOUT: .timedOut(place)
        default: .system(call: "\(call) \(place)", errno: errno)
        }
    }
}
