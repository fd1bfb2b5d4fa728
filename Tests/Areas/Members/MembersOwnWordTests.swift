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

/// What is an adult's own affair, and who speaks for a child.
@Suite struct MembersOwnWordTests {
    /// Ada the admin, Hugo the head and Ben in Mill; the tests' own people besides.
    private func mill() throws -> (
        box: FamilyBox, ada: FamilyBox.Person, hugo: FamilyBox.Person, ben: FamilyBox.Person
    ) {
        let box = try FamilyBox()
        let ada = try box.found()
        return (box, ada, try box.join("hugo", role: .head, by: ada), try box.join("ben", by: ada))
    }

    @Test func `nobody makes an adult a child but that adult, or root`() throws {
        let (box, ada, hugo, ben) = try mill()
        let child: JSON.Object = ["member": .id(ben.id), "kind": "child"]
        #expect(try box.refusal(ada, "member.update", child)?.kind == .forbidden)
        #expect(try box.refusal(hugo, "member.update", child)?.kind == .forbidden)
        #expect(try box.fresh(ben.id).members[ben.id]?.kind == .adult)
        #expect(try box.call(ben, "member.update", child)["member"]?["kind"] == "child")
        try box.call(.machine, "member.update", ["member": .id(hugo.id), "kind": "child"])
        #expect(try box.fresh(ben.id).members[hugo.id]?.kind == .child)
    }

    @Test func `an admin gives grandma her first names, and she alone changes them`() throws {
        let (box, ada, _, ben) = try mill()
        let added = try box.call(
            ada, "member.add",
            [
                "username": "gran", "displayName": "Gran", "role": "member", "kind": "adult",
                "household": .id(try box.household(of: ada)), "password": .string(FamilyBox.password),
            ])
        let gran = try #require(added["member"]?["id"]?.identifier)
        let signed = try box.signIn("gran")
        for what in [["displayName": "Witch"], ["username": "witch"], ["picture": "AQID"]] as [JSON.Object] {
            var params = what
            params["member"] = .id(gran)
            #expect(try box.refusal(ada, "member.update", params)?.kind == .forbidden)
            #expect(try box.refusal(ben, "member.update", params)?.kind == .forbidden)
        }
        let picture: JSON.Object = ["member": .id(gran), "picture": "AQID"]
        #expect(try box.refusal(ada, "member.setPicture", picture)?.kind == .forbidden)
        #expect(try box.refusal(ada, "member.removePicture", ["member": .id(gran)])?.kind == .forbidden)
        try box.call(signed, "member.update", ["member": .id(gran), "displayName": "Granny", "username": "granny"])
        try box.call(.machine, "member.update", ["member": .id(gran), "displayName": "Nana"])
        #expect(try box.fresh(ada.id).members[gran]?.displayName == "Nana")
    }

