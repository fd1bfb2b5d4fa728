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

/// Who is seen by the names of places is seen at those they agreed to, as they stood then.
@Suite struct PlaceAgreementTests {
    private struct House {
        let box: FamilyBox
        let (ada, bob, carol): (FamilyBox.Person, FamilyBox.Person, FamilyBox.Person)

        init(_ precision: String = "place") throws {
            box = try FamilyBox()
            ada = try box.found()
            bob = try box.join("bob", by: ada)
            carol = try box.join("carol", by: ada)
            let rules: JSON = [["viewer": "everyone", "precision": .string(precision)]]
            try box.call(carol, "sharing.set", ["state": "on", "rules": rules])
            try box.call(bob, "place.notify", ["when": "both"])
        }

        func place(
            _ person: FamilyBox.Person, _ name: String, _ lat: Double = 52.5, for audience: JSON = "everyone",
            home: Bool = false
        ) throws -> Identifier {
            let made = try box.call(
                person, "place.add",
                [
                    "name": .string(name), "lat": .double(lat), "lon": 13.4, "audience": audience,
                    "home": .bool(home),
                ])
            return try #require(made["place"]?["id"]?.identifier)
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

        /// What somebody sees of Carol.
        func seen(_ person: FamilyBox.Person) throws -> JSON? {
            try box.call(person, "position.latest")["positions"]?.array?.first { $0["member"] == .id(carol.id) }
        }

        func told(_ person: FamilyBox.Person) -> [String] {
            box.heard(person).map(\.type).filter { ["place.entered", "place.left"].contains($0) }
        }

        func waiting() throws -> [JSON] {
            try box.call(carol, "sharing.show")["sharing"]?["waitingPlaces"]?.array ?? []
        }
    }

    @Test func `a private place put over a guess counts for nobody`() throws {
        let house = try House()
        _ = try house.place(house.bob, "Guess", for: [.id(house.bob.id)])
        try house.stay(52.51)
        try house.stay(52.5)
        #expect(try house.seen(house.bob)?["place"] == .null)
        #expect(house.told(house.bob).isEmpty)
        #expect(try house.waiting().isEmpty)
        #expect(!house.box.heard(house.carol).contains { $0.type == "place.asked" })
    }

    @Test func `a place made since counts once the watched person agrees`() throws {
        let house = try House()
        let school = try house.place(house.bob, "School")
        #expect(house.box.heard(house.carol).contains { $0.type == "place.asked" })
        #expect(try house.waiting() == [["place": .id(school), "name": "School"]])
        try house.stay(52.51)
        try house.stay(52.5)
        #expect(try house.seen(house.bob)?["place"] == .null)
        #expect(house.told(house.bob).isEmpty)
        try house.box.call(house.carol, "place.admit", ["place": .id(school), "admit": true])
        #expect(try house.seen(house.bob)?["place"] == "School")
        #expect(try house.waiting().isEmpty)
        try house.stay(52.51)
        #expect(house.told(house.bob) == ["place.left"])
    }

    @Test func `a place that stood when the rule was made counts, until it is moved`() throws {
        let house = try House()
        let school = try house.place(house.bob, "School")
        let rules: JSON = [
            ["viewer": "everyone", "precision": "place"], ["viewer": "household", "precision": "place"],
        ]
        try house.box.call(house.carol, "sharing.set", ["rules": rules])
        try house.stay(52.51)
        try house.stay(52.5)
        #expect(try house.seen(house.bob)?["place"] == "School")
        try house.box.call(house.bob, "place.update", ["place": .id(school), "radius": 30])
        #expect(try house.seen(house.bob)?["place"] == .null)
        #expect(try house.waiting().count == 1)
        // A name is no circle.
        try house.box.call(house.carol, "place.admit", ["place": .id(school), "admit": true])
        try house.box.call(house.bob, "place.update", ["place": .id(school), "name": "Old school"])
        #expect(try house.seen(house.bob)?["place"] == "Old school")
    }

    @Test func `what was refused stays refused, however it is moved`() throws {
        let house = try House()
        let school = try house.place(house.bob, "School")
        try house.box.call(house.carol, "place.admit", ["place": .id(school), "admit": false])
        #expect(try house.waiting().isEmpty)
        _ = house.box.heard(house.carol)
        try house.box.call(house.bob, "place.update", ["place": .id(school), "radius": 30])
        #expect(!house.box.heard(house.carol).contains { $0.type == "place.asked" })
        try house.box.call(house.carol, "sharing.set", ["state": "off"])
        try house.box.call(house.carol, "sharing.set", ["state": "on"])
        try house.stay(52.51)
        try house.stay(52.5)
        #expect(try house.seen(house.bob)?["place"] == .null)
    }

