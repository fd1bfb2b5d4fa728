import KinModel
import Testing

@testable import KinStore

@Suite struct RowTests {
    /// One row with a column of each kind: nothing, integer, number, text, bytes.
    private static let kinds = "SELECT NULL AS n, 7 AS i, 0.5 AS d, 'seven' AS t, x'0102' AS b"

    private let database: Database

    init() throws { database = try Family.store(Family.disk()).database }

    /// The sentence of the reading's failure; `nil` when it succeeds.
    private func trouble<T>(_ sql: String = kinds, read: (borrowing Row) -> T) -> String? {
        do throws(StoreFailure) {
            _ = try database.first(sql) { row in read(row) }
            return nil
        } catch { return error.sentence }
    }

    private static func damaged(_ column: String, _ found: String, not asked: String) -> String {
        "The database is damaged: the column \(column) holds \(found), not \(asked). Restore the newest backup."
    }

    private static let found = [
        "n": "nothing", "i": "an integer", "d": "a number with a fraction", "t": "a text", "b": "bytes",
    ]

    @Test(arguments: ["n", "i", "d", "t", "b"])
    func `A column of another kind is an error that names column and kind`(_ name: String) throws {
        let found = try #require(Self.found[name])
        let column = Column.named(name)
        func check(_ sentence: String?, fits: String, _ asked: String, _ line: Int = #line) {
            let expected = fits.contains(name) ? nil : Self.damaged(name, found, not: asked)
            #expect(sentence == expected, "line \(line)")
        }
        check(trouble { $0.int(column) }, fits: "i", "an integer")
        check(trouble { $0.bool(column) }, fits: "i", "an integer")
        check(trouble { $0.instant(column) }, fits: "i", "an integer")
        check(trouble { $0.double(column) }, fits: "id", "a number with a fraction")
        check(trouble { $0.text(column) }, fits: "t", "a text")
        check(trouble { $0.blob(column) }, fits: "b", "bytes")
        check(trouble { $0.byteCount(column) }, fits: "b", "bytes")
        check(trouble { $0.optionalInt(column) }, fits: "ni", "an integer")
        check(trouble { $0.optionalBool(column) }, fits: "ni", "an integer")
        check(trouble { $0.optionalInstant(column) }, fits: "ni", "an integer")
        check(trouble { $0.optionalDouble(column) }, fits: "nid", "a number with a fraction")
        check(trouble { $0.optionalText(column) }, fits: "nt", "a text")
        check(trouble { $0.optionalBlob(column) }, fits: "nb", "bytes")
        check(trouble { $0.isNull(column) }, fits: "nidtb", "")
        guard name != "b" else { return }
        check(trouble { $0.identifier(column) }, fits: "", "bytes")
        check(trouble { $0.optionalIdentifier(column) }, fits: "n", "bytes")
    }

    @Test func `An identifier has 16 bytes`() {
        let sixteen = "the 16 bytes of an identifier"
        #expect(trouble { $0.identifier("b") } == Self.damaged("b", "2 bytes", not: sixteen))
        #expect(trouble { $0.optionalIdentifier("b") } == Self.damaged("b", "2 bytes", not: sixteen))
        #expect(trouble("SELECT x'' AS b") { $0.identifier("b") } == Self.damaged("b", "0 bytes", not: sixteen))
        #expect(trouble("SELECT zeroblob(17) AS b") { $0.identifier(0) } == Self.damaged("b", "17 bytes", not: sixteen))
        #expect(trouble("SELECT zeroblob(16) AS b") { $0.identifier(0) } == nil)
    }

    @Test func `A text is UTF-8`() throws {
        let sentence = Self.damaged("t", "bytes that are not UTF-8", not: "a text")
        #expect(trouble("SELECT CAST(x'61ff62' AS TEXT) AS t") { $0.text("t") } == sentence)
        #expect(trouble("SELECT CAST(x'c3' AS TEXT) AS t") { $0.optionalText("t") } == sentence)
        #expect(try database.first("SELECT CAST(x'c3bc' AS TEXT) AS t") { $0.text("t") } == "ü")
    }

    @Test func `A text of a form of its own is read, or is an error`() throws {
        let seven = try database.first("SELECT '7' AS t") { row in row.optionalText("t") { Int($0) } }
        #expect(seven.flatMap(\.self) == 7)
        let sentence = Self.damaged("t", "a text of another form", not: "one of its own")
        #expect(trouble { row in row.optionalText("t") { Int($0) } } == sentence)
        #expect(trouble { row in row.optionalText("n") { Int($0) } } == nil)
        #expect(trouble { row in row.optionalText("i") { Int($0) } } == Self.damaged("i", "an integer", not: "a text"))
    }

