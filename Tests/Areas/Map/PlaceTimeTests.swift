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

/// When exactly somebody arrives is told to nobody who sees the names of places alone: two families in which Carol is
/// seconds later, within one quarter of an hour, are the same to them.
@Suite struct PlaceTimeTests {
    /// Everything Bob is told and can ask, of a day on which Carol comes to school and leaves it again.
    private func told(late: Int64, precision: JSON, quiet: Bool) throws -> [String] {
        let box = try FamilyBox()
        let ada = try box.found()
        let (bob, carol) = (try box.join("bob", by: ada), try box.join("carol", by: ada))
        try box.call(ada, "place.add", ["name": "School", "lat": 52.5, "lon": 13.4])
        try box.call(bob, "place.notify", ["who": .id(carol.id), "when": "both"])
        try box.call(
            carol, "sharing.set", ["state": "on", "rules": [["viewer": "everyone", "precision": precision]]])
        if quiet { try box.call(bob, "activity.setRules", ["quiet": ["from": "18:00", "to": "22:00", "zone": "UTC"]]) }
        box.clock = FamilyBox.start.adding(seconds: 3600)
        var seen: [String] = []
        _ = box.heard(bob)
        func stay(_ lat: Double, from start: Int64) throws {
            for second in stride(from: start, to: start + 240, by: 20) {
                box.clock = FamilyBox.start.adding(seconds: 3600 + second + late)
                let point: JSON.Object = [
                    "lat": .double(lat), "lon": 13.4, "at": .time(box.clock), "accuracy": 10,
                ]
                try box.call(carol, "position.report", point)
                for event in box.allHeard(bob) { seen.append("\(event.type) \(event.at) \(event.data.text)") }
                seen.append(try box.call(bob, "activity.list", ["limit": 50]).withoutCursor.text)
                seen.append(try box.fresh(bob.id).json.text)
            }
        }
        try stay(52.51, from: 0)
        try stay(52.5, from: 300)
        try stay(52.51, from: 1000)
        box.clock = FamilyBox.start.adding(seconds: 5 * 3600)
        try box.turn()
        for event in box.allHeard(bob) { seen.append("\(event.type) \(event.at) \(event.data.text)") }
        seen.append(try box.call(bob, "activity.list", ["limit": 50]).withoutCursor.text)
        return seen
    }

    @Test(arguments: [false, true]) func `who sees names of places cannot tell seconds apart`(quiet: Bool) throws {
        let one = try told(late: 0, precision: "place", quiet: quiet)
        let other = try told(late: 17, precision: "place", quiet: quiet)
        #expect(one.contains { $0.contains("\"arrived\"") || $0.contains("\"kinds\"") }, "nothing was compared")
        for (mine, its) in zip(one, other) where mine != its {
            Issue.record("\(mine)\n\(its)")
            break
        }
        #expect(one.count == other.count)
    }

    @Test func `who sees all can`() throws {
        #expect(try told(late: 0, precision: "exact", quiet: false) != told(late: 17, precision: "exact", quiet: false))
    }
}
