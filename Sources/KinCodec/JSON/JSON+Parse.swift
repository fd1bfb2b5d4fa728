import CJansson
public import KinModel

extension JSON {
    /// What to do with a name that stands twice in one object.
    public enum DuplicatePolicy: Sendable, Hashable {
        /// An error, as everywhere in Kinwire's own protocol.
        case refused
        /// The last value counts, in the first one's place: for phone apps.
        case lastWins
    }

    /// Arrays and objects inside one another, unless the caller says otherwise.
    public static var depthMaxDefault: Int { 32 }

    /// Reads one JSON value (RFC 8259), any kind of value, and nothing after it but white space.
    ///
    /// UTF-8 is checked; NUL in a string or name is refused; an integer past Int64 is an error, not a rounded number.
    public static func parse(
        _ bytes: Span<UInt8>, depthMax: Int = depthMaxDefault, duplicates: DuplicatePolicy = .refused
    ) throws(JSONFailure) -> JSON {
        throw JSONFailure(.syntax, at: 0)
    }

    /// The same over an array.
    public static func parse(
        _ bytes: [UInt8], depthMax: Int = depthMaxDefault, duplicates: DuplicatePolicy = .refused
    ) throws(JSONFailure) -> JSON {
        try parse(bytes.span, depthMax: depthMax, duplicates: duplicates)
    }

    /// The same over a string.
    public static func parse(
        _ text: String, depthMax: Int = depthMaxDefault, duplicates: DuplicatePolicy = .refused
    ) throws(JSONFailure) -> JSON {
        try parse(Array(text.utf8), depthMax: depthMax, duplicates: duplicates)
    }
}
