/// One `import` of a Swift file.
struct Import {
    let module: String
    let isPublic: Bool
    let line: Int

    /// Reads `import A`, `public import A`, `@testable import A`, `import struct A.B`; `nil` for any other line.
    init?(_ line: Line) {
        var words = line.code.split(separator: " ")[...]
        while words.first?.hasPrefix("@") == true { words.removeFirst() }
        var isPublic = false
        if let access = words.first, ["public", "package", "internal", "fileprivate", "private"].contains(access) {
            isPublic = access == "public"
            words.removeFirst()
        }
        guard words.first == "import" else { return nil }
        words.removeFirst()
        let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
        if let kind = words.first, kinds.contains(kind) { words.removeFirst() }
        guard let module = words.first?.split(separator: ".").first else { return nil }
        self.module = String(module)
        self.isPublic = isPublic
        self.line = line.number
    }

    /// The imports of Swift text; a program of another language in a literal of several lines is not read.
    static func all(in lines: [Line]) -> [Import] {
        var isLiteral = false
        return lines.compactMap { line in
            if line.text.contains("\"\"\"") { isLiteral.toggle() }
            guard !isLiteral, line.text.contains("import ") else { return nil }
            return Import(line)
        }
    }

    static func all(in path: String) -> [Import] { all(in: SourceTree.lines(of: path)) }
}
