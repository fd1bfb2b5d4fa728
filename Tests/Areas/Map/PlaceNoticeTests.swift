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

/// Who is told of an arrival: who asked for it, once, by the place's name.
@Suite struct PlaceNoticeTests {
    private struct House {
        let box: FamilyBox
        let (ada, bob, carol): (FamilyBox.Person, FamilyBox.Person, FamilyBox.Person)
        let school: Identifier

        init() throws {
            box = try FamilyBox()
            ada = try box.found()
            bob = try box.join("bob", by: ada)
            carol = try box.join("carol", by: ada)
            let made = try box.call(ada, "place.add", ["name": "School", "lat": 52.5, "lon": 13.4])
            school = try #require(made["place"]?["id"]?.identifier)
            try box.call(carol, "sharing.set", ["state": "on"])
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

        func lines(_ person: FamilyBox.Person) throws -> [JSON] {
            let entries = try box.call(person, "activity.list", ["limit": 50])["entries"]?.array ?? []
            return entries.filter { $0["about"]?.string?.hasPrefix("stay/") == true }.flatMap {
                $0["lines"]?.array ?? []
            }
        }
    }

    @Test func `who asked is told once, by the place's name, and nobody else`() throws {
        let house = try House()
        try house.box.call(
            house.bob, "place.notify",
            ["who": .id(house.carol.id), "place": .id(house.school), "when": "arrive"])
        // The same once more, and one that fits too: still one notification.
        try house.box.call(
            house.bob, "place.notify",
            ["who": .id(house.carol.id), "place": .id(house.school), "when": "arrive"])
        try house.box.call(house.bob, "place.notify", ["when": "both"])
        try house.box.call(house.carol, "place.notify", ["when": "both"])
        try house.stay(52.51)
        try house.stay(52.5)
        let lines = try house.lines(house.bob)
        #expect(lines.map { $0["kind"] } == ["arrived"])
        #expect(lines.first?["place"] == "School")
        #expect(lines.first?["by"] == .id(house.carol.id))
        #expect(lines.first?["since"] == .time(house.box.clock.adding(seconds: -220)))
        #expect(try house.lines(house.ada).isEmpty)
        #expect(try house.lines(house.carol).isEmpty, "nobody is told of their own coming")
    }

    @Test func `leaving is told to who asked for leaving`() throws {
        let house = try House()
        try house.box.call(house.ada, "place.notify", ["who": .id(house.carol.id), "when": "leave"])
        try house.box.call(house.bob, "place.notify", ["who": .id(house.ada.id), "when": "both"])
        try house.stay(52.51)
        try house.stay(52.5)
        #expect(try house.lines(house.ada).isEmpty)
        try house.stay(52.51)
        #expect(try house.lines(house.ada).map { $0["kind"] } == ["left"])
        #expect(try house.lines(house.bob).isEmpty)
    }

