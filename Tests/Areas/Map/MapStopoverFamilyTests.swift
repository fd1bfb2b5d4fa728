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

/// Names of places and home, while members come, move and change their roles: what is told goes by what each sees now.
@Suite struct MapStopoverFamilyTests {
    private let family: FamilyBox
    private let ada: FamilyBox.Person
    private let quay: Identifier

    init() throws {
        family = try FamilyBox()
        ada = try family.found()
        quay = try family.foundHousehold("Quay", by: ada)
    }

    private func show(_ rules: JSON) throws {
        try family.call(ada, "sharing.set", ["state": "on", "rules": rules])
    }

    private func place(
        _ name: JSON, _ lat: Double, for audience: JSON, by owner: FamilyBox.Person, home: JSON = false
    ) throws {
        family.clock = family.clock.adding(seconds: 1)
        try family.call(
            owner, "place.add",
            ["name": name, "lat": .double(lat), "lon": 13.4, "radius": 100, "audience": audience, "home": home])
    }

    /// Ada is there for an hour.
    private func stay(_ lat: Double) throws {
        for _ in 0..<30 {
            family.clock = family.clock.adding(seconds: 120)
            try family.call(
                ada, "position.report",
                ["lat": .double(lat), "lon": 13.4, "at": .time(family.clock), "accuracy": 10])
        }
    }

    private func move(_ person: FamilyBox.Person, to household: Identifier) throws {
        try family.move(person, to: household)
    }

    private func presence(_ viewer: FamilyBox.Person) throws -> Presence? {
        try family.fresh(viewer.id).presences[ada.id]
    }

    /// The places somebody was told Ada to be at since the last time somebody asked.
    private func told(_ viewer: FamilyBox.Person) -> [String] {
        family.heard(viewer).filter { $0.type == "position" }.compactMap { $0.data["place"]?.string }
    }

    @Test func `who moves out and no longer sees a place is not told its name, and who moves in is`() throws {
        let pia = try family.join("pia", by: ada)
        let mill = try family.household(of: ada)
        try show([["viewer": .id(pia.id), "precision": "place"]])
        try place("Barn", 52.5, for: "household", by: ada)
        try stay(52.5)
        #expect(try presence(pia)?.place == "Barn")
        _ = told(pia)
        try move(pia, to: quay)
        #expect(try presence(pia) != nil && presence(pia)?.place == nil)
        #expect(told(pia) == [])
        try stay(52.5)
        #expect(told(pia) == [])
        try move(pia, to: mill)
        #expect(try presence(pia)?.place == "Barn")
        #expect(told(pia) == ["Barn"])
    }

    @Test func `a guest sees the names of the places that guests see, and as a member all`() throws {
        let pia = try family.join("pia", by: ada)
        try show([["viewer": .id(pia.id), "precision": "place"]])
        try place("School", 52.5, for: "everyone", by: ada)
        try stay(52.5)
        #expect(try presence(pia)?.place == "School")
        for (role, place) in [("guest", nil), ("member", "School")] as [(JSON, String?)] {
            try family.call(ada, "member.setRole", ["member": .id(pia.id), "role": role])
            #expect(try presence(pia) != nil && presence(pia)?.place == place)
            try stay(52.5)
            #expect(try presence(pia)?.place == place)
        }
    }

    @Test func `whoever moves is at home where the new household has it`() throws {
        let pia = try family.join("pia", by: ada)
        try show([["viewer": .id(pia.id), "precision": "home"]])
        try place("Mill", 52.5, for: "everyone", by: ada, home: true)
        try stay(52.5)
        #expect(try presence(pia)?.isHome == true)
        // Nobody said where that one's is.
        try move(ada, to: quay)
        #expect(try presence(pia) != nil && presence(pia)?.isHome == nil)
        try place("Quay", 52.6, for: "everyone", by: ada, home: true)
        #expect(try presence(pia)?.isHome == false)
    }

    @Test func `who comes to see a member as a place goes out of sight never hears that the member is there`() throws {
        let pia = try family.join("pia", into: quay, by: ada)
        let dan = try family.join("dan", into: quay, by: ada)
        try show([["viewer": "household", "precision": "place"]])
        try place("Den", 52.5, for: "household", by: dan)
        try stay(52.5)
        #expect(try presence(pia) == nil)
        _ = told(pia)
        try move(pia, to: try family.household(of: ada))
        #expect(try presence(pia) == nil)
        try family.call(ada, "sharing.admit", ["viewer": .id(pia.id), "admit": true])
        #expect(try presence(pia) != nil && presence(pia)?.place == nil)
        #expect(told(pia) == [])
    }

    @Test func `who joins and is admitted sees at once where somebody is whose phone is silent`() throws {
        try show([["viewer": "everyone", "precision": "place"]])
        try place("School", 52.5, for: "everyone", by: ada)
        try stay(52.5)
        let pia = try family.join("pia", by: ada)
        #expect(try presence(pia) == nil)
        try family.call(ada, "sharing.admit", ["viewer": .id(pia.id), "admit": true])
        #expect(try presence(pia)?.place == "School")
        let bob = try family.join("bob", by: ada)
        #expect(try presence(bob) == nil)
        try family.call(ada, "sharing.admit", ["viewer": .id(bob.id), "admit": true])
        #expect(try presence(bob)?.place == "School")
    }
}
