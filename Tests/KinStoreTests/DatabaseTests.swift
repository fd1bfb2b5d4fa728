import KinModel
import Testing

@testable import KinStore

@Suite struct DatabaseTests {
    @Test func `Every kind of value comes back as it went in`() throws {
        let database = try Family.store(Family.disk()).database
        try database.run("CREATE TABLE v (a ANY, b ANY, c ANY, d ANY, e ANY, f ANY, g ANY, h ANY, i ANY) STRICT")
        let id = Identifier(high: 0x0198_0000_0000_7000, low: 0x8000_0000_0000_0001)
        let moment = Instant(milliseconds: 1_700_000_000_123)
        try database.run(
            "INSERT INTO v VALUES (?,?,?,?,?,?,?,?,?)", .null, .int(.min), .double(1.5), .text("Grüße\u{0}👵"),
            .text(""),
            .blob([0, 255]), .blob([]), .id(id), .time(moment))
        let seen: Bool? = try database.first("SELECT * FROM v") { row in
            row.isNull(0) && row.int(1) == .min && row.double(2) == 1.5 && row.text(3) == "Grüße\u{0}👵"
                && row.optionalText(4) == "" && row.blob(5) == [0, 255] && row.optionalBlob(6) == []
                && row.identifier(7) == id && row.instant(8) == moment && row.optionalInstant(0) == nil
                && row.optionalIdentifier(0) == nil && row.optionalText(0) == nil && row.optionalInt(0) == nil
        }
        #expect(seen == true)
        let kinds = try database.first("SELECT typeof(e), typeof(g), length(g) FROM v") {
            ($0.text(0), $0.text(1), $0.int(2))
        }
        #expect(kinds?.0 == "text" && kinds?.1 == "blob" && kinds?.2 == 0)
    }

