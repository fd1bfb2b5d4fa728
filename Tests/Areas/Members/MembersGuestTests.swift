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

@Suite struct MembersGuestTests {
    /// Ada and Ben in Mill, Hugo in Lake, Gus as Lake's guest; Ada is Hugo's mother.
    private func lake() throws -> (
        box: FamilyBox, ada: FamilyBox.Person, hugo: FamilyBox.Person, gus: FamilyBox.Person, lake: Identifier
    ) {
        let box = try FamilyBox()
        let ada = try box.found()
        let lake = try box.foundHousehold("Lake", by: ada)
        let hugo = try box.join("hugo", role: .head, into: lake, by: ada)
        let gus = try box.join("gus", role: .guest, into: lake, by: ada)
        try box.call(hugo, "member.relate", ["member": .id(ada.id), "parentOf": .id(hugo.id)])
        return (box, ada, hugo, gus, lake)
    }

    @Test func `a guest sees the own household, the names of its people, and nothing else`() throws {
        let (box, ada, hugo, gus, lake) = try lake()
        let snapshot = try box.fresh(gus.id)
        #expect(Set(snapshot.households.keys) == [lake])
        #expect(Set(snapshot.members.keys) == [hugo.id, gus.id])
        #expect(snapshot.members[hugo.id]?.parents == [])
        #expect(snapshot.members[hugo.id]?.username == "")
        let listed = try box.call(gus, "member.list")["members"]?.array ?? []
        #expect(listed.count == 2 && listed.allSatisfy { $0["username"] == nil })
        #expect(try box.call(gus, "family.show")["households"]?.array?.count == 1)
        #expect(try box.refusal(gus, "member.show", ["member": .id(ada.id)])?.kind == .notFound)
        let absent = Identifier(high: 3, low: 4)
        #expect(try box.refusal(gus, "member.show", ["member": .id(absent)])?.kind == .notFound)
        #expect(try box.call(gus, "member.show", ["member": .id(hugo.id)])["member"]?["displayName"] == "Hugo")
    }

    @Test func `what happens elsewhere and between members is not told to guests`() throws {
        let (box, ada, hugo, gus, _) = try lake()
        _ = box.heard(gus)
        _ = try box.join("ben", by: ada)
        try box.call(ada, "member.update", ["member": .id(ada.id), "displayName": "Ada R."])
        try box.call(hugo, "member.update", ["member": .id(hugo.id), "username": "hugo2"])
        try box.call(hugo, "household.rename", ["household": .id(try box.household(of: hugo)), "name": "Lake 2"])
        #expect(box.types(gus) == ["household.renamed"])
        try box.call(hugo, "member.update", ["member": .id(hugo.id), "displayName": "Hugo R."])
        #expect(box.types(gus) == ["member.updated"])
    }

    @Test func `who moves in or out gives the guests of both households a fresh view`() throws {
        let (box, ada, hugo, gus, lake) = try lake()
        let mill = try box.household(of: ada)
        let ben = try box.join("ben", by: ada)
        let gil = try box.join("gil", role: .guest, by: ada)
        _ = (box.heard(gus), box.heard(gil))
        try box.move(ben, to: lake)
        #expect(box.types(gus) == ["reset"] && box.types(gil) == ["reset"])
        #expect(try box.fresh(gus.id).members[ben.id] != nil)
        #expect(try box.fresh(gil.id).members[ben.id] == nil)
        _ = box.heard(ben)
        try box.move(gus, to: mill)
        #expect(box.types(gus) == ["reset"] && box.types(ben) == ["member.moved"])
        #expect(try box.fresh(gus.id).members[hugo.id] == nil)
        try box.call(ada, "member.remove", ["member": .id(gil.id), "keep": "delete"])
        #expect(box.types(gus).last == "member.removed")
    }

    @Test func `a guest who becomes a member keeps everything and sees everything`() throws {
        let (box, ada, _, gus, _) = try lake()
        let number = try box.keeper.roster()[gus.id]?.number
        try box.call(gus, "appPassword.create", ["device": "Phone", "scope": "location"])
        _ = (box.heard(gus), box.heard(ada))
        try box.call(ada, "member.setRole", ["member": .id(gus.id), "role": "member"])
        #expect(box.types(gus) == ["reset", "room.shown", "room.shown"])
        #expect(box.types(ada) == ["member.updated"])
        #expect(try box.fresh(gus.id).members.count == 3)
        #expect(try box.keeper.roster()[gus.id]?.number == number)
        #expect(try box.call(gus, "session.list")["sessions"]?.array?.count == 1)
        #expect(try box.call(gus, "appPassword.list")["appPasswords"]?.array?.count == 1)
    }

