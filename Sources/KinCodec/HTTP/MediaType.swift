/// A media type with its parameters (RFC 9110 §8.3.1).
public struct MediaType: Sendable, Hashable {
    /// Type and subtype in lower case: `text/html`.
    public let name: String
    /// Parameters by their names in lower case; values as given, unquoted.
    public let parameters: [String: String]

    /// Reads a field such as `Content-Type`; `nil` when malformed.
    public init?(_ text: String) {
        guard let (name, parameters) = Self.read(text) else { return nil }
        let slash = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard slash.count == 2, slash.allSatisfy({ !$0.isEmpty && $0.allSatisfy(ASCII.isToken) }) else { return nil }
        self.name = ASCII.lowercased(name)
        self.parameters = parameters
    }

    /// `value; name=token; name="quoted"`, as in several fields. A name that stands twice makes it malformed.
    static func read(_ text: String) -> (value: String, parameters: [String: String])? {
        let bytes = Array(text.utf8)
        var index = bytes.firstIndex(of: UInt8(ascii: ";")) ?? bytes.count
        let value = ASCII.trimmed(bytes[..<index])
        var parameters: [String: String] = [:]
        func skipSpace() { while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 } }
        func token() -> String {
            let start = index
            while index < bytes.count, ASCII.isToken(bytes[index]) { index += 1 }
            return String(decoding: bytes[start..<index], as: UTF8.self)
        }
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: ";") else { return nil }
            index += 1
            skipSpace()
            if index == bytes.count || bytes[index] == UInt8(ascii: ";") { continue }
            let name = ASCII.lowercased(token())
            guard !name.isEmpty, index < bytes.count, bytes[index] == UInt8(ascii: "=") else { return nil }
            index += 1
            var value: [UInt8] = []
            if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
                index += 1
                while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                    // Only quotes and backslashes are escaped; browsers send lone backslashes in file names.
                    if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count,
                        bytes[index + 1] == UInt8(ascii: "\"") || bytes[index + 1] == UInt8(ascii: "\\")
                    {
                        index += 1
                    }
                    value.append(bytes[index])
                    index += 1
                }
                guard index < bytes.count else { return nil }
                index += 1
            } else {
                value = Array(token().utf8)
                guard !value.isEmpty else { return nil }
            }
            guard parameters.updateValue(String(decoding: value, as: UTF8.self), forKey: name) == nil else {
                return nil
            }
            skipSpace()
        }
        return (value, parameters)
    }
}
