import Testing

/// Who reads and writes which table, read from the SQL in the sources.
@Suite struct TableTests {
    /// A piece of SQL, and where it begins.
    struct Statement {
        let file: String
        let line: Int
        let text: String

        /// What it writes.
        var written: [String] {
            text.matches(of: /(?:INSERT (?:OR \w+ )?INTO|UPDATE(?: OR \w+)?|DELETE FROM)\s+(\w+)/).map { String($0.1) }
        }

        /// What it reads.
        var read: [String] { text.matches(of: /(?:FROM|JOIN)\s+(\w+)/).map { String($0.1) } }
    }

    /// The literals of a file that are SQL; what migrations do with the tables of old versions is not looked at.
    static func statements(in path: String) -> [Statement] {
        let text = SourceTree.text(of: path)
        var found: [Statement] = []
        var line = 1
        var isLiteral = false
        for piece in text.split(separator: "\"", omittingEmptySubsequences: false) {
            if isLiteral, piece.contains(/\b(?:SELECT|INSERT|UPDATE|DELETE|FROM)\b/) {
                found.append(Statement(file: path, line: line, text: String(piece)))
            }
            line += piece.count { $0 == "\n" }
            isLiteral.toggle()
        }
        return found
    }

    /// The tables that each area declares, by the area's folder.
    static let owners: [String: String] = {
        var owners: [String: String] = [:]
        for folder in SourceTree.entries(of: "Sources/Areas").map({ "Sources/Areas/" + $0 }) + ["Sources/KinKeeper"] {
            for file in SourceTree.files(below: folder) where file.hasSuffix(".swift") {
                for match in SourceTree.text(of: file).matches(of: /\bTable\("(\w+)"/) {
                    owners[String(match.1)] = folder
                }
            }
        }
        return owners
    }()

    /// What any area may read: the roster is the mechanism's.
    static let roster: Set<String> = Set(
        SourceTree.text(of: "Sources/KinKeeper/Roster/People.swift").matches(of: /rosterTables: Set<String> = \[(.*)\]/)
            .flatMap { $0.1.matches(of: /"(\w+)"/).map { String($0.1) } })

    static func strangers(in statement: Statement, of folder: String) -> [String] {
        func isForeign(_ table: String) -> Bool { owners[table].map { $0 != folder } ?? false }
        return statement.written.filter(isForeign) + statement.read.filter { isForeign($0) && !roster.contains($0) }
    }

    @Test func `no area reads or writes another's tables, but for reading the roster`() {
        #expect(Self.owners.count > 40 && Self.roster.contains("members"))
        for area in SourceTree.entries(of: "Sources/Areas") {
            let folder = "Sources/Areas/" + area
            for file in SourceTree.files(below: folder)
            where file.hasSuffix(".swift") && !file.contains("Migrations") && !file.contains("+Tables") {
                for statement in Self.statements(in: file) {
                    let strangers = Self.strangers(in: statement, of: folder)
                    #expect(strangers == [], "\(file):\(statement.line)")
                }
            }
        }
    }

    @Test func `the mechanism reads no area's tables, but for reading the roster`() {
        for file in SourceTree.files(below: "Sources/KinKeeper") where file.hasSuffix(".swift") {
            for statement in Self.statements(in: file) {
                let strangers = Self.strangers(in: statement, of: "Sources/KinKeeper")
                #expect(strangers == [], "\(file):\(statement.line)")
            }
        }
    }

    @Test(arguments: [
        ("SELECT title FROM meetings WHERE id = ?", ["meetings"]), ("UPDATE members SET kind = 'child'", ["members"]),
        ("SELECT 1 FROM places p JOIN members m ON m.household = p.home_of", []),
        ("DELETE FROM positions WHERE track = ?", []),
    ])
    func `a table that is another's is noticed`(sql: String, strangers: [String]) {
        let statement = Statement(file: "", line: 1, text: sql)
        #expect(Self.strangers(in: statement, of: "Sources/Areas/Map") == strangers)
    }

    @Test func `areas come to the store through the words of an act`() {
        for file in SourceTree.files(below: "Sources/Areas") where file.hasSuffix(".swift") {
            for line in SourceTree.lines(of: file) where line.code.contains("keeper.") {
                Issue.record("\(file):\(line.number) reaches through the act: \(line.text.trimmed)")
            }
        }
    }
}
