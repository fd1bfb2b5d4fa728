import Glibc
import Testing

/// A page of the target's documentation that is made from the program: the tests compare it, or write it anew when
/// `KINWIRE_WRITE_DOCS` is set.
struct Documentation {
    private let path: String

    /// The top of the tree.
    static let tree = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/")

    /// A page of a target's catalogue.
    init(_ name: String, of target: String = "KinServer") {
        let catalogue = target.hasPrefix("Areas/") ? "Kin\(target.dropFirst("Areas/".count))" : target
        path = Self.tree + "/Sources/\(target)/\(catalogue).docc/\(name).md"
    }

    func expect(_ text: String, _ location: SourceLocation = #_sourceLocation) throws {
        if getenv("KINWIRE_WRITE_DOCS") != nil {
            let file = try #require(fopen(path, "w"))
            fputs(text, file)
            fclose(file)
        }
        let isRight = try self.text == text
        #expect(isRight, "\(path) is out of date; it should be:\n\(text)", sourceLocation: location)
    }

    /// The page as it is.
    var text: String { get throws { try Self.text(path) } }

    /// A text of the tree.
    static func text(_ path: String) throws -> String {
        let file = try #require(fopen(path, "r"), "there is no \(path)")
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
