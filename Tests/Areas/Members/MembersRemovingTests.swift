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

@Suite struct MembersRemovingTests {
    @Test func `a removed member is gone from everywhere`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("benedict", by: ada)
        let kit = try box.join("kit", kind: .child, by: ada)
        let gus = try box.join("gus", role: .guest, by: ada)
        try box.call(ada, "member.relate", ["member": .id(ben.id), "parentOf": .id(kit.id)])
        try box.call(ben, "member.update", ["member": .id(ben.id), "displayName": "Benedict Quillon"])
        try box.call(ben, "appPassword.create", ["device": "Quillon's phone", "scope": "location"])
        box.substitute = { work in if case PictureWork.squarePicture = work { .picture([1], face: [2]) } else { nil } }
        try box.call(ben, "member.setPicture", ["member": .id(ben.id), "picture": "AQID"])
        _ = (box.heard(kit), box.heard(gus))
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        #expect(box.types(kit) == ["member.removed"] && box.types(gus) == ["member.removed"])
        #expect(box.revocations.last == .member(ben.id))
        #expect(try box.fresh(kit.id).members[kit.id]?.parents == [])
        #expect(try box.store.blobs.all() == [])
        #expect(try box.refusal(ben, "member.list")?.kind == .notSignedIn)
        #expect(try box.refusal(.token(ben.token), "member.list")?.kind == .notSignedIn)
        #expect(try box.refusal(.machineAs(ben.id), "member.list")?.kind == .notSignedIn)
        for table in ["sessions", "app_passwords", "known_devices"] {
            #expect(try box.count("SELECT count(*) FROM \(table) WHERE member NOT IN (SELECT id FROM members)") == 0)
        }
        #expect(try !box.holds("Quillon"))
        // The number is not given to anybody else.
        let dora = try box.join("dora", by: ada)
        #expect(try box.keeper.roster()[dora.id]?.number == 5)
    }

    @Test func `members remove themselves, admins anybody, nobody else`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let hugo = try box.join("hugo", role: .head, by: ada)
        let ben = try box.join("ben", by: ada)
        #expect(try box.refusal(hugo, "member.remove", ["member": .id(ben.id), "keep": "delete"])?.kind == .forbidden)
        #expect(try box.refusal(ben, "member.remove", ["member": .id(ben.id)])?.kind == .params)
        try box.call(ben, "member.remove", ["member": .id(ben.id), "keep": "hand-over", "to": .id(hugo.id)])
        guard case .signedOut = box.effect else { throw Rejection(.parse, "still signed in") }
        #expect(try box.refusal(ada, "member.remove", ["member": .id(ben.id), "keep": "delete"])?.kind == .notFound)
        try box.call(.machine, "member.remove", ["member": .id(hugo.id), "keep": "delete"])
        #expect(try box.keeper.roster().entries.count == 1)
    }

    @Test func `the last admin names another or closes the family`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let refused = try box.refusal(ada, "member.remove", ["member": .id(ada.id), "keep": "delete"])
        #expect(refused?.kind == .conflict)
        #expect(
            refused?.message == "This is the family's last admin. Name another first, or close the family.")
        try box.call(ada, "member.setRole", ["member": .id(ben.id), "role": "admin"])
        try box.call(ada, "member.remove", ["member": .id(ada.id), "keep": "delete"])
        #expect(try box.call(ben, "member.list")["members"]?.array?.count == 1)
    }

    @Test func `what is handed over needs somebody to take it`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let gus = try box.join("gus", role: .guest, by: ada)
        func remove(_ who: Credential, _ more: JSON.Object) throws -> Rejection? {
            var params = more
            params["member"] = .id(ben.id)
            params["keep"] = "hand-over"
            return try box.refusal(who, "member.remove", params)
        }
        #expect(try remove(ben.credential, [:])?.field == "to")
        #expect(try remove(.machine, [:])?.field == "to")
        #expect(try remove(ada.credential, ["to": .id(ben.id)])?.field == "to")
        #expect(try remove(ada.credential, ["to": .id(gus.id)])?.field == "to")
        #expect(try remove(ada.credential, ["to": .id(Identifier(high: 1, low: 2))])?.kind == .notFound)
        #expect(try remove(ada.credential, [:]) == nil)
    }

    @Test func `the household goes with its last member`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        try box.call(ben, "household.found", ["name": "Lake"])
        try box.call(ben, "invite.create")
        _ = box.heard(ada)
        try box.call(ben, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        #expect(box.types(ada) == ["invite.revoked", "member.removed", "household.removed"])
        #expect(try box.count("SELECT count(*) FROM invites WHERE used = 0") == 0)
    }
}
