import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinActivity
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

@Suite struct MapSilenceTests {
    private func report(_ box: FamilyBox, _ who: FamilyBox.Person) throws {
        try box.call(who, "position.report", ["lat": 1, "lon": 2, "at": .time(box.clock)])
    }

    @Test func `a silent phone is told to its owner once, until it reports again`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        try box.readAll(ada, ben)
        // Nobody who does not share is asked for anything.
        try report(box, ada)
        try box.wait(seconds: 90_000)
        #expect(try box.fresh(ada.id).inbox.unread == 0)
        try box.call(ada, "sharing.set", ["state": "on"])
        for _ in 1...8 {
            try report(box, ada)
            try box.wait(seconds: 3600)
        }
        let last = box.clock.adding(seconds: -3600)
        #expect(try box.fresh(ada.id).inbox.unread == 0)
        try box.wait(seconds: 5 * 3600 - 1)
        #expect(try box.fresh(ada.id).inbox.unread == 0)
        _ = (box.heard(ben), box.heard(ada))
        try box.wait(seconds: 1)
        #expect(box.types(ada) == ["position.silent"] && box.types(ben).isEmpty)
        #expect(try box.fresh(ada.id).inbox.entries.first?.lines.first?["last"] == .time(last))
        try box.wait(seconds: 90_000)
        #expect(box.types(ada).isEmpty)
        try report(box, ada)
        try box.wait(seconds: 6 * 3600)
        #expect(box.types(ada).filter { $0 == "position.silent" }.count == 1)
    }

    @Test func `who switches sharing off is not asked for positions`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        try box.call(ada, "sharing.set", ["state": "on"])
        try box.call(ada, "sharing.set", ["state": "off"])
        try box.wait(seconds: 90_000)
        #expect(!box.types(ada).contains("position.silent"))
        // On without a single position is silence too.
        try box.call(ada, "sharing.set", ["state": "on"])
        try box.wait(seconds: 6 * 3600)
        #expect(box.types(ada).contains("position.silent"))
    }

    @Test func `who shows where they are is told when that ended by itself, and nobody else is`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        try box.call(ben, "sharing.set", ["state": "on", "until": .time(box.clock.adding(seconds: 600))])
        try report(box, ben)
        try box.readAll(ada, ben)
        try box.wait(seconds: 600)
        let line = try box.fresh(ben.id).inbox.entries.first?.lines.last
        #expect(line?["kind"] == "sharingChanged" && line?["state"] == "off")
        #expect(try box.fresh(ada.id).inbox.unread == 0)
        #expect(try box.fresh(ada.id).positions.isEmpty)
        // No phone is missed that nobody expects.
        try box.wait(seconds: 90_000)
        #expect(!box.types(ben).contains("position.silent"))
    }

    @Test
    func `a member whose phone fell silent is shown with the position's age, and with the cause to none but them`()
        throws
    {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        try box.call(ben, "sharing.set", ["state": "on"])
        let post: JSON = [
            "_type": "location", "lat": 1, "lon": 2, "tst": .int(box.clock.milliseconds / 1000), "batt": 4, "bs": 1,
        ]
        try box.call(.machineAs(ben.id), "owntracks.publish", ["message": post])
        let last = box.clock
        _ = (box.heard(ada), box.heard(ben))
        try box.wait(seconds: 6 * 3600)
        #expect(box.heard(ben).last { $0.type == "position.silent" }?.data["cause"] == "batteryEmpty")
        let mine = try box.call(ben, "phone.list")
        #expect(mine["cause"] == "batteryEmpty" && mine["phones"]?.array?.first?["silent"] == true)
        #expect(box.heard(ada).isEmpty)
        let seen = try box.call(ada, "position.latest")["positions"]?.array?.first
        #expect(seen?["at"] == .time(last) && seen?["cause"] == nil)
        #expect(try box.refusal(ada, "phone.list", ["member": .id(ben.id)])?.kind == .forbidden)
    }
}
