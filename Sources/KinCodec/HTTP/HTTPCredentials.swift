/// What the field `Authorization` carries (RFC 9110 §11.6.2).
public enum HTTPCredentials: Sendable, Hashable {
    /// `Basic` (RFC 7617), UTF-8.
    case basic(user: String, password: String)
    /// `Bearer` (RFC 6750).
    case bearer(String)

    /// Reads the field's value; `nil` for another scheme or a malformed value.
    public init?(_ value: String) {
        let value = value.utf8
        guard let space = value.firstIndex(of: 0x20) else { return nil }
        let scheme = String(decoding: value[..<space], as: UTF8.self)
        let rest = ASCII.trimmed(value[space...])
        if ASCII.equal(scheme, "Basic") {
            guard let bytes = Base64.decode(rest), let text = String(validating: bytes, as: UTF8.self),
                let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), !bytes.contains(0)
            else { return nil }
            self = .basic(user: String(text[..<colon]), password: String(text[text.utf8.index(after: colon)...]))
        } else if ASCII.equal(scheme, "Bearer") {
            // token68 (RFC 9110 §11.2).
            guard !rest.isEmpty, rest.utf8.allSatisfy({ ASCII.isToken68($0) }) else { return nil }
            self = .bearer(rest)
        } else {
            return nil
        }
    }
}

extension HTTPHeaders {
    /// The credentials of `Authorization`; `nil` when there are none, several, or they cannot be read.
    public var credentials: HTTPCredentials? {
        let values = values("Authorization")
        return values.count == 1 ? HTTPCredentials(values[0]) : nil
    }
}
