import KinActivity
import KinChat
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

/// What there is for all is shared out: whoever uses up a share has used up the own one.
@Suite struct QuotaTests {
    private func place(_ number: Int, _ audience: JSON) -> JSON.Object {
        ["name": .string("Place \(number)"), "lat": 52.5, "lon": 13.4, "audience": audience, "kind": "hotspot"]
    }

    @Test(arguments: [[] as JSON, "everyone"])
    func `one member's places do not use up the room for those of others`(audience: JSON) throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        var refused: Rejection?
        var count = 0
        while refused == nil, count < 150 {
            refused = try box.refusal(ben, "place.add", place(count, audience))
            count += 1
        }
        #expect(refused?.kind == .tooLarge)
        _ = try box.call(ada, "place.add", place(0, "everyone"))
        _ = try box.call(ada, "place.add", place(1, []))
    }

    @Test func `one member's meetings do not use up the room for those of others`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        func propose(_ who: FamilyBox.Person, slots: Int) throws -> Rejection? {
            try box.refusal(
                who, "meeting.propose",
                [
                    "title": "Soup", "kind": "solo", "zone": "Europe/Berlin",
                    "slots": .array(
                        (0..<slots).map { slot in
                            [
                                "start": .time(box.clock.adding(seconds: 86_400 + Int64(slot) * 7200)),
                                "end": .time(box.clock.adding(seconds: 86_400 + Int64(slot) * 7200 + 3600)),
                            ]
                        }),
                ])
        }
        var refused: Rejection?
        var count = 0
        while refused == nil, count < 32 {
            refused = try propose(ben, slots: 50)
            count += 1
        }
        #expect(refused?.kind == .tooLarge)
        while try propose(ben, slots: 1) == nil {}
        #expect(try propose(ada, slots: 10) == nil)
    }

    /// As if the member had used so much today.
    private func use(_ box: FamilyBox, _ what: Quota, _ used: Int64, by who: FamilyBox.Person) throws {
        try box.store.database.begin()
        try box.store.database.run(
            "INSERT INTO used_today (member, what, day, used) VALUES (?, ?, ?, ?)", .id(who.id), .text(what.name),
            .int(box.clock.milliseconds / 86_400_000), .int(used))
        try box.store.database.commit()
    }

    private func report(_ box: FamilyBox, _ count: Int) -> JSON.Object {
        let points = (0..<count).map { index -> JSON in
            ["lat": 52.5, "lon": 13.4, "at": .time(box.clock.adding(seconds: Int64(index - count)))]
        }
        return ["positions": .array(points)]
    }

    @Test func `a member tells so many points a day, is told before, and goes on tomorrow`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        try use(box, .points, Limits.pointsPerDayMax * 4 / 5 - 3, by: ben)
        _ = box.heard(ben)
        _ = box.heard(ada)
        _ = try box.call(ben, "position.report", report(box, 2))
        #expect(!box.types(ben).contains(Quota.near.name))
        _ = try box.call(ben, "position.report", report(box, 2))
        let heard = box.allHeard(ben)
        let near = try #require(heard.first { $0.type == Quota.near.name })
        #expect(near.data["what"] == "points" && near.data["most"] == .int(Limits.pointsPerDayMax))
        #expect(heard.contains { $0.data["entry"]?["lines"]?.array?.last?["kind"] == "quotaNear" })
        // Once, and to nobody else.
        _ = try box.call(ben, "position.report", report(box, 2))
        #expect(!box.types(ben).contains(Quota.near.name) && !box.types(ada).contains(Quota.near.name))

        try box.store.database.begin()
        try box.store.database.run("UPDATE used_today SET used = ?", .int(Limits.pointsPerDayMax - 1))
        try box.store.database.commit()
        let before = try box.count("SELECT count(*) FROM positions")
        let refused = try box.refusal(ben, "position.report", report(box, 2))
        #expect(refused?.kind == .slowDown && (1...86_400).contains(refused?.retryAfter ?? 0))
        #expect(try box.count("SELECT count(*) FROM positions") == before)
        // Others are not concerned, and tomorrow is another day.
        _ = try box.call(ada, "position.report", report(box, 2))
        try box.wait(seconds: 86_400)
        _ = try box.call(ben, "position.report", report(box, 2))
    }

    @Test func `a phone beyond its member's points is answered well, moves the dot and fills no history`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let made = try box.call(ada, "appPassword.create", ["device": "phone", "scope": "location"])
        let phone = Credential.appPassword(username: nil, password: made["password"]?.string ?? "")
        try use(box, .points, Limits.pointsPerDayMax, by: ada)
        let before = try box.count("SELECT count(*) FROM positions")
        let unusable = box.keeper.counters.own["phone_points_unusable", default: 0]
        for (index, lat) in [52.5, 52.6].enumerated() {
            box.clock = box.clock.adding(seconds: 600)
            if index == 0 {
                _ = try box.call(
                    phone, "phone.publish",
                    ["app": "traccar", "points": [["lat": .double(lat), "lon": 13.4, "at": .time(box.clock)]]])
            } else {
                _ = try box.call(
                    phone, "owntracks.publish",
                    [
                        "message": [
                            "_type": "location", "lat": .double(lat), "lon": 13.4,
                            "tst": .int(box.clock.milliseconds / 1000),
                        ]
                    ])
            }
            let dot = try box.call(ada, "position.latest")["positions"]?.array?.first
            #expect(dot?["lat"] == .double(lat))
        }
        #expect(try box.count("SELECT count(*) FROM positions") == before)
        #expect(box.keeper.counters.own["phone_points_unusable", default: 0] == unusable + 2)
    }

    @Test func `commands with an op are remembered up to so many bytes a day`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        try use(box, .operations, Limits.operationBytesPerDayMax - 200, by: ben)
        _ = try box.call(ben, "position.report", report(box, 1), op: "one")
        let refused = try box.refusal(ben, "position.report", report(box, 1), op: "two")
        #expect(refused?.kind == .slowDown && refused?.field == "op")
        _ = try box.call(ben, "position.report", report(box, 1))
        _ = try box.call(ada, "position.report", report(box, 1), op: "two")
    }

    @Test func `so many pictures a day, and a phone's own card is passed over beyond`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        try use(box, .pictures, Limits.picturesPerDayMax, by: ada)
        let picture: JSON.Object = ["member": .id(ada.id), "picture": "AAAA"]
        #expect(try box.refusal(ada, "member.setPicture", picture)?.kind == .slowDown)
        let made = try box.call(ada, "appPassword.create", ["device": "phone", "scope": "location"])
        let phone = Credential.appPassword(username: nil, password: made["password"]?.string ?? "")
        let before = box.works.count
        _ = try box.call(phone, "owntracks.publish", ["message": ["_type": "card", "face": "AAAA"]])
        #expect(box.works.count == before)
    }

    @Test func `admins are told the family's sums and nobody's own`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        _ = try box.call(ben, "position.report", report(box, 3))
        _ = try box.call(ada, "position.report", report(box, 2))
        _ = try box.call(ben, "place.add", place(0, []))
        _ = try box.call(ada, "daemon.status")
        guard case .status(let status) = box.effect else {
            Issue.record("no status")
            return
        }
        #expect(status.sums["pointsToday"] == 5 && status.sums["places"] == 1 && status.sums["meetings"] == 0)
        #expect(status.sums["points"] == 5)
        #expect(try box.refusal(ben, "daemon.status")?.kind == .forbidden)
    }

    @Test func `the sum of points is that of the rows, however they come and go`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        func expect(_ count: Int64, _ location: SourceLocation = #_sourceLocation) throws {
            _ = try box.call(ada, "daemon.status")
            guard case .status(let status) = box.effect else { return try #require(Bool(false), "no status") }
            #expect(status.sums["points"] == .int(count), sourceLocation: location)
            #expect(try box.count("SELECT count(*) FROM positions") == count, sourceLocation: location)
        }
        try expect(0)
        let first = report(box, 40)
        for (who, points) in [(ada, report(box, 30)), (ben, first), (ben, first)] {
            _ = try box.call(who, "position.report", points)
        }
        // What came again is there once.
        try expect(70)
        let refused = try box.refusal(
            ada, "position.report", ["positions": .array([["lat": 1, "lon": 2, "at": .time(.latest)]])])
        #expect(refused != nil)
        try expect(70)
        _ = try box.call(
            ben, "position.forget", ["from": .time(box.clock.adding(seconds: -9)), "to": .time(box.clock)])
        try expect(61)
        try box.wait(seconds: (Limits.historyDays + 1) * 86_400)
        try expect(0)
        _ = try box.call(ben, "position.report", report(box, 7))
        _ = try box.call(ada, "position.report", report(box, 5))
        _ = try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        try expect(5)
        try box.restart(after: 10)
        try expect(5)
    }

    @Test func `what is taken one by one is counted each time, and written down a few times`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let room = try #require(try box.call(ben, "room.open", ["with": [.id(ada.id)]])["room"]?["room"]?["id"])
        func said() throws -> Rejection? { try box.refusal(ben, "message.send", ["room": room, "text": "Hello"]) }
        try use(box, .init("messages"), Limits.messagesPerDayMax - 5, by: ben)
        let before = box.store.database.writes(to: TableSet(["used_today"]))
        for _ in 1...5 { #expect(try said() == nil) }
        #expect(box.store.database.writes(to: TableSet(["used_today"])) == before)
        // Others are not concerned; a refusal takes nothing away from the count.
        #expect(try said()?.kind == .slowDown)
        _ = try box.call(ada, "message.send", ["room": room, "text": "Hello"])
        #expect(try said()?.kind == .slowDown)
        box.clock = box.clock.adding(seconds: 86_400)
        for _ in 1...100 { #expect(try said() == nil) }
        // Most are written down by now, so that a restart forgives a few alone.
        #expect(try box.count("SELECT used FROM used_today WHERE what = 'messages' AND used < 3000") >= 64)
    }

    @Test func `a refusal at the moment of writing down forgives nothing`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let room = try #require(try box.call(ben, "room.open", ["with": [.id(ada.id)]])["room"]?["room"]?["id"])
        func said() throws -> Rejection? { try box.refusal(ben, "message.send", ["room": room, "text": "Hello"]) }
        try use(box, .init("messages"), Limits.messagesPerDayMax - 20, by: ben)
        for _ in 1...15 { #expect(try said() == nil) }
        // The sixteenth is written down, and is then refused for a picture that is not there.
        let pictures: JSON = [["picture": .id(ada.id)]]
        #expect(try box.refusal(ben, "message.send", ["room": room, "pictures": pictures]) != nil)
        for _ in 1...4 { #expect(try said() == nil) }
        #expect(try said()?.kind == .slowDown)
    }
}
