/// A media type with its parameters (RFC 9110 §8.3.1).
public struct MediaType: Sendable, Hashable {
    /// Type and subtype in lower case: `text/html`.
    public let name: String
    /// Parameters by their names in lower case; values as given, unquoted.
    public let parameters: [String: String]

    /// Reads a field such as `Content-Type`; `nil` when malformed.
    public init?(_ text: String) {
        return nil
    }
}
