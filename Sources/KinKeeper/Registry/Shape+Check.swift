public import KinModel

extension Shape {
    /// Checks a value. `field` names it in the sentence (`slots[2].start`), and is only built when the value is
    /// refused.
    public func check(_ value: JSON, field: @autoclosure () -> String) throws(Rejection) {
        switch self {
        case .any: return
        case .named(_, let shape): try shape.check(value, field: field())
        case .nullable(let shape): if !value.isNull { try shape.check(value, field: field()) }
        case .either(let first, let second):
            if (try? first.check(value, field: field())) == nil { try second.check(value, field: field()) }
        case .id:
            guard value.identifier != nil else {
                throw Self.wrong(value, field(), "an identifier such as 01980000-0000-7000-8000-000000000000", .string)
            }
        case .time:
            guard value.instant != nil else {
                throw Self.wrong(value, field(), "a time such as 2026-11-20T18:04:05.000Z", .string)
            }
        case .line(let max):
            guard let text = value.string else { throw Self.wrongType(field(), "text") }
            try Text.check(text, field: field(), charactersMax: max, isOneLine: true)
        case .text(let max):
            guard let text = value.string else { throw Self.wrongType(field(), "text") }
            try Text.check(text, field: field(), charactersMax: max, isOneLine: false)
        case .secret(let max):
            guard let text = value.string else { throw Self.wrongType(field(), "text") }
            guard !text.isEmpty else { throw Rejection(.invalid, "\(field()) is empty.", field: field()) }
            guard text.utf8.count <= max else {
                throw Rejection(.tooLarge, "\(field()) is longer than \(max) bytes.", field: field())
            }
        case .token(let max):
            guard let text = value.string else { throw Self.wrongType(field(), "text") }
            guard (1...max).contains(text.utf8.count), Text.isPlainASCII(text) else {
                throw Rejection(
                    .invalid, "\(field()) must be 1 to \(max) characters of printable ASCII without spaces.",
                    field: field()
                )
            }
        case .username:
            guard let text = value.string else { throw Self.wrongType(field(), "text") }
            guard Text.isUsername(text) else {
                throw Rejection(
                    .invalid, "\(field()) must be 1 to 32 of the characters a–z, 0–9, dot, underscore and hyphen.",
                    field: field())
            }
        case .bool: guard value.bool != nil else { throw Self.wrongType(field(), "true or false") }
        case .integer(let bounds):
            guard value.double != nil else { throw Self.wrongType(field(), "a whole number") }
            guard let int = value.int, bounds.contains(int) else {
                throw Rejection(
                    .invalid, "\(field()) must be a whole number from \(bounds.lowerBound) to \(bounds.upperBound).",
                    field: field())
            }
        case .number(let bounds):
            guard let number = value.double else { throw Self.wrongType(field(), "a number") }
            guard number.isFinite, bounds.contains(number) else {
                throw Rejection(
                    .invalid, "\(field()) must be from \(bounds.lowerBound) to \(bounds.upperBound).", field: field())
            }
        case .oneOf(let words):
            guard let text = value.string else { throw Self.wrongType(field(), "text") }
            guard words.contains(where: { $0.hasSameBytes(as: text) }) else {
                throw Rejection(
                    .invalid, "\(field()) must be one of: \(words.joined(separator: ", ")).", field: field())
            }
        case .list(let shape, let max):
            guard let elements = value.array else { throw Self.wrongType(field(), "a list") }
            guard elements.count <= max else {
                throw Rejection(.tooLarge, "\(field()) holds \(elements.count) items; at most \(max).", field: field())
            }
            for (index, element) in elements.enumerated() {
                try shape.check(element, field: "\(field())[\(index)]")
            }
        case .object(let fields):
            guard let object = value.object else { throw Self.wrongType(field(), "an object") }
            try Self.check(object, fields: fields, within: field())
        }
    }

    /// The shape of each item of a list.
    package var item: Shape? { if case .list(let item, _) = self { item } else { nil } }

    /// The same list with items of any shape.
    private var ofAnyItems: Shape { if case .list(_, let max) = self { .list(.any, max: max) } else { self } }

    /// Checks an object's members: none unknown, none missing, each of its shape. The items of a long list may be left
    /// for later.
    public static func check(
        _ object: JSON.Object, fields: [Field], within: @autoclosure () -> String = "",
        besidesItemsOf list: String? = nil
    ) throws(Rejection) {
        func path(_ name: String) -> String {
            let outer = within()
            return outer.isEmpty ? name : "\(outer).\(name)"
        }
        for member in object.members {
            guard let field = fields.first(where: { $0.name.hasSameBytes(as: member.name) }) else {
                let path = path(member.name)
                let known = fields.map(\.name).joined(separator: ", ")
                throw Rejection(
                    .params,
                    known.isEmpty
                        ? "There is no parameter \(Text.quoted(path)) here; there are none at all."
                        : "There is no parameter \(Text.quoted(path)) here; there are: \(known).",
                    field: Text.quoted(path))
            }
            let shape = field.name == list ? field.shape.ofAnyItems : field.shape
            try shape.check(member.value, field: path(member.name))
        }
        for field in fields where field.isRequired && object[field.name] == nil {
            let path = path(field.name)
            throw Rejection(.params, "The parameter \(path) is missing.", field: path)
        }
    }

    private enum Wanted { case string }

    private static func wrong(_ value: JSON, _ field: String, _ example: String, _: Wanted) -> Rejection {
        value.string == nil
            ? wrongType(field, "text") : Rejection(.invalid, "\(field) must be \(example).", field: field)
    }

    private static func wrongType(_ field: String, _ wanted: String) -> Rejection {
        Rejection(.params, "\(field) must be \(wanted).", field: field)
    }
}
