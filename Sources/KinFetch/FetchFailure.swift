/// Why nothing came from outside. A sentence names the host and never the rest of an address, which may be a secret.
public enum FetchFailure: Error, Sendable, Hashable {
    /// The admin has not allowed this purpose.
    case off(purpose: String)
    /// The text is no address that is asked, or the request cannot be sent as it is.
    case badRequest(String)
    /// The address lies where nothing is asked: in the house, on this machine, in no network.
    case refused(String)
    /// A redirect that is not followed.
    case redirectRefused(String)
    /// Nobody answers there.
    case unreachable(String)
    /// It took longer than it may, as a whole or between two bytes.
    case timedOut(String)
    /// The other side could not show that it is whom it was asked for.
    case untrusted(String)
    /// The answer is larger than it may be.
    case tooLarge(host: String, bytesMax: Int)
    /// The answer is not HTTP/1.1, or not one that can be used.
    case notUnderstood(String)
    /// This host, or all together, was asked too often.
    case tooOften(host: String, retryAfterSeconds: Int)
    /// As many as may ask at once are asking.
    case busy

    /// What happened and what to do.
    public var sentence: String {
        switch self {
        case .off(let purpose): "Asking outside for \(purpose) is switched off; an admin can allow it."
        case .badRequest(let sentence), .refused(let sentence), .redirectRefused(let sentence),
            .unreachable(let sentence), .timedOut(let sentence), .untrusted(let sentence),
            .notUnderstood(let sentence):
            sentence
        case .tooLarge(let host, let bytesMax):
            "The answer of \(host) is larger than the \(bytesMax) bytes that are taken; check that the address is right."
        case .tooOften(let host, let seconds): "\(host) was asked too often; try again in \(seconds) s."
        case .busy: "Too much is being asked outside at once; try again in a few seconds."
        }
    }

    /// Whether the failure may pass, so that a cached answer may be used meanwhile.
    var isPassing: Bool {
        switch self {
        case .unreachable, .timedOut, .tooOften, .busy: true
        default: false
        }
    }
}
