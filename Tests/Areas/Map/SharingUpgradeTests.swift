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

/// Families from before rules for groups were for those who were there, and before there were rules for who may hold.
@Suite struct SharingUpgradeTests {
    private static let start = Instant("2026-11-20T18:00:00Z") ?? .earliest
    private static let mill = Identifier(high: 0x0198_0000_0000_7000, low: 0x8000_0000_0000_0001)

    private static func person(_ number: UInt64) -> Identifier { Identifier(at: start, random: (number, number)) }

    /// Ada, Bob, Mum, Dad, Kid and Gus, who is a guest, in one household, as the daemon before left them.
    private struct House {
        let ada = SharingUpgradeTests.person(1)
        let bob = SharingUpgradeTests.person(2)
        let mum = SharingUpgradeTests.person(3)
        let dad = SharingUpgradeTests.person(4)
        let kid = SharingUpgradeTests.person(5)
        let disk: FaultVFS
        let store: Store
        let keeper: Keeper
        private(set) var clock = SharingUpgradeTests.start.adding(seconds: 60)

        init(_ name: String, _ fill: (Database, House.Type) throws -> Void) throws {
            disk = FaultVFS.register(name: "upgrade-\(name)")
            let files = Files.memory(disk)
            let old = Registry.family.migrations.filter { $0.number < 17 }.sorted { $0.number < $1.number }
            do {
                let store = try Store(directory: "/old", migrations: old, now: SharingUpgradeTests.start, files: files)
                try store.beginTurn()
                try Self.people(store.database)
                try fill(store.database, House.self)
                try store.commitTurn()
            }
            store = try Store(directory: "/old", migrations: Registry.family.migrations, now: clock, files: files)
            keeper = try Keeper(store: store, registry: .family)
            let commit = keeper.turn([], clock: clock)
            #expect(commit.fate == .committed && commit.notes.allSatisfy { !$0.sentence.contains("refused") })
        }

        private static func people(_ database: Database) throws {
            try database.run(
                "INSERT INTO households (id, name, founded_at) VALUES (?, 'Mill', 0)", .id(SharingUpgradeTests.mill))
            for number in 1...6 as ClosedRange<UInt64> {
                try database.run(
                    """
                    INSERT INTO members (id, number, username, display_name, role, kind, household, password, joined_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, '', 0)
                    """, .id(person(number)), .int(Int64(number)), .text("p\(number)"), .text("P\(number)"),
                    .text(number == 6 ? "guest" : "member"), .text(number == 5 ? "child" : "adult"),
                    .id(SharingUpgradeTests.mill))
                try database.run(
                    "INSERT INTO inbox_members (member, joined, seen) VALUES (?, 0, 0)", .id(person(number)))
            }
        }

