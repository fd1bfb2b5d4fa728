import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import KinStore
import Synchronization
import Testing

@testable import KinActivity
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

/// Families from before places were agreed to.
@Suite struct PlaceUpgradeTests {
    private static let disks = Atomic<Int>(0)

    @Test func `a file from before gets the tables, and what is to be done at once`() throws {
        let number = Self.disks.wrappingAdd(1, ordering: .relaxed).newValue
        let disk = FaultVFS.register(name: "upgrade-\(number)")
        defer { disk.unregister() }
        let member = Identifier(high: 0x0198_0000_0000_7000, low: 0x8000_0000_0000_0001)
        try { () throws in
            let old = try Store(
                directory: "/old", migrations: Registry.family.migrations.filter { $0.number < 19 },
                now: FamilyBox.start, files: .memory(disk))
            try old.beginTurn()
            for sql in [
                "DROP TABLE log_floors", "DROP INDEX log_by_audience", "DROP INDEX audience_members_by_member",
                "UPDATE log_state SET position = 9, first_kept = 7",
            ] {
                try old.database.run(sql)
            }
            try old.database.run("INSERT INTO sharing (member, history_days) VALUES (?, 3)", .id(member))
            try old.commitTurn()
        }()
        let store = try Store(
            directory: "/old", migrations: Registry.family.migrations, now: FamilyBox.start, files: .memory(disk))
        #expect(try Log.floor(store.database, of: 1) == 7)
        #expect(try Log.newest(store.database, of: 1, upTo: 9) == nil)
        let due = try store.database.rows("SELECT kind FROM due") { row in row.text(0) }
        #expect(due.contains(PlaceAgreements.upgradeDue))
    }

    /// Carol is at the school, which bob made, and bob sees her by names of places.
    private func family() throws -> (box: FamilyBox, bob: FamilyBox.Person, carol: FamilyBox.Person, school: JSON) {
        let box = try FamilyBox()
        let ada = try box.found()
        let (bob, carol) = (try box.join("bob", by: ada), try box.join("carol", by: ada))
        let school = try box.call(bob, "place.add", ["name": "School", "lat": 52.5, "lon": 13.4])["place"]?["id"]
        let rules: JSON = [["viewer": "everyone", "precision": "place"]]
        try box.call(carol, "sharing.set", ["state": "on", "rules": rules])
        for lat in [52.51, 52.5] {
            let end = box.clock.adding(seconds: 240)
            let points = stride(from: Int64(-220), through: 0, by: 20).map { second -> JSON in
                ["lat": .double(lat), "lon": 13.4, "at": .time(end.adding(seconds: second)), "accuracy": 10]
            }
            box.clock = end
            try box.call(carol, "position.report", ["positions": .array(points)])
        }
        try box.store.beginTurn()
        try box.store.database.run("DELETE FROM place_agreements")
        try box.store.database.run("INSERT INTO due (kind, about, at) VALUES ('places.upgrade', 'places', 0)")
        try box.store.commitTurn()
        box.store.due.forget()
        try box.wait(seconds: 1)
        return (box, bob, carol, try #require(school))
    }

    private func seen(_ box: FamilyBox, _ viewer: FamilyBox.Person, _ member: FamilyBox.Person) throws -> JSON? {
        try box.call(viewer, "position.latest")["positions"]?.array?.first { $0["member"] == .id(member.id) }?["place"]
    }

    @Test func `places that were there go on for fourteen days, and the person is told so`() throws {
        let (box, bob, carol, school) = try family()
        let entry = try box.fresh(carol.id).inbox.entries.first { $0.lines.contains { $0["kind"] == "placeAsked" } }
        #expect(entry?.lines.last?["until"] == .time(box.clock.adding(days: Limits.placesUnconfirmedDays)))
        try box.wait(seconds: 13 * 86_400)
        #expect(try seen(box, bob, carol) == "School")
        #expect(try box.call(carol, "sharing.show")["sharing"]?["waitingPlaces"] == nil)
        try box.wait(seconds: 86_401)
        #expect(try seen(box, bob, carol) == .null)
        #expect(
            try box.call(carol, "sharing.show")["sharing"]?["waitingPlaces"] == [["place": school, "name": "School"]])
    }

    @Test func `who confirms goes on for good`() throws {
        let (box, bob, carol, _) = try family()
        try box.call(carol, "sharing.set", ["rules": [["viewer": "everyone", "precision": "place"]]])
        try box.wait(seconds: 15 * 86_400)
        #expect(try seen(box, bob, carol) == "School")
    }

    @Test func `an adult answers for a child that it holds`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (bob, kim) = (try box.join("bob", by: ada), try box.join("kim", kind: .child, by: ada))
        try box.call(ada, "sharing.hold", ["member": .id(kim.id), "hold": true])
        let rules: JSON = [["viewer": "everyone", "precision": "place"]]
        try box.call(ada, "sharing.set", ["member": .id(kim.id), "state": "on", "rules": rules])
        let made = try box.call(bob, "place.add", ["name": "School", "lat": 52.5, "lon": 13.4])
        let school = try #require(made["place"]?["id"])
        #expect(box.heard(ada).contains { $0.type == "place.asked" })
        #expect(!box.heard(kim).contains { $0.type == "place.asked" })
        #expect(try box.refusal(kim, "place.admit", ["place": school, "admit": true])?.kind == .forbidden)
        let child = JSON.id(kim.id)
        let answer = try box.call(ada, "place.admit", ["place": school, "admit": true, "member": child])
        #expect(answer["sharing"]?["waitingPlaces"] == nil)
        // What the child sees and the holder does not is nobody's to agree to.
        _ = try box.call(
            bob, "place.add", ["name": "Hideout", "lat": 52.6, "lon": 13.4, "audience": [child]])
        #expect(!box.heard(ada).contains { $0.type == "place.asked" })
    }
}
