/// The fields of a value, one line each, in the order of the wire, and how the value is made from them. Its shape,
/// reader and writer come from this list, so that no field is spelled twice:
///
///     public static let fields = Fields(
///         "Slot", Slot.init(id:start:end:),
///         .required("id", \.id, .id),
///         .required("start", \.start, .time),
///         .required("end", \.end, .time))
///
/// A value that has all fields of another among its own names that other in one line: `.all(of: \.slot)`.
public struct Fields<Value: Sendable>: Sendable {
    /// The fields as shapes see them.
    public let list: [Field]
    /// An object of them; with a name of its own among the schemas where the list has one.
    public let shape: Shape
    fileprivate let writers: [@Sendable (Value) -> JSON?]
    @usableFromInline let scalars: [@Sendable (Value) -> Scalar?]
    private let make: @Sendable (_ part: (String) -> Scalar?) -> Value?

    /// A list of fields. `make` takes their values in the order of the list.
    public init<each Part>(
        _ name: String?, _ make: @escaping @Sendable (repeat each Part) -> Value,
        _ field: repeat FieldOf<Value, each Part>
    ) {
        var list: [Field] = []
        var writers: [@Sendable (Value) -> JSON?] = []
        var scalars: [@Sendable (Value) -> Scalar?] = []
        repeat list.append(contentsOf: (each field).list)
        repeat writers.append(contentsOf: (each field).writers)
        repeat scalars.append(contentsOf: (each field).scalars)
        self.list = list
        self.writers = writers
        self.scalars = scalars
        shape = name.map { .named($0, .object(list)) } ?? .object(list)
        self.make = { part in
            do throws(FieldMissing) {
                return make(repeat try (each field).part(of: part))
            } catch {
                return nil
            }
        }
    }

    func read(_ json: JSON) -> Value? {
        guard let object = json.object else { return nil }
        return make { object[$0].map(Scalar.json) }
    }

    func write(_ value: Value) -> JSON {
        var object = JSON.Object()
        object.reserveCapacity(list.count)
        for index in list.indices {
            if let part = writers[index](value) { object.append(list[index].name, part) }
        }
        return .object(object)
    }

    // MARK: Without JSON

    /// A value from something else than an object of JSON, such as the row of a table. `part` is asked for each field, by
    /// its name, in the order of the list. `nil` where a part that must be there is missing or of the wrong kind.
    public func value(of part: (_ field: String) -> Scalar?) -> Value? { make(part) }

    /// One part of a value, by the place of its field in the list; `nil` where it is left out.
    @inlinable
    public func part(_ place: Int, of value: Value) -> Scalar? { scalars[place](value) }
}

/// One field of a value: its name on the wire, where it stands in the value, and its form. Or all fields of a part.
public struct FieldOf<Value, Part>: Sendable {
    fileprivate let list: [Field]
    fileprivate let writers: [@Sendable (Value) -> JSON?]
    fileprivate let scalars: [@Sendable (Value) -> Scalar?]
    private let read: @Sendable (_ part: (String) -> Scalar?) -> Part?

    fileprivate func part(of value: (String) -> Scalar?) throws(FieldMissing) -> Part {
        guard let part = read(value) else { throw FieldMissing() }
        return part
    }

    /// A field that must be there. `absent` stands for it where a daemon of an earlier version left it out.
    public static func required(
        _ name: String, _ part: @escaping @Sendable (Value) -> Part, _ form: Form<Part>, _ summary: String = "",
        absent: Part? = nil
    ) -> FieldOf where Part: Sendable {
        FieldOf(
            list: [.required(name, form.shape, summary)], writers: [{ form.write(part($0)) }],
            scalars: [{ form.writeScalar(part($0)) }], read: { $0(name).flatMap(form.readScalar) ?? absent })
    }

    /// A field that is left out where the value has `nil`. What cannot be read is `nil` too.
    public static func optional<Wrapped>(
        _ name: String, _ part: @escaping @Sendable (Value) -> Wrapped?, _ form: Form<Wrapped>, _ summary: String = ""
    ) -> FieldOf where Part == Wrapped? {
        FieldOf(
            list: [.optional(name, form.shape, summary)], writers: [{ part($0).map(form.write) }],
            scalars: [{ part($0).map(form.writeScalar) }], read: { .some($0(name).flatMap(form.readScalar)) })
    }

    /// All fields of a part that has a list of its own. They stand among those of the value, without an object around
    /// them.
    public static func all(of part: @escaping @Sendable (Value) -> Part) -> FieldOf where Part: WireRecord {
        let fields = Part.fields
        return FieldOf(
            list: fields.list, writers: fields.writers.map { write in { write(part($0)) } },
            scalars: fields.scalars.map { scalar in { scalar(part($0)) } }, read: { fields.value(of: $0) })
    }
}

private struct FieldMissing: Error {}
