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

/// Moving in is asked for, and admitted by somebody there.
@Suite struct MembersMovingTests {
    /// Ada the admin and Ben in Mill, Lou the head of Lake.
    private struct Town {
        let box: FamilyBox
        let ada: FamilyBox.Person
        let ben: FamilyBox.Person
        let lou: FamilyBox.Person
        let mill: Identifier
        let lake: Identifier

        init() throws {
            box = try FamilyBox()
            ada = try box.found()
            ben = try box.join("ben", by: ada)
            mill = try box.household(of: ada)
            lake = try box.foundHousehold("Lake", by: ada)
            lou = try box.join("lou", role: .head, into: lake, by: ada)
        }

        func move(_ who: Credential, _ whom: FamilyBox.Person, _ to: Identifier) throws -> Rejection.Kind? {
            try box.refusal(who, "household.move", ["member": .id(whom.id), "household": .id(to)])?.kind
        }

        func home(_ person: FamilyBox.Person) throws -> Identifier { try box.household(of: person) }
    }

    @Test func `nobody moves another adult, not even an admin`() throws {
        let town = try Town()
        #expect(try town.move(town.ada.credential, town.ben, town.lake) == .forbidden)
        #expect(try town.move(town.lou.credential, town.ben, town.lake) == .forbidden)
        #expect(try town.home(town.ben) == town.mill)
        #expect(try town.move(.machine, town.ben, town.lake) == nil)
        #expect(try town.home(town.ben) == town.lake)
    }

    @Test func `a separated parent does not move herself into the household`() throws {
        let town = try Town()
        try town.box.call(
            town.lou, "household.move", ["member": .id(town.lou.id), "household": .id(town.mill)])
        #expect(try town.home(town.lou) == town.lake, "she has asked, no more")
        // Not even one who is an admin and asks for herself.
        try town.box.call(town.ada, "member.setRole", ["member": .id(town.lou.id), "role": "admin"])
        try town.box.call(
            town.lou, "household.move", ["member": .id(town.lou.id), "household": .id(town.mill)])
        #expect(try town.home(town.lou) == town.lake)
    }

