/// The form that a JSON value must have. It is declared once. Requests are checked against it, and OpenAPI and JSON
/// Schema are made from it.
public indirect enum Shape: Sendable {
    /// An identifier (UUIDv7, lower case).
    case id
    /// A moment (RFC 3339).
    case time
    /// One line of text for people to read, 1 to `max` characters (Unicode scalars).
    case line(max: Int)
    /// Text for people that may have several lines, 0 to `max` characters.
    case text(max: Int)
    /// A secret: a password, token or code; any characters, 1 to `max` bytes of UTF-8.
    case secret(max: Int)
    /// Printable ASCII without spaces, 1 to `max` characters: tokens, cursors, scopes.
    case token(max: Int)
    /// `[a-z0-9._-]{1,32}`.
    case username
    /// A truth value.
    case bool
    /// An integer within bounds.
    case integer(ClosedRange<Int64>)
    /// A finite number within bounds.
    case number(ClosedRange<Double>)
    /// One of these words.
    case oneOf([String])
    /// A list of at most `max`.
    case list(Shape, max: Int)
    /// An object with these fields and no others.
    case object([Field])
    /// Either of two shapes; the first that fits.
    case either(Shape, Shape)
    /// The shape or `null`.
    case nullable(Shape)
    /// A shape with a name of its own among the schemas.
    case named(String, Shape)
    /// Any JSON, for results that are described elsewhere.
    case any
}

extension Shape {
    /// Whether values of it are secrets, which are kept in no form but their own.
    package var isSecret: Bool {
        switch self {
        case .secret: true
        case .nullable(let shape), .named(_, let shape): shape.isSecret
        default: false
        }
    }
}

/// One field of an object: a parameter, or part of a result.
public struct Field: Sendable {
    /// Its name on the wire.
    public let name: String
    /// What it has to look like.
    public let shape: Shape
    /// Whether it may be left out.
    public let isRequired: Bool
    /// What it means, with its unit.
    public let summary: String

    /// A field that must be there.
    public static func required(_ name: String, _ shape: Shape, _ summary: String = "") -> Field {
        Field(name: name, shape: shape, isRequired: true, summary: summary)
    }

    /// A field that may be left out.
    public static func optional(_ name: String, _ shape: Shape, _ summary: String = "") -> Field {
        Field(name: name, shape: shape, isRequired: false, summary: summary)
    }
}
