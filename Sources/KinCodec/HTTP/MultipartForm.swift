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
        throw HTTPFailure(415, "")
    }

    /// The first part of that name.
    public subscript(name: String) -> Part? { parts.first { $0.name.utf8.elementsEqual(name.utf8) } }
}
