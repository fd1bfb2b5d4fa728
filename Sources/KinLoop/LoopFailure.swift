import Glibc

/// Why an address could not be reached or listened on.
public enum LoopFailure: Error, Hashable {
    /// A system call failed for an unexpected reason.
    case system(call: String, errno: Int32)
    /// Another program listens there.
    case addressInUse(String)
    /// The system does not let this user do that.
    case notPermitted(String)
    /// The text is not an address.
    case badAddress(String)
    /// No machine has that name.
    case unknownHost(String)
    /// It did not happen within the time given.
    case timedOut(String)

    /// What happened, in one sentence a person can act on.
    public var sentence: String {
        switch self {
        case .system(let call, let errno): "\(call) failed: \(Self.reason(errno))."
        case .addressInUse(let place): "Something already listens on \(place); stop it or choose another address."
        case .notPermitted(let place): "This user may not use \(place); choose another or run as a user who may."
        case .badAddress(let text): "\(text) is not an address; write 127.0.0.1:5469, [::1]:5469 or :5469."
        case .unknownHost(let name): "No machine named \(name) was found; check the name and the network."
        case .timedOut(let place): "\(place) did not answer in time; check that it runs and is reachable."
        }
    }

    /// The C library's words for an error number.
    public static func reason(_ errno: Int32) -> String {
        // strerror's buffer belongs to the thread (glibc 2.32 and later) and is copied at once.
        guard let text = unsafe strerror(errno) else { return "error \(errno)" }
        return unsafe String(cString: text)
    }
}