    @Test func `Writes to a table are counted, whatever makes them, and reads are none`() throws {
        let database = try Family.store(Family.disk()).database
        try database.run("CREATE TABLE one (id INTEGER PRIMARY KEY, text TEXT) STRICT")
        try database.run("CREATE TABLE other (id INTEGER PRIMARY KEY REFERENCES one (id) ON DELETE CASCADE) STRICT")
        try database.run("CREATE TABLE counted (number INTEGER NOT NULL) STRICT")
        try database.run(
            "CREATE TRIGGER counting AFTER UPDATE ON one BEGIN INSERT INTO counted (number) VALUES (new.id); END")
        func isWritten(_ tables: [String], by sql: String) throws -> Bool {
            let before = database.writes(to: TableSet(tables))
            try database.run(sql)
            return database.writes(to: TableSet(tables)) != before
        }
        for _ in 0..<2 { #expect(try isWritten(["one"], by: "INSERT OR REPLACE INTO one (id, text) VALUES (1, 'a')")) }
        #expect(try isWritten(["counted", "other"], by: "INSERT INTO other (id) SELECT id FROM one"))
        #expect(try !isWritten(["counted"], by: "INSERT INTO one (id) VALUES (2)"))
        #expect(try isWritten(["counted"], by: "UPDATE one SET text = 'b'"), "a trigger")
        #expect(try isWritten(["other"], by: "DELETE FROM one WHERE id = 1"), "a foreign key")
        #expect(try isWritten(["one"], by: "DELETE FROM one"), "all at once")
        #expect(try !isWritten(["one", "other", "counted"], by: "SELECT * FROM one, other, counted"))
        let before = database.writes(to: TableSet(["one"]))
        let made = try database.rows("INSERT INTO one (id) VALUES (3) RETURNING id") { $0.int(0) }
        #expect(made == [3] && database.writes(to: TableSet(["one"])) != before)
    }

    @Test func `Rows changed are counted, rows are mapped, each stops when told`() throws {
        let database = try Family.store(Family.disk()).database
        for text in ["a", "b", "c"] {
            #expect(try database.run("INSERT INTO notes (text) VALUES (?)", .text(text)) == 1)
        }
        #expect(try database.run("UPDATE notes SET text = text || '!' WHERE id > ?", 1) == 2)
        #expect(try database.run("SELECT 1") == 0)
        #expect(try database.rows("SELECT text FROM notes ORDER BY id") { $0.text(0) } == ["a", "b!", "c!"])
        #expect(try database.first("SELECT text FROM notes WHERE id = ?", 9) { $0.text(0) } == nil)
        var met: [Int64] = []
        try database.each("SELECT id FROM notes ORDER BY id") { row in
            met.append(row.int(0))
            return met.count < 2
        }
        #expect(met == [1, 2])
    }

    @Test func `The same statement may run inside its own rows`() throws {
        let database = try Family.store(Family.disk()).database
        try database.run("INSERT INTO notes (text) VALUES ('a'), ('b')")
        var pairs: [String] = []
        try database.each("SELECT text FROM notes ORDER BY id") { row throws(StoreFailure) in
            let outer = row.text(0)
            pairs += try database.rows("SELECT text FROM notes ORDER BY id") { outer + $0.text(0) }
            return true
        }
        #expect(pairs == ["aa", "ab", "ba", "bb"])
    }

    /// Only some bytes of a text are hashed.
    @Test func `Statements whose texts hash alike are told apart`() throws {
        let database = try Family.store(Family.disk()).database
        let texts = (1...9).map { "SELECT \($0) -- of forty bytes in the whole." }
        #expect(Set(texts.map { StatementText(sql: $0).hashValue }).count == 1)
        for _ in 0..<2 {
            var found: [Int64] = []
            for text in texts { found += try database.rows(text) { $0.int(0) } }
            #expect(found == [1, 2, 3, 4, 5, 6, 7, 8, 9])
        }
    }

    @Test func `A bound value never stands in a failure's words`() throws {
        let database = try Family.store(Family.disk()).database
        try database.run("CREATE TABLE u (name TEXT UNIQUE, age INTEGER CHECK (age < 200)) STRICT")
        try database.run("CREATE VIRTUAL TABLE words USING fts5(text)")
        try database.run("INSERT INTO u VALUES (?, 1)", .text("secret"))
        var failures: [StoreFailure] = []
        for (sql, value) in [
            ("INSERT INTO u VALUES (?, 1)", Value.text("secret")), ("INSERT INTO u (age) VALUES (?)", .text("secret")),
            ("INSERT INTO u (age) VALUES (?)", .int(999)),
            ("SELECT * FROM words WHERE words MATCH ?", .text("\"secret")),
            ("SELECT json_extract(?, '$')", .text("secret")),
        ] {
            do throws(StoreFailure) { try database.run(sql, value) } catch { failures.append(error) }
        }
        #expect(failures.count == 5)
        #expect(failures.allSatisfy { !$0.sentence.contains("secret") && !$0.sentence.contains("999") })
        #expect(failures.first == .constraint("UNIQUE constraint failed: u.name"))
    }

    @Test func `A text that is no statement fails with its own words`() throws {
        let database = try Family.store(Family.disk()).database
        #expect(throws: StoreFailure.self) { try database.run("SELEC 1") }
        #expect(throws: StoreFailure.self) { try database.run("") }
    }

    @Test func `A failed savepoint keeps the other commands of its turn`() throws {
        let disk = Family.disk()
        let store = try Family.store(disk)
        try store.beginTurn()
        for (number, fails) in [(1, false), (2, true), (3, false)] {
            try store.database.savepoint("command")
            try store.database.run("INSERT INTO notes (id, text) VALUES (?, 'kept')", .int(Int64(number)))
            // A new audience within the savepoint: after the rollback its number must not be remembered.
            try store.append("\(number)", audience: Audience([Int32(number) * 10, 1]))
            if fails { try store.database.rollbackTo("command") } else { try store.database.release("command") }
        }
        try store.append("after", audience: Audience([20, 1]))
        try store.commitTurn()
        #expect(try store.database.rows("SELECT id FROM notes ORDER BY id") { $0.int(0) } == [1, 3])
        #expect(try store.seen().map(\.text) == ["1", "3", "after"])
        #expect(try store.seen(by: 20).map(\.text) == ["after"])
        #expect(store.log.position == 3)
        #expect(try Integrity.check(store.database) == [])
    }

    @Test func `When SQLite takes the transaction away, nothing more is written and the turn is refused`() throws {
        let store = try Family.store(Family.disk())
        try store.beginTurn()
        try store.database.run("INSERT INTO notes (text) VALUES ('half')")
        #expect(throws: StoreFailure.constraint("UNIQUE constraint failed: notes.id")) {
            try store.database.run("INSERT OR ROLLBACK INTO notes (id, text) VALUES (1, 'x')")
        }
        #expect(!store.database.isInTransaction)
        #expect(throws: StoreFailure.transactionGone) {
            try store.database.run("INSERT INTO notes (text) VALUES ('outside')")
        }
        #expect(throws: StoreFailure.transactionGone) { try store.commitTurn() }
        #expect(try store.database.first("SELECT count(*) FROM notes") { $0.int(0) } == 0)
        try store.turn { store throws(StoreFailure) in
            try store.database.run("INSERT INTO notes (text) VALUES ('next')")
        }
        #expect(try store.database.first("SELECT count(*) FROM notes") { $0.int(0) } == 1)
    }

    @Test func `A constraint that fails at COMMIT rolls the turn back, and its fate is known`() throws {
        let store = try Family.store(Family.disk())
        try store.database.run("CREATE TABLE p (id INTEGER PRIMARY KEY) STRICT")
        try store.database.run("CREATE TABLE c (p INTEGER REFERENCES p (id) DEFERRABLE INITIALLY DEFERRED) STRICT")
        try store.beginTurn()
        try store.database.run("INSERT INTO c VALUES (1)")
        #expect(throws: StoreFailure.constraint("FOREIGN KEY constraint failed")) { try store.commitTurn() }
        #expect(try store.database.first("SELECT count(*) FROM c") { $0.int(0) } == 0)
    }

    @Test func `Foreign keys, secure deletion, FULL sync and no autocheckpoint are on from the start`() throws {
        let store = try Family.store(Family.disk())
        func number(_ name: String) throws -> Int64? { try store.database.first("PRAGMA \(name)") { $0.int(0) } }
        #expect(try number("foreign_keys") == 1)
        #expect(try number("secure_delete") == 1)
        #expect(try number("synchronous") == 2)
        #expect(try store.database.first("PRAGMA journal_mode") { $0.text(0) } == "wal")
        #expect(try number("wal_autocheckpoint") == 0)
        #expect(try number("auto_vacuum") == 2)
        #expect(try number("trusted_schema") == 0)
        #expect(try number("application_id") == 1265200759)
    }

    @Test func `A reader sees what is committed, one state at a time, and cannot write`() throws {
        let store = try Family.store(Family.disk())
        let reader = try store.reader()
        func count() throws -> Int64? { try reader.first("SELECT count(*) FROM notes") { $0.int(0) } }
        try store.beginTurn()
        try store.database.run("INSERT INTO notes (text) VALUES ('a')")
        #expect(try count() == 0)
        try store.commitTurn()
        #expect(try count() == 1)
        try reader.begin()
        #expect(try count() == 1)
        try store.turn { store throws(StoreFailure) in try store.database.run("INSERT INTO notes (text) VALUES ('b')") }
        #expect(try count() == 1)
        try reader.commit()
        #expect(try count() == 2)
        #expect(throws: StoreFailure.self) { try reader.run("INSERT INTO notes (text) VALUES ('c')") }
    }
}
