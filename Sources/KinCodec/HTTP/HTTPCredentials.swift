/// What the field `Authorization` carries (RFC 9110 §11.6.2).
public enum HTTPCredentials: Sendable, Hashable {
    /// `Basic` (RFC 7617), UTF-8.
    case basic(user: String, password: String)
    /// `Bearer` (RFC 6750).
    case bearer(String)

    /// Reads the field's value; `nil` for another scheme or a malformed value.
    public init?(_ value: String) {
        return nil
    }
}

extension HTTPHeaders {
    /// The credentials of `Authorization`; `nil` when there are none, several, or they cannot be read.
    public var credentials: HTTPCredentials? {
        let values = values("Authorization")
        return values.count == 1 ? HTTPCredentials(values[0]) : nil
    }
}
