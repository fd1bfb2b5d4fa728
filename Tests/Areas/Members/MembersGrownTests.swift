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

/// From a child to an adult.
@Suite struct MembersGrownTests {
    /// Ada the admin who brought Kit in, and Ben who is Kit's father.
    private struct Home {
        let box: FamilyBox
        let ada: FamilyBox.Person
        let ben: FamilyBox.Person
        let kit: FamilyBox.Person

        init() throws {
            box = try FamilyBox()
            ada = try box.found()
            ben = try box.join("ben", by: ada)
            kit = try box.join("kit", kind: .child, by: ada)
            try box.call(ada, "member.relate", ["member": .id(ben.id), "parentOf": .id(kit.id)])
            for person in [ada, ben, kit] { _ = box.heard(person) }
        }

        func answer(_ who: Credential, _ isGrown: Bool) throws -> Rejection.Kind? {
            try box.refusal(who, "member.answerGrown", ["member": .id(kit.id), "grown": .bool(isGrown)])?.kind
        }

        func kind() throws -> MemberKind? { try box.fresh(ada.id).members[kit.id]?.kind }

        func told(_ person: FamilyBox.Person) throws -> JSON? {
            try box.fresh(person.id).inbox.entries.first?.lines.last
        }
    }

    @Test func `a parent says that a child is grown, and the child is told who did`() throws {
        let home = try Home()
        #expect(try home.answer(home.ada.credential, true) == .forbidden, "an admin is no parent")
        #expect(try home.answer(home.kit.credential, true) == .forbidden)
        #expect(try home.answer(home.ben.credential, false) == .conflict, "nobody asked")
        #expect(try home.answer(home.ben.credential, true) == nil)
        #expect(try home.kind() == .adult)
        let line = try home.told(home.kit)
        #expect(
            line?["kind"] == "grownAnswered" && line?["answer"] == "grown" && line?["by"]?.identifier == home.ben.id)
        #expect(home.box.types(home.kit) == ["member.updated", "member.grownAnswered"])
        #expect(home.box.types(home.ada) == ["member.updated"])
        #expect(try home.answer(home.ben.credential, true) == .conflict)
    }

    @Test func `the same by a change of the kind, and at the machine`() throws {
        let home = try Home()
        let adult: JSON.Object = ["member": .id(home.kit.id), "kind": "adult"]
        #expect(try home.box.refusal(home.ada, "member.update", adult)?.kind == .forbidden)
        try home.box.call(home.ben, "member.update", adult)
        #expect(try home.told(home.kit)?["kind"] == "grownAnswered")
        try home.box.call(home.kit, "member.update", ["member": .id(home.kit.id), "kind": "child"])
        try home.box.call(.machine, "member.answerGrown", ["member": .id(home.kit.id), "grown": true])
        #expect(try home.kind() == .adult)
        #expect(try home.told(home.kit)?["answer"] == "grown")
    }

    @Test func `a child asks, and those who may answer are told`() throws {
        let home = try Home()
        #expect(try home.box.refusal(home.ben, "member.askGrown")?.kind == .conflict)
        let ends = try home.box.call(home.kit, "member.askGrown")["ends"]
        #expect(ends?.instant == home.box.clock.adding(days: 30))
        #expect(home.box.types(home.ben) == ["member.grownAsked"])
        #expect(home.box.types(home.ada) == [])
        let line = try home.told(home.ben)
        #expect(line?["kind"] == "grownAsked" && line?["by"]?.identifier == home.kit.id)
        // One question at a time.
        home.box.clock = home.box.clock.adding(days: 1)
        #expect(try home.box.call(home.kit, "member.askGrown")["ends"] == ends)
        #expect(home.box.types(home.ben) == [])
        let waiting = try home.box.call(home.ben, "member.requests")["grown"]?.array
        #expect(waiting?.count == 1 && waiting?.first?["mayAnswer"] == true && waiting?.first?["ends"] == ends)
        #expect(try home.box.call(home.kit, "member.requests")["grown"]?.array?.first?["mayAnswer"] == false)
        #expect(try home.box.call(home.ada, "member.requests")["grown"] == [])
    }

    @Test func `after a refusal a child asks again after 30 days`() throws {
        let home = try Home()
        try home.box.call(home.kit, "member.askGrown")
        #expect(try home.answer(home.ben.credential, false) == nil)
        let line = try home.told(home.kit)
        #expect(line?["answer"] == "notYet" && line?["by"]?.identifier == home.ben.id)
        let early = try home.box.refusal(home.kit, "member.askGrown")
        #expect(early?.kind == .conflict && early?.message.contains("2026-12-20") == true)
        try home.box.wait(seconds: 30 * 86_400)
        #expect(try home.kind() == .child, "what was refused does not come by itself")
        try home.box.call(home.kit, "member.askGrown")
        #expect(home.box.types(home.ben).last == "member.grownAsked")
    }

    @Test func `unanswered for 30 days it is so, also where nobody is left who could answer`() throws {
        let home = try Home()
        try home.box.call(home.kit, "member.askGrown")
        // The father goes; Ada is a guest from now on, and another is the admin: nobody of Kit's household is left.
        try home.box.call(home.ben, "member.remove", ["member": .id(home.ben.id), "keep": "delete"])
        let lake = try home.box.foundHousehold("Lake", by: home.ada)
        let eve = try home.box.join("eve", role: .admin, into: lake, by: home.ada)
        try home.box.call(home.ada, "member.remove", ["member": .id(home.ada.id), "keep": "delete"])
        try home.box.call(eve, "member.update", ["member": .id(eve.id), "kind": "child"])
        func kind() throws -> MemberKind? { try home.box.fresh(home.kit.id).members[home.kit.id]?.kind }
        try home.box.wait(seconds: 30 * 86_400 - 1)
        #expect(try kind() == .child)
        try home.box.wait(seconds: 1)
        #expect(try kind() == .adult)
        let line = try home.told(home.kit)
        #expect(line?["kind"] == "grownAnswered" && line?["answer"] == "unanswered" && line?["by"] == nil)
        try home.box.wait(seconds: 86_400)
    }

    @Test func `where a child has no parent, whoever brought it in says so, else the heads of its household`() throws {
        let home = try Home()
        try home.box.call(
            home.ben, "member.relate", ["member": .id(home.ben.id), "parentOf": .id(home.kit.id), "remove": true])
        let hugo = try home.box.join("hugo", role: .head, by: home.ada)
        #expect(try home.answer(hugo.credential, true) == .forbidden)
        #expect(try home.answer(home.ben.credential, true) == .forbidden)
        let eve = try home.box.join("eve", role: .admin, by: home.ada)
        try home.box.call(home.ada, "member.remove", ["member": .id(home.ada.id), "keep": "delete"])
        #expect(try home.answer(home.ben.credential, true) == .forbidden)
        #expect(try home.answer(hugo.credential, true) == nil)
        #expect(try home.box.fresh(eve.id).members[home.kit.id]?.kind == .adult)
    }
}
