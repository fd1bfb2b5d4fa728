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

@Suite struct PlaceTests {
    private func place(_ name: String, _ more: JSON.Object = [:]) -> JSON.Object {
        var params: JSON.Object = ["name": .string(name), "lat": 52.5, "lon": 13.4]
        for member in more.members { params[member.name] = member.value }
        return params
    }

    private func id(_ answer: JSON) throws -> Identifier { try #require(answer["place"]?["id"]?.identifier) }

    @Test func `a place is seen by its audience, and its note stays out of the snapshot`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let bob = try box.join("bob", by: ada)
        let gus = try box.join("gus", role: .guest, by: ada)
        let far = try box.foundHousehold("Quay", by: ada)
        let carol = try box.join("carol", into: far, by: ada)
        for person in [ada, bob, gus, carol] { _ = box.heard(person) }

        let school = try id(box.call(ada, "place.add", place("School", ["note": "Gate 2", "radius": 150])))
        #expect([ada, bob, carol].allSatisfy { box.types($0) == ["place.added"] })
        #expect(box.types(gus) == [])
        let seen = try #require(try box.fresh(bob.id).places[school])
        #expect(seen.radius == 150 && seen.note == nil && seen.kind == .place)
        #expect(try box.call(bob, "place.list")["places"]?.array?.first?["note"] == "Gate 2")
        #expect(try box.call(bob, "place.list")["places"]?.array?.first?["audience"] == nil)

        let den = try id(box.call(ada, "place.add", place("Den", ["audience": "household", "kind": "hotspot"])))
        #expect(box.types(bob) == ["place.added"] && box.types(gus) == ["place.added"])
        #expect(box.types(carol) == [])
        #expect(try box.fresh(gus.id).places.keys.sorted() == [den])
        let gift = try id(
            box.call(ada, "place.add", place("Gift shop", ["audience": [.id(carol.id)], "kind": "note"])))
        #expect(box.types(bob) == [] && box.types(carol) == ["place.added"])
        #expect(try box.refusal(bob, "place.update", ["place": .id(gift), "name": "X"])?.kind == .notFound)
        #expect(try box.refusal(bob, "place.remove", ["place": .id(school)])?.kind == .forbidden)
    }