    @Test func `who asks is admitted by the head there, and everybody concerned is told, nobody else`() throws {
        let town = try Town()
        let box = town.box
        let eve = try box.join("eve", by: town.ada)
        for person in [town.ada, town.ben, town.lou, eve] { _ = box.heard(person) }
        let move: JSON.Object = ["member": .id(town.ben.id), "household": .id(town.lake)]
        let asked = try box.call(town.ben, "household.move", move)
        #expect(asked["asked"] == true && asked["member"]?["household"]?.identifier == town.mill)
        #expect(box.types(town.ben) == ["household.asked"] && box.types(town.lou) == ["household.asked"])
        #expect(box.types(town.ada) == [] && box.types(eve) == [], "the head there answers")
        func last(_ kind: JSON, of member: Identifier) throws -> JSON? {
            try box.fresh(member).inbox.entries.lazy.compactMap(\.lines.last).first { $0["kind"] == kind }
        }
        let line = try #require(try last("moveAsked", of: town.lou.id))
        #expect(line["by"]?.identifier == town.ben.id)
        #expect(line["household"]?.identifier == town.lake)
        // Asking again is no second question.
        #expect(try box.call(town.ben, "household.move", move)["asked"] == true)
        #expect(box.types(town.lou) == [])
        let waiting = try box.call(town.lou, "member.requests")["moves"]?.array
        #expect(waiting?.count == 1 && waiting?.first?["mayAnswer"] == true && waiting?.first?["admitted"] == false)
        #expect(waiting?.first?["household"]?["name"] == "Lake")
        #expect(try box.call(town.ben, "member.requests")["moves"]?.array?.first?["mayAnswer"] == false)
        for person in [town.ada, eve] { #expect(try box.call(person, "member.requests")["moves"] == []) }
        let admit: JSON.Object = ["member": .id(town.ben.id), "household": .id(town.lake), "admit": true]
        for person in [town.ada, town.ben, eve] {
            #expect(try box.refusal(person, "household.admit", admit)?.kind == .forbidden)
        }
        let answer = try box.call(town.lou, "household.admit", admit)
        #expect(answer["moved"] == true && answer["member"]?["household"]?.identifier == town.lake)
        #expect(box.types(town.ben) == ["member.moved", "household.answered", "room.hidden", "room.shown"])
        #expect(box.types(eve) == ["member.moved"])
        #expect(try last("moveAnswered", of: town.ben.id)?["answer"] == "moved")
        #expect(try box.call(town.lou, "member.requests")["moves"] == [])
    }

    @Test func `a question can be refused and withdrawn, and ends after 30 days and with the household`() throws {
        let town = try Town()
        let box = town.box
        let move: JSON.Object = ["member": .id(town.ben.id), "household": .id(town.lake)]
        func isOpen() throws -> Bool { try box.call(town.ben, "member.requests")["moves"] != [] }
        try box.call(town.ben, "household.move", move)
        try box.call(town.lou, "household.admit", ["member": .id(town.ben.id), "admit": false])
        #expect(try !isOpen() && town.home(town.ben) == town.mill)
        #expect(try box.fresh(town.ben.id).inbox.entries.contains { $0.lines.last?["answer"] == "refused" })
        let late = try box.refusal(town.lou, "household.admit", ["member": .id(town.ben.id), "admit": false])
        #expect(late?.kind == .conflict)
        try box.wait(seconds: 86_400)
        try box.call(town.ben, "household.move", move)
        _ = box.heard(town.lou)
        let own: JSON.Object = ["member": .id(town.ben.id), "household": .id(town.mill)]
        #expect(try box.call(town.ben, "household.move", own)["asked"] == false)
        #expect(try !isOpen())
        #expect(box.types(town.lou) == ["household.answered"])
        // Another household: the first question is over.
        try box.call(town.ben, "household.move", move)
        let quay = try box.foundHousehold("Quay", by: town.ada)
        try box.call(town.ben, "household.move", ["member": .id(town.ben.id), "household": .id(quay)])
        #expect(try box.call(town.lou, "member.requests")["moves"] == [])
        try box.call(town.ada, "household.remove", ["household": .id(quay)])
        #expect(try !isOpen())
        #expect(try box.count("SELECT count(*) FROM moves") == 0)
        try box.call(town.ben, "household.move", move)
        try box.wait(seconds: 29 * 86_400)
        #expect(try isOpen())
        try box.wait(seconds: 86_400)
        #expect(try !isOpen())
        #expect(try box.count("SELECT count(*) FROM moves") == 0)
        // Who leaves asks no more.
        try box.call(town.ben, "household.move", move)
        try box.call(town.ben, "member.remove", ["member": .id(town.ben.id), "keep": "delete"])
        #expect(try box.count("SELECT count(*) FROM moves") == 0)
    }

    @Test func `who was refused asks there again a day later, and whoever asks for a child meanwhile is told so too`()
        throws
    {
        let town = try Town()
        let box = town.box
        let kim = try box.join("kim", kind: .child, by: town.ada)
        for parent in [town.ada, town.ben] {
            try box.call(town.ada, "member.relate", ["member": .id(parent.id), "parentOf": .id(kim.id)])
        }
        let move: JSON.Object = ["member": .id(kim.id), "household": .id(town.lake)]
        try box.call(town.ben, "household.move", move)
        // Who answers sees who asks.
        let waiting = try box.call(town.lou, "member.requests")["moves"]?.array?.first
        #expect(waiting?["by"]?.identifier == town.ben.id && waiting?["mayAnswer"] == true)
        #expect(box.heard(town.lou).last { $0.type == "household.asked" }?.by == town.ben.id)
        try box.wait(seconds: 3600)
        try box.call(town.lou, "household.admit", ["member": .id(kim.id), "admit": false])
        _ = box.heard(town.lou)
        for parent in [town.ada, town.ben] {
            let refusal = try box.refusal(parent, "household.move", move)
            #expect(refusal?.kind == .slowDown && refusal?.field == "household" && refusal?.retryAfter == 86_400)
        }
        #expect(box.types(town.lou) == [])
        // Another household is another question, and who lives there may still let the child in.
        let quay = try box.foundHousehold("Quay", by: town.ada)
        try box.call(town.ben, "household.move", ["member": .id(kim.id), "household": .id(quay)])
        try box.wait(seconds: 86_399)
        #expect(try town.move(town.ben.credential, kim, town.lake) == .slowDown)
        try box.wait(seconds: 1)
        #expect(try town.move(town.ben.credential, kim, town.lake) == nil)
        #expect(box.types(town.lou).contains("household.asked"))
        try box.call(town.lou, "household.admit", ["member": .id(kim.id), "admit": false])
        try box.call(town.lou, "household.admit", ["member": .id(kim.id), "admit": true])
        #expect(try town.move(town.ben.credential, kim, town.lake) == nil)
        #expect(try town.home(kim) == town.lake)
        #expect(try box.count("SELECT count(*) FROM refused_moves") == 0)
    }

    @Test func `who was admitted, or asked once more before, is refused nothing`() throws {
        let town = try Town()
        let box = town.box
        let move: JSON.Object = ["member": .id(town.ben.id), "household": .id(town.lake)]
        let own: JSON.Object = ["member": .id(town.ben.id), "household": .id(town.mill)]
        for _ in 0..<2 {
            try box.call(town.ben, "household.move", move)
            try box.call(town.ben, "household.move", own)
        }
        // An admission that is taken back is no refusal of a question.
        for admit in [true, false] {
            try box.call(town.lou, "household.admit", ["member": .id(town.ben.id), "admit": .bool(admit)])
        }
        #expect(try box.call(town.ben, "household.move", move)["asked"] == true)
        // What was refused is forgotten after its day, and goes with its member.
        try box.call(town.lou, "household.admit", ["member": .id(town.ben.id), "admit": false])
        #expect(try box.count("SELECT count(*) FROM refused_moves") == 1)
        try box.wait(seconds: 2 * 86_400)
        #expect(try box.count("SELECT count(*) FROM refused_moves") == 0)
    }

    @Test func `who is admitted before asking moves in at once, when they like`() throws {
        let town = try Town()
        let box = town.box
        let gus = try box.join("gus", role: .guest, by: town.ada)
        let move: JSON.Object = ["member": .id(gus.id), "household": .id(town.lake)]
        #expect(try box.refusal(gus, "household.move", move)?.kind == .notFound, "a guest sees no other household")
        let admit: JSON.Object = ["member": .id(gus.id), "household": .id(town.lake), "admit": true]
        #expect(try box.refusal(town.ada, "household.admit", admit)?.kind == .forbidden)
        #expect(try box.call(town.lou, "household.admit", admit)["moved"] == false)
        #expect(try town.home(gus) == town.mill, "nobody is moved by an admission")
        let shown = try box.call(gus, "member.requests")["moves"]?.array?.first
        #expect(shown?["admitted"] == true && shown?["household"]?["name"] == "Lake" && shown?["by"] == nil)
        #expect(try box.call(gus, "household.move", move)["member"]?["household"]?.identifier == town.lake)
        // An admission is as good as the right of whoever gave it.
        try box.call(
            town.lou, "household.admit", ["member": .id(town.ben.id), "household": .id(town.lake), "admit": true])
        try box.call(town.ada, "member.setRole", ["member": .id(town.lou.id), "role": "member"])
        let ben: JSON.Object = ["member": .id(town.ben.id), "household": .id(town.lake)]
        #expect(try box.call(town.ben, "household.move", ben)["asked"] == true)
        // And may be taken back.
        try box.call(town.ada, "member.setRole", ["member": .id(town.lou.id), "role": "head"])
        try box.call(town.ben, "household.move", ["member": .id(town.ben.id), "household": .id(town.mill)])
        let own: JSON.Object = ["member": .id(town.ben.id), "admit": true]
        #expect(try box.call(town.lou, "household.admit", own)["moved"] == false)
        try box.call(town.lou, "household.admit", ["member": .id(town.ben.id), "admit": false])
        #expect(try box.call(town.ben, "household.move", ben)["asked"] == true)
    }

    @Test func `where no head lives an admin answers, and where there is no other admin an adult who lives there`()
        throws
    {
        let town = try Town()
        let box = town.box
        func admit(_ who: FamilyBox.Person, _ whom: FamilyBox.Person, _ to: Identifier) throws -> Rejection.Kind? {
            try box.refusal(
                who, "household.admit", ["member": .id(whom.id), "household": .id(to), "admit": true])?.kind
        }
        let quay = try box.foundHousehold("Quay", by: town.ada)
        let ida = try box.join("ida", into: quay, by: town.ada)
        let kit = try box.join("kit", kind: .child, into: quay, by: town.ada)
        #expect(try town.move(town.ben.credential, town.ben, quay) == nil)
        #expect(try admit(ida, town.ben, quay) == .forbidden)
        #expect(try admit(town.ben, town.ben, quay) == .forbidden)
        #expect(try admit(town.ada, town.ben, quay) == nil)
        // The one admin moves: somebody who lives there answers, no child.
        #expect(try town.move(town.ada.credential, town.ada, quay) == nil)
        #expect(try town.home(town.ada) == town.mill)
        #expect(try admit(town.ada, town.ada, quay) == .forbidden)
        #expect(try admit(kit, town.ada, quay) == .forbidden)
        #expect(try admit(ida, town.ada, quay) == nil)
        #expect(try town.home(town.ada) == quay)
        #expect(try box.role(of: town.ada) == .admin)
    }

    @Test func `the one admin moves into an empty household as if founding it, others ask the admin`() throws {
        let town = try Town()
        let box = town.box
        let quay = try box.foundHousehold("Quay", by: town.ada)
        #expect(
            try box.call(town.ben, "household.move", ["member": .id(town.ben.id), "household": .id(quay)])["asked"]
                == true)
        #expect(try town.move(town.ada.credential, town.ada, quay) == nil)
        #expect(try town.home(town.ada) == quay)
        // Nobody who could answer: there is a way on.
        let den = try box.foundHousehold("Den", by: town.ada)
        _ = try box.join("kit", kind: .child, into: den, by: town.ada)
        let refusal = try box.refusal(
            town.ada, "household.move", ["member": .id(town.ada.id), "household": .id(den)])
        #expect(refusal?.kind == .conflict && refusal?.field == "household")
    }

