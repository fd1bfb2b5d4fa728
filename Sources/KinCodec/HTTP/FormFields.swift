/// Named texts of a query or form in their order (`application/x-www-form-urlencoded`, WHATWG URL §5).
public struct FormFields: Sendable {
    /// The fields, in order; a name may stand more than once.
    public private(set) var fields: [(name: String, value: String)]

    /// Fields given one by one.
    public init(_ fields: [(name: String, value: String)] = []) { self.fields = fields }

    /// Reads a form. `+` is a space; a `%` without two hexadecimal digits stands for itself, as in browsers; what is
    /// not UTF-8 becomes U+FFFD.
    public init(urlEncoded text: some Collection<UInt8>) {
        func decoded(_ part: some Collection<UInt8>) -> String {
            String(decoding: PercentEncoding.decode(part, lenient: true, plus: true) ?? [], as: UTF8.self)
        }
        fields = text.split(separator: UInt8(ascii: "&")).map { pair in
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return (decoded(pair), "") }
            return (decoded(pair[..<equals]), decoded(pair[pair.index(after: equals)...]))
        }
    }

    /// Reads a form given as a string.
    public init(urlEncoded text: String) { self.init(urlEncoded: text.utf8) }

    /// The first value of a name, names compared as bytes.
    public subscript(name: String) -> String? { fields.first { $0.name.utf8.elementsEqual(name.utf8) }?.value }

    /// All values of a name.
    public func values(_ name: String) -> [String] {
        fields.compactMap { $0.name.utf8.elementsEqual(name.utf8) ? $0.value : nil }
    }
}
