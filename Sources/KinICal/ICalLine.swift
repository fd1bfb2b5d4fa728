/// One content line of iCalendar or vCard (RFC 5545, 3.1), unfolded: a name, parameters and a value. It is kept to the
/// letter, whoever's extension it is, so that it can be given back as it came.
public struct ICalLine: Sendable, Hashable, CustomStringConvertible {
    /// The line, without its end.
    public let description: String
    /// The property's name in capitals.
    public let name: String
    /// The value as it stands there, escaped.
    public let value: String
    /// The parameters in their order: names in capitals, values without quotes.
    public let parameters: [Parameter]

    /// A parameter of a line.
    public struct Parameter: Sendable, Hashable {
        /// Its name in capitals.
        public let name: String
        /// Its values, without quotes.
        public let values: [String]

        /// A parameter.
        public init(_ name: String, _ values: String...) {
            self.name = name
            self.values = values
        }

        init(name: String, values: [String]) {
            self.name = name
            self.values = values
        }
    }

    /// Reads an unfolded line; `nil` for what is no content line.
    public init?(_ line: some StringProtocol) {
        let bytes = Array(line.utf8)
        var at = 0
        func token() -> String? {
            let start = at
            while at < bytes.count, Self.isNameByte(bytes[at]) { at += 1 }
            return at > start ? String(decoding: bytes[start..<at], as: UTF8.self).uppercased() : nil
        }
        guard var name = token() else { return nil }
        // vCards group lines by a word before a dot.
        if at < bytes.count, bytes[at] == UInt8(ascii: ".") {
            at += 1
            guard let behind = token() else { return nil }
            name = behind
        }
        var parameters: [Parameter] = []
        while at < bytes.count, bytes[at] == UInt8(ascii: ";") {
            at += 1
            guard let name = token(), at < bytes.count, bytes[at] == UInt8(ascii: "=") else { return nil }
            var values: [String] = []
            repeat {
                at += 1
                let start = at
                if at < bytes.count, bytes[at] == UInt8(ascii: "\"") {
                    guard let end = bytes[(at + 1)...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
                    values.append(String(decoding: bytes[(at + 1)..<end], as: UTF8.self))
                    at = end + 1
                } else {
                    while at < bytes.count, !Self.endsParameter(bytes[at]) { at += 1 }
                    values.append(String(decoding: bytes[start..<at], as: UTF8.self))
                }
            } while at < bytes.count && bytes[at] == UInt8(ascii: ",")
            parameters.append(Parameter(name: name, values: values))
        }
        guard at < bytes.count, bytes[at] == UInt8(ascii: ":") else { return nil }
        description = String(line)
        self.name = name
        self.parameters = parameters
        value = String(decoding: bytes[(at + 1)...], as: UTF8.self)
    }

    /// A line that is made here. What may stand in no line is left out: control characters, and quotes in parameters.
    public init(_ name: String, _ parameters: [Parameter] = [], value: String) {
        func clean(_ text: String) -> String {
            if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) { return text }
            return String(
                String.UnicodeScalarView(
                    text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F || $0 == "\t" }))
        }
        func withoutQuotes(_ text: String) -> String {
            guard text.utf8.contains(UInt8(ascii: "\"")) else { return text }
            return String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\"" }))
        }
        let cleaned = parameters.map { parameter in
            Parameter(name: parameter.name, values: parameter.values.map { withoutQuotes(clean($0)) })
        }
        var line = name
        for parameter in cleaned {
            let values = parameter.values.map { value in
                value.utf8.contains { Self.endsParameter($0) } ? "\"\(value)\"" : value
            }
            line += ";\(parameter.name)=\(values.joined(separator: ","))"
        }
        self.name = name
        self.parameters = cleaned
        self.value = clean(value)
        description = line + ":" + self.value
    }

    /// A line with a text as its value, which is escaped.
    public init(_ name: String, _ parameters: [Parameter] = [], text: String) {
        self.init(name, parameters, value: ICalText.escaped(text))
    }

    /// The first value of a parameter.
    public subscript(parameter: String) -> String? { parameters.first { $0.name == parameter }?.values.first }

    /// The value as a text.
    public var text: String { ICalText.unescaped(value) }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_")
    }

    private static func endsParameter(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ";") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ",")
            || byte == UInt8(ascii: "\"")
    }
}
