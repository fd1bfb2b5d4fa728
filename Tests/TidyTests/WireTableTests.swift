import Testing

/// The numbers clients meet stand in two tables of the code, and people read them on one page.
@Suite struct WireTableTests {
    static let page = "Sources/KinServer/KinServer.docc/WireProtocol.md"

    /// The files of the tables, in whichever target they lie.
    static let tables = SourceTree.swiftFiles.filter {
        $0.hasSuffix("/CloseCode.swift") || $0.hasSuffix("/Rejection.swift")
    }

    /// The numbers a table's code gives out: JSON-RPC's −32xxx and those of four digits.
    static func numbers(in lines: [Line]) -> Set<String> {
        let found = lines.flatMap { line in
            line.code.matches(of: /(?:=|\(|return|:) ?(-32\d{3}|-32_\d{3}|[1-4]\d{3})\b/).map(\.output.1)
        }
        return Set(found.map { $0.filter { $0 != "_" } })
    }

    @Test(.enabled(if: SourceTree.exists(page), "the page comes with the server"), arguments: tables)
    func `every number a client can meet is on the page about the wire`(table: String) {
        let page = SourceTree.text(of: Self.page).replacing("−", with: "-")
        let numbers = Self.numbers(in: SourceTree.lines(of: table))
        #expect(!numbers.isEmpty, "no numbers were found in \(table)")
        for number in numbers.sorted() {
            let isThere = page.matches(of: /-?\d+/).contains { $0.output == number }
            #expect(isThere, "\(number) of \(table)")
        }
    }

    @Test func `numbers are found however a table is written`() {
        let lines = Line.all(
            in: """
                case tooSlow = 4008  // not 4009
                case .parse: -32_700
                static let gone = CloseCode(1001)
                case .notFound: return 1404
                """)
        #expect(Self.numbers(in: lines) == ["4008", "-32700", "1001", "1404"])
    }
}
