/// A value that goes over the wire: what it looks like there, the way out, and the way in.
public protocol WireValue: Sendable, Hashable {
    /// The form of the value as JSON, which the daemon promises, checks and documents.
    static var shape: Shape { get }
    /// Reads it; `nil` where something that must be there is missing or of the wrong kind. What it does not know is
    /// passed over, since a newer daemon may send more.
    init?(_ json: JSON)
    /// The value as JSON.
    var json: JSON { get }
}

/// A wire value whose fields stand in one list: shape, reader and writer come from it.
public protocol WireRecord: WireValue {
    /// The list.
    static var fields: Fields<Self> { get }
}

extension WireRecord {
    /// What the list says.
    public static var shape: Shape { fields.shape }

    /// Reads what ``json`` writes.
    public init?(_ json: JSON) {
        guard let value = Self.fields.read(json) else { return nil }
        self = value
    }

    /// An object with the fields in the order of the list, without those that are `nil`.
    public var json: JSON { Self.fields.write(self) }
}

extension WireValue {
    /// How it stands as part of another value.
    public static var form: Form<Self> { Form(shape, read: { Self($0) }, write: { $0.json }) }
}

/// `{}`: an event that says all by its type and by what it is about.
public struct Nothing: WireRecord {
    /// Nothing.
    public init() {}

    /// None.
    public static let fields = Fields(nil, Nothing.init)
}
