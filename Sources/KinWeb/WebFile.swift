import KinCrypto

/// A file of the page, as browsers ask for it.
package struct WebFile: Sendable {
    /// Its media type, as the field `Content-Type` has it.
    package let type: String
    /// SHA-256 of its content.
    package let digest: [UInt8]
    /// How many bytes its content has.
    package let count: Int
    private let read: @Sendable () -> [UInt8]

    /// Its content, read anew each time: what lies in the program, or can be made again, is not kept in memory besides.
    package var content: [UInt8] { read() }

    package init(_ name: String, read: @escaping @Sendable () -> [UInt8]) {
        let ending = name.split(separator: ".").last ?? ""
        type = Self.types[String(ending)] ?? "application/octet-stream"
        let content = read()
        (digest, count) = (Digest.sha256(content), content.count)
        self.read = read
    }

    /// A content that is kept.
    package init(_ name: String, _ content: [UInt8]) { self.init(name) { content } }

    /// Whether compression makes it smaller: pictures are small already.
    package var isText: Bool { !type.hasPrefix("image/png") }

    private static let types = [
        "css": "text/css; charset=utf-8", "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "png": "image/png", "svg": "image/svg+xml", "webmanifest": "application/manifest+json",
    ]
}
