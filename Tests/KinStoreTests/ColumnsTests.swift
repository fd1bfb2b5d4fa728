import KinModel
import Testing

@testable import KinStore

/// A table's columns come from the fields of the value that it keeps.
@Suite struct ColumnsTests {
    private enum Mood: String, CaseIterable { case good, bad }

    private struct Note: WireRecord {
        let id: Identifier
        var shownName: String
        var mood: Mood
        var at: Instant
        var isRead: Bool
        var count: Int64
        var share: Double?
        var by: Identifier?
        var words: [String] = []

        private static let counts: ClosedRange<Int64> = 0...99
        private static let shares: ClosedRange<Double> = 0...1

        static let fields = Fields(
            nil, Note.init(id:shownName:mood:at:isRead:count:share:by:words:),
            .required("id", \.id, .id), .required("shownName", \.shownName, .name),
            .required("mood", \.mood, .word), .required("at", \.at, .time), .required("isRead", \.isRead, .bool),
            .required("count", \.count, .integer(counts)), .optional("share", \.share, .number(shares)),
            .optional("by", \.by, .id), .required("words", \.words, .list(.name, max: 9)))
    }

    private static let columns = Columns<Note>(called: ["by": "author"], elsewhere: ["words"])

    private func note() -> Note {
        Note(
            id: Identifier(high: 1, low: 2), shownName: "Ü \"'; --", mood: .bad, at: Family.start, isRead: true,
            count: 7, share: 0.25, by: nil)
    }

    private func store() throws -> Store {
        try Family.store(
            Family.disk(),
            migrations: Family.area + [
                Migration(
                    number: 2, name: "moods", tables: ["moods"],
                    sql: """
                        CREATE TABLE moods (
                            id BLOB PRIMARY KEY, shown_name TEXT NOT NULL, mood TEXT NOT NULL, at INTEGER NOT NULL,
                            is_read INTEGER NOT NULL, count INTEGER, share REAL, author BLOB
                        ) STRICT
                        """)
            ])
    }

    private func read(_ store: Store) throws(StoreFailure) -> Note? {
        try store.database.first("SELECT \(Self.columns.names(of: "m")) FROM moods m") {
            (row) throws(StoreFailure) in try Self.columns.read(row, ["words": ["a"]])
        }
    }

    @Test func `statements name each field once, as SQL writes it`() {
        #expect(Self.columns.names == "id, shown_name, mood, at, is_read, count, share, author")
        #expect(Self.columns.placeholders == "?, ?, ?, ?, ?, ?, ?, ?")
        #expect(Self.columns.assignments.hasPrefix("id = ?, shown_name = ?, mood = ?"))
        #expect(Self.columns.names(of: "m").hasSuffix("m.share, m.author"))
    }

