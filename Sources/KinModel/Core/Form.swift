/// The representation of one kind of value in JSON: its shape, its reader and its writer. The shape is strict, because
/// the daemon promises it. The reader accepts whatever can be understood, since another daemon may have larger bounds.
public struct Form<Value>: Sendable {
    /// What it looks like.
    public let shape: Shape
    let read: @Sendable (JSON) -> Value?
    let write: @Sendable (Value) -> JSON
    /// From and to a table.
    let readScalar: @Sendable (Scalar) -> Value?
    let writeScalar: @Sendable (Value) -> Scalar

    /// A form from its three parts.
    public init(
        _ shape: Shape, read: @escaping @Sendable (JSON) -> Value?, write: @escaping @Sendable (Value) -> JSON
    ) {
        self.init(shape, read: read, write: write, readScalar: { read($0.json) }, writeScalar: { .json(write($0)) })
    }

    private init(
        _ shape: Shape, read: @escaping @Sendable (JSON) -> Value?, write: @escaping @Sendable (Value) -> JSON,
        readScalar: @escaping @Sendable (Scalar) -> Value?, writeScalar: @escaping @Sendable (Value) -> Scalar
    ) {
        self.shape = shape
        self.read = read
        self.write = write
        self.readScalar = readScalar
        self.writeScalar = writeScalar
    }

    /// The same with another shape, which has a bound more.
    public func shaped(_ shape: Shape) -> Form {
        Form(shape, read: read, write: write, readScalar: readScalar, writeScalar: writeScalar)
    }

    /// The same, or `null`.
    public static func nullable<Wrapped>(_ form: Form<Wrapped>) -> Form where Value == Wrapped? {
        Form(
            .nullable(form.shape), read: { json in json.isNull ? .some(nil) : form.read(json).map { .some($0) } },
            write: { $0.map(form.write) ?? .null })
    }

    /// A list of at most `max`. Elements that cannot be read are left out.
    public static func list<Element>(_ element: Form<Element>, max: Int) -> Form where Value == [Element] {
        Form(
            .list(element.shape, max: max), read: { $0.array?.compactMap(element.read) },
            write: { .array($0.map(element.write)) })
    }
}

extension Form where Value == Identifier {
    /// An identifier.
    public static var id: Form {
        Form(
            .id, read: \.identifier, write: { .id($0) },
            readScalar: { if case .id(let id) = $0 { id } else { $0.json.identifier } }, writeScalar: { .id($0) })
    }
}

extension Form where Value == Instant {
    /// A moment.
    public static var time: Form {
        Form(
            .time, read: \.instant, write: { .time($0) },
            readScalar: { if case .time(let time) = $0 { time } else { $0.json.instant } }, writeScalar: { .time($0) })
    }
}

extension Form where Value == Bool {
    /// A truth value.
    public static var bool: Form { Form(.bool, read: \.bool, write: { .bool($0) }) }
}

extension Form where Value == String {
    /// One line of text for people, 1 to `max` characters.
    public static func line(max: Int) -> Form { text(.line(max: max)) }
    /// Text for people, 0 to `max` characters.
    public static func text(max: Int) -> Form { text(.text(max: max)) }
    /// Printable ASCII without spaces, 1 to `max` characters.
    public static func token(max: Int) -> Form { text(.token(max: max)) }
    /// The name of a member, a household or a device.
    public static var name: Form { line(max: Limits.nameCharactersMax) }
    /// Text of some shape.
    public static func text(_ shape: Shape) -> Form { Form(shape, read: \.string, write: { .string($0) }) }
}

extension Form where Value == Double {
    /// A number within bounds.
    public static func number(_ bounds: ClosedRange<Double>) -> Form {
        Form(.number(bounds), read: \.double, write: { .double($0) })
    }
}

extension Form where Value == Int64 {
    /// A whole number within bounds.
    public static func integer(_ bounds: ClosedRange<Int64>) -> Form {
        Form(.integer(bounds), read: \.int, write: { .int($0) })
    }
}

extension Form where Value == Int {
    /// A number of people or things. Read from 0 to a million, so that sums of them stay numbers.
    public static func count(max: Int) -> Form {
        Form(
            .integer(0...Int64(max)),
            read: { json in json.int.flatMap { (0...1_000_000).contains($0) ? Int($0) : nil } },
            write: { .int(Int64($0)) })
    }
}

extension Form where Value: RawRepresentable & CaseIterable & SendableMetatype, Value.RawValue == String {
    /// One of the words that the type has.
    public static var word: Form {
        Form(
            .oneOf(Value.allCases.map(\.rawValue)), read: { $0.string.flatMap { Value(rawValue: $0) } },
            write: { .string($0.rawValue) })
    }
}

extension Form where Value == JSON {
    /// Anything of a shape, as it is.
    public static func json(_ shape: Shape) -> Form { Form(shape, read: { $0 }, write: { $0 }) }
}

/// A field's value between a record and a table. In JSON identifiers and moments are texts; a table has the sixteen bytes
/// and the milliseconds, and so no text is made of them on the way.
public enum Scalar: Sendable {
    case id(Identifier)
    case time(Instant)
    /// Anything else.
    case json(JSON)

    /// The same as it is on the wire.
    public var json: JSON {
        switch self {
        case .id(let id): .id(id)
        case .time(let time): .time(time)
        case .json(let json): json
        }
    }
}
