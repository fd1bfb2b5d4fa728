import Foundation
import KinActivity
import KinCodec
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import KinStore
import Testing

@testable import KinActivity
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

/// A family of an earlier version, with something of every area, and what its daemon said of it.
@Suite struct UpgradeTests {
    private struct Fixture {
        let directory = "/tmp/kinwire-upgrade-\(UInt64.random(in: 0 ... .max))"
        let said: JSON
        var now: Instant { Instant(milliseconds: said["now"]?.int ?? 0) }
        var token: String { said["token"]?.string ?? "" }
        var cursor: String { said["cursor"]?.string ?? "" }

        init(_ version: Int) throws {
            let fixtures = UpgradeFixture.folder
            said = try JSON.parse(Array(try Data(contentsOf: fixtures.appending(path: "version-\(version).json"))))
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let gunzip = Process()
            gunzip.executableURL = URL(fileURLWithPath: "/bin/sh")
            gunzip.arguments = [
                "-c", "umask 077; gzip -dc \"$1\" > \"$2\"", "sh",
                fixtures.appending(path: "version-\(version).db.gz").path, directory + "/kinwire.db",
            ]
            try gunzip.run()
            gunzip.waitUntilExit()
            try #require(gunzip.terminationStatus == 0)
        }

        func member(_ name: String) throws -> Identifier { try #require(said["members"]?[name]?.identifier) }

        func open() throws -> Store {
            try Store(directory: directory, migrations: Registry.family.migrations, now: now)
        }
    }

