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

/// Quiet hours. The box begins on 2026-11-20 at 18:00 UTC, which is 19:00 in Berlin.
@Suite struct ActivityQuietTests {
    private static let night: JSON = ["from": "22:00", "to": "07:00", "zone": "Europe/Berlin"]

    private func at(_ text: String) throws -> Instant { try #require(Instant(text)) }

    @Test func `what comes in quiet hours is summed up when they end`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        try box.call(ben, "activity.setRules", ["quiet": Self.night])
        try box.readAll(ben)
        box.clock = try at("2026-11-20T20:59:59Z")
        _ = try box.join("kit", by: ada)
        #expect(try box.fresh(ben.id).inbox.unread == 1)
        box.clock = try at("2026-11-20T21:00:00Z")
        _ = try box.join("dora", by: ada)
        _ = try box.signIn("ben")
        _ = try box.signIn("ben")
        #expect(try box.fresh(ben.id).inbox.unread == 1)
        #expect(try box.call(ben, "activity.list")["entries"]?.array?.count == 1)
        // Official messages wait for nobody.
        try box.call(ada, "activity.announce", ["text": "Fire"])
        #expect(try box.fresh(ben.id).inbox.entries.first?.title == "Fire")
        _ = box.toldByInbox(ben)
        box.clock = try at("2026-11-21T05:59:59Z")
        try box.turn()
        #expect(box.toldByInbox(ben).isEmpty)
        box.clock = try at("2026-11-21T06:00:00Z")
        try box.turn()
        let told = box.toldByInbox(ben)
        #expect(told.map(\.type) == ["activity.added"] && told.first?.data["unread"] == 3)
        let line = told.first?.data["entry"]?["lines"]?.array?.first
        let began = try at("2026-11-20T21:00:00Z")
        #expect(line?["kind"] == "digest" && line?["count"] == 3 && line?["since"] == .time(began))
        #expect(
            line?["kinds"] == [["kind": "memberJoined", "count": 1], ["kind": "newDevice", "count": 2]])
        // What it sums up can be read in full.
        #expect(try box.call(ben, "activity.list")["entries"]?.array?.count == 6)
    }

    @Test func `a single entry is shown as it is`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        try box.call(ada, "activity.setRules", ["quiet": Self.night])
        box.clock = try at("2026-11-20T23:00:00Z")
        _ = try box.join("ben", by: ada)
        #expect(try box.fresh(ada.id).inbox.unread == 0)
        // Reading does not concern what was not shown.
        try box.call(ada, "activity.read", ["upTo": .time(box.clock)])
        box.clock = try at("2026-11-21T06:00:00Z")
        try box.turn()
        #expect(try box.fresh(ada.id).inbox.entries.first?.title == "Ben")
    }

    @Test func `quiet hours that are changed end at another time, or at once`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        try box.call(ada, "activity.setRules", ["quiet": Self.night])
        box.clock = try at("2026-11-20T23:00:00Z")
        _ = try box.join("ben", by: ada)
        try box.call(ada, "activity.setRules", ["quiet": ["from": "20:00", "to": "08:30", "zone": "Europe/London"]])
        box.clock = try at("2026-11-21T08:29:59Z")
        try box.turn()
        #expect(try box.fresh(ada.id).inbox.unread == 0)
        box.clock = try at("2026-11-21T08:30:00Z")
        try box.turn()
        #expect(try box.fresh(ada.id).inbox.unread == 1)
        box.clock = try at("2026-11-21T22:00:00Z")
        _ = try box.join("kit", by: ada)
        #expect(try box.fresh(ada.id).inbox.unread == 1)
        try box.call(ada, "activity.setRules", ["quiet": nil])
        #expect(try box.fresh(ada.id).inbox.unread == 2)
    }

    @Test func `times and zones that are none are refused`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        func refused(_ from: String, _ to: String, _ zone: String) throws -> String? {
            let quiet: JSON = ["from": .string(from), "to": .string(to), "zone": .string(zone)]
            return try box.refusal(ada, "activity.setRules", ["quiet": quiet])?.field
        }
        #expect(try refused("24:00", "07:00", "UTC") == "quiet.from")
        #expect(try refused("22:60", "07:00", "UTC") == "quiet.from")
        #expect(try refused("22:00", "7:000", "UTC") == "quiet.to")
        #expect(try refused("22:00", "22:00", "UTC") == "quiet.to")
        #expect(try refused("22:00", "07:00", "Europe/Atlantis") == "quiet.zone")
        #expect(try refused("22:00", "07:00", "../passwd") == "quiet.zone")
        #expect(try refused("22:00", "07:00", "UTC") == nil)
        #expect(try box.call(ada, "activity.rules")["rules"]?["quiet"]?["from"] == "22:00")
    }

    @Test func `an end that daylight saving skips or repeats comes once`() throws {
        let hours = try QuietHours(asked: ["from": "22:00", "to": "02:30", "zone": "Europe/Berlin"])
        // 2027-03-28: 02:00 becomes 03:00. 2026-10-25: 03:00 becomes 02:00.
        #expect(hours.end(at: try at("2027-03-28T00:59:00Z")) == (try at("2027-03-28T01:30:00Z")))
        #expect(hours.end(at: try at("2027-03-28T01:00:00Z")) == nil)
        #expect(hours.end(at: try at("2026-10-24T23:00:00Z")) == (try at("2026-10-25T00:30:00Z")))
        let second = try at("2026-10-25T01:10:00Z")
        #expect(hours.end(at: second) == second.adding(seconds: 60))
        #expect(hours.end(at: try at("2026-10-25T01:30:00Z")) == nil)
        let noon = try QuietHours(asked: ["from": "12:00", "to": "14:00", "zone": "UTC"])
        #expect(noon.end(at: try at("2026-11-20T12:00:00Z")) == (try at("2026-11-20T14:00:00Z")))
        #expect(noon.end(at: try at("2026-11-20T14:00:00Z")) == nil)
    }

    @Test func `rules are read as they are written`() throws {
        let night: JSON = ["from": "22:00", "to": "07:30", "zone": "Europe/Berlin", "days": ["mon", "sun"]]
        let hours = try #require(QuietHours(night))
        #expect(hours.json == night)
        #expect(try hours == QuietHours(asked: night))
        for wrong in ["24:00", "7:000", "22.00"] {
            #expect(QuietHours(["from": .string(wrong), "to": "07:30", "zone": "UTC"]) == nil)
        }
        #expect(InboxSettings().json == ["mute": [], "ring": [], "quiet": .null, "still": [], "soundFrom": .null])
        var settings = InboxSettings()
        (settings.quiet, settings.sound) = (hours, [])
        #expect(InboxSettings(settings.json) == settings)
    }
}
