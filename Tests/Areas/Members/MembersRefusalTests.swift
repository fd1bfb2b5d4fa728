import KinFamily
import KinKeeper
import KinModel
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMembers

/// Whoever is refused reads who does such things and whom to ask, as far as they may know, and no method's name.
@Suite struct MembersRefusalTests {
    let box: FamilyBox
    let ada: FamilyBox.Person
    let ben: FamilyBox.Person

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
    }

    private func sentence(_ who: FamilyBox.Person, _ method: String, _ params: JSON.Object = [:]) throws -> String? {
        let refusal = try box.refusal(who, method, params)
        #expect(refusal?.kind == .forbidden)
        return refusal?.message
    }

    @Test func `what admins do is refused with one or two of them to ask`() throws {
        #expect(try sentence(ben, "family.rename", ["name": "Elm"]) == "Only an admin can do that. Ask Ada.")
        let kit = try box.join("kit", role: .admin, by: ada)
        #expect(try sentence(ben, "family.rename", ["name": "Elm"]) == "Only an admin can do that. Ask Ada or Kit.")
        _ = try box.join("mia", role: .admin, by: ada)
        #expect(try sentence(ben, "family.rename", ["name": "Elm"]) == "Only an admin can do that. Ask Ada or Kit.")
        #expect(
            try sentence(ben, "invite.list")
                == "Only an admin or the head of a household can do that. Ask Ada or Kit.")
        // The head of one's own household is asked first.
        try box.call(ada, "member.setRole", ["member": .id(kit.id), "role": "head"])
        #expect(
            try sentence(ben, "invite.list")
                == "Only an admin or the head of a household can do that. Ask Kit or Ada.")
        #expect(
            try sentence(kit, "household.found", ["name": "Oak", "stay": true])
                == "Only admins found a household without moving into it. Ask Ada or Mia.")
    }

    @Test func `a guest is told of nobody outside the own household`() throws {
        let oak = try box.foundHousehold("Oak", by: ada)
        let gus = try box.join("gus", role: .guest, into: oak, by: ada)
        #expect(try sentence(gus, "family.rename", ["name": "Elm"]) == "Only an admin can do that.")
        #expect(try sentence(gus, "place.add", ["name": "x"]) == "Guests cannot do that.")
        _ = try box.join("kit", into: oak, by: ada)
        #expect(try sentence(gus, "place.add", ["name": "x"]) == "Guests cannot do that. Ask Kit.")
        #expect(try sentence(gus, "family.rename", ["name": "Elm"]) == "Only an admin can do that.")
    }

    @Test func `what is not an admin's either says where it is done`() throws {
        #expect(
            try sentence(ada, "password.reset", ["member": .id(ben.id), "password": .string(FamilyBox.password)])
                == "This is done at the family's machine only, with kin.")
        #expect(
            try sentence(ada, "member.join", ["code": "x"])
                == "This is for people who are not signed in yet. Sign out first.")
    }

    @Test func `no refusal by the role table names a method or a role as a word of the program`() throws {
        let gus = try box.join("gus", role: .guest, by: ada)
        let kit = try box.join("kit", role: .head, by: ada)
        var count = 0
        for (role, person) in [(Role.guest, gus), (.member, ben), (.head, kit), (.admin, ada)] {
            for method in Registry.family.methods.values where !method.access.contains(.role(role)) {
                let said = try #require(try sentence(person, method.name))
                #expect(!said.contains(method.name) && !said.contains(" a admin"), "\(said)")
                count += 1
            }
        }
        #expect(count > 40)
    }

    @Test func `a meeting's host and a place's owner are named`() throws {
        let kit = try box.join("kit", by: ada)
        let soup = try box.propose(by: ben, invitees: [kit])
        #expect(
            try sentence(kit, "meeting.cancel", soup.params)
                == "Only the meeting's host and admins do that. Ask Ben or Ada.")
    }
}
