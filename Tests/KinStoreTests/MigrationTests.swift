import Testing

@testable import KinStore

/// A migration names the tables that it touches; the store holds it to that.
@Suite struct MigrationTests {
    private static let words = Migration(
        number: 2, name: "words", tables: ["words"],
        sql: "CREATE VIRTUAL TABLE words USING fts5(text); INSERT INTO words VALUES ('soup')")

    /// Runs one more migration on a store that has two, and answers what it failed with.
    private func failure(_ disk: FaultVFS, of migration: Migration) -> StoreFailure? {
        do throws(StoreFailure) {
            _ = try Family.store(disk, migrations: Family.area + [Self.words, migration])
            return nil
        } catch { return error }
    }

    private func disk() throws -> FaultVFS {
        let disk = Family.disk()
        try { _ = try Family.store(disk, migrations: Family.area + [Self.words]) }()
        return disk
    }

    @Test(arguments: [
        ("UPDATE notes SET text = 'x'", "notes"), ("DELETE FROM notes", "notes"), ("DROP TABLE notes", "notes"),
        ("INSERT INTO notes (text) VALUES ('x')", "notes"), ("ALTER TABLE notes ADD COLUMN mood TEXT", "notes"),
        ("CREATE INDEX notes_text ON notes (text)", "notes"),
        ("CREATE TRIGGER added AFTER INSERT ON notes BEGIN SELECT 1; END", "notes"),
        ("CREATE TABLE own (a TEXT) STRICT; INSERT INTO own SELECT text FROM notes", "notes"),
        ("CREATE TABLE own (a TEXT) STRICT; CREATE TABLE others (a TEXT) STRICT", "others"),
        ("INSERT INTO words VALUES ('bread')", "words"), ("DROP TABLE words", "words"),
        ("DELETE FROM log", "log"),
        ("INSERT INTO due (kind, about, at) VALUES ('a', 'b', 1)", "due"),
    ])
    func `what touches a table that it does not name changes nothing`(sql: String, table: String) throws {
        let disk = try disk()
        let stranger = Migration(number: 3, name: "stranger", tables: ["own"], sql: sql)
        #expect(
            failure(disk, of: stranger)
                == .statement(code: 23, message: "migration 3 touches the table \(table), which it does not name"))
        let store = try Family.store(disk, migrations: Family.area + [Self.words])
        #expect(try store.database.first("SELECT max(number) FROM migrations") { $0.int(0) } == 2)
        #expect(
            try store.database.first("SELECT 1 FROM sqlite_schema WHERE name IN ('own', 'others')") { $0.int(0) } == nil
        )
        #expect(try store.database.first("SELECT count(*) FROM words") { $0.int(0) } == 1)
    }

    @Test func `a step in code is held to the same, also where it swallows the refusal`() throws {
        let stranger = Migration(number: 3, name: "stranger", tables: [], sql: "SELECT 1") {
            database throws(StoreFailure) in
            _ = try? database.run("UPDATE notes SET text = 'x'")
        }
        #expect(failure(try disk(), of: stranger)?.sentence.contains("touches the table notes") == true)
    }

    @Test func `what is read only is named apart, and is not written`() throws {
        func copying(_ sql: String) -> Migration {
            Migration(number: 3, name: "copy", tables: ["own"], reading: ["notes", "words"], sql: sql)
        }
        let reading = "CREATE TABLE own (a TEXT) STRICT; INSERT INTO own SELECT text FROM notes;"
        #expect(failure(try disk(), of: copying(reading + "INSERT INTO own SELECT text FROM words")) == nil)
        #expect(failure(try disk(), of: copying(reading + "DELETE FROM notes")) != nil)
    }

    @Test func `parts of one number run together, each within its own tables, or not at all`() throws {
        let own = Migration(number: 3, name: "own", tables: ["own"], sql: "CREATE TABLE own (a TEXT) STRICT")
        let mood = Migration.part(of: 3, tables: ["notes"], sql: "ALTER TABLE notes ADD COLUMN mood TEXT")
        let stranger = Migration.part(of: 3, tables: ["notes"], sql: "DROP TABLE own")
        #expect(failure(try disk(), of: own.joined(by: [mood])) == nil)
        let disk = try disk()
        #expect(failure(disk, of: own.joined(by: [mood, stranger])) != nil)
        let store = try Family.store(disk, migrations: Family.area + [Self.words])
        #expect(
            try store.database.rows("SELECT name FROM pragma_table_info('notes')") { $0.text(0) } == [
                "id", "text", "picture",
            ])
    }

    @Test func `what fails half-way says which migration it was, and nothing of it stays`() throws {
        let disk = try disk()
        let half = "CREATE TABLE own (a TEXT NOT NULL) STRICT; "
        let broken = Migration(number: 3, name: "half", tables: ["own"], sql: half + "INSERT INTO nowhere VALUES (1)")
        #expect(
            failure(disk, of: broken)
                == .statement(code: 1, message: "migration 3 (half) changed nothing: no such table: nowhere"))
        let unfit = Migration(number: 3, name: "unfit", tables: ["own"], sql: half + "INSERT INTO own VALUES (NULL)")
        let sentence = failure(disk, of: unfit)?.sentence
        #expect(sentence?.contains("migration 3 (unfit) changed nothing: ") == true, "\(sentence ?? "")")
        let store = try Family.store(disk, migrations: Family.area + [Self.words])
        #expect(try store.database.first("SELECT 1 FROM sqlite_schema WHERE name = 'own'") { $0.int(0) } == nil)
    }

    @Test func `once a migration has run, nothing is refused any more`() throws {
        let store = try Family.store(try disk(), migrations: Family.area + [Self.words])
        try store.turn { store throws(StoreFailure) in
            try store.database.run("INSERT INTO notes (text) VALUES ('a')")
            try store.database.run("INSERT INTO words VALUES ('bread')")
        }
        #expect(try store.database.first("SELECT count(*) FROM words") { $0.int(0) } == 2)
    }
}