    @Test func `a child is moved by its parents, and asked for where they do not admit people`() throws {
        let town = try Town()
        let box = town.box
        let kit = try box.join("kit", kind: .child, by: town.ada)
        let add: JSON.Object = ["member": .id(town.ben.id), "parentOf": .id(kit.id)]
        // Nobody's child yet: who brought it in, admins and heads move it.
        #expect(try town.move(kit.credential, kit, town.lake) == .forbidden)
        #expect(try town.move(town.ben.credential, kit, town.lake) == .forbidden)
        #expect(try town.move(town.ada.credential, kit, town.lake) == nil)
        #expect(try town.home(kit) == town.mill, "Lou is asked")
        try box.call(town.ada, "member.relate", add)
        #expect(
            try box.call(town.ada, "member.requests")["moves"] == [], "who has no say any more does not ask either")
        #expect(try town.move(town.ada.credential, kit, town.lake) == .forbidden)
        #expect(try town.move(town.lou.credential, kit, town.lake) == .forbidden)
        #expect(try town.move(town.ben.credential, kit, town.lake) == nil)
        try box.call(town.lou, "household.admit", ["member": .id(kit.id), "admit": true])
        #expect(try town.home(kit) == town.lake)
        #expect(try box.fresh(town.ben.id).inbox.entries.contains { $0.lines.last?["answer"] == "moved" })
        // A parent who leads a household moves the child there at once.
        try box.call(town.ben, "member.relate", ["member": .id(town.lou.id), "parentOf": .id(kit.id)])
        try box.call(town.ben, "household.found", ["name": "Den"])
        let den = try town.home(town.ben)
        #expect(
            try box.call(town.ben, "household.move", ["member": .id(kit.id), "household": .id(den)])["asked"] == false)
        #expect(try town.home(kit) == den)
    }

    @Test func `a child that grew up in between is no longer moved by what a parent asked`() throws {
        let town = try Town()
        let box = town.box
        let kit = try box.join("kit", kind: .child, by: town.ada)
        try box.call(town.ada, "member.relate", ["member": .id(town.ben.id), "parentOf": .id(kit.id)])
        try box.call(town.ben, "household.move", ["member": .id(kit.id), "household": .id(town.lake)])
        try box.call(town.ben, "member.answerGrown", ["member": .id(kit.id), "grown": true])
        #expect(try box.call(town.lou, "member.requests")["moves"] == [])
        #expect(try box.call(town.lou, "household.admit", ["member": .id(kit.id), "admit": true])["moved"] == false)
        #expect(try town.home(kit) == town.mill)
        #expect(try town.move(kit.credential, kit, town.lake) == nil)
        #expect(try town.home(kit) == town.lake)
    }
}