    @Test func `a member who becomes a guest sees no more from then on`() throws {
        let (box, ada, hugo, gus, lake) = try lake()
        let ivy = try box.join("ivy", into: lake, by: ada)
        _ = (box.heard(gus), box.heard(ivy))
        try box.call(ada, "member.setRole", ["member": .id(ivy.id), "role": "guest"])
        #expect(box.types(ivy) == ["reset", "room.hidden", "room.hidden"])
        #expect(box.types(gus) == ["member.updated"])
        #expect(Set(try box.fresh(ivy.id).members.keys) == [hugo.id, gus.id, ivy.id])
        try box.call(ada, "activity.announce", ["text": "For everyone"])
        #expect(box.types(ivy) == [])
    }

    @Test func `guests may what is their own affair`() throws {
        let (box, ada, hugo, gus, _) = try lake()
        try box.call(gus, "member.update", ["member": .id(gus.id), "displayName": "Gustav"])
        #expect(
            try box.refusal(gus, "member.update", ["member": .id(hugo.id), "displayName": "X"])?.kind == .forbidden)
        #expect(try box.refusal(gus, "member.update", ["member": .id(ada.id), "displayName": "X"])?.kind == .notFound)
        #expect(
            try box.refusal(gus, "member.relate", ["member": .id(gus.id), "partnerOf": .id(hugo.id)])?.kind
                == .forbidden)
        try box.call(gus, "member.remove", ["member": .id(gus.id), "keep": "delete"])
        #expect(try box.refusal(gus, "member.list")?.kind == .notSignedIn)
    }
}

/// What a guest may not know by a side way.
@Suite struct MembersGuestNamesTests {
    @Test func `a phone of a guest is told neither name nor initials nor face of members out of sight`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada Reed")
        let ben = try box.join("Ben Reed", household: box.hill)
        let gus = try box.join("Gus", role: .guest, household: box.hill)
        let mia = try box.join("Mia")
        for member in [ada, ben] {
            try box.call(
                member, "sharing.set",
                [
                    "state": "on",
                    "rules": [
                        ["viewer": .id(gus), "precision": "exact"], ["viewer": "everyone", "precision": "exact"],
                    ],
                ])
            try box.call(member, "position.report", ["lat": 1, "lon": 2, "at": .time(box.clock)])
        }
        func messages(_ member: Identifier) throws -> [JSON] {
            try box.call(member, "owntracks.publish", ["message": [:]]).array ?? []
        }
        // The others' phones first, so that initials are there to be told.
        #expect(try Set(messages(mia).compactMap { $0["tid"]?.string }) == ["AR", "BR"])
        let told = try messages(gus)
        #expect(told.filter { $0["_type"] == "card" }.map { $0["name"]?.string } == ["Ben Reed"])
        let tids = Set(told.filter { $0["_type"] == "location" }.compactMap { $0["tid"]?.string })
        #expect(tids.count == 2 && tids.contains("BR"))
        let neutral = try #require(tids.subtracting(["BR"]).first)
        #expect(neutral.allSatisfy { $0.isNumber })
        // The same again, for the app knows its friends by it.
        #expect(try Set(messages(gus).compactMap { $0["tid"]?.string }) == ["BR", neutral])
    }

    @Test func `a name that is taken and one that is nobody's to take are refused alike`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let gus = try box.join("gus", role: .guest, by: ada)
        func answer(_ username: String) throws -> String? {
            try box.refusal(
                gus, "member.update", ["member": .id(gus.id), "username": .string(username)])?.message
        }
        let taken = try #require(try answer("ada"))
        for name in ["admin", "root", "kinwire", "everyone", "household"] { #expect(try answer(name) == taken) }
        #expect(!taken.contains("taken"))
    }

    @Test func `asking where somebody is tells a guest nothing of who is there`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let lake = try box.foundHousehold("Lake", by: ada)
        let gus = try box.join("gus", role: .guest, into: lake, by: ada)
        let absent = Identifier(high: 3, low: 4)
        let hidden = try box.refusal(gus, "position.ask", ["member": .id(ada.id)])
        let none = try box.refusal(gus, "position.ask", ["member": .id(absent)])
        #expect(hidden?.kind == .notFound && none?.kind == .notFound)
        let plain = hidden?.message.split(separator: ada.id.description).joined()
        #expect(plain == none?.message.split(separator: absent.description).joined())
    }
}
