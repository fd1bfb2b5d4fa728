/// The fields of a head in the order of their lines. Names are compared without regard to ASCII case (RFC 9110 §5.1).
public struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// One line.
    public struct Field: Sendable, Hashable {
        /// As sent.
        public let name: String
        /// Without white space around it; bytes that are not UTF-8 stand as U+FFFD.
        public let value: String

        /// A line.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The lines, in order.
    public private(set) var fields: [Field] = []

    /// No fields.
    public init() {}

    /// The fields as written, in order.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// Adds a line, also when there is one of that name.
    public mutating func append(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }

    /// The first value of that name. Assigning replaces all lines of that name by one, `nil` removes them.
    public subscript(name: String) -> String? {
        get { fields.first { ASCII.equal($0.name, name) }?.value }
        set {
            fields.removeAll { ASCII.equal($0.name, name) }
            if let newValue { append(name, newValue) }
        }
    }

    /// All values of that name, in order.
    public func values(_ name: String) -> [String] {
        fields.compactMap { ASCII.equal($0.name, name) ? $0.value : nil }
    }

    /// The elements of a comma-separated list, over all lines of that name, without white space around them and
    /// without empty ones (RFC 9110 §5.6.1). Not for fields with commas inside quotes.
    public func tokens(_ name: String) -> [String] {
        values(name).flatMap { $0.utf8.split(separator: UInt8(ascii: ",")).map(ASCII.trimmed) }.filter { !$0.isEmpty }
    }

    /// True when such a list has that token, in any case.
    public func has(_ name: String, token: String) -> Bool { tokens(name).contains { ASCII.equal($0, token) } }

    /// Appends each line with its CRLF. Control characters in a value become spaces, so that no value can end a line.
    public func write(to out: inout [UInt8]) {
        for field in fields {
            out += field.name.utf8
            out += ": ".utf8
            for byte in field.value.utf8 { out.append(byte < 0x20 && byte != 0x09 || byte == 0x7F ? 0x20 : byte) }
            out += "\r\n".utf8
        }
    }
}
