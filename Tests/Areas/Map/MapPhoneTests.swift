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

@Suite struct MapPhoneTests {
    private let box: MapBox
    private let ada: Identifier

    init() throws {
        box = try MapBox()
        ada = try box.join("Ada")
    }

    @discardableResult
    private func says(_ message: JSON, device: JSON = "pixel") throws -> [JSON] {
        try #require(
            try box.call(ada, "owntracks.publish", ["message": message, "device": device]).array)
    }

    private func location(_ more: JSON.Object = [:]) -> JSON {
        var message: JSON = [
            "_type": "location", "lat": 52.5, "lon": 13.4, "tst": .int(box.clock.milliseconds / 1000),
        ]
        for member in more.members { message[member.name] = member.value }
        return message
    }

    private func phones(of member: Identifier? = nil, by caller: Identifier? = nil) throws -> [JSON] {
        var params: JSON.Object = [:]
        if let member { params["member"] = .id(member) }
        return try box.call(caller ?? ada, "phone.list", params)["phones"]?.array ?? []
    }

    private func troubles() throws -> [String] {
        try phones().first?["troubles"]?.array?.compactMap(\.string) ?? []
    }

    @Test func `a phone is known from its first post, by app and name`() throws {
        #expect(try phones().isEmpty)
        try says(location(["batt": 71, "bs": 2]))
        try box.wait(seconds: 60)
        try says(["_type": "lwt", "tst": 1])
        try says(["_type": "steps", "tst": 1, "steps": 99], device: "watch")
        let params: JSON.Object = [
            "app": "overland", "device": "pixel",
            "points": [["lat": 1, "lon": 2, "at": .time(box.clock), "battery": 40, "charging": false]],
        ]
        try box.call(ada, "phone.publish", params)
        let all = try phones()
        #expect(Set(all.compactMap { $0["app"]?.string }) == ["owntracks", "overland"] && all.count == 3)
        let pixel = try #require(all.first { $0["app"] == "owntracks" && $0["name"] == "pixel" })
        #expect(pixel["battery"]?.double == 71 && pixel["charging"] == true && pixel["silent"] == false)
        #expect(pixel["place"] == .time(MapBox.start) && pixel["contact"] == .time(box.clock))
        #expect(pixel["since"] == .time(MapBox.start))
        let other = try #require(all.first { $0["app"] == "overland" })
        #expect(other["battery"]?.double == 40 && other["charging"] == false)
        // A late point changes nothing of what it says of itself.
        try says(location(["tst": .int(box.clock.milliseconds / 1000 - 9000), "batt": 9]))
        #expect(try phones().first { $0["name"] == "pixel" && $0["app"] == "owntracks" }?["battery"]?.double == 71)
        try box.wait(seconds: 6 * 3600)
        #expect(try phones().allSatisfy { $0["silent"] == true })
    }

    @Test(arguments: [
        (#"{"android":{"wifi":1,"ps":0,"bo":0,"hib":0,"loc":0}}"#, [String]()),
        (
            #"{"android":{"ps":1,"bo":1,"hib":1,"loc":-2}}"#,
            ["locationWhileUsing", "pausedWhenUnused", "powerSave", "batteryOptimised"]
        ),
        (#"{"android":{"loc":1}}"#, ["locationCoarse"]), (#"{"android":{"loc":-4}}"#, ["locationOff"]),
        (#"{"android":{"loc":-3}}"#, ["locationWhileUsing", "locationCoarse"]),
        (
            #"{"iOS":{"version":"18.4","locationManagerAuthorizationStatus":"kCLAuthorizationStatusAuthorizedAlways","backgroundRefreshStatus":"UIBackgroundRefreshStatusAvailable"}}"#,
            []
        ),
        (
            #"{"iOS":{"locationManagerAuthorizationStatus":"kCLAuthorizationStatusAuthorizedWhenInUse","backgroundRefreshStatus":"UIBackgroundRefreshStatusDenied"}}"#,
            ["locationWhileUsing", "backgroundRefreshOff"]
        ),
        (#"{"iOS":{"locationManagerAuthorizationStatus":"kCLAuthorizationStatusDenied"}}"#, ["locationOff"]),
        (#"{"android":7,"iOS":[]}"#, []), (#"{"android":{"loc":-9223372036854775808,"ps":"yes"}}"#, []),
    ])
    func `a status says what keeps the app from reporting`(status: String, found: [String]) throws {
        var message = try JSON.parse(status)
        message["_type"] = "status"
        try says(["_type": "status", "android": ["ps": 1]])
        try says(message)
        #expect(try troubles() == found)
    }

    @Test func `the app's mode and its settings are heard, and its password is not kept`() throws {
        try says(location(["m": 0]))
        #expect(try troubles() == ["quiet"])
        try says(["_type": "status", "android": ["ps": 1]])
        #expect(try troubles() == ["quiet", "powerSave"])
        try says(location(["m": 1]))
        #expect(try troubles() == ["powerSave"])
        let settings: JSON = ["_type": "configuration", "cmd": false, "monitoring": -1, "password": "quilt-heron"]
        try says(["_type": "dump", "configuration": settings])
        #expect(try troubles() == ["quiet", "powerSave"] && phones().first?["commands"] == false)
        #expect(try box.count("SELECT count(*) FROM phones WHERE instr(id || name || troubles, 'quilt') > 0") == 0)
        try says(["_type": "waypoints", "waypoints": [["desc": "Home"], ["desc": "School"]]])
        try says(["_type": "waypoint", "desc": "Mill", "lat": 1, "lon": 2, "rad": 50, "tst": 1])
        #expect(try phones().first?["regions"] == 2)
        #expect(!box.notes.contains { $0.contains("quilt") })
    }

    @Test func `a transition is kept once, and only when it can be true`() throws {
        let now = JSON.int(box.clock.milliseconds / 1000)
        let enter: JSON = [
            "_type": "transition", "event": "enter", "tst": now, "wtst": 1, "desc": "Home", "rid": "8e4b9f",
            "lat": 52.5,
            "lon": 13.4, "acc": 20, "tid": "ad", "t": "c", "_id": "a1",
        ]
        for _ in 0..<3 { try says(enter) }
        try says(enter, device: "watch")
        for (name, value) in [("event", "pass"), ("tst", .int(4_000_000_000)), ("tst", .null)] as [(String, JSON)] {
            var odd = enter
            odd[name] = value
            odd["_id"] = "odd"
            try says(odd)
        }
        var bare = enter
        for name in ["lat", "lon", "desc", "rid", "_id"] { bare[name] = nil }
        bare["event"] = "leave"
        try says(bare)
        #expect(try box.count("SELECT count(*) FROM phone_transitions") == 3)
        #expect(try box.count("SELECT count(*) FROM phone_transitions WHERE entering AND name = 'Home'") == 2)
        // It is evidence, and no position.
        #expect(try box.dots(ada).isEmpty)
        try box.wait(seconds: 31 * 86_400)
        #expect(try box.count("SELECT count(*) FROM phone_transitions") == 0)
    }

    // MARK: Who sees it

    @Test func `phones are their owner's, and a child's the household's adults'`() throws {
        let ben = try box.join("Ben")
        let gil = try box.join("Gil", role: .guest)
        try says(location())
        for viewer in [ben, gil] {
            #expect(throws: Rejection.self) { try phones(of: ada, by: viewer) }
        }
        try box.write("UPDATE members SET kind = 'child' WHERE id = ?", .id(ada))
        #expect(try phones(of: ada, by: ben).count == 1)
        #expect(throws: Rejection.self) { try phones(of: ada, by: gil) }
        let id = try #require(try phones().first?["id"])
        #expect(throws: Rejection.self) { try box.call(gil, "phone.forget", ["phone": id]) }
        try box.call(ben, "phone.forget", ["phone": id])
        #expect(try phones().isEmpty)
        // A child is nobody's keeper.
        try box.write("UPDATE members SET kind = 'child' WHERE id = ?", .id(ben))
        try says(location())
        #expect(throws: Rejection.self) { try phones(of: ada, by: ben) }
    }

    @Test func `the one not heard of for longest makes room`() throws {
        for index in 0...Limits.devicesPerMemberMax {
            try says(["_type": "lwt"], device: .string("phone \(index)"))
            try box.wait(seconds: 1)
        }
        let names = try phones().compactMap { $0["name"]?.string }
        #expect(names.count == Limits.devicesPerMemberMax && !names.contains("phone 0") && names.first == "phone 64")
    }

    // MARK: Silence

    private func silence() throws -> String? {
        try box.share(ada, "off")
        try box.share(ada)
        _ = box.heard(ada)
        try box.wait(seconds: 6 * 3600)
        let event = box.heard(ada).last { $0.type == "position.silent" }
        let cause = try box.call(ada, "phone.list")["cause"]
        #expect(cause == event?.data["cause"])
        return event?.data["cause"]?.string
    }

    @Test func `who is silent is told the likeliest reason`() throws {
        #expect(try silence() == "noPhone")
        try says(location(["batt": 50]))
        #expect(try silence() == "noContact")
        try says(location(["batt": 3, "bs": 1]))
        #expect(try silence() == "batteryEmpty")
        try says(location(["batt": 3, "bs": 2]))
        #expect(try silence() == "noContact")
        try says(["_type": "status", "android": ["ps": 1, "loc": 1]])
        #expect(try silence() == "powerSave")
        try says(["_type": "status", "android": ["ps": 1, "loc": -4]])
        #expect(try silence() == "locationOff")
        try says(["_type": "status", "android": [:]])
        #expect(try silence() == "noPlaces")
    }

    // MARK: Commands

    private let dump: JSON = ["_type": "cmd", "action": "dump"]

    private func add(_ message: JSON, key: String) throws {
        let act = Act(
            keeper: box.keeper, now: box.clock, caller: .machine, origin: Origin(), work: nil)
        try box.store.beginTurn()
        try PhoneCommands.add(ada, message, key: key, act)
        try box.store.commitTurn()
    }

    /// The actions among an answer, which come as texts.
    private func actions(_ answer: [JSON]) throws -> [String] {
        try answer.compactMap(\.string).map { try #require(try JSON.parse($0)["action"]?.string) }
    }

    @Test func `a command rides on the next answer, again when the post comes again, and then no more`() throws {
        try add(dump, key: "dump")
        #expect(try actions(says(location())).isEmpty)
        try add(dump, key: "dump")
        try add(["_type": "cmd", "action": "status"], key: "status")
        try add(["_type": "cmd", "action": "reportLocation"], key: "status")
        #expect(try phones().first?["waiting"] == 2)
        let post = location(["_id": "a"])
        #expect(try actions(says(post)) == ["dump", "reportLocation"])
        // The answer was lost, and something more was asked for meanwhile.
        try add(["_type": "cmd", "action": "setWaypoints"], key: "more")
        #expect(try Set(actions(says(post))) == ["dump", "reportLocation", "setWaypoints"])
        #expect(try actions(says(location(["_id": "b"]))).isEmpty)
        #expect(try actions(says(post)).isEmpty)
    }

    @Test func `a command goes to each phone that understands it, and waits two days at most`() throws {
        try says(location())
        try says(["_type": "lwt"], device: "watch")
        try box.call(ada, "phone.publish", ["app": "traccar", "device": "car", "points": []])
        try add(dump, key: "dump")
        #expect(try phones().map { $0["waiting"]?.int }.sorted { ($0 ?? 0) < ($1 ?? 0) } == [0, 1, 1])
        #expect(try actions(says(location(["_id": "c"]), device: "watch")) == ["dump"])
        try box.wait(seconds: 49 * 3600)
        try box.wait(seconds: 3600)
        #expect(try actions(says(location())).isEmpty)
        for index in 0..<20 { try add(dump, key: "\(index)") }
        #expect(try phones().first { $0["name"] == "pixel" }?["waiting"] == .int(Int64(Limits.phoneCommandsMax)))
    }
}
