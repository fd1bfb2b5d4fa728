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

/// Off means off, also for what was on its way: whoever was away replays nothing that they may no longer know.
@Suite struct PlaceOffTests {
    struct House {
        let box: FamilyBox
        let (ada, bob, carol): (FamilyBox.Person, FamilyBox.Person, FamilyBox.Person)
        let school: Identifier

        init(_ rules: JSON? = nil) throws {
            box = try FamilyBox()
            ada = try box.found()
            bob = try box.join("bob", by: ada)
            carol = try box.join("carol", by: ada)
            let made = try box.call(ada, "place.add", ["name": "School", "lat": 52.5, "lon": 13.4])
            school = try #require(made["place"]?["id"]?.identifier)
            var params: JSON.Object = ["state": "on"]
            if let rules { params["rules"] = rules }
            try box.call(carol, "sharing.set", params)
            for person in [ada, bob] { try box.call(person, "place.notify", ["when": "both"]) }
        }

        /// Carol is somewhere for some minutes.
        func stay(_ lat: Double) throws {
            var points: [JSON] = []
            let end = box.clock.adding(seconds: 240)
            for second in stride(from: Int64(-220), through: 0, by: 20) {
                points.append(
                    ["lat": .double(lat), "lon": 13.4, "at": .time(end.adding(seconds: second)), "accuracy": 10])
            }
            box.clock = end
            try box.call(carol, "position.report", ["positions": .array(points)])
        }

        /// Carol comes to the school from elsewhere.
        func arrive() throws {
            try stay(52.51)
            try stay(52.5)
        }

        /// What of Carol's coming and going somebody who was away all the time is still told.
        func replayed(_ person: FamilyBox.Person) throws -> [String] {
            let number = try #require(try box.keeper.roster()[person.id]).number
            let page = try Log.read(
                box.store.database, after: 0, through: nil, member: number, types: nil, bytesMax: 1 << 20)
            return page.rows.filter { row in
                ["place.entered", "place.left"].contains(row.type)
                    || row.type.hasPrefix("activity.")
                        && String(decoding: row.payload, as: UTF8.self).contains("School")
            }.map(\.type)
        }

        func unread(_ person: FamilyBox.Person) throws -> [String] {
            try box.fresh(person.id).inbox.entries.flatMap { $0.lines.compactMap { $0["kind"]?.string } }.filter {
                ["arrived", "left", "digest"].contains($0)
            }
        }
    }

    private let nothing: [String] = []

    @Test func `who switches off takes back what was told of coming and going`() throws {
        let house = try House()
        try house.arrive()
        #expect(try house.replayed(house.bob) == ["place.entered", "activity.added"])
        #expect(try house.unread(house.bob) == ["arrived"])
        try house.box.call(house.carol, "sharing.set", ["state": "off"])
        for person in [house.ada, house.bob] {
            #expect(try house.replayed(person) == nothing)
            #expect(try house.unread(person) == nothing)
        }
        // Where she was is hers to know.
        #expect(try house.replayed(house.carol) == ["place.entered"])
    }

    @Test func `what was read stays with who read it`() throws {
        let house = try House()
        try house.arrive()
        try house.box.call(house.bob, "activity.read", ["upTo": .time(house.box.clock)])
        try house.box.call(house.carol, "sharing.set", ["state": "off"])
        let entries = try house.box.call(house.bob, "activity.list")["entries"]?.array ?? []
        #expect(entries.contains { $0["title"] == "School" })
        #expect(try house.replayed(house.bob) == nothing)
    }

    @Test(arguments: ["coarse", "place", "home", "off"])
    func `a rule that shows one viewer less takes it back from that one alone`(precision: String) throws {
        let house = try House()
        try house.arrive()
        try house.box.call(
            house.carol, "sharing.set",
            [
                "rules": [
                    ["viewer": "everyone", "precision": "exact"],
                    ["viewer": .id(house.bob.id), "precision": .string(precision)],
                ]
            ])
        #expect(try house.replayed(house.bob) == nothing)
        #expect(try house.unread(house.bob) == nothing)
        #expect(try house.replayed(house.ada) == ["place.entered", "activity.added"])
        #expect(try house.unread(house.ada) == ["arrived"])
    }