    @Test func `a child's names are changed by the child, its parents, who brought it in, heads and admins`() throws {
        let (box, ada, hugo, ben) = try mill()
        let lake = try box.foundHousehold("Lake", by: ada)
        let lou = try box.join("lou", role: .head, into: lake, by: ada)
        let kit = try box.join("kit", kind: .child, by: hugo)
        try box.call(hugo, "member.relate", ["member": .id(lou.id), "parentOf": .id(kit.id)])
        func rename(_ who: FamilyBox.Person) throws -> Rejection.Kind? {
            try box.refusal(who, "member.update", ["member": .id(kit.id), "displayName": "Kit"])?.kind
        }
        for who in [kit, lou, hugo, ada] { #expect(try rename(who) == nil) }
        #expect(try rename(ben) == .forbidden)
        try box.call(ada, "member.setRole", ["member": .id(hugo.id), "role": "member"])
        #expect(try rename(hugo) == nil, "who brought it in")
    }

    @Test func `a parent does not get at what the other holds by saying that the other is none`() throws {
        let (box, ada, hugo, ben) = try mill()
        let kit = try box.join("kit", kind: .child, by: hugo)
        func relate(_ who: FamilyBox.Person, _ parent: FamilyBox.Person, remove: Bool = false) throws -> Rejection.Kind?
        {
            try box.refusal(
                who, "member.relate",
                ["member": .id(parent.id), "parentOf": .id(kit.id), "remove": .bool(remove)])?.kind
        }
        #expect(try relate(hugo, hugo) == nil)
        #expect(try relate(hugo, ben) == nil)
        try box.call(hugo, "sharing.hold", ["member": .id(kit.id), "hold": true])
        #expect(try relate(ben, hugo, remove: true) == .forbidden)
        #expect(try relate(ada, hugo, remove: true) == .forbidden)
        // Who does not hold it can be said to be none, and the holder can leave.
        #expect(try relate(hugo, ben, remove: true) == nil)
        #expect(try relate(hugo, hugo, remove: true) == nil)
    }

    @Test func `nobody founds a household for an adult, and children found none`() throws {
        let (box, ada, hugo, ben) = try mill()
        let kit = try box.join("kit", kind: .child, by: ada)
        func found(_ who: Credential, _ whom: FamilyBox.Person) throws -> Rejection.Kind? {
            try box.refusal(who, "household.found", ["name": "Den", "member": .id(whom.id)])?.kind
        }
        #expect(try found(ada.credential, ben) == .forbidden)
        #expect(try found(hugo.credential, ben) == .forbidden)
        #expect(try found(ada.credential, kit) == .conflict)
        #expect(try found(kit.credential, kit) == .conflict)
        #expect(try found(.machine, kit) == .conflict)
        #expect(try found(ben.credential, ben) == nil)
        #expect(try found(.machine, hugo) == nil)
    }

    @Test func `whoever joins as a child says so`() throws {
        let (box, ada, _, _) = try mill()
        let code = try #require(try box.call(ada, "invite.create", ["kind": "child"])["code"])
        var params = box.join(code, "kit")
        let unasked = try box.refusal(.none, "member.join", params)
        #expect(unasked?.kind == .invalid && unasked?.field == "asChild")
        params["asChild"] = false
        #expect(try box.refusal(.none, "member.join", params)?.field == "asChild")
        params["asChild"] = true
        #expect(try box.call(.none, "member.join", params)["member"]?["kind"] == "child")
        let adult = try #require(try box.call(ada, "invite.create")["code"])
        #expect(try box.call(.none, "member.join", box.join(adult, "lou"))["member"]?["kind"] == "adult")
    }

    @Test func `the first parent of a child is named by whoever brought it in, the next by a parent`() throws {
        let (box, ada, hugo, ben) = try mill()
        // Bob is in already; Ada adds the baby.
        let bob = ben
        let added = try box.call(
            ada, "member.add",
            [
                "username": "baby", "displayName": "Baby", "role": "member", "kind": "child",
                "household": .id(try box.household(of: ada)), "password": .string(FamilyBox.password),
            ])
        let baby = try #require(added["member"]?["id"]?.identifier)
        func relate(_ who: Credential, _ parent: FamilyBox.Person, remove: Bool = false) throws -> Rejection.Kind? {
            try box.refusal(
                who, "member.relate",
                ["member": .id(parent.id), "parentOf": .id(baby), "remove": .bool(remove)])?.kind
        }
        func parents() throws -> [Identifier]? { try box.fresh(ada.id).members[baby]?.parents }
        #expect(try relate(bob.credential, bob) == .forbidden)
        #expect(
            try relate(hugo.credential, hugo) == .forbidden, "a head has no say where it is known who brought it in")
        #expect(try relate(ada.credential, ada) == nil)
        #expect(try relate(hugo.credential, hugo) == .forbidden)
        #expect(try relate(bob.credential, bob) == .forbidden)
        #expect(try relate(ada.credential, bob) == nil)
        #expect(try parents() == [ada.id, bob.id].sorted())
        #expect(try relate(hugo.credential, bob, remove: true) == .forbidden)
        #expect(try relate(bob.credential, bob, remove: true) == nil)
        #expect(try relate(bob.credential, bob) == .forbidden)
        #expect(try relate(ada.credential, ada, remove: true) == nil)
        #expect(try relate(.machine, hugo) == nil)
    }

    @Test func `where nobody knows who brought a child in, the heads of its household name the first parent`() throws {
        let (box, ada, hugo, ben) = try mill()
        let lake = try box.foundHousehold("Lake", by: ada)
        let lou = try box.join("lou", role: .head, into: lake, by: ada)
        let added = try box.call(
            .machine, "member.add",
            [
                "username": "kit", "displayName": "Kit", "role": "member", "kind": "child", "household": .id(lake),
                "password": .string(FamilyBox.password),
            ])
        let kit = try #require(added["member"]?["id"]?.identifier)
        let params: JSON.Object = ["member": .id(ben.id), "parentOf": .id(kit)]
        for who in [ada, hugo, ben] { #expect(try box.refusal(who, "member.relate", params)?.kind == .forbidden) }
        try box.call(lou, "member.relate", params)
        #expect(
            try box.refusal(lou, "member.relate", ["member": .id(lou.id), "parentOf": .id(kit)])?.kind == .forbidden)
    }

    @Test func `an adult's parents are that adult's own word`() throws {
        let (box, ada, hugo, ben) = try mill()
        func relate(_ who: Credential, remove: Bool = false) throws -> Rejection.Kind? {
            try box.refusal(
                who, "member.relate",
                ["member": .id(ada.id), "parentOf": .id(ben.id), "remove": .bool(remove)])?.kind
        }
        #expect(try relate(ada.credential) == .forbidden)
        #expect(try relate(hugo.credential) == .forbidden)
        #expect(try relate(ben.credential) == nil)
        #expect(try relate(ada.credential, remove: true) == .forbidden)
        #expect(try relate(ben.credential, remove: true) == nil)
        #expect(try relate(.machine) == nil)
    }
}
