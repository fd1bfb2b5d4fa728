/// One step forward of the schema. There is no step back: before it, a copy of the file is put aside.
///
/// A migration names the tables that it makes or changes, and those that it only reads. If it touches another, it is
/// refused before it changes anything: SQLite asks about each table that a statement would touch.
public struct Migration: Sendable {
    /// From 1 up, without gaps; never reused once shipped. (0 is the store's own tables.)
    public let number: Int
    /// A few words for the table of migrations; empty for a part of another migration.
    public let name: String
    /// The parts of the change: one for each area whose tables it changes.
    package let parts: [Part]

    /// What a migration does to the tables of one area.
    package struct Part: Sendable {
        /// The tables that it makes, changes or drops, and may read.
        package let tables: Set<String>
        /// Other tables that it reads.
        package let reading: Set<String>
        /// One statement or several, separated by semicolons.
        let sql: String
        /// The step that SQL alone cannot do. It runs after `sql`, in the same transaction.
        let step: (@Sendable (Database) throws(StoreFailure) -> Void)?
        /// Whether it only tells the log's rows in other words, which each area may have done for its own events.
        package var isRetelling = false
    }

    /// A step forward.
    ///
    /// - Parameters:
    ///   - tables: those that it makes, changes or drops.
    ///   - reading: others that it reads.
    ///   - sql: one statement or several, separated by semicolons.
    ///   - step: what SQL alone cannot do; runs after `sql`, in the same transaction.
    public init(
        number: Int, name: String, tables: Set<String>, reading: Set<String> = [], sql: String,
        step: (@Sendable (Database) throws(StoreFailure) -> Void)? = nil
    ) {
        precondition(!name.isEmpty, "a migration has a name")
        self.init(number: number, name: name, parts: [Part(tables: tables, reading: reading, sql: sql, step: step)])
    }

    /// The part of another area's migration for the tables of this area, in the same transaction and under the same
    /// number. Shipped versions changed tables of several areas at once; a new migration need not.
    public static func part(of number: Int, tables: Set<String>, reading: Set<String> = [], sql: String) -> Migration {
        Migration(number: number, name: "", parts: [Part(tables: tables, reading: reading, sql: sql, step: nil)])
    }

    init(number: Int, name: String, parts: [Part]) {
        self.number = number
        self.name = name
        self.parts = parts
    }

    /// Whether it is a part of a migration of another area.
    package var isPart: Bool { name.isEmpty }

    /// The migration with its parts for other areas.
    package func joined(by others: [Migration]) -> Migration {
        Migration(number: number, name: name, parts: parts + others.flatMap(\.parts))
    }

    /// Runs it, within a transaction; answers which tables each part touched. Throws when one touches a table that it
    /// does not name.
    @discardableResult
    func run(_ database: Database) throws(StoreFailure) -> [Bounds] {
        try database.script("PRAGMA defer_foreign_keys = ON")
        var touched: [Bounds] = []
        for part in parts {
            let bounds = try database.bounded(part.tables, reading: part.reading, "migration \(number)") {
                () throws(StoreFailure) in
                try database.script(part.sql)
                try part.step?(database)
            }
            touched.append(bounds)
        }
        return touched
    }
}

extension StoreFailure {
    /// The failure of a migration, which says which it was where its own words do not.
    func during(_ migration: Migration) -> StoreFailure {
        let number = "migration \(migration.number)"
        let changedNothing = "\(number) (\(migration.name)) changed nothing: "
        return switch self {
        case .statement(let code, let message) where !message.hasPrefix(number):
            .statement(code: code, message: changedNothing + message)
        case .constraint(let what) where !what.hasPrefix(number): .constraint(changedNothing + what)
        default: self
        }
    }
}