    @Test func `a refusal takes back what was told of coming there`() throws {
        let house = try House()
        let school = try house.place(house.carol, "School")
        try house.stay(52.51)
        try house.stay(52.5)
        #expect(house.told(house.bob) == ["place.entered"])
        #expect(try house.box.fresh(house.bob.id).inbox.entries.contains { $0.title == "School" })
        try house.box.call(house.carol, "place.admit", ["place": .id(school), "admit": false])
        #expect(try house.seen(house.bob)?["place"] == .null)
        #expect(try !house.box.fresh(house.bob.id).inbox.entries.contains { $0.title == "School" })
    }

    @Test func `one's own places count at once, but not as another has moved them`() throws {
        let house = try House()
        let school = try house.place(house.carol, "School")
        try house.stay(52.51)
        try house.stay(52.5)
        #expect(try house.seen(house.bob)?["place"] == "School")
        try house.box.call(house.ada, "place.update", ["place": .id(school), "radius": 50])
        #expect(try house.seen(house.bob)?["place"] == .null)
        try house.box.call(house.carol, "place.update", ["place": .id(school), "radius": 40])
        #expect(try house.seen(house.bob)?["place"] == "School")
    }

    @Test func `a home made since is no home to those who see whether somebody is at home`() throws {
        let house = try House("home")
        try house.stay(52.51)
        let home = try house.place(house.bob, "Home", home: true)
        try house.stay(52.5)
        #expect(try house.seen(house.bob)?["home"] == .null)
        try house.box.call(house.carol, "place.admit", ["place": .id(home), "admit": true])
        #expect(try house.seen(house.bob)?["home"] == true)
    }

    @Test func `a place that was agreed to is no home before that is agreed to as well`() throws {
        let house = try House("home")
        let guess = try house.place(house.bob, "Guess")
        let rules: JSON = [
            ["viewer": "everyone", "precision": "home"], ["viewer": "household", "precision": "home"],
        ]
        try house.box.call(house.carol, "sharing.set", ["rules": rules])
        try house.stay(52.51)
        try house.stay(52.5)
        #expect(try house.seen(house.bob)?["home"] == .null, "nobody said where home is")
        try house.box.call(house.bob, "place.update", ["place": .id(guess), "home": true])
        #expect(try house.seen(house.bob)?["home"] == .null)
        #expect(try house.waiting() == [["place": .id(guess), "name": "Guess"]])
        try house.box.call(house.carol, "place.admit", ["place": .id(guess), "admit": true])
        #expect(try house.seen(house.bob)?["home"] == true)
    }

    @Test func `a place that is nobody's home any more counts as the place it was`() throws {
        let house = try House()
        let home = try house.place(house.carol, "Home", home: true)
        try house.stay(52.51)
        try house.stay(52.5)
        #expect(try house.seen(house.bob)?["place"] == "Home")
        try house.box.call(house.ada, "place.update", ["place": .id(home), "home": false])
        #expect(try house.seen(house.bob)?["place"] == "Home")
        #expect(try house.waiting().isEmpty)
    }

    @Test func `who is seen exactly is asked about no place`() throws {
        let house = try House("exact")
        _ = try house.place(house.bob, "School")
        #expect(!house.box.heard(house.carol).contains { $0.type == "place.asked" })
        #expect(try house.waiting().isEmpty)
        try house.stay(52.51)
        try house.stay(52.5)
        #expect(house.told(house.bob) == ["place.entered"])
    }

    @Test func `nobody answers for another, and of what is hidden there is nothing to answer`() throws {
        let house = try House()
        let school = try house.place(house.bob, "School")
        let params: JSON.Object = ["place": .id(school), "admit": true, "member": .id(house.carol.id)]
        #expect(try house.box.refusal(house.bob, "place.admit", params)?.kind == .forbidden)
        let guess = try house.place(house.bob, "Guess", for: [.id(house.bob.id)])
        #expect(
            try house.box.refusal(house.carol, "place.admit", ["place": .id(guess), "admit": true])?.kind == .notFound)
    }
}
