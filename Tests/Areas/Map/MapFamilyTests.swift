import KinActivity
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

/// The map among members who come, go and change their roles.
@Suite struct MapFamilyTests {
    private func report(_ box: FamilyBox, _ who: FamilyBox.Person, _ lat: Double) throws {
        box.clock = box.clock.adding(seconds: 1)
        try box.call(who, "position.report", ["lat": .double(lat), "lon": 13.4, "at": .time(box.clock)])
    }

    private func dots(_ box: FamilyBox, _ who: FamilyBox.Person) throws -> [Identifier: Double] {
        try box.fresh(who.id).positions.mapValues(\.lat)
    }

    @Test func `a guest who becomes a member sees who admits it, and as a guest again nobody`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let gus = try box.join("gus", role: .guest, by: ada)
        try box.call(ada, "sharing.set", ["state": "on"])
        try box.call(gus, "sharing.set", ["state": "on"])
        try report(box, ada, 1)
        try report(box, gus, 2)
        #expect(try dots(box, gus) == [gus.id: 2])
        try box.call(ada, "member.setRole", ["member": .id(gus.id), "role": "member"])
        #expect(try dots(box, gus) == [gus.id: 2])
        try box.call(ada, "sharing.admit", ["viewer": .id(gus.id), "admit": true])
        #expect(try dots(box, gus) == [gus.id: 2, ada.id: 1])
        try report(box, ada, 3)
        #expect(try dots(box, gus)[ada.id] == 3)
        try box.call(ada, "member.setRole", ["member": .id(gus.id), "role": "guest"])
        #expect(try dots(box, gus) == [gus.id: 2])
        _ = box.heard(gus)
        try report(box, ada, 4)
        try box.call(ada, "sharing.set", ["state": "off"])
        #expect(box.heard(gus).isEmpty)
        #expect(try dots(box, ada) == [gus.id: 2, ada.id: 4])
    }

    @Test(arguments: ["delete", "hand-over"])
    func `who is removed leaves everyone's map, and the file, whatever is kept`(
        keep: String
    ) throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let bob = try box.join("bob", by: ada)
        try box.call(bob, "sharing.set", ["state": "on", "until": .time(box.clock.adding(days: 1))])
        try box.call(
            bob, "position.report", ["lat": 1, "lon": 2, "at": .time(box.clock), "device": "bobs-pocket-telescope"])
        #expect(try dots(box, ada) == [bob.id: 1])
        #expect(try box.holds("bobs-pocket-telescope"))
        try box.call(ada, "member.remove", ["member": .id(bob.id), "keep": .string(keep)])
        #expect(try dots(box, ada).isEmpty)
        for table in ["positions", "latest_positions", "sharing", "position_devices"] {
            #expect(try box.count("SELECT count(*) FROM \(table)") == 0, "\(table)")
        }
        #expect(try !box.holds("bobs-pocket-telescope"))
    }

    @Test func `a restored family shares nothing, also not with a cursor from before the backup`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let bob = try box.join("bob", by: ada)
        try box.call(ada, "sharing.set", ["state": "on"])
        try report(box, ada, 1)
        #expect(try dots(box, bob) == [ada.id: 1])
        // What Keeper.afterRestore does, on a store that is open.
        try box.store.beginTurn()
        try box.store.due.add(at: box.clock, kind: Keeper.restoredDue, about: "family")
        try box.store.commitTurn()
        try box.turn()
        // Nobody is signed in any more.
        #expect(try box.refusal(ada, "sharing.show")?.kind == .notSignedIn)
        let again = try (box.signIn("ada"), box.signIn("bob"))
        #expect(try dots(box, again.1).isEmpty)
        #expect(try dots(box, again.0) == [ada.id: 1])
        #expect(try box.call(again.0, "sharing.show")["sharing"]?["paused"] == true)
    }

    @Test func `an app password for locations reports and publishes, names its device and reads no history`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        func password(_ scope: String) throws -> Credential {
            let made = try box.call(ada, "appPassword.create", ["device": "Pixel", "scope": .string(scope)])
            return .appPassword(username: "ada", password: try #require(made["password"]?.string))
        }
        let location = try password("location")
        try box.call(location, "position.report", ["lat": 1, "lon": 2, "at": .time(box.clock)])
        let message: JSON = [
            "_type": "location", "lat": 2, "lon": 2, "tst": .int(box.clock.milliseconds / 1000 - 60),
        ]
        #expect(try box.call(location, "owntracks.publish", ["message": message]) == [])
        #expect(try box.count("SELECT count(*) FROM positions") == 2)
        #expect(try box.count("SELECT count(*) FROM position_devices WHERE name = 'Pixel'") == 1)
        let history: JSON.Object = ["member": .id(ada.id), "from": .time(FamilyBox.start), "to": .time(box.clock)]
        #expect(try box.refusal(location, "position.history", history)?.kind == .forbidden)
        #expect(try box.refusal(location, "sharing.set", ["state": "on"])?.kind == .forbidden)
        let calendar = try password("calendar")
        #expect(try box.refusal(calendar, "owntracks.publish", ["message": message])?.kind == .forbidden)
        #expect(try box.refusal(.none, "owntracks.publish", ["message": message])?.kind == .notSignedIn)
        #expect(try box.refusal(.machine, "position.report", ["lat": 1, "lon": 2, "at": .time(box.clock)]) != nil)
    }
}