    @Test(arguments: UpgradeFixture.versions)
    func `a database of an earlier version is carried over with everything in it`(version: Int) throws {
        let fixture = try Fixture(version)
        defer { FamilyBox.removeTree(fixture.directory) }
        let store = try fixture.open()
        let last = try store.database.first("SELECT max(number) FROM migrations") { $0.int(0) }
        #expect(last == Registry.family.migrations.last.map { Int64($0.number) })
        #expect(try Integrity.check(store.database) == [])
        let keeper = try Keeper(store: store, registry: .family)
        #expect(keeper.turn([], clock: fixture.now).fate == .committed)
        let reader = try store.reader()
        for name in ["ada", "ben", "kim"] {
            let id = try fixture.member(name)
            let said = try #require(fixture.said["snapshots"]?[name].flatMap { Snapshot($0) })
            let made = try Registry.family.snapshot(for: id, view: .all(for: id), in: reader)
            var snapshot = try #require(made?.snapshot)
            // That version had no word of what came since.
            snapshot.leaveOut(said.absent)
            #expect(snapshot.json.text == said.json.text, "\(name)")
            #expect(!snapshot.meetings.isEmpty && !snapshot.places.isEmpty && !snapshot.positions.isEmpty)
        }
        // What no snapshot holds is answered as it was.
        let answers = try #require(fixture.said["answers"]?.array)
        #expect(answers.count > 15)
        for question in answers {
            let who = try fixture.member(try #require(question["who"]?.string))
            var request = Request(
                ticket: Ticket(connection: 1, sequence: 1), credential: .machineAs(who),
                method: try #require(question["method"]?.string), params: question["params"]?.object ?? [:])
            var reply = try #require(keeper.turn([request], clock: fixture.now).replies.first)
            while case .later(let work) = reply.effect {
                request.work = work.run(at: Workplace(store: ReadingDesk(reader)))
                reply = try #require(keeper.turn([request], clock: fixture.now).replies.first)
            }
            let answer = UpgradeFixture.lasting(try JSON.parse(try reply.result.get()))
            let said = UpgradeFixture.lasting(try #require(question["answer"]))
            #expect(answer.says(allOf: said), "\(request.method): \(answer.text) and not \(said.text)")
        }
    }

    @Test(arguments: UpgradeFixture.versions) func `the family of an earlier version has something of every area`(
        version: Int
    ) throws {
        let fixture = try Fixture(version)
        defer { FamilyBox.removeTree(fixture.directory) }
        let store = try fixture.open()
        let last = try #require(fixture.said["migration"]?.int)
        // Words are taken in anew by the work that an upgrade plans.
        let keeper = try Keeper(store: store, registry: .family)
        for _ in 0..<50 { _ = keeper.turn([], clock: fixture.now) }
        let known = Registry.family.areas.filter { $0.migrations.contains { $0.number <= last } }
        #expect(known.count >= 9)
        for area in known {
            let rows = try area.tables.map { table in
                try #require(try store.database.first("SELECT count(*) FROM \(table.name)") { $0.int(0) })
            }
            #expect(rows.contains { $0 > 0 }, "\(area.name)")
        }
    }

    @Test(arguments: UpgradeFixture.versions)
    func `a client of an earlier version goes on from its cursor, and misses nothing`(version: Int) throws {
        let fixture = try Fixture(version)
        defer { FamilyBox.removeTree(fixture.directory) }
        let store = try fixture.open()
        let keeper = try Keeper(store: store, registry: .family)
        let view = View.all(for: try fixture.member("ada")).text
        let request = Request(
            ticket: Ticket(connection: 1, sequence: 1), credential: .token(fixture.token), method: "live.follow",
            params: ["since": .string(fixture.cursor), "view": .string(view)])
        let reply = try #require(keeper.turn([request], clock: fixture.now).replies.first)
        guard case .follow(let follow) = reply.effect else {
            Issue.record("\(reply.result)")
            return
        }
        #expect(follow.since == fixture.cursor && !follow.isViewChanged)
        let position = try #require(store.epochs.position(of: fixture.cursor))
        #expect(position >= store.log.firstKept)
        let read = try Log.read(
            try store.reader(), after: position, through: nil, member: follow.identity.number, types: nil,
            bytesMax: 1 << 20)
        #expect(read.rows.contains { String(decoding: $0.payload, as: UTF8.self).contains("Is anybody away?") })
        // Its named cursor is there too.
        let mark = Request(
            ticket: Ticket(connection: 1, sequence: 2), credential: .token(fixture.token), method: "live.mark",
            params: ["name": "tail"])
        let kept = try #require(keeper.turn([mark], clock: fixture.now).replies.first)
        #expect(try JSON.parse(try kept.result.get())["cursor"]?.string == fixture.cursor)
    }

    @Test func `what an earlier version told in its own words is told in those of today`() throws {
        let fixture = try Fixture(79)
        defer { FamilyBox.removeTree(fixture.directory) }
        let store = try fixture.open()
        let words = try store.database.rows(
            "SELECT DISTINCT type, substr(CAST(payload AS TEXT), 1, instr(CAST(payload AS TEXT), ',')) FROM log"
        ) { row in (type: row.text(0), payload: row.text(1)) }
        #expect(words.contains { $0.type == "room.read" } && !words.contains { $0.type == "room.marked" })
        #expect(words.allSatisfy { $0.payload == "\"type\":\"\($0.type)\"," })
        #expect(
            try store.database.first(
                "SELECT bytes - (SELECT sum(length(payload)) FROM log) FROM log_state", map: { $0.int(0) }) ?? 0 > 0)
        // What is told next takes the place of what was told before.
        let keys = try store.database.rows("SELECT key FROM log WHERE type = 'room.read'") { row in row.text(0) }
        #expect(!keys.isEmpty && keys.allSatisfy { $0.contains("/read/") })
        // All types are of today.
        let known = Set(Registry.family.events.keys).union(["reset"])
        #expect(Set(words.map(\.type)).subtracting(known) == [])
    }

    @Test(arguments: UpgradeFixture.versions)
    func `what coarse viewers are told is carried over into the table that is called so`(version: Int) throws {
        let fixture = try Fixture(version)
        defer { FamilyBox.removeTree(fixture.directory) }
        func told(_ table: String, _ store: Store) throws -> [[Int64]] {
            try store.database.rows("SELECT cell_row, cell_column, at FROM \(table) ORDER BY member") { row in
                [row.int(0), row.int(1), row.int(2)]
            }
        }
        let before = Array(Registry.family.migrations.prefix { $0.name != "latest coarse positions, by that name" })
        #expect(before.count < Registry.family.migrations.count)
        let dots = try told(
            "coarse_dots", try Store(directory: fixture.directory, migrations: before, now: fixture.now))
        #expect(dots.count == 2)
        let store = try fixture.open()
        #expect(try told("latest_coarse_positions", store) == dots)
        #expect(try store.database.first("SELECT 1 FROM sqlite_schema WHERE name = 'coarse_dots'") { $0.int(0) } == nil)
    }

    @Test(arguments: UpgradeFixture.versions)
    func `a migration that fails half-way leaves the earlier version's database as it was`(version: Int) throws {
        let fixture = try Fixture(version)
        defer { FamilyBox.removeTree(fixture.directory) }
        let broken = Migration(
            number: (Registry.family.migrations.last?.number ?? 0) + 1, name: "broken", tables: ["half"],
            sql: "CREATE TABLE half (one INTEGER) STRICT; INSERT INTO nowhere VALUES (1);")
        let failure = #expect(throws: StoreFailure.self) {
            _ = try Store(
                directory: fixture.directory, migrations: Registry.family.migrations + [broken], now: fixture.now)
        }
        #expect(failure?.sentence.contains("migration \(broken.number) (broken) changed nothing: ") == true)
        let store = try fixture.open()
        #expect(try store.database.first("SELECT 1 FROM sqlite_schema WHERE name = 'half'") { $0.int(0) } == nil)
        #expect(try Integrity.check(store.database) == [])
    }
}

extension JSON {
    /// Whether all that another says is said here as it was; an object may have more fields, which clients pass over.
    fileprivate func says(allOf other: JSON) -> Bool {
        switch (self, other) {
        case (.object, .object(let fields)):
            fields.members.allSatisfy { self[$0.name]?.says(allOf: $0.value) ?? false }
        case (.array(let own), .array(let others)):
            own.count == others.count && zip(own, others).allSatisfy { $0.says(allOf: $1) }
        default: self == other
        }
    }
}
