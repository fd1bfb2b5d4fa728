import Testing

/// A column that is read by its name is selected under that name. The store says so too, but only when a row is there and
/// the line is reached; this one reads the lines that no test reaches.
@Suite struct ColumnTests {
    /// A name that is read, and what else stands between quotation marks where its statement may be.
    private static func unknown(in text: String, beside others: String) -> [String] {
        let reading =
            /(?:row|\$0)\.(?:isNull|byteCount|count|int|double|bool|instant|text|blob|identifier|optional\w+)\("(\w+)"\)/
        let names = Set(text.matches(of: reading).map { String($0.1) })
        let words = Set(
            others.replacing(reading, with: "").matches(of: /(?s)"""(.*?)"""|"((?:[^"\\\n]|\\.)*)"/).flatMap { match in
                (match.1 ?? match.2 ?? "").matches(of: /\w+/).map { String($0.0) }
            })
        return names.subtracting(words).sorted()
    }

    @Test func `every column that is read by name is selected in the same target`() {
        let files = SourceTree.swiftFiles.filter { $0.hasPrefix("Sources/") }
        let folders = Dictionary(grouping: files) { path in
            path.split(separator: "/").prefix(path.hasPrefix("Sources/Areas/") ? 3 : 2).joined(separator: "/")
        }
        for (folder, files) in folders.sorted(by: { $0.key < $1.key }) {
            let texts = files.map { SourceTree.text(of: $0) }.filter {
                $0.contains("KinStore") || folder.hasSuffix("KinStore")
            }
            let all = texts.joined(separator: "\n")
            #expect(Self.unknown(in: all, beside: all) == [], "\(folder)")
        }
    }

    @Test func `a misspelled name is found`() {
        let text = """
            try database.rows("SELECT id, kind FROM things") { row in (row.int("id"), row.optionalText("kid")) }
            """
        #expect(Self.unknown(in: text, beside: text) == ["kid"])
    }
}