        /// Sharing that is on, with these rules and what they came to: numbers of who sees all, and who coarse.
        static func share(
            _ database: Database, _ member: UInt64,
            rules: [(kind: Int64, viewer: Identifier?, String, Instant?)]? = nil,
            exact: [Int32] = [], coarse: [Int32] = [], history: [Int32] = [], holder: Identifier? = nil
        ) throws {
            let sets = [[], [], coarse, exact, history].map { Audience($0).bytes }
            let bytes: [UInt8] = sets.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 255)] + $0 }
            try database.run(
                """
                INSERT INTO sharing (track, member, is_on, since, history_days, has_rules, holder)
                VALUES (?1, ?2, 1, 0, 30, ?3, ?4)
                """, .int(Int64(member)), .id(person(member)), .bool(rules != nil), Value(holder))
            try database.run(
                "INSERT INTO sharing_versions (version, track, since, viewers) VALUES (?1, ?1, 0, ?2)",
                .int(Int64(member)), .blob(bytes))
            try database.run("UPDATE sharing SET version = track WHERE track = ?", .int(Int64(member)))
            for rule in rules ?? [] {
                try database.run(
                    """
                    INSERT INTO sharing_rules (track, kind, viewer, precision, until, shows_history)
                    VALUES (?, ?, ?, ?, ?, 0)
                    """, .int(Int64(member)), .int(rule.kind), rule.viewer.map { .id($0) } ?? .blob([]), .text(rule.2),
                    Value(rule.3))
            }
        }

        static func person(_ number: UInt64) -> Identifier { SharingUpgradeTests.person(number) }

        func sees(_ viewer: Int32, _ watched: Identifier) throws -> Precision {
            let sharing = try #require(try MemberSharing.find(store.database, watched))
            return sharing.isOn ? sharing.viewers.precision(for: viewer) : .off
        }

        @discardableResult
        func call(_ who: Identifier, _ method: String, _ params: JSON.Object = [:]) throws -> JSON? {
            let request = Request(
                ticket: Ticket(connection: 1, sequence: 1), credential: .machineAs(who), method: method, params: params)
            let commit = keeper.turn([request], clock: clock)
            #expect(commit.fate == .committed)
            return try JSON.parse(try #require(commit.replies.first).result.get())["sharing"]
        }

        mutating func wait(days: Int64) throws {
            clock = clock.adding(days: days)
            #expect(keeper.turn([], clock: clock).fate == .committed)
        }

        func lines(_ member: Identifier, _ kind: JSON) throws -> [JSON] {
            let found = try keeper.registry.snapshot(for: member, view: .all(for: member), in: store.database)
            return try #require(found).snapshot.inbox.entries.flatMap(\.lines).filter { $0["kind"] == kind }
        }
    }

    @Test func `those who saw by a rule for a group go on for 14 days, and the member is told so`() throws {
        var house = try House("go-on") { database, house in
            try house.share(database, 1, exact: [2, 3, 4, 5])
            try house.share(
                database, 2, rules: [(0, nil, "coarse", nil), (2, house.person(3), "exact", nil)], exact: [3],
                coarse: [1, 4, 5])
        }
        #expect(try house.sees(2, house.ada) == .exact)
        #expect(try house.sees(6, house.ada) == .off)
        #expect(try house.sees(1, house.bob) == .coarse)
        let line = try #require(try house.lines(house.ada, "sharingToConfirm").first)
        #expect(line["until"]?.instant == Self.start.adding(seconds: 60).adding(days: 14))
        #expect(try house.call(house.ada, "sharing.show")?["confirmBy"] == line["until"])
        try house.wait(days: 13)
        #expect(try house.sees(2, house.ada) == .exact)
        // Bob confirms the list; Ada answers for one only.
        try house.call(
            house.bob, "sharing.set", ["state": "on", "confirms": [.id(house.ada), .id(house.mum), .id(house.dad)]])
        try house.call(house.ada, "sharing.admit", ["viewer": .id(house.mum), "admit": true])
        try house.wait(days: 2)
        #expect(try house.sees(1, house.bob) == .coarse)
        #expect(try house.sees(3, house.bob) == .exact)
        #expect(try house.sees(5, house.bob) == .off)
        #expect(try house.sees(3, house.ada) == .exact)
        #expect(try house.sees(2, house.ada) == .off)
        let shown = try house.call(house.ada, "sharing.show")
        #expect(shown?["waiting"]?.array?.count == 3 && shown?["confirmBy"] == nil)
        try house.call(house.ada, "sharing.admit", ["viewer": .id(house.bob), "admit": true])
        #expect(try house.sees(2, house.ada) == .exact)
    }

    @Test func `nobody new sees anything, not by a rule that ends either`() throws {
        let end = Self.start.adding(days: 1)
        var house = try House("nobody-new") { database, house in
            try house.share(
                database, 1, rules: [(0, nil, "exact", nil), (2, house.person(2), "off", end)], exact: [3, 4, 5])
        }
        #expect(try house.sees(2, house.ada) == .off)
        try house.wait(days: 2)
        #expect(try house.sees(2, house.ada) == .off)
        #expect(try house.sees(3, house.ada) == .exact)
        #expect(try house.call(house.ada, "sharing.show")?["waiting"]?.array?.count == 1)
    }

    @Test func `a parent who holds is asked to say so again, and the hold ends where nothing is said`() throws {
        var house = try House("holder") { database, house in
            try house.share(database, 5, exact: [1, 2, 3, 4], holder: house.person(3))
            for parent in [3, 4] as [UInt64] {
                try database.run(
                    "INSERT INTO parents (child, parent) VALUES (?, ?)", .id(house.person(5)), .id(house.person(parent))
                )
            }
        }
        let shown = try house.call(house.mum, "sharing.show", ["member": .id(house.kid)])
        #expect(shown?["heldBy"] == .id(house.mum) && shown?["heldUntil"]?.instant != nil)
        #expect(try !house.lines(house.mum, "sharingToConfirm").isEmpty)
        #expect(try !house.lines(house.kid, "sharingToConfirm").isEmpty)
        #expect(try house.sees(1, house.kid) == .exact)
        try house.wait(days: 14)
        #expect(try house.sees(1, house.kid) == .off)
        let after = try house.call(house.kid, "sharing.show")
        #expect(after?["heldBy"] == nil && after?["parents"] == [.id(house.mum), .id(house.dad)])
        try house.call(house.mum, "sharing.hold", ["member": .id(house.kid), "hold": true])
        #expect(try house.call(house.kid, "sharing.show")?["heldBy"] == .id(house.mum))
    }

    @Test func `a holder who says so again goes on`() throws {
        var house = try House("holds-on") { database, house in
            try house.share(database, 5, exact: [1, 2, 3, 4], holder: house.person(3))
            try database.run(
                "INSERT INTO parents (child, parent) VALUES (?, ?)", .id(house.person(5)), .id(house.person(3)))
        }
        try house.call(house.mum, "sharing.hold", ["member": .id(house.kid), "hold": true])
        try house.call(
            house.mum, "sharing.set", ["member": .id(house.kid), "state": "on", "confirms": [.id(house.ada)]])
        try house.wait(days: 15)
        #expect(try house.call(house.kid, "sharing.show")?["heldBy"] == .id(house.mum))
        #expect(try house.sees(1, house.kid) == .exact)
        #expect(try house.sees(2, house.kid) == .off)
    }

    @Test func `a hold of somebody who may not ends at once, and an adult's is nobody's`() throws {
        let house = try House("ends") { database, house in
            try house.share(database, 5, exact: [1, 2, 3, 4], holder: house.person(1))
            try house.share(database, 2, exact: [1, 3, 4, 5], holder: house.person(1))
        }
        #expect(try house.sees(3, house.kid) == .off)
        #expect(try house.call(house.kid, "sharing.show")?["heldBy"] == nil)
        #expect(try house.call(house.bob, "sharing.show")?["heldBy"] == nil)
        #expect(try house.sees(3, house.bob) == .exact)
        try house.call(house.kid, "sharing.set", ["state": "on"])
        #expect(try house.sees(3, house.kid) == .exact)
    }

    @Test func `an old backup that is restored shows nobody, and asks about nothing that is off`() throws {
        let house = try House("restored") { database, house in
            try house.share(database, 1, exact: [2, 3, 4, 5])
            // What a restore puts down, before this program first opens the file.
            try database.run("INSERT INTO due (at, kind, about) VALUES (0, 'restored', 'sharing')")
        }
        #expect(try house.sees(2, house.ada) == .off)
        #expect(try house.lines(house.ada, "sharingToConfirm").isEmpty)
        let shown = try house.call(house.ada, "sharing.show")
        #expect(shown?["paused"] == true && shown?["confirmBy"] == nil)
    }

    @Test func `a family without sharing has nothing to confirm`() throws {
        let house = try House("nothing") { _, _ in }
        #expect(try house.lines(house.ada, "sharingToConfirm").isEmpty)
        let due = "SELECT count(*) FROM due WHERE kind <> 'search.fill'"
        #expect(try house.store.database.first(due) { $0.int(0) } == 0)
    }
}
