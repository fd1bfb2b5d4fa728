/// Why the server ends a connection: WebSocket close codes (RFC 6455 §7.4), also sent as `closing` on the other
/// transports. 4000–4099 say "come back", 4100–4199 "do not". A number once shipped is never used for another thing.
public enum CloseCode: UInt16, Sendable, CaseIterable {
    /// The family was closed: there is nothing to come back to.
    case goingAway = 1001
    /// The peer broke a rule of this server.
    case policy = 1008
    /// A message was longer than the limit.
    case tooBig = 1009
    /// The daemon was stopped or starts anew; `retryAfter` says when to come back.
    case restarting = 1012
    /// Nobody signed in within the time for it: the connection is bad, or its user has nothing to say.
    case notSignedIn = 4002
    /// Too many connections of this address or member.
    case tooManyConnections = 4003
    /// Data waited and no byte was taken for too long; come back with your cursor.
    case tooSlow = 4008
    /// The session may now see other things: come back for a fresh snapshot.
    case sightChanged = 4009
    /// This session signed out.
    case signedOut = 4101
    /// This session was revoked.
    case sessionRevoked = 4102
    /// The member was removed.
    case memberRemoved = 4103

    /// The sentence that is sent with the code.
    public var reason: String {
        switch self {
        case .goingAway: "The family was closed; there is nothing to come back to."
        case .policy: "This breaks a rule of this server."
        case .tooBig: "The message is too long."
        case .restarting: "This daemon was stopped, or starts anew; come back soon."
        case .tooManyConnections: "There are too many connections; close some."
        case .tooSlow: "Nothing was taken for a minute; come back with your cursor."
        case .sightChanged: "What this session may see has changed; come back for a fresh snapshot."
        case .notSignedIn: "Nobody signed in within the time for it."
        case .signedOut: "Signed out."
        case .sessionRevoked: "This session was revoked."
        case .memberRemoved: "This member is no longer in the family."
        }
    }
}
