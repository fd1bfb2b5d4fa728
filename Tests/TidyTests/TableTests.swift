import Testing

/// Who reads and writes which table, by the SQL in the sources. Migrations are held to it by the store, too.
@Suite struct TableTests {
    /// A piece of Swift, with SQL in it.
    struct Piece {
        let text: String

        /// What it writes. A name that stands in a list (`for table in […]`) is put into SQL later.
        var written: [String] {
            let named = /(?:INSERT (?:OR \w+ )?INTO|REPLACE INTO|UPDATE(?: OR \w+)?|DELETE FROM)\s+(\w+)/
            let listed = /for (?:table|\(table, \w+\)) in \[([^\]]*)\]/
            return text.matches(of: named).map { String($0.1) }
                + text.matches(of: listed).flatMap { $0.1.matches(of: /"(\w+)"/).map { String($0.1) } }
        }

        /// What it reads, behind a comma, in a subquery or in a trigger, too.
        var read: [String] {
            let tables = /(?:FROM|JOIN)\s+((?:\w+(?:\([^()]*\))?(?:\s+(?:AS\s+)?\w+)?\s*,\s*)*\w+)/
            return text.matches(of: tables).flatMap { match in
                match.1.split(separator: ",").compactMap { $0.firstMatch(of: /\w+/).map { String($0.output) } }
            }
        }
    }

    /// A file without its comments. Literals are not looked for: SQL is told by its words, so none is missed.
    static func piece(_ path: String) -> Piece {
        let lines = SourceTree.text(of: path).split(separator: "\n", omittingEmptySubsequences: false)
        return Piece(text: lines.filter { !$0.trimmed.hasPrefix("//") }.joined(separator: "\n"))
    }

    /// The tables that each area declares, by the area's folder.
    static let owners: [String: String] = {
        var owners: [String: String] = [:]
        for folder in SourceTree.entries(of: "Sources/Areas").map({ "Sources/Areas/" + $0 }) + ["Sources/KinKeeper"] {
            for file in SourceTree.files(below: folder) where file.hasSuffix(".swift") {
                for match in SourceTree.text(of: file).matches(of: /\bTable\(\s*"(\w+)"/) {
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

    static func strangers(in piece: Piece, of folder: String) -> [String] {
        func isForeign(_ table: String) -> Bool { owners[table].map { $0 != folder } ?? false }
        return piece.written.filter(isForeign) + piece.read.filter { isForeign($0) && !roster.contains($0) }
    }

    @Test func `no area reads or writes another's tables, but for reading the roster`() {
        #expect(Self.owners.count > 40 && Self.roster.contains("members"))
        for area in SourceTree.entries(of: "Sources/Areas") {
            let folder = "Sources/Areas/" + area
            for file in SourceTree.files(below: folder) where file.hasSuffix(".swift") {
                #expect(Self.strangers(in: Self.piece(file), of: folder) == [], "\(file)")
            }
        }
    }

    @Test func `the mechanism reads no area's tables, but for reading the roster`() {
        for file in SourceTree.files(below: "Sources/KinKeeper") where file.hasSuffix(".swift") {
            #expect(Self.strangers(in: Self.piece(file), of: "Sources/KinKeeper") == [], "\(file)")
        }
    }

    @Test(arguments: [
        ("SELECT title FROM meetings WHERE id = ?", ["meetings"]), ("UPDATE members SET kind = 'child'", ["members"]),
        ("SELECT 1 FROM places p JOIN members m ON m.household = p.home_of", []),
        ("DELETE FROM positions WHERE track = ?", []),
        ("SELECT 1 FROM places p LEFT JOIN\n    meeting_slots s ON s.number = p.number", ["meeting_slots"]),
        ("SELECT 1 FROM members m, places AS p, meetings g WHERE g.id = p.id", ["meetings"]),
        ("SELECT 1 FROM json_each(?) j, meetings g WHERE g.number = j.value", ["meetings"]),
        ("SELECT id, (SELECT count(*) FROM posts WHERE owner = p.id) FROM places p", ["posts"]),
        ("SELECT id FROM places WHERE id IN (SELECT map_place FROM entries)", ["entries"]),
        ("WITH seen AS (SELECT id FROM rooms) SELECT id FROM seen", ["rooms"]),
        (
            "CREATE TRIGGER gone AFTER DELETE ON places BEGIN DELETE FROM inbox WHERE about = old.id; END",
            ["inbox", "inbox"]
        ),
        ("REPLACE INTO list_items (id) VALUES (?)", ["list_items"]),
        ("INSERT OR IGNORE INTO positions SELECT id FROM pictures", ["pictures"]),
        (#"for table in ["positions", "meetings"] { try act.run("DELETE FROM \(table)") }"#, ["meetings"]),
        ("UPDATE places SET name = ? WHERE id = ? RETURNING number, id", []),
    ])
    func `a table that is another's is noticed`(sql: String, strangers: [String]) {
        #expect(Self.strangers(in: Piece(text: sql), of: "Sources/Areas/Map") == strangers)
    }

    @Test func `areas come to the store through the words of an act`() {
        for file in SourceTree.files(below: "Sources/Areas") where file.hasSuffix(".swift") {
            for line in SourceTree.lines(of: file) where line.code.contains("keeper.") {
                Issue.record("\(file):\(line.number) reaches through the act: \(line.text.trimmed)")
            }
        }
    }
}