    @Test func `what is written is read again`() throws {
        let store = try store()
        var note = note()
        try store.database.run(
            "INSERT INTO moods (\(Self.columns.names)) VALUES (\(Self.columns.placeholders))",
            values: Self.columns.values(of: note))
        note.words = ["a"]
        #expect(try read(store) == note)
        (note.share, note.by, note.mood) = (nil, Identifier(high: 3, low: 4), .good)
        try store.database.run(
            "UPDATE moods SET \(Self.columns.assignments)", values: Self.columns.values(of: note))
        #expect(try read(store) == note)
        #expect(
            try store.database.first("SELECT typeof(at) || typeof(author) FROM moods") { $0.text(0) } == "integerblob")
    }

    @Test(arguments: [
        ("mood = 'odd'", "the column mood holds an unknown word, not one of its own"),
        ("count = NULL", "the column count holds nothing, not an integer"),
        ("author = x'00'", nil),
    ])
    func `a row that holds no such value is an error, never a 0`(change: String, sentence: String?) throws {
        let store = try store()
        try store.database.run(
            "INSERT INTO moods (\(Self.columns.names)) VALUES (\(Self.columns.placeholders))",
            values: Self.columns.values(of: note()))
        try store.database.run("UPDATE moods SET " + change)
        do throws(StoreFailure) {
            _ = try read(store)
            Issue.record("\(change) is read")
        } catch {
            guard case .corrupt(let said) = error else { throw error }
            if let sentence { #expect(said == sentence) }
        }
    }

    private struct Feeling: WireRecord {
        let mood: Mood?

        static let fields = Fields(nil, Feeling.init(mood:), .optional("mood", \.mood, .word))
    }

    @Test func `a word that nobody knows is an error too where there may be none`() throws {
        let (columns, database) = (Columns<Feeling>(), try store().database)
        func read(_ sql: String) throws(StoreFailure) -> [Mood?] {
            try database.rows(sql) { (row) throws(StoreFailure) in try columns.read(row).mood }
        }
        #expect(try read("SELECT 'good' AS mood UNION ALL SELECT NULL") == [.good, nil])
        #expect(throws: StoreFailure.corrupt("the column mood holds an unknown word, not one of its own")) {
            try read("SELECT 'odd' AS mood")
        }
        #expect(throws: StoreFailure.corrupt("the column mood holds an integer, not a text")) {
            try read("SELECT 7 AS mood")
        }
    }

    private struct Spot: WireRecord {
        var name: String?
        var count: Int64

        private static let counts: ClosedRange<Int64> = 0...99

        static let fields = Fields(
            nil, Spot.init(name:count:), .optional("name", \.name, .name),
            .required("count", \.count, .integer(counts)))
    }

    @Test func `a value inside another has columns of its own in the row, each NULL where there is none`() throws {
        let (columns, database) = (Columns<Spot>(called: ["name": "spot"]), try store().database)
        func read(_ sql: String) throws(StoreFailure) -> [Spot?] {
            try database.rows(sql) { (row) throws(StoreFailure) in try columns.readUnlessNull(row) }
        }
        #expect(columns.values(of: Spot(name: "here", count: 7)) == [.text("here"), .int(7)])
        #expect(columns.values(of: nil) == [.null, .null])
        #expect(
            try read("SELECT 'here' AS spot, 7 AS count UNION ALL SELECT NULL, 8 UNION ALL SELECT NULL, NULL")
                == [Spot(name: "here", count: 7), Spot(name: nil, count: 8), nil])
        // A part without the rest is no value, and not nothing either.
        #expect(throws: StoreFailure.corrupt("the column count holds nothing, not an integer")) {
            try read("SELECT 'here' AS spot, NULL AS count")
        }
    }

    @Test func `what stands elsewhere is taken from there, before and behind columns`() throws {
        let columns = Columns<Note>(called: ["by": "author"], elsewhere: ["id", "mood", "words"])
        let store = try store()
        let note = note()
        try store.database.run(
            "INSERT INTO moods (\(Self.columns.names)) VALUES (\(Self.columns.placeholders))",
            values: Self.columns.values(of: note))
        let read = try store.database.first("SELECT \(columns.names) FROM moods") { (row) throws(StoreFailure) in
            try columns.read(row, ["id": .id(note.id), "mood": "good", "words": ["a", "b"]])
        }
        var expected = note
        (expected.mood, expected.words) = (.good, ["a", "b"])
        #expect(read == expected)
        #expect(throws: StoreFailure.corrupt("a row does not hold a Note")) {
            try store.database.first("SELECT \(columns.names) FROM moods") { (row) throws(StoreFailure) in
                try columns.read(row, ["id": .id(note.id), "mood": "good"])
            }
        }
    }

    @Test func `a field that fits in no column has to stand elsewhere`() async {
        await #expect(processExitsWith: .failure) { _ = Columns<Note>() }
        await #expect(processExitsWith: .failure) { _ = Columns<Note>(elsewhere: ["words", "nothing"]) }
    }
}
