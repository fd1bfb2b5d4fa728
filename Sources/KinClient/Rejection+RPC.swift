import KinCodec
import KinModel

extension Rejection {
    /// The rejection in a daemon's error answer. A code that is not in the table counts as `unavailable`: a newer daemon
    /// may have more.
    init(_ error: RPCMessage.RPCError) {
        self.init(
            Kind(rawValue: error.code) ?? .unavailable, error.message, field: error.data?["field"]?.string,
            retryAfter: error.data?["retryAfter"]?.int.flatMap { Int(exactly: $0) })
        id = error.data?["id"]?.identifier
        if let word = error.data?["kind"]?.string, word != kind.word { detail = word }
        isOutcomeUnknown = error.data?["outcome"]?.string == "unknown"
    }
}
