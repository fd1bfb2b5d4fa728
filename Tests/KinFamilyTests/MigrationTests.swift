import KinFamily
import KinKeeper
import KinStore
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// A migration names its tables, and they are its area's own.
@Suite struct MigrationTests {
    @Test func `every migration touches all tables that it names, and no other`() throws {
        let disk = FaultVFS.register(name: "migrations", seed: 1)
        // The store's own tables are there; what follows is run by hand, with a list of what it touches.
        let store = try Store(directory: "/steps", migrations: [], now: FamilyBox.start, files: .memory(disk))
        let database = store.database
        #expect(Registry.family.migrations.count >= 27)
        for migration in Registry.family.migrations {
            try database.begin()
            let touched = try migration.run(database)
            try database.commit()
            // Of the store's own a part makes only what an older version lacks.
            for (part, touched) in zip(migration.parts, touched) where part.tables != Migration.ownRowTables {
                #expect(touched.changed == part.tables, "migration \(migration.number) names a table too many")
                #expect(touched.read.isSuperset(of: part.reading), "migration \(migration.number)")
            }
        }
    }

    @Test func `each table is made by a migration of the area that declares it`() {
        for area in Registry.family.areas {
            let changed = area.migrations.flatMap(\.parts).reduce(into: Set<String>()) { $0.formUnion($1.tables) }
            #expect(Set(area.tables.map(\.name)).isSubset(of: changed), "\(area.name)")
        }
    }

    /// One word for one thing, in tables too: a mark is a named cursor (`live.mark`), and where somebody is a position.
    @Test func `nothing is called in tables by a word that it no longer has in code and on the wire`() throws {
        let box = try FamilyBox()
        let tables = try box.store.database.rows("SELECT name FROM sqlite_schema WHERE type = 'table'") { row in
            row.text(0)
        }
        #expect(tables.contains("marks") && tables.contains("latest_coarse_positions"))
        let gone: Set = ["consent", "consents", "gathering", "gatherings", "pins", "dot", "dots"]
        for table in tables {
            #expect(gone.isDisjoint(with: table.split(separator: "_").map { String($0) }), "\(table)")
            let columns = try box.store.database.rows("SELECT name FROM pragma_table_info(?)", .text(table)) { row in
                row.text(0)
            }
            #expect(!columns.contains("mark") && !columns.contains("pin"), "\(table)")
        }
    }

    private static let next = (Registry.family.migrations.last?.number ?? 0) + 1

    /// An area of one migration.
    private static func area(_ migration: Migration) -> Area {
        Area("Other", tables: [Table("own")], migrations: [migration], methods: [], events: [])
    }

    @Test func `a migration of its own tables starts`() {
        let own = Migration(
            number: Self.next, name: "own", tables: ["own", "due", "dropped_since"], reading: ["members"], sql: "")
        #expect(Registry.family.adding(Self.area(own)).migrations.last?.number == Self.next)
    }

    @Test func `a migration that changes another area's table does not start`() async {
        await #expect(processExitsWith: .failure) {
            _ = Registry.family.adding(
                Self.area(Migration(number: Self.next, name: "other", tables: ["own", "places"], sql: "")))
        }
    }

    @Test func `a migration that reads another area's table does not start`() async {
        await #expect(processExitsWith: .failure) {
            _ = Registry.family.adding(
                Self.area(
                    Migration(number: Self.next, name: "other", tables: ["own"], reading: ["positions"], sql: "")))
        }
    }

    @Test func `a migration of an area that changes the store's tables does not start`() async {
        await #expect(processExitsWith: .failure) {
            _ = Registry.family.adding(
                Self.area(Migration(number: Self.next, name: "other", tables: ["own", "log"], sql: "")))
        }
    }

    @Test func `a part of a migration that is not there does not start`() async {
        await #expect(processExitsWith: .failure) {
            _ = Registry.family.adding(Self.area(.part(of: Self.next, tables: ["own"], sql: "")))
        }
    }

    @Test func `two migrations of one number do not start`() async {
        await #expect(processExitsWith: .failure) {
            _ = Registry.family.adding(Self.area(Migration(number: 1, name: "other", tables: ["own"], sql: "")))
        }
    }
}
