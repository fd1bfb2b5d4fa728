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

        /// The same without the steps that make tables: those are held to what they name by the registry.
        var besidesMigrations: Piece {
            var (kept, rest) = ("", text[...])
            while let step = rest.firstMatch(of: /(?:\bMigration|\.part|\.retelling)\(/) {
                kept += String(rest[..<step.range.lowerBound])
                rest = rest[step.range.upperBound...]
                var depth = 1
                while depth > 0, let sign = rest.popFirst() { depth += sign == "(" ? 1 : sign == ")" ? -1 : 0 }
            }
            return Piece(text: kept + String(rest))
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

    /// The store's own tables: the log, what was done already, what falls due.
    static let ofStore: Set<String> = Set(
        SourceTree.text(of: "Sources/KinStore/Store+Tables.swift")
            .matches(of: /storeTables: Set<String> = \[([^\]]*)\]/)
            .flatMap { $0.1.matches(of: /"(\w+)"/).map { String($0.1) } })

    static func strangers(in piece: Piece, of folder: String) -> [String] {
        func isForeign(_ table: String) -> Bool { owners[table].map { $0 != folder } ?? false }
        let ofAreas = piece.written.filter(isForeign) + piece.read.filter { isForeign($0) && !roster.contains($0) }
        guard folder.hasPrefix("Sources/Areas/") else { return ofAreas }
        let asked = piece.besidesMigrations
        return ofAreas + (asked.written + asked.read).filter { ofStore.contains($0) && owners[$0] == nil }
    }

    @Test func `no area reads or writes another's tables, but for reading the roster`() {
        #expect(Self.owners.count > 40 && Self.roster.contains("members") && Self.ofStore.contains("due"))
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
        ("SELECT at FROM due WHERE kind = ? AND about = ?", ["due"]),
        ("DELETE FROM due WHERE kind = ?", ["due", "due"]),
        ("SELECT position FROM log_state", ["log_state"]),
        (#"Migration(number: 9, tables: ["due"], sql: "INSERT INTO due (at, kind) VALUES (0, 'a')"), kept"#, []),
        (#"[.part(of: 9, sql: "DELETE FROM due"), x] + act.run("UPDATE due SET at = 0")"#, ["due"]),
    ])
    func `a table that is another's is noticed`(sql: String, strangers: [String]) {
        #expect(Self.strangers(in: Piece(text: sql), of: "Sources/Areas/Map") == strangers)
    }

    /// The keeper by any name, or what the act has of it for the mechanism's own area.
    private static func reachesThrough(_ line: Substring) -> Bool {
        line.contains(/\bkeeper\b|\bact\.(?:store|counters|clock|vouchForClock)\b/.wordBoundaryKind(.simple))
    }

    @Test func `areas come to the store through the words of an act`() {
        for file in SourceTree.files(below: "Sources/Areas") where file.hasSuffix(".swift") {
            for line in SourceTree.lines(of: file) where Self.reachesThrough(line.code[...]) {
                Issue.record("\(file):\(line.number) reaches through the act: \(line.text.trimmed)")
            }
        }
    }

    @Test(arguments: ["let store = act.keeper.store", "let keeper = act.keeper", "act.store.log.append(", "act.clock"])
    func `a way around the words of an act is noticed`(line: String) { #expect(Self.reachesThrough(line[...])) }
}
