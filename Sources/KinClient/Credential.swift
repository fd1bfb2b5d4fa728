public import KinModel

/// Who a connection shall be, said in its first message.
public enum Credential: Sendable, Hashable {
    /// Nobody; over the Unix socket, the machine.
    case none
    /// A session's token.
    case token(String)
    /// A member, over the Unix socket, by username.
    case member(String)

    /// The request that says so; `nil` when there is nothing to say.
    public var request: (method: String, params: JSON)? {
        switch self {
        case .none: nil
        case .token(let token): ("session.resume", ["token": .string(token)])
        case .member(let username): ("session.as", ["username": .string(username)])
        }
    }
}
