public import KinModel

extension Shape {
    /// The shape as JSON Schema (draft 2020-12, which OpenAPI 3.1 uses). Named shapes become references.
    public var schema: JSON {
        switch self {
        case .id: ["type": "string", "format": "uuid", "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"]
        case .time: ["type": "string", "format": "date-time"]
        case .line(let max): ["type": "string", "minLength": 1, "maxLength": .int(Int64(max))]
        case .text(let max): ["type": "string", "maxLength": .int(Int64(max))]
        case .secret(let max): ["type": "string", "minLength": 1, "maxLength": .int(Int64(max)), "format": "password"]
        case .token(let max):
            ["type": "string", "minLength": 1, "maxLength": .int(Int64(max)), "pattern": "^[!-~]+$"]
        case .username: ["type": "string", "pattern": "^[a-z0-9._-]{1,32}$"]
        case .bool: ["type": "boolean"]
        case .integer(let bounds):
            ["type": "integer", "minimum": .int(bounds.lowerBound), "maximum": .int(bounds.upperBound)]
        case .number(let bounds):
            ["type": "number", "minimum": .double(bounds.lowerBound), "maximum": .double(bounds.upperBound)]
        case .oneOf(let words): ["type": "string", "enum": .array(words.map { .string($0) })]
        case .list(let shape, let max): ["type": "array", "maxItems": .int(Int64(max)), "items": shape.schema]
        case .object(let fields): Self.objectSchema(fields)
        case .either(let first, let second): ["anyOf": [first.schema, second.schema]]
        case .nullable(let shape): ["anyOf": [shape.schema, ["type": "null"]]]
        case .named(let name, _): ["$ref": .string("#/components/schemas/\(name)")]
        case .any: [:]
        }
    }

    /// The schema of an object with these fields and no others.
    public static func objectSchema(_ fields: [Field]) -> JSON {
        var properties = JSON.Object()
        for field in fields {
            var schema = field.shape.schema
            // Objects are described by their own properties, and named shapes where they stand.
            if !field.summary.isEmpty || field.shape.isPlain { schema["description"] = .string(field.sentence) }
            properties.append(field.name, schema)
        }
        return [
            "type": "object", "additionalProperties": false, "properties": .object(properties),
            "required": .array(fields.filter(\.isRequired).map { .string($0.name) }),
        ]
    }

    /// Whether no object and no named shape stands in it.
    private var isPlain: Bool {
        switch self {
        case .object, .named, .any: false
        case .list(let shape, _), .nullable(let shape): shape.isPlain
        case .either(let first, let second): first.isPlain && second.isPlain
        default: true
        }
    }

    /// Every named shape within this one, itself included, by name.
    public var named: [String: Shape] {
        switch self {
        case .named(let name, let shape): shape.named.merging([name: shape]) { first, _ in first }
        case .list(let shape, _), .nullable(let shape): shape.named
        case .either(let first, let second): first.named.merging(second.named) { first, _ in first }
        case .object(let fields):
            fields.reduce(into: [:]) { all, field in all.merge(field.shape.named) { first, _ in first } }
        default: [:]
        }
    }
}

extension Field {
    /// The meaning of the field; where none is given, its form.
    package var sentence: String {
        guard summary.isEmpty else { return summary }
        let words = shape.words
        return words.prefix(1).uppercased() + words.dropFirst() + "."
    }
}
