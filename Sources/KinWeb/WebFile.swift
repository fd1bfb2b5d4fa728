/// A file of the page, as browsers ask for it.
package struct WebFile: Sendable {
    /// Its media type, as the field `Content-Type` has it.
    package let type: String
    package let content: [UInt8]

    package init(_ name: String, _ content: [UInt8]) {
        let ending = name.split(separator: ".").last ?? ""
        type = Self.types[String(ending)] ?? "application/octet-stream"
        self.content = content
    }

    /// Whether compression makes it smaller: pictures are small already.
    package var isText: Bool { !type.hasPrefix("image/png") }

    private static let types = [
        "css": "text/css; charset=utf-8", "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "png": "image/png", "svg": "image/svg+xml", "webmanifest": "application/manifest+json",
    ]
}
