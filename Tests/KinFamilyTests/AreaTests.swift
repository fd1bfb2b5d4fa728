import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// What areas declare holds together, or does not start.
@Suite struct AreaTests {
    @Test func `every table belongs to one area or to the store`() throws {
        let box = try FamilyBox()
        let tables = try box.store.database.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        ) { row in row.text(0) }
        let declared = Set(Registry.family.areas.flatMap(\.tables).map(\.name))
        let strangers = tables.filter { table in
            !declared.contains(table) && !Migration.storeTables.contains(table) && !FamilyBox.isShadow(table, tables)
        }
        #expect(strangers == [])
        #expect(declared.subtracting(tables) == [])
    }

    /// By SQLite's own word, whatever the SQL was put together from. The rooms of the map share their tables.
    @Test func `an area's part of a snapshot is read from its own tables and the roster's`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        _ = try box.propose(by: ada, invitees: [ben])
        try box.call(ada, "activity.announce", ["text": "Soup at six"])
        try box.call(ada, "alarm.raise", ["kind": "sos"])
        let entry = try #require(try box.keeper.roster()[ben.id])
        let viewer = Viewer(
            id: ben.id, number: entry.number, role: entry.role, household: entry.household, view: .all(for: ben.id))
        let database = box.store.database
        for area in Registry.family.areas where !area.snapshot.isEmpty || !area.everySnapshot.isEmpty {
            let tables = Registry.family.areas.filter { $0.name == area.name || $0.view == area.view }.flatMap(\.tables)
            var snapshot = Snapshot()
            let read = try database.bounded(
                Set(tables.map(\.name)), reading: People.rosterTables.union(["json_each"]), area.name
            ) { () throws(StoreFailure) in try area.show(database, viewer, &snapshot) }.read
            #expect(!read.isEmpty, "\(area.name)")
        }
        let joined = "SELECT 1 FROM places p, members m WHERE m.id = p.owner AND p.id IN (SELECT id FROM meetings)"
        #expect(throws: StoreFailure.self) {
            try database.bounded(["places"], reading: People.rosterTables, "Places") { () throws(StoreFailure) in
                _ = try database.rows(joined) { row in row.int(0) }
            }
        }
    }

    @Test func `a type of another version belongs to nobody's part, but to the whole`() throws {
        let member = Identifier(high: 1, low: 1)
        let place = Registry.family.eventTraits["chat.said"].place
        #expect(View.all(for: member).contains(place))
        for word in Registry.family.views.all {
            #expect(try !View.read(word, of: Registry.family.views, for: member).0.contains(place), "\(word)")
        }
    }

    @Test func `two areas with a table of one name do not start`() async {
        await #expect(processExitsWith: .failure) {
            _ = Registry.family.adding(
                Area("Other", tables: [Table("places")], migrations: [], methods: [], events: []))
        }
    }

    @Test func `an area that hears what nobody says does not start`() async {
        await #expect(processExitsWith: .failure) {
            _ = Registry.family.adding(
                Area(
                    "Other", tables: [], migrations: [], methods: [], events: [],
                    told: ["chat.said": { (_, _) throws(Rejection) in }]))
        }
    }

    @Test func `an inbox rule of lines that nobody declares does not start`() async {
        await #expect(processExitsWith: .failure) {
            let kind = InboxKind("whispered")
            _ = Registry.family.adding(
                Area(
                    "Other", tables: [], migrations: [], methods: [], events: [],
                    inbox: [InboxRule(Member.joined, kind, .audience)]))
        }
    }

    @Test func `two areas that answer for credentials do not start`() async {
        await #expect(processExitsWith: .failure) {
            let credentials = Area.Credentials(
                resolve: { (_, _, _) throws(Rejection) in .nobody },
                isOutlived: { (_, _, _) throws(Rejection) in false })
            _ = Registry.family.adding(
                Area(
                    "Other", tables: [], migrations: [], methods: [], events: [],
                    hooks: Area.Hooks(credentials: credentials)))
        }
    }

    @Test func `what an area does not keep in memory it is not given`() async {
        await #expect(processExitsWith: .failure) {
            final class Other: AreaMemory {
                func turn(_ turn: Turn) {}
                func forget() {}
            }
            let box = try FamilyBox()
            try box.keeper.byItself(now: box.clock) { (act) throws(Rejection) in _ = act.memory(Other.self) }
        }
    }

    @Test func `planned work is asked for and taken back by the words of an act`() throws {
        let box = try FamilyBox()
        let at = box.clock.adding(seconds: 600)
        try box.keeper.byItself(now: box.clock) { (act) throws(Rejection) in
            for about in ["entry/1/ada", "entry/2/ada", "entry/1/ben", "entry/1/ada/2", "other/1/ada"] {
                try act.plan("entry.reminds", about: about, at: at)
            }
            try act.plan("alarm.rings", about: "entry/1/ada", at: at)
            try act.unplan("entry.reminds", from: "entry/", to: "/ada")
            let (kept, gone) = (
                try act.planned("entry.reminds", about: "entry/1/ben"),
                try act.isPlanned("entry.reminds", about: "entry/2/ada")
            )
            guard kept == at, !gone else { throw Rejection(.conflict, "It is planned otherwise.") }
        }
        let left = try box.store.database.rows(
            "SELECT kind || ' ' || about AS work FROM due WHERE at = ? ORDER BY work", .time(at)
        ) { row in row.text(0) }
        #expect(
            left == [
                "alarm.rings entry/1/ada", "entry.reminds entry/1/ada/2", "entry.reminds entry/1/ben",
                "entry.reminds other/1/ada",
            ])
    }
}