    @Test func `only who lives there says where home is, so that nobody learns by it whether there is one`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let far = try box.foundHousehold("Quay", by: ada)
        let far2 = try box.foundHousehold("Mole", by: ada)
        let carol = try box.join("carol", into: far, by: ada)
        let dan = try box.join("dan", into: far2, by: ada)
        _ = try box.call(carol, "place.add", place("Quay 3", ["audience": "household", "home": true]))
        // Each of them shows the admin one place; one of their households has a home that she does not see.
        for owner in [carol, dan] {
            let shop = try id(box.call(owner, "place.add", place("Shop")))
            let refused = try box.refusal(ada, "place.update", ["place": .id(shop), "home": true])
            #expect(refused?.kind == .forbidden)
        }
        #expect(try box.refusal(carol, "place.add", place("Quay 4", ["home": true]))?.kind == .conflict)
    }

    @Test func `who gains sight is shown the whole place, and who loses it is told that it is hidden`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let bob = try box.join("bob", by: ada)
        let carol = try box.join("carol", by: ada)
        let spot = try id(box.call(ada, "place.add", place("Spot", ["audience": [.id(bob.id)]])))
        for person in [ada, bob, carol] { _ = box.heard(person) }
        try box.call(ada, "place.update", ["place": .id(spot), "audience": [.id(carol.id)]])
        #expect(box.types(ada) == [] && box.types(bob) == ["place.hidden"] && box.types(carol) == ["place.shown"])
        try box.call(ada, "place.update", ["place": .id(spot), "name": "Other", "audience": "everyone"])
        #expect(box.heard(bob).map(\.type) == ["place.shown"])
        #expect(box.heard(carol).map(\.type) == ["place.updated"])
        try box.call(ada, "place.update", ["place": .id(spot), "name": "Other"])
        #expect(box.types(ada) == ["place.updated"])
        try box.call(ada, "place.remove", ["place": .id(spot)])
        #expect(box.types(bob) == ["place.removed"] && box.types(carol) == ["place.removed"])
        #expect(try box.fresh(bob.id).places.isEmpty)
        #expect(try box.count("SELECT count(*) FROM place_index") == 0)
        #expect(try box.count("SELECT count(*) FROM place_sight") == 0)
    }

    @Test func `a name that is spelled otherwise with the same letters is another name, and told`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let carol = try box.join("carol", by: ada)
        let spot = try id(box.call(ada, "place.add", place("Caf\u{E9}")))
        _ = box.heard(carol)
        try box.call(ada, "place.update", ["place": .id(spot), "name": "Cafe\u{301}"])
        #expect(box.heard(carol).map { $0.data["place"]?["name"] } == ["Cafe\u{301}"])
        // So it is beside another audience, for whoever goes on seeing the place.
        try box.call(ada, "place.update", ["place": .id(spot), "name": "Caf\u{E9}", "audience": [.id(carol.id)]])
        #expect(box.heard(carol).map { $0.data["place"]?["name"] } == ["Caf\u{E9}"])
        try box.call(ada, "place.update", ["place": .id(spot), "name": "Caf\u{E9}"])
        #expect(box.types(carol) == [])
    }

    @Test func `a role and a household bring places into sight and take them out of it`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let bob = try box.join("bob", by: ada)
        let mill = try box.household(of: ada)
        let quay = try box.foundHousehold("Quay", by: ada)
        let all = try id(box.call(ada, "place.add", place("All")))
        let own = try id(box.call(ada, "place.add", place("Own", ["audience": "household"])))
        #expect(try box.fresh(bob.id).places.keys.sorted() == [all, own].sorted())
        try box.move(bob, to: quay)
        #expect(try box.fresh(bob.id).places.keys.sorted() == [all])
        try box.call(ada, "member.setRole", ["member": .id(bob.id), "role": "guest"])
        #expect(try box.fresh(bob.id).places.isEmpty)
        try box.move(bob, to: mill)
        #expect(try box.fresh(bob.id).places.keys.sorted() == [own])
        let dan = try box.join("dan", by: ada)
        #expect(try box.fresh(dan.id).places.keys.sorted() == [all, own].sorted())
    }

    @Test func `a household has one home, which its heads may change`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let bob = try box.join("bob", by: ada)
        let home = try id(box.call(bob, "place.add", place("Home", ["home": true, "audience": "household"])))
        #expect(try box.fresh(ada.id).places[home]?.homeOf == (try box.household(of: ada)))
        #expect(try box.refusal(ada, "place.add", place("Another", ["home": true]))?.kind == .conflict)
        #expect(
            try box.refusal(ada, "place.update", ["place": .id(home), "audience": []])?.field == "audience")
        try box.call(ada, "place.update", ["place": .id(home), "home": false])
        try box.call(ada, "place.add", place("Another", ["home": true]))
        // Who lived there last leaves nothing that points to a household which is gone.
        let quay = try box.foundHousehold("Quay", by: ada)
        let carol = try box.join("carol", into: quay, by: ada)
        let hers = try id(box.call(carol, "place.add", place("Hers", ["home": true, "audience": "household"])))
        try box.move(carol, to: try box.household(of: ada))
        #expect(try box.fresh(carol.id).places[hers]?.homeOf == nil)
        #expect(try box.fresh(ada.id).places[hers] == nil)
    }

    @Test func `what a leaving member owns is handed over or gone, from the log as well`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let bob = try box.join("bob", by: ada)
        let carol = try box.join("carol", by: ada)
        let kept = try id(box.call(bob, "place.add", place("Orchard of Bob")))
        try box.call(
            ada, "member.remove", ["member": .id(bob.id), "keep": "hand-over", "to": .id(carol.id)])
        #expect(try box.fresh(ada.id).places[kept]?.owner == carol.id)
        try box.call(ada, "member.remove", ["member": .id(carol.id), "keep": "delete"])
        #expect(try box.fresh(ada.id).places.isEmpty)
        #expect(try !box.holds("Orchard of Bob"))
    }

    @Test func `a repeat changes nothing, and what is out of range is refused`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let first = try box.call(ada, "place.add", place("Mill"), op: "one")
        #expect(try box.call(ada, "place.add", place("Mill"), op: "one") == first)
        #expect(try box.fresh(ada.id).places.count == 1)
        for more in [["lat": 91], ["lon": -181], ["radius": 1], ["kind": "castle"], ["icon": ""]] as [JSON.Object] {
            #expect(try box.refusal(ada, "place.add", place("X", more))?.kind == .invalid)
        }
        #expect(try box.refusal(ada, "place.add", place("X", ["kind": "note", "radius": 50]))?.field == "radius")
        let stranger = Identifier(high: 1, low: 2)
        #expect(try box.refusal(ada, "place.add", place("X", ["audience": [.id(stranger)]]))?.kind == .notFound)
    }

    @Test func `places beyond their share of a snapshot are refused`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let name = String(repeating: "\u{1F98A}", count: 64)
        var refused: Rejection?
        var count = 0
        while refused == nil, count < 200 {
            refused = try box.refusal(
                ada, "place.add",
                place(name, ["lat": -12.345678901234567, "lon": -123.45678901234567, "note": .string(name)]))
            count += 1
        }
        #expect(refused?.kind == .tooLarge)
        // What others have is no bound.
        #expect(count > 20)
        var part = Snapshot()
        part.places = try box.fresh(ada.id).places
        #expect(part.json.bytes.count <= Limits.placesSnapshotBytesMax)
        let last = try #require(part.places.keys.max())
        #expect(try box.refusal(ada, "place.update", ["place": .id(last), "name": "Short"]) == nil)
    }
}
