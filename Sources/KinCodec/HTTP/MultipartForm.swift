/// A form with files (`multipart/form-data`, RFC 7578), for small uploads that are gathered first.
public struct MultipartForm: Sendable {
    /// A field or a file.
    public struct Part: Sendable, Hashable {
        /// The field's name.
        public let name: String
        /// The file's name as the browser gives it, never to be used as a path; `nil` for a plain field.
        public let fileName: String?
        /// The type as the browser gives it, in lower case and without parameters; `nil` when not given.
        public let contentType: String?
        /// The content.
        public let bytes: [UInt8]
        /// The content as text, if it is UTF-8.
        public var text: String? { String(validating: bytes, as: UTF8.self) }
    }

    /// The parts, in order.
    public let parts: [Part]

    /// Reads a whole body. The content type is the request's, with its `boundary`. Fails with 400, 413 or 415.
    public init(_ body: [UInt8], contentType: String, partsMax: Int = 32) throws(HTTPFailure) {
        guard let type = MediaType(contentType), type.name == "multipart/form-data" else {
            throw HTTPFailure(415, "The form must be sent as multipart/form-data.")
        }
        guard let boundary = type.parameters["boundary"], (1...70).contains(boundary.utf8.count) else {
            throw HTTPFailure(400, "The form's boundary is missing or malformed.")
        }
        let malformed = HTTPFailure(400, "The form is malformed.")
        let delimiter = Array("\r\n--\(boundary)".utf8)
        // The first delimiter may be at the very start, so a CRLF is put before it.
        let bytes = [0x0D, 0x0A] + body
        guard var place = Self.firstPlace(of: delimiter, in: bytes, from: 0) else { throw malformed }
        var parts: [Part] = []
        while true {
            var start = place + delimiter.count
            if bytes[start...].starts(with: "--".utf8) { break }
            while start < bytes.count, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
            guard bytes[start...].starts(with: [0x0D, 0x0A]),
                let next = Self.firstPlace(of: delimiter, in: bytes, from: start + 2)
            else { throw malformed }
            guard parts.count < partsMax else { throw HTTPFailure(413, "The form has too many parts.") }
            guard let part = Self.part(bytes[(start + 2)..<next]) else { throw malformed }
            parts.append(part)
            place = next
        }
        self.parts = parts
    }

    /// The first part of that name.
    public subscript(name: String) -> Part? { parts.first { $0.name.utf8.elementsEqual(name.utf8) } }

    private static func part(_ bytes: ArraySlice<UInt8>) -> Part? {
        var lines = HTTPFieldLines()
        let (consumed, step) = lines.consume(bytes.span, limits: HTTPLimits())
        guard case .end(let headers) = step, let disposition = headers["Content-Disposition"],
            let (kind, parameters) = MediaType.read(disposition), ASCII.equal(kind, "form-data"),
            let name = parameters["name"]
        else { return nil }
        return Part(
            name: unescaped(name), fileName: parameters["filename"].map(unescaped),
            contentType: headers["Content-Type"].flatMap { MediaType($0)?.name },
            bytes: Array(bytes.dropFirst(consumed)))
    }

    /// Browsers escape just these three in names (WHATWG HTML, multipart/form-data encoding).
    private static func unescaped(_ name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: "%")) else { return name }
        var out: [UInt8] = []
        var rest = Array(name.utf8)[...]
        while let byte = rest.first {
            let escapes: [(text: String, byte: UInt8)] = [("%22", 0x22), ("%0D", 0x0D), ("%0A", 0x0A)]
            if let escape = escapes.first(where: { rest.starts(with: $0.text.utf8) }) {
                out.append(escape.byte)
                rest = rest.dropFirst(3)
            } else {
                out.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// Where the delimiter first stands at or after `from`.
    private static func firstPlace(of delimiter: [UInt8], in bytes: [UInt8], from: Int) -> Int? {
        var from = from
        while let place = bytes.span.firstIndex(of: delimiter[0], from: from) {
            if bytes[place...].starts(with: delimiter) { return place }
            from = place + 1
        }
        return nil
    }
}
