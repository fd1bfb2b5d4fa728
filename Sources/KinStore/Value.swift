public import KinModel

/// A value bound to a statement. SQLite's five kinds, and how Kinwire's own values are stored as them.
public enum Value: Sendable, Equatable {
    /// SQL's NULL.
    case null
    /// A 64-bit integer.
    case int(Int64)
    /// A 64-bit floating-point number; NaN becomes NULL.
    case double(Double)
    /// Text in UTF-8.
    case text(String)
    /// Bytes.
    case blob([UInt8])

    /// An identifier: a blob of sixteen bytes.
    public static func id(_ identifier: Identifier) -> Value { .blob(identifier.bytes) }
    /// A moment: milliseconds since 1970 in an integer.
    public static func time(_ instant: Instant) -> Value { .int(instant.milliseconds) }
    /// A truth value: 1 or 0.
    public static func bool(_ value: Bool) -> Value { .int(value ? 1 : 0) }
}

extension Value {
    /// An integer, or NULL for `nil`.
    public init(_ value: Int64?) { self = value.map { .int($0) } ?? .null }
    /// An integer, or NULL for `nil`.
    public init(_ value: Int?) { self = value.map { .int(Int64($0)) } ?? .null }
    /// An integer, or NULL for `nil`.
    public init(_ value: Int32?) { self = value.map { .int(Int64($0)) } ?? .null }
    /// A number, or NULL for `nil`.
    public init(_ value: Double?) { self = value.map { .double($0) } ?? .null }
    /// A text, or NULL for `nil`.
    public init(_ value: String?) { self = value.map { .text($0) } ?? .null }
    /// Bytes, or NULL for `nil`.
    public init(_ value: [UInt8]?) { self = value.map { .blob($0) } ?? .null }
    /// A truth value, or NULL for `nil`.
    public init(_ value: Bool?) { self = value.map { .bool($0) } ?? .null }
    /// An identifier, or NULL for `nil`.
    public init(_ value: Identifier?) { self = value.map { .id($0) } ?? .null }
    /// A moment, or NULL for `nil`.
    public init(_ value: Instant?) { self = value.map { .time($0) } ?? .null }
}

extension Value: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
    /// A number written in the source.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// A text written in the source.
    public init(stringLiteral value: String) { self = .text(value) }
    /// NULL.
    public init(nilLiteral: ()) { self = .null }
}