    @Test func `who saw names of places and sees cells from now on keeps no names`() throws {
        let house = try House()
        func show(_ precision: JSON) throws {
            try house.box.call(
                house.carol, "sharing.set", ["rules": [["viewer": .id(house.bob.id), "precision": precision]]])
        }
        try show("place")
        try house.arrive()
        #expect(try house.replayed(house.bob).contains("place.entered"))
        try show("coarse")
        #expect(try !house.replayed(house.bob).contains("place.entered"))
        #expect(try house.unread(house.bob) == nothing)
    }

    @Test func `who stops to be one of everyone keeps nothing of it`() throws {
        let house = try House()
        try house.arrive()
        try house.box.call(
            house.ada, "member.setRole", ["member": .id(house.bob.id), "role": "guest"])
        #expect(try house.replayed(house.bob).contains("place.entered") == false)
        #expect(try house.unread(house.bob) == nothing)
    }

    @Test func `who loses sight of the place keeps nothing of who came there`() throws {
        let house = try House()
        try house.arrive()
        try house.box.call(
            house.ada, "place.update", ["place": .id(house.school), "audience": [.id(house.carol.id)]])
        #expect(try house.replayed(house.bob).contains("place.entered") == false)
        #expect(try house.replayed(house.ada).contains("place.entered"))
    }

    @Test func `a day that is forgotten takes its coming and going along`() throws {
        let house = try House()
        try house.arrive()
        house.box.clock = house.box.clock.adding(days: 1)
        try house.stay(52.51)
        let noon = house.box.clock.adding(seconds: -3600)
        let forgotten: JSON.Object = ["from": .time(noon.adding(days: -3)), "to": .time(noon)]
        #expect(try house.replayed(house.bob).filter { $0.hasPrefix("place.") } == ["place.entered", "place.left"])
        try house.box.call(house.carol, "position.forget", forgotten)
        for person in [house.ada, house.bob, house.carol] {
            #expect(try house.replayed(person).filter { $0.hasPrefix("place.") } == ["place.left"])
        }
        #expect(try house.box.holds("School") == true)
        #expect(try house.unread(house.bob).contains("arrived") == false)
    }

    @Test func `a digest no longer counts what was taken back`() throws {
        let house = try House()
        let start = house.box.clock
        try house.arrive()
        let quiet: JSON = ["from": "00:00", "to": "23:59", "zone": "UTC"]
        try house.box.call(house.bob, "activity.setRules", ["quiet": quiet])
        try house.stay(52.51)
        // Something else that is held back: another's coming.
        try house.box.call(house.bob, "activity.read", ["upTo": .time(house.box.clock)])
        for number in 0..<2 {
            try house.box.call(
                house.ada, "meeting.propose",
                [
                    "title": .string("Meeting \(number)"), "kind": "group", "zone": "UTC",
                    "slots": [
                        [
                            "start": .time(start.adding(days: 30)),
                            "end": .time(start.adding(days: 30).adding(seconds: 3600)),
                        ]
                    ], "invitees": [.id(house.bob.id)],
                ])
        }
        try house.box.call(house.bob, "activity.setRules", ["quiet": .null])
        func digest() throws -> JSON? {
            try house.box.fresh(house.bob.id).inbox.entries.lazy.compactMap { entry in
                entry.lines.first { $0["kind"] == "digest" }
            }.first
        }
        #expect(try digest()?["kinds"]?.array?.contains { $0["kind"] == "left" } == true)
        try house.box.call(house.carol, "sharing.set", ["state": "off"])
        #expect(try digest()?["kinds"] == [["kind": "invited", "count": 2]])
        #expect(try house.replayed(house.bob) == nothing)
    }
}
