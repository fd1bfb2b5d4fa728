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

@Suite struct MembersChangingTests {
    @Test func `members change their names, and those who care for a child the child's`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let lake = try box.foundHousehold("Lake", by: ada)
        let hugo = try box.join("hugo", role: .head, into: lake, by: ada)
        let ivy = try box.join("ivy", kind: .child, into: lake, by: ada)
        let ben = try box.join("ben", by: ada)
        func update(_ who: FamilyBox.Person, _ whom: FamilyBox.Person, _ what: JSON.Object) throws -> Rejection? {
            var params = what
            params["member"] = .id(whom.id)
            return try box.refusal(who, "member.update", params)
        }
        _ = box.heard(ben)
        #expect(try update(ivy, ivy, ["displayName": "Ivy 🌿"]) == nil)
        #expect(try update(hugo, ivy, ["username": "ivy.lake"]) == nil)
        #expect(box.types(ben) == ["member.updated", "member.updated"])
        #expect(try box.fresh(ben.id).members[ivy.id]?.username == "ivy.lake")
        #expect(try update(ivy, ivy, ["kind": "adult"])?.kind == .forbidden)
        #expect(try update(ivy, hugo, ["displayName": "X"])?.kind == .forbidden)
        #expect(try update(hugo, ben, ["displayName": "X"])?.kind == .forbidden)
        #expect(try update(hugo, ivy, ["kind": "adult"])?.kind == .forbidden, "Ada brought her in")
        #expect(try update(ada, ivy, ["username": "ben"])?.kind == .conflict)
        #expect(try update(ada, ivy, ["username": "Ivy"])?.kind == .invalid)
        #expect(try update(ada, ivy, ["displayName": "\u{200B} \u{200B}"])?.field == "displayName")
        #expect(try update(ada, ivy, ["displayName": .string(String(repeating: "x", count: 65))])?.kind == .tooLarge)
        #expect(try update(ada, ivy, ["role": "admin"])?.kind == .params)
        _ = box.heard(ben)
        #expect(try update(ada, ivy, ["username": "ivy.lake"]) == nil)
        #expect(box.types(ben) == [], "what is so already is nothing to tell")
        #expect(try update(ada, ivy, ["kind": "adult"]) == nil)
        #expect(try update(ada, ivy, ["displayName": "X"])?.kind == .forbidden, "she is grown")
        #expect(try update(hugo, ada, ["displayName": "X"])?.kind == .forbidden)
    }

    @Test func `a member changes so many display names a day, whoever's they are, and goes on tomorrow`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let kit = try box.join("kit", kind: .child, by: ada)
        func rename(_ who: Credential, _ whom: FamilyBox.Person, _ name: String) throws -> Rejection? {
            try box.refusal(who, "member.update", ["member": .id(whom.id), "displayName": .string(name)])
        }
        _ = box.heard(ada)
        _ = box.heard(ben)
        for index in 1...Limits.displayNamesPerDayMax {
            #expect(try rename(ada.credential, kit, "Kit \(index)") == nil)
        }
        let near = box.heard(ada).filter { $0.type == Quota.near.name }
        #expect(near.map { $0.data["what"] } == ["displayNames"])
        #expect(!box.types(ben).contains(Quota.near.name))
        let refused = try rename(ada.credential, kit, "Kitty")
        #expect(refused?.kind == .slowDown && refused?.field == "displayName")
        #expect((1...86_400).contains(refused?.retryAfter ?? 0))
        #expect(try rename(ada.credential, ada, "Augusta")?.kind == .slowDown)
        // The same name once more is no change, and a username is no display name.
        #expect(try rename(ada.credential, kit, "Kit \(Limits.displayNamesPerDayMax)") == nil)
        #expect(try box.refusal(ada, "member.update", ["member": .id(kit.id), "username": "kitty"]) == nil)
        // Others have shares of their own, the child among them, and the machine needs none.
        #expect(try rename(kit.credential, kit, "Kitty") == nil)
        #expect(try rename(ben.credential, ben, "Benno") == nil)
        #expect(try rename(.machine, ada, "Augusta") == nil)
        try box.wait(seconds: 86_400)
        #expect(try rename(ada.credential, kit, "Kit") == nil)
    }

    @Test func `admins give roles, and the last admin stays one`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let me: JSON.Object = ["member": .id(ada.id), "role": "member"]
        #expect(try box.refusal(ada, "member.setRole", me)?.kind == .conflict)
        #expect(try box.refusal(.machine, "member.setRole", me)?.kind == .conflict)
        #expect(try box.refusal(ben, "member.setRole", ["member": .id(ben.id), "role": "admin"])?.kind == .forbidden)
        #expect(
            try box.call(ada, "member.setRole", ["member": .id(ben.id), "role": "admin"])["member"]?["role"] == "admin")
        let stepped = try box.call(ada, "member.setRole", ["member": .id(ada.id), "role": "guest"])
        #expect(stepped["member"]?["username"] == nil, "who steps down to a guest sees with a guest's eyes")
        #expect(try box.refusal(ada, "member.setRole", ["member": .id(ada.id), "role": "admin"])?.kind == .forbidden)
        #expect(try box.refusal(ben, "member.setRole", ["member": .id(ben.id), "role": "head"])?.kind == .conflict)
        #expect(try box.refusal(ben, "member.setRole", ["member": .id(ben.id), "role": "boss"])?.field == "role")
        try box.call(.machine, "member.setRole", ["member": .id(ada.id), "role": "head"])
        #expect(try box.role(of: ada) == .head)
    }

    @Test func `relations cross households, and nobody becomes their own ancestor`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let lake = try box.foundHousehold("Lake", by: ada)
        let hugo = try box.join("hugo", role: .head, into: lake, by: ada)
        let ivy = try box.join("ivy", kind: .child, into: lake, by: ada)
        let ben = try box.join("ben", by: ada)
        let cleo = try box.join("cleo", by: ada)
        func relate(
            _ who: FamilyBox.Person, _ one: FamilyBox.Person, _ field: String, _ other: FamilyBox.Person,
            remove: Bool = false
        ) throws -> Rejection.Kind? {
            try box.refusal(
                who, "member.relate", ["member": .id(one.id), field: .id(other.id), "remove": .bool(remove)])?.kind
        }
        #expect(try relate(hugo, ada, "parentOf", hugo) == nil)
        _ = box.heard(cleo)
        #expect(try relate(ada, hugo, "parentOf", ivy) == nil)
        #expect(box.types(cleo) == ["member.updated"])
        #expect(try box.fresh(cleo.id).members[ivy.id]?.parents == [hugo.id])
        #expect(try relate(ada, ivy, "parentOf", ada) == .conflict)
        #expect(try relate(ada, hugo, "parentOf", ada) == .conflict)
        #expect(try relate(ada, ada, "parentOf", ada) == .invalid)
        #expect(try relate(cleo, ben, "partnerOf", ada) == .forbidden)
        #expect(try relate(cleo, cleo, "parentOf", ben) == .forbidden)
        #expect(try relate(hugo, ben, "partnerOf", cleo) == .forbidden)
        _ = box.heard(ada)
        #expect(try relate(ben, cleo, "partnerOf", ben) == nil)
        #expect(box.types(ada) == ["member.updated", "member.updated"])
        #expect(try box.fresh(ada.id).members[ben.id]?.partners == [cleo.id])
        #expect(try relate(ben, ben, "partnerOf", cleo) == nil)
        #expect(box.types(ada) == [], "what is so already is nothing to tell")
        #expect(try relate(cleo, cleo, "partnerOf", ben, remove: true) == nil)
        #expect(try box.fresh(ada.id).members[ben.id]?.partners == [])
        #expect(try relate(hugo, ada, "parentOf", hugo, remove: true) == nil)
        #expect(try relate(ada, hugo, "parentOf", ada) == nil, "free again, so it may be the other way round")
        #expect(try box.refusal(ada, "member.relate", ["member": .id(ada.id)])?.kind == .params)
        let both: JSON.Object = ["member": .id(ada.id), "parentOf": .id(ivy.id), "partnerOf": .id(ben.id)]
        #expect(try box.refusal(ada, "member.relate", both)?.kind == .params)
    }

    @Test func `nobody has more parents than the limit`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let kit = try box.join("kit", by: ada)
        for number in 1...Limits.relationsPerMemberMax {
            let parent = try box.join("p\(number)", by: ada)
            try box.call(kit, "member.relate", ["member": .id(parent.id), "parentOf": .id(kit.id)])
        }
        let more = try box.refusal(kit, "member.relate", ["member": .id(ada.id), "parentOf": .id(kit.id)])
        #expect(more?.kind == .tooLarge)
    }

    @Test func `a picture has a name of its own, and the old one goes`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let gus = try box.join("gus", role: .guest, by: ada)
        box.substitute = { work in
            guard case PictureWork.squarePicture(let bytes) = work else { return nil }
            return bytes == [0] ? .refused("Choose a picture.") : .picture([9] + bytes, face: [8])
        }
        _ = (box.heard(gus), box.heard(ben))
        let result = try box.call(ben, "member.setPicture", ["member": .id(ben.id), "picture": "AQID"])
        let name = try #require(result["member"]?["picture"]?.string)
        #expect(box.types(gus) == ["member.updated"] && box.types(ben) == ["member.updated"])
        #expect(try box.store.blobs.get(name) == [9, 1, 2, 3])
        try box.call(gus, "member.picture", ["member": .id(ben.id), "name": .string(name)])
        guard case .blob(let blob, "image/jpeg", _) = box.effect else { throw Rejection(.parse, "no picture") }
        #expect(blob == name)
        let again = try box.call(.machine, "member.setPicture", ["member": .id(ben.id), "picture": "AQIE"])
        let second = try #require(again["member"]?["picture"]?.string)
        #expect(second != name)
        #expect(try box.store.blobs.get(name) == nil)
        let old = try box.refusal(ada, "member.picture", ["member": .id(ben.id), "name": .string(name)])
        #expect(old?.kind == .notFound)
        try box.call(ben, "member.removePicture", ["member": .id(ben.id)])
        #expect(try box.store.blobs.all() == [])
        #expect(try box.fresh(ada.id).members[ben.id]?.picture == nil)
    }

    @Test func `a picture comes and goes with other changes, too`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        box.substitute = { work in
            guard case PictureWork.squarePicture(let bytes) = work else { return nil }
            return bytes == [0] ? .refused("Choose a picture.") : .picture([9] + bytes, face: [8])
        }
        let params: JSON.Object = ["member": .id(ben.id), "displayName": "Benny", "picture": "AQID"]
        _ = box.heard(ada)
        let result = try box.call(ben, "member.update", params, op: "one")
        let name = try #require(result["member"]?["picture"]?.string)
        #expect(result["member"]?["displayName"] == "Benny")
        #expect(box.heard(ada).map { $0.data["changed"] } == [["displayName"], ["picture"]])
        #expect(try box.call(ben, "member.update", params, op: "one")["member"]?["picture"]?.string == name)
        #expect(try box.refusal(ben, "member.update", ["member": .id(ada.id), "picture": "AQID"])?.kind == .forbidden)
        let bad = try box.refusal(ben, "member.update", ["member": .id(ben.id), "picture": "AA==", "displayName": "X"])
        #expect(bad?.field == "picture" && bad?.message == "Choose a picture.")
        #expect(try box.fresh(ada.id).members[ben.id]?.displayName == "Benny")
        // What is left out stays; null removes it.
        try box.call(ben, "member.update", ["member": .id(ben.id), "displayName": "Ben"])
        #expect(try box.fresh(ada.id).members[ben.id]?.picture == name)
        try box.call(ben, "member.update", ["member": .id(ben.id), "picture": nil])
        #expect(try box.fresh(ada.id).members[ben.id]?.picture == nil)
    }

    @Test func `a picture that nobody's row names is gone after a start, the others stay`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        box.substitute = { work in if case PictureWork.squarePicture = work { .picture([1], face: [2]) } else { nil } }
        let result = try box.call(ada, "member.setPicture", ["member": .id(ada.id), "picture": "AQID"])
        _ = try box.store.blobs.put([7])
        _ = try Keeper(store: box.store, registry: .family)
        #expect(try box.store.blobs.all() == [try #require(result["member"]?["picture"]?.string)])
    }

    @Test func `what is no picture, and somebody else's face, is refused`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        box.substitute = { _ in .refused("Choose a picture.") }
        func set(_ who: FamilyBox.Person, _ whom: FamilyBox.Person, _ picture: JSON) throws -> Rejection? {
            try box.refusal(who, "member.setPicture", ["member": .id(whom.id), "picture": picture])
        }
        #expect(try set(ben, ben, "AA==")?.field == "picture")
        #expect(try set(ben, ben, "%%%%")?.field == "picture")
        #expect(try set(ben, ben, "AQ")?.kind == .invalid)
        #expect(try set(ben, ada, "AQID")?.kind == .forbidden)
        #expect(try box.refusal(ben, "member.removePicture", ["member": .id(ada.id)])?.kind == .forbidden)
        box.substitute = { _ in .failed("No library.") }
        #expect(try set(ben, ben, "AQID")?.kind == .unavailable)
        #expect(try box.store.blobs.all() == [])
    }

    @Test func `admins add members with a first password, heads members and guests of their own`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let lake = try box.foundHousehold("Lake", by: ada)
        let mill = try box.household(of: ada)
        let hugo = try box.join("hugo", role: .head, into: lake, by: ada)
        let ben = try box.join("ben", by: ada)
        func new(_ username: String, _ role: String, _ household: Identifier, _ password: String? = nil) -> JSON.Object
        {
            [
                "username": .string(username), "displayName": "Somebody", "role": .string(role), "kind": "child",
                "household": .id(household), "password": .string(password ?? FamilyBox.password),
            ]
        }
        _ = box.heard(ben)
        try box.call(hugo, "member.add", new("ivy", "member", lake))
        try box.call(ada, "member.add", new("kit", "admin", mill))
        #expect(box.types(ben) == ["member.added", "member.added"])
        #expect(try box.refusal(hugo, "member.add", new("jon", "member", mill))?.kind == .forbidden)
        #expect(try box.refusal(hugo, "member.add", new("jon", "head", lake))?.kind == .forbidden)
        #expect(try box.refusal(ben, "member.add", new("jon", "guest", mill))?.kind == .forbidden)
        #expect(try box.refusal(ada, "member.add", new("ivy", "guest", mill))?.field == "username")
        #expect(try box.refusal(ada, "member.add", new("jon", "guest", mill, "somebody"))?.field == "password")
        _ = try box.signIn("ivy")
    }
}
