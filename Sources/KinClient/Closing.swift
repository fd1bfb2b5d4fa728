public import KinModel

/// How the daemon ended a connection: the `closing` notification of the line protocol, or a WebSocket close frame.
public struct Closing: Sendable, Hashable {
    /// A close code of RFC 6455 §7.4.1, or of Kinwire's own: 4000–4099 come back, 4100–4199 do not.
    public let code: Int
    /// Why, for people; may be empty.
    public let reason: String
    /// Seconds until it makes sense to come back; `nil` when nothing was said.
    public let retryAfter: Int?

    /// A closing.
    public init(code: Int, reason: String = "", retryAfter: Int? = nil) {
        self.code = code
        self.reason = reason
        self.retryAfter = retryAfter
    }

    /// Reads the `params` of a `closing` notification.
    public init?(_ params: JSON.Object) {
        guard let code = params["code"]?.int.flatMap({ Int(exactly: $0) }) else { return nil }
        self.init(
            code: code, reason: params["reason"]?.string ?? "",
            retryAfter: params["retryAfter"]?.int.flatMap { Int(exactly: $0) })
    }

    /// Whether there is nothing to come back to: the family was closed, or the member signed out, revoked, removed.
    /// Everything else comes back.
    public var isFinal: Bool { code == 1001 || (4100...4199).contains(code) }

    private static let whole: Set = [1001, 1009, 1012, 4002, 4003, 4008, 4009, 4101, 4102, 4103]

    /// The same for a person.
    public var sentence: String {
        let why =
            switch code {
            case 1001: "The family was closed"
            case 1008: "The daemon refused the connection"
            case 1009: "The daemon found a message too large"
            case 1012: "The daemon was stopped, or is starting anew"
            case 4002: "Nobody signed in within the time for it"
            case 4003: "This member has too many connections"
            case 4008: "The connection was too slow"
            case 4009: "What this session may see has changed"
            case 4101: "You were signed out"
            case 4102: "This session was revoked"
            case 4103: "This member was removed from the family"
            default: "The daemon closed the connection (code \(code))"
            }
        // Where the code says everything, the daemon's own reason would only repeat it.
        let saysAll = Self.whole.contains(code)
        return reason.isEmpty || saysAll ? "\(why)." : "\(why): \(reason)"
    }
}