    @Test func `a rule shows nothing that its owner may not see`() throws {
        let house = try House()
        try house.box.call(house.bob, "place.notify", ["when": "both"])
        try house.box.call(house.carol, "sharing.set", ["state": "off"])
        try house.stay(52.51)
        try house.stay(52.5)
        #expect(try house.lines(house.bob).isEmpty)
        let gus = try house.box.join("gus", role: .guest, by: house.ada)
        #expect(
            try house.box.refusal(gus, "place.notify", ["place": .id(house.school), "when": "both"])?.kind == .notFound)
        let stranger = Identifier(high: 1, low: 2)
        #expect(
            try house.box.refusal(house.bob, "place.notify", ["who": .id(stranger), "when": "both"])?.kind == .notFound)
    }

    @Test func `what was told goes with the place, and rules with both`() throws {
        let house = try House()
        try house.box.call(house.bob, "place.notify", ["place": .id(house.school), "when": "both"])
        try house.stay(52.51)
        try house.stay(52.5)
        #expect(try house.lines(house.bob).count == 1)
        try house.box.call(house.ada, "place.update", ["place": .id(house.school), "audience": [.id(house.carol.id)]])
        #expect(try house.lines(house.bob).isEmpty)
        try house.box.call(house.ada, "place.remove", ["place": .id(house.school)])
        #expect(try house.box.call(house.bob, "place.rules")["rules"] == [])
        #expect(try house.box.count("SELECT count(*) FROM inbox WHERE about LIKE 'stay/%'") == 0)
    }

    @Test func `rules are listed, and taken away by their owner alone`() throws {
        let house = try House()
        let rule = try house.box.call(house.bob, "place.notify", ["when": "leave"])["rule"]
        #expect(try house.box.call(house.bob, "place.rules")["rules"]?.array?.count == 1)
        #expect(
            try house.box.refusal(house.ada, "place.unnotify", ["rule": rule?["id"] ?? .null])?.kind == .notFound)
        try house.box.call(house.bob, "place.unnotify", ["rule": rule?["id"] ?? .null])
        #expect(try house.box.call(house.bob, "place.rules")["rules"] == [])
    }

    // MARK: New on the map

    private struct Pins {
        let box: FamilyBox
        let (ada, bob, carol): (FamilyBox.Person, FamilyBox.Person, FamilyBox.Person)

        init() throws {
            box = try FamilyBox()
            ada = try box.found()
            bob = try box.join("bob", by: ada)
            carol = try box.join("carol", by: ada)
        }

        @discardableResult
        func pin(
            _ kind: String, _ name: String, by who: FamilyBox.Person, for audience: JSON = "everyone"
        ) throws -> JSON {
            let made = try box.call(
                who, "place.add",
                ["kind": .string(kind), "name": .string(name), "lat": 52, "lon": 13, "audience": audience])
            return try #require(made["place"]?["id"])
        }

        func lines(_ person: FamilyBox.Person) throws -> [JSON] {
            let entries = try box.call(person, "activity.list", ["limit": 50])["entries"]?.array ?? []
            return entries.flatMap { $0["lines"]?.array ?? [] }.filter { $0["kind"] == "pinned" }
        }
    }

    @Test func `a new hotspot or note rings those who asked for it and see it, and nobody else`() throws {
        let pins = try Pins()
        try pins.box.call(pins.bob, "place.notify", ["when": "pinned"])
        try pins.box.call(pins.carol, "place.notify", ["when": "both"])
        try pins.pin("hotspot", "Ice cream", by: pins.ada)
        try pins.pin("note", "Slippery", by: pins.carol)
        try pins.pin("place", "School", by: pins.ada)
        try pins.pin("note", "A present", by: pins.ada, for: [.id(pins.carol.id)])
        try pins.pin("hotspot", "Mine", by: pins.bob)
        let lines = try pins.lines(pins.bob)
        #expect(Set(lines.compactMap { $0["place"]?.string }) == ["Ice cream", "Slippery"])
        let ice = try #require(lines.first { $0["place"] == "Ice cream" })
        #expect(ice["placeKind"] == "hotspot" && ice["by"] == .id(pins.ada.id))
        #expect(lines.first { $0["place"] == "Slippery" }?["placeKind"] == "note")
        #expect(try pins.lines(pins.ada).isEmpty && pins.lines(pins.carol).isEmpty)
    }

    @Test func `one may ask for one member's pins, and then names no place`() throws {
        let pins = try Pins()
        try pins.box.call(pins.bob, "place.notify", ["who": .id(pins.carol.id), "when": "pinned"])
        let ice = try pins.pin("hotspot", "Ice cream", by: pins.ada)
        try pins.pin("hotspot", "Swings", by: pins.carol)
        #expect(try pins.lines(pins.bob).map { $0["place"] } == ["Swings"])
        let refused = try pins.box.refusal(pins.bob, "place.notify", ["place": ice, "when": "pinned"])
        #expect(refused?.kind == .invalid && refused?.field == "place")
    }

    @Test func `a muted kind rings nobody, though they asked for it`() throws {
        let pins = try Pins()
        try pins.box.call(pins.bob, "place.notify", ["when": "pinned"])
        try pins.box.call(pins.bob, "activity.setRules", ["mute": ["pinned"]])
        try pins.pin("hotspot", "Ice cream", by: pins.ada)
        #expect(try pins.lines(pins.bob).isEmpty)
        try pins.box.call(pins.bob, "activity.setRules", ["mute": []])
        try pins.pin("hotspot", "Swings", by: pins.ada)
        #expect(try pins.lines(pins.bob).map { $0["place"] } == ["Swings"])
    }

    @Test func `that something was new goes with it, and with the sight of it`() throws {
        let pins = try Pins()
        try pins.box.call(pins.bob, "place.notify", ["when": "pinned"])
        let ice = try pins.pin("hotspot", "Ice cream", by: pins.ada)
        let swings = try pins.pin("hotspot", "Swings", by: pins.ada)
        try pins.pin("note", "Slippery", by: pins.ada)
        #expect(try pins.lines(pins.bob).count == 3)
        try pins.box.call(pins.ada, "place.update", ["place": ice, "audience": [.id(pins.carol.id)]])
        try pins.box.call(pins.ada, "place.remove", ["place": swings])
        #expect(try pins.lines(pins.bob).map { $0["place"] } == ["Slippery"])
        // Who moves out sees nothing of the household's, and a guest no pins of everyone's.
        try pins.pin("note", "The key", by: pins.ada, for: "household")
        #expect(try pins.lines(pins.bob).map { $0["place"] } == ["The key", "Slippery"])
        try pins.box.move(pins.bob, to: try pins.box.foundHousehold("Lake", by: pins.ada))
        #expect(try pins.lines(pins.bob).map { $0["place"] } == ["Slippery"])
        try pins.box.call(pins.ada, "member.setRole", ["member": .id(pins.bob.id), "role": "guest"])
        #expect(try pins.lines(pins.bob).isEmpty)
        #expect(try pins.box.count("SELECT count(*) FROM inbox WHERE about LIKE 'place/%'") == 0)
    }
}
