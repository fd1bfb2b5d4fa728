public import KinModel

/// Why a request to the daemon failed.
public enum ClientFailure: Error, Sendable, Hashable {
    /// The text is no address.
    case badAddress(String)
    /// Nobody answers there; the sentence says who and why.
    case unreachable(String)
    /// The daemon took longer than it was given.
    case timedOut(String)
    /// The other side is not who it should be, or the enciphered connection failed.
    case untrusted(String)
    /// The daemon ended the connection, with what it said before if it said anything.
    case closed(Closing?)
    /// The daemon understood and said no.
    case refused(Rejection)
    /// What came back is not Kinwire's protocol.
    case notUnderstood(String)
    /// A file of this user could not be read or written.
    case file(String)

    /// What happened, in one sentence.
    public var sentence: String {
        switch self {
        case .badAddress(let text):
            "\(text) is not an address; write https://HOST:5469, http://127.0.0.1:5469 or unix:/PATH."
        case .unreachable(let sentence), .untrusted(let sentence), .notUnderstood(let sentence), .file(let sentence):
            sentence
        case .timedOut(let whom): "\(whom) did not answer in time; check that it runs and is reachable."
        case .closed(let closing): closing?.sentence ?? "The daemon closed the connection; try again."
        case .refused(let rejection): rejection.message
        }
    }
}
