import Testing

/// Columns are read by their names, and a name is one that is selected. The store says so too, but only when a row is
/// there and the line is reached; this one reads the lines that no test reaches.
@Suite struct ColumnTests {
    /// The files that may read rows, by their targets.
    private static var targets: [(folder: String, files: [(path: String, text: String)])] {
        let files = SourceTree.swiftFiles.filter { $0.hasPrefix("Sources/") }
        let folders = Dictionary(grouping: files) { path in
            path.split(separator: "/").prefix(path.hasPrefix("Sources/Areas/") ? 3 : 2).joined(separator: "/")
        }
        return folders.sorted { $0.key < $1.key }.map { folder, files in
            let texts = files.map { (path: $0, text: SourceTree.text(of: $0)) }
            return (folder, texts.filter { $0.text.contains("KinStore") || folder.hasSuffix("KinStore") })
        }
    }

    // MARK: Names

    /// A name that is read, and what else stands between quotation marks where its statement may be.
    private static func unknown(in text: String, beside others: String) -> [String] {
        let reading =
            /(?:row|stored|\$0)\.(?:isNull|byteCount|count|int|double|bool|instant|text|blob|identifier|word|code|list|optional\w+)\("(\w+)"[,)]/
        let names = Set(text.matches(of: reading).map { String($0.1) })
        let words = Set(
            others.replacing(reading, with: "").matches(of: /(?s)"""(.*?)"""|"((?:[^"\\\n]|\\.)*)"/).flatMap { match in
                (match.1 ?? match.2 ?? "").matches(of: /\w+/).map { String($0.0) }
            })
        return names.subtracting(words).sorted()
    }

    @Test func `every column that is read by name is selected in the same target`() {
        for (folder, files) in Self.targets {
            let all = files.map(\.text).joined(separator: "\n")
            #expect(Self.unknown(in: all, beside: all) == [], "\(folder)")
        }
    }

    @Test func `a misspelled name is found`() {
        let text = """
            try database.rows("SELECT id, kind FROM things") { row in (row.int("id"), row.optionalText("kid")) }
            """
        #expect(Self.unknown(in: text, beside: text) == ["kid"])
    }

    // MARK: Places

    /// Reads by a place from 1 on: such a result has two columns, and so each of them has a name.
    private static func placed(in text: String) -> [String] {
        let reading =
            /(?:\b[a-z]\w*|\$0)\.(?:isNull|byteCount|int|double|bool|instant|text|blob|identifier|word|code|list|optional\w+)\((\d+)[,)]/
        let direct = text.matches(of: reading).filter { (Int($0.1) ?? 1) >= 1 }.map { String($0.0) }
        let handed = text.matches(of: /\brow, (\d+)/).filter { (Int($0.1) ?? 1) >= 1 }.map { String($0.0) }
        return direct + handed
    }

    @Test func `a row of two or more columns is read by their names`() {
        for (_, files) in Self.targets {
            for (path, text) in files { #expect(Self.placed(in: text) == [], "\(path)") }
        }
    }

    @Test(arguments: [
        "row.int(1)", "$0.optionalText(10)", "stored.word(3)", "row.optionalText(5) {", "read(row, 8, 9)",
    ])
    func `a place from 1 on is found`(_ read: String) { #expect(Self.placed(in: "{ row in \(read) }").count == 1) }

    @Test(arguments: ["row.int(0)", "row.text(0)", "row.int(\"b2\")", "[.int(2), .text(\"a\")]", "words.dropFirst(2)"])
    func `what is no such place is left alone`(_ read: String) { #expect(Self.placed(in: read) == []) }
}