    @Test func `What a column holds stands in no sentence`() {
        for sentence in [
            trouble("SELECT 'secret' AS t") { $0.int("t") }, trouble("SELECT 'secret' AS t") { $0.blob("t") },
            trouble("SELECT CAST('secret' AS BLOB) AS t") { $0.text("t") },
            trouble("SELECT CAST('secret' AS BLOB) AS t") { $0.identifier("t") },
        ] { #expect(sentence?.contains("column t holds") == true && sentence?.contains("secret") == false) }
    }

    @Test func `A column is found by its name in whatever order it is read, and by the new name after a renaming`()
        throws
    {
        try database.run("INSERT INTO notes (id, text) VALUES (5, 'milk')")
        let read = try database.first("SELECT n.picture, n.text, n.id AS number FROM notes n") { row in
            [row.text("text"), "\(row.int("number"))", "\(row.isNull("picture"))", row.text("text"), row.text(1)]
        }
        #expect(read == ["milk", "5", "true", "milk", "milk"])
        try database.run("ALTER TABLE notes RENAME COLUMN text TO body")
        #expect(try database.first("SELECT body FROM notes") { $0.text("body") } == "milk")
        #expect(throws: StoreFailure.self) { try database.first("SELECT body FROM notes") { $0.text("text") } }
        #expect(throws: StoreFailure.self) { try database.first("SELECT n.picture, n.text FROM notes n") { _ in } }
    }

    @Test func `A name is found again in the rows that follow, in another order too`() throws {
        let sql = "SELECT 1 AS id, 2 AS house_id, 3 AS b UNION ALL SELECT 4, 5, 6 ORDER BY 1"
        let read = try database.rows(sql) { row in
            row.int("id") == 1
                ? [row.int("house_id"), row.int("b")]
                : [row.int("b"), row.int("house_id"), row.int("b"), row.int("id")]
        }
        #expect(read == [[2, 3], [6, 5, 6, 4]])
        #expect(try database.rows(sql) { [$0.int("house_id"), $0.int("id")] } == [[2, 1], [5, 4]])
        // Names that are made anew are looked up anew, and push out the others.
        for _ in 0..<600 { #expect(try database.first(sql) { $0.int(.named("house_id")) } == 2) }
        #expect(try database.first(sql) { $0.int("id") } == 1)
        #expect(throws: StoreFailure.self) { try database.first(sql) { $0.int("house") } }
    }

    @Test func `A column that is not in the result is an error that names the statement`() throws {
        func unknown(_ what: String, _ sql: String) -> StoreFailure {
            .statement(code: 21, message: "\(what) in: \(sql)")
        }
        let sql = "SELECT id, text FROM notes"
        try database.run("INSERT INTO notes (text) VALUES ('a')")
        #expect(throws: unknown("no single column is called title", sql)) {
            try database.rows(sql) { $0.text("title") }
        }
        #expect(throws: unknown("no single column is called title", sql)) {
            try database.rows(sql) { $0.optionalText("title") }
        }
        #expect(throws: unknown("no single column is called ID", sql)) { try database.first(sql) { $0.isNull("ID") } }
        #expect(throws: unknown("it has no column 2", sql)) { try database.first(sql) { $0.optionalInt(2) } }
        #expect(throws: unknown("it has no column -1", sql)) { try database.first(sql) { $0.byteCount(-1) } }
        let pair = "SELECT a.id, b.id FROM notes a, notes b"
        #expect(throws: unknown("no single column is called id", pair)) { try database.first(pair) { $0.int("id") } }
        #expect(try database.first(pair) { $0.int(1) } == 1)
    }

    @Test func `The first trouble of a row is told, before what the closure itself throws`() throws {
        let sentence = Self.damaged("n", "nothing", not: "a text")
        #expect(
            trouble { row in
                _ = row.text("n")
                _ = row.int("t")
                return row.text("nowhere")
            } == sentence)
        #expect(throws: StoreFailure.corrupt("the column n holds nothing, not a text")) {
            try database.first(Self.kinds) { row throws(StoreFailure) in
                guard !row.text("n").isEmpty else { throw StoreFailure.corrupt("a kind that nobody knows") }
            }
        }
        #expect(throws: StoreFailure.full) {
            try database.first(Self.kinds) { row throws(StoreFailure) in throw .full }
        }
    }

    @Test func `Rows of which one is damaged are none at all, and the statement works again after it`() throws {
        try database.run("CREATE TABLE loose (a ANY) STRICT")
        for value in [Value.int(1), .int(2), .text("three"), .int(4)] {
            try database.run("INSERT INTO loose VALUES (?)", value)
        }
        let sql = "SELECT a FROM loose ORDER BY rowid"
        let failure = StoreFailure.corrupt("the column a holds a text, not an integer")
        #expect(throws: failure) { try database.rows(sql) { $0.int("a") } }
        var met: [Int64] = []
        #expect(throws: failure) {
            try database.each(sql) { row in
                met.append(row.int("a"))
                return true
            }
        }
        // What was appended for the damaged row is a 0, and no row after it was read.
        #expect(met == [1, 2, 0])
        #expect(throws: failure) { try database.each("\(sql) LIMIT 1 OFFSET 2") { row in row.int(0) == 1 } }
        #expect(try database.first(sql) { $0.int("a") } == 1)
        try database.run("DELETE FROM loose WHERE typeof(a) = 'text'")
        #expect(try database.rows(sql) { $0.int("a") } == [1, 2, 4])
    }

    @Test func `Trouble in a row leaves the rows around it as they are`() throws {
        try database.run("INSERT INTO notes (text) VALUES ('a')")
        let both = try database.first("SELECT text FROM notes") { row in
            let inner = try? database.first("SELECT text FROM notes") { $0.int("text") }
            return (row.text("text"), inner)
        }
        #expect(both?.0 == "a" && both?.1 == nil)
    }

    @Test func `A reading that fails leaves the transaction as it is`() throws {
        try database.begin()
        try database.run("INSERT INTO notes (text) VALUES ('a')")
        #expect(throws: StoreFailure.self) { try database.first("SELECT text FROM notes") { $0.int("text") } }
        try database.commit()
        #expect(try database.first("SELECT count(*) FROM notes") { $0.int(0) } == 1)
    }
}
