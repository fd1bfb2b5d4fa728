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

@Suite struct MembersHouseholdTests {
    @Test func `an admin gives the family another name, and everybody reads it`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let gus = try box.join("gus", role: .guest, by: ada)
        #expect(try box.refusal(ben, "family.rename", ["name": "Elm"])?.kind == .forbidden)
        try box.call(ada, "family.rename", ["name": "Elm"])
        for who in [ada, ben, gus] {
            #expect(try box.fresh(who.id).family?.name == "Elm")
            #expect(box.types(who).last == "family.renamed")
        }
        #expect(try box.call(gus, "family.show")["family"]?["name"] == "Elm")
        #expect(try box.refusal(ada, "family.rename", ["name": "a\nb"])?.field == "name")
    }

    @Test func `a grown child founds a household, leads it and keeps the relations`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        try box.call(ben, "member.relate", ["member": .id(ada.id), "parentOf": .id(ben.id)])
        _ = box.heard(ada)
        let result = try box.call(ben, "household.found", ["name": "Lake"])
        #expect(result["household"]?["name"] == "Lake")
        #expect(result["member"]?["role"] == "head")
        #expect(result["member"]?["parents"] == [.id(ada.id)])
        #expect(box.types(ada) == ["household.founded", "member.moved"])
        #expect(try box.household(of: ben) != box.household(of: ada))
        #expect(try box.call(ada, "family.show")["households"]?.array?.count == 2)
    }

    @Test func `a child and a guest found no household, and nobody founds one for others`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let kit = try box.join("kit", kind: .child, by: ada)
        let gus = try box.join("gus", role: .guest, by: ada)
        let ben = try box.join("ben", by: ada)
        let hugo = try box.join("hugo", role: .head, by: ada)
        #expect(try box.refusal(kit, "household.found", ["name": "Den"])?.kind == .conflict)
        #expect(try box.refusal(gus, "household.found", ["name": "Den"])?.kind == .forbidden)
        #expect(try box.refusal(ben, "household.found", ["name": "Den", "member": .id(hugo.id)])?.kind == .forbidden)
        #expect(try box.refusal(hugo, "household.found", ["name": "Den", "member": .id(ada.id)])?.kind == .forbidden)
        #expect(try box.refusal(hugo, "household.found", ["name": "Den", "stay": true])?.kind == .forbidden)
        #expect(try box.refusal(ada, "household.found", ["name": "Den", "member": .id(gus.id)])?.kind == .forbidden)
        #expect(try box.refusal(ben, "household.found", ["name": " "])?.field == "name")
        let moved = try box.call(.machine, "household.found", ["name": "Den", "member": .id(ben.id)])
        #expect(moved["member"]?["id"]?.identifier == ben.id)
        #expect(try box.role(of: ben) == .head)
    }

    @Test func `an emptied household goes, with its open invites`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let mill = try box.household(of: ada)
        let ben = try box.join("ben", by: ada)
        try box.call(ben, "household.found", ["name": "Moorhenpool"])
        let pool = try box.household(of: ben)
        let code = try #require(try box.call(ben, "invite.create")["code"])
        try box.call(ada, "household.admit", ["member": .id(ben.id), "admit": true])
        _ = box.heard(ada)
        try box.call(ben, "household.move", ["member": .id(ben.id), "household": .id(mill)])
        #expect(
            box.types(ada) == ["member.moved", "household.answered", "invite.revoked", "household.removed"])
        #expect(try box.refusal(ada, "household.rename", ["household": .id(pool), "name": "Pond"])?.kind == .notFound)
        #expect(try box.refusal(.none, "invite.show", ["code": code])?.kind == .notFound)
        #expect(try box.role(of: ben) == .member)
        #expect(try !box.holds("Moorhenpool"))
    }

    @Test func `an empty household waits for its people, and admins remove it`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let lake = try box.foundHousehold("Lake", by: ada)
        let mill = try box.household(of: ada)
        #expect(try box.refusal(ada, "household.remove", ["household": .id(mill)])?.kind == .conflict)
        try box.call(ada, "household.remove", ["household": .id(lake)])
        #expect(box.types(ada).last == "household.removed")
        #expect(try box.refusal(ada, "household.remove", ["household": .id(lake)])?.kind == .notFound)
        let pond = try box.call(.machine, "household.found", ["name": "Pond"])
        #expect(pond["member"] == nil)
    }

    @Test func `heads rename their own household, admins any`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let lake = try box.foundHousehold("Lake", by: ada)
        let hugo = try box.join("hugo", role: .head, into: lake, by: ada)
        let gus = try box.join("gus", role: .guest, into: lake, by: ada)
        let ben = try box.join("ben", by: ada)
        let mill = try box.household(of: ada)
        _ = box.heard(gus)
        try box.call(hugo, "household.rename", ["household": .id(lake), "name": "Lake House"])
        #expect(box.types(gus) == ["household.renamed"])
        #expect(try box.fresh(gus.id).households[lake]?.name == "Lake House")
        #expect(try box.refusal(hugo, "household.rename", ["household": .id(mill), "name": "X"])?.kind == .forbidden)
        #expect(try box.refusal(ben, "household.rename", ["household": .id(mill), "name": "X"])?.kind == .forbidden)
        try box.call(ada, "household.rename", ["household": .id(lake), "name": "Lake"])
        #expect(try box.refusal(ada, "household.rename", ["household": .id(lake), "name": "a\nb"])?.field == "name")
    }
}
