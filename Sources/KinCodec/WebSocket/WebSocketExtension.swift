/// One extension that a client offers or a server chose (RFC 6455 §9.1).
struct WebSocketExtension: Sendable, Hashable {
    /// `name`, or `name=value`; quotes are taken off.
    struct Parameter: Sendable, Hashable {
        let name: String
        let value: String?
    }

    /// As sent; compared without regard to case.
    let name: String
    /// As sent, in order, repeats included.
    let parameters: [Parameter]

    /// All of them in the client's order, over all lines of `Sec-WebSocket-Extensions`; `nil` when a line is malformed.
    static func list(_ headers: HTTPHeaders) -> [WebSocketExtension]? {
        var all: [WebSocketExtension] = []
        for line in headers.values("Sec-WebSocket-Extensions") {
            var reader = Reader(bytes: Array(line.utf8))
            while true {
                // Empty elements of a list count for nothing (RFC 9110 §5.6.1).
                while reader.takes(",") {}
                if reader.isAtEnd { break }
                guard let one = reader.element(), reader.isAtEnd || reader.takes(",") else { return nil }
                all.append(one)
            }
        }
        return all
    }

    private struct Reader {
        let bytes: [UInt8]
        var index = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        var isAtEnd: Bool {
            mutating get {
                skipSpace()
                return index == bytes.count
            }
        }

        mutating func skipSpace() {
            while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
        }

        mutating func takes(_ separator: Unicode.Scalar) -> Bool {
            skipSpace()
            guard index < bytes.count, bytes[index] == UInt8(ascii: separator) else { return false }
            index += 1
            return true
        }

        mutating func token() -> String? {
            skipSpace()
            let start = index
            while index < bytes.count, ASCII.isToken(bytes[index]) { index += 1 }
            return index > start ? String(decoding: bytes[start..<index], as: UTF8.self) : nil
        }

        mutating func element() -> WebSocketExtension? {
            guard let name = token() else { return nil }
            var parameters: [Parameter] = []
            while takes(";") {
                guard let name = token() else { return nil }
                var value: String?
                if takes("=") {
                    value = takes("\"") ? quoted() : token()
                    if value == nil { return nil }
                }
                parameters.append(Parameter(name: name, value: value))
            }
            return WebSocketExtension(name: name, parameters: parameters)
        }

        /// What stands in quotes must be a token, too (§9.1).
        mutating func quoted() -> String? {
            var text: [UInt8] = []
            while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                if bytes[index] == UInt8(ascii: "\\") { index += 1 }
                guard index < bytes.count, ASCII.isToken(bytes[index]) else { return nil }
                text.append(bytes[index])
                index += 1
            }
            guard index < bytes.count, !text.isEmpty else { return nil }
            index += 1
            return String(decoding: text, as: UTF8.self)
        }
    }
}
