/// `%20` and the like (RFC 3986 §2.1).
public enum PercentEncoding {
    /// The bytes; `nil` for a `%` without two hexadecimal digits.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        nil
    }

    /// Everything but letters, digits and `-._~` escaped: good for a path's segment, a query's name or value.
    public static func encode(_ text: String) -> String {
        ""
    }
}
