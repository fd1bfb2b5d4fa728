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

/// What a point asks is remembered as long as it is so: whoever changes it, the next point goes by it.
@Suite struct MapMemoryTests {
    private func set(_ box: MapBox) throws -> Identifier {
        let ada = try box.join("Ada")
        _ = try box.join("Bob")
        try box.share(ada)
        try box.report(ada, 52.1)
        try box.wait(seconds: 10)
        return ada
    }

    @Test func `a statement that nobody told the memory of counts at once`() throws {
        let box = try MapBox()
        let ada = try set(box)
        try box.write("UPDATE sharing SET history_days = 0 WHERE member = ?", .id(ada))
        try box.report(ada, 52.2)
        try box.write("UPDATE sharing SET history_days = 7 WHERE member = ?", .id(ada))
        try box.wait(seconds: 10)
        try box.report(ada, 52.3)
        #expect(try box.history(ada) == [52.1, 52.3])
    }

    @Test func `what an act wrote that was rolled back was never so`() throws {
        let box = try MapBox()
        let ada = try set(box)
        try box.act { (act) throws(Rejection) in
            do throws(StoreFailure) { try act.store.database.savepoint("tried") } catch { throw act.failed(error) }
            try act.run("UPDATE sharing SET is_on = 0, history_days = 1 WHERE member = ?", .id(ada))
            #expect(try !MemberSharing.of(ada, act).isOn)
            let made = try Track.device("tablet", of: 1, act)
            #expect(try Track.device("tablet", of: 1, act) == made)
            do throws(StoreFailure) { try act.store.database.rollbackTo("tried") } catch { throw act.failed(error) }
            let sharing = try MemberSharing.of(ada, act)
            #expect(sharing.isOn && sharing.historyDays == Limits.historyDays)
        }
        var point = box.point(52.2)
        point["device"] = "tablet"
        try box.call(ada, "position.report", point)
        let unknown = "SELECT count(*) FROM positions WHERE device NOT IN (SELECT device FROM position_devices)"
        #expect(try box.count(unknown) == 0)
        #expect(try box.count("SELECT count(*) FROM position_devices WHERE name = 'tablet'") == 1)
    }

    @Test func `a device whose name was deleted gets a number anew`() throws {
        let box = try MapBox()
        let ada = try set(box)
        try box.write("DELETE FROM position_devices")
        try box.report(ada, 52.2)
        #expect(try box.count("SELECT count(*) FROM position_devices") == 1)
    }

    @Test func `a jump is doubted, and the points after it are held against it`() throws {
        let box = try MapBox()
        let ada = try set(box)
        for lat in [10.0, 10.001, 10.002] {
            var point = box.point(lat)
            point["accuracy"] = 5
            try box.call(ada, "position.report", point)
            try box.wait(seconds: 10)
        }
        #expect(try box.count("SELECT count(*) FROM positions WHERE quality = 2") == 2)
        #expect(try box.count("SELECT count(*) FROM latest_positions WHERE shown = 0 AND lat = 10.002") == 1)
        #expect(try box.count("SELECT count(*) FROM doubted_points") == 0)
    }
}
