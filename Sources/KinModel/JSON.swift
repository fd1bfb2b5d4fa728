/// A JSON value (RFC 8259). Objects keep the order of their members, because bytes on the wire are compared.
///
/// Integers within Int64 stay exact; everything else numeric is a `Double`.
public enum JSON: Sendable, Hashable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([JSON])
    case object(Object)

    /// Members of a JSON object in the order they were written. Names are compared as bytes, not by Swift's
    /// canonical equivalence: U+212A (Kelvin) is not `K` on the wire.
    public struct Object: Sendable, Hashable, ExpressibleByDictionaryLiteral {
        /// The members, in order.
        public private(set) var members: [(name: String, value: JSON)] = []

        /// An empty object.
        public init() {}

        /// An object of literal members, in the order written.
        public init(dictionaryLiteral elements: (String, JSON)...) {
            members = elements.map { (name: $0.0, value: $0.1) }
        }

        /// Appends a member without looking for an earlier one of that name: for parsers that refuse duplicates.
        public mutating func append(_ name: String, _ value: JSON) {
            members.append((name: name, value: value))
        }

        /// Makes room for so many members in one go.
        public mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }

        /// The value under a name; assigning `nil` removes the member, assigning a value replaces in place or appends.
        public subscript(name: String) -> JSON? {
            get { members.first { $0.name.hasSameBytes(as: name) }?.value }
            set {
                let index = members.firstIndex { $0.name.hasSameBytes(as: name) }
                switch (index, newValue) {
                case (let index?, let value?): members[index].value = value
                case (let index?, nil): members.remove(at: index)
                case (nil, let value?): members.append((name: name, value: value))
                case (nil, nil): break
                }
            }
        }

        /// The member names, in order.
        public var names: [String] { members.map(\.name) }

        /// Equal when the same members stand in any order, as JSON has it.
        public static func == (left: Self, right: Self) -> Bool {
            left.members.count == right.members.count
                && left.members.allSatisfy { member in right[member.name] == member.value }
        }

        /// Hashes without regard to order.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(members.count)
        }
    }
}

extension String {
    /// Whether both are the same bytes of UTF-8, which is less than Swift's `==`, for which a letter and its parts are
    /// one. Different ones, as most are where a name is looked for, cost next to nothing: `==` compares short strings
    /// as two words.
    public func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
    }
}

extension JSON {
    /// Equal values of the same kind. Strings are compared as bytes, like names; `1` and `1.0` differ.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral, ExpressibleByFloatLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An integer.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// A number with a fraction.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An array.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    /// An object whose members stand in the order written.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        var object = Object()
        object.reserveCapacity(elements.count)
        for (name, value) in elements { object.append(name, value) }
        self = .object(object)
    }
    /// The JSON `null`.
    public init(nilLiteral: ()) { self = .null }
}

extension JSON {
    /// The members if this is an object.
    public var object: Object? { if case .object(let object) = self { object } else { nil } }
    /// The elements if this is an array.
    public var array: [JSON]? { if case .array(let array) = self { array } else { nil } }
    /// The text if this is a string.
    public var string: String? { if case .string(let string) = self { string } else { nil } }
    /// The truth value if this is one.
    public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
    /// The number if this is one; an integer beyond 2⁵³ loses its last digits.
    public var double: Double? {
        switch self {
        case .int(let int): Double(int)
        case .double(let double): double
        default: nil
        }
    }
    /// The integer if this is a number without a fraction that fits (1.0 counts, as in JSON Schema).
    public var int: Int64? {
        switch self {
        case .int(let int): int
        case .double(let double): Int64(exactly: double)
        default: nil
        }
    }
    /// True for `null`.
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// The value of a member, `nil` when absent or when this is no object. Assigning to anything but an object
    /// makes it one.
    public subscript(name: String) -> JSON? {
        get { object?[name] }
        set {
            var object = self.object ?? Object()
            object[name] = newValue
            self = .object(object)
        }
    }

    /// The same value without members that are `nil`: for writing optional fields.
    public static func object(leavingOut members: KeyValuePairs<String, JSON?>) -> JSON {
        var object = Object()
        object.reserveCapacity(members.count)
        for (name, value) in members { if let value { object.append(name, value) } }
        return .object(object)
    }
}
