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

/// A line that asks something leaves every inbox once there is nothing to answer: whoever answered, and however.
@Suite struct InboxQuestionTests {
    private let box: FamilyBox
    private let ada, ben, lou, eve: FamilyBox.Person
    private let mill, lake: Identifier

    /// Ada the admin and Ben in Mill; Lou and Eve, the heads of Lake.
    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
        mill = try box.household(of: ada)
        lake = try box.foundHousehold("Lake", by: ada)
        lou = try box.join("lou", role: .head, into: lake, by: ada)
        eve = try box.join("eve", role: .head, into: lake, by: ada)
    }

    /// Lines of a kind, read or not.
    private func lines(_ person: FamilyBox.Person, _ kind: String) throws -> [JSON] {
        try (box.call(person, "activity.list")["entries"]?.array ?? []).flatMap { $0["lines"]?.array ?? [] }
            .filter { $0["kind"]?.string == kind }
    }

    private func move(_ household: Identifier) throws {
        try box.call(ben, "household.move", ["member": .id(ben.id), "household": .id(household)])
    }

    @Test(arguments: ["admitted", "refused", "withdrawn", "elsewhere", "unanswered"])
    func `who asks to move in is asked about until there is an answer`(end: String) throws {
        try move(lake)
        for head in [lou, eve] { #expect(try lines(head, "moveAsked").count == 1) }
        // Read by one of them.
        try box.call(eve, "activity.read", ["upTo": .time(box.clock)])
        let answer: JSON.Object = ["member": .id(ben.id), "admit": .bool(end == "admitted")]
        switch end {
        case "admitted", "refused": try box.call(lou, "household.admit", answer)
        case "withdrawn": try move(mill)
        case "elsewhere":
            let quay = try box.foundHousehold("Quay", by: ada)
            try move(quay)
            #expect(try lines(ada, "moveAsked").count == 1)
        default: try box.wait(seconds: 31 * 86_400)
        }
        for head in [lou, eve] { #expect(try lines(head, "moveAsked").isEmpty) }
        for head in [lou, eve] {
            #expect(!(try box.fresh(head.id).inbox.entries.contains { $0.lines.last?["kind"] == "moveAsked" }))
        }
    }

    @Test func `one question is answered, another stays`() throws {
        let quay = try box.foundHousehold("Quay", by: ada)
        let kit = try box.join("kit", kind: .child, by: ada)
        try move(lake)
        try box.call(ada, "household.move", ["member": .id(kit.id), "household": .id(lake)])
        #expect(try lines(lou, "moveAsked").count == 2)
        try box.call(eve, "household.admit", ["member": .id(ben.id), "admit": false])
        #expect(try lines(lou, "moveAsked").map { $0["by"] } == [.id(ada.id)])
        _ = quay
    }

    @Test(arguments: [true, false, nil])
    func `a child who asks to count as an adult is asked about until a parent answers`(isGrown: Bool?) throws {
        let kit = try box.join("kit", kind: .child, by: ada)
        for parent in [ben, lou] {
            try box.call(
                parent.id == ben.id ? ada : ben, "member.relate",
                ["member": .id(parent.id), "parentOf": .id(kit.id)])
        }
        try box.call(kit, "member.askGrown")
        for parent in [ben, lou] { #expect(try lines(parent, "grownAsked").count == 1) }
        if let isGrown {
            try box.call(ben, "member.answerGrown", ["member": .id(kit.id), "grown": .bool(isGrown)])
        } else {
            try box.wait(seconds: 30 * 86_400)
        }
        for parent in [ben, lou] { #expect(try lines(parent, "grownAsked").isEmpty) }
        #expect(try lines(kit, "grownAnswered").count == 1)
    }

    @Test(arguments: ["admit", "refuse", "rule", "off", "gone", "guest"])
    func `who came under a rule is asked about until there is an answer`(end: String) throws {
        let rule: JSON = ["viewer": "household", "precision": "exact"]
        try box.call(ada, "sharing.set", ["state": "on", "rules": [rule]])
        let nia = try box.join("nia", by: ada)
        let zoe = try box.join("zoe", by: ada)
        #expect(try lines(ada, "sharingAsked").count == 2)
        switch end {
        case "admit", "refuse":
            try box.call(ada, "sharing.admit", ["viewer": .id(nia.id), "admit": .bool(end == "admit")])
        case "rule":
            let own: JSON = ["viewer": .id(nia.id), "precision": "coarse"]
            try box.call(ada, "sharing.set", ["rules": [rule, own]])
        case "gone": try box.call(nia, "member.remove", ["member": .id(nia.id), "keep": "delete"])
        case "guest": try box.call(ada, "member.setRole", ["member": .id(nia.id), "role": "guest"])
        default: try box.call(ada, "sharing.set", ["state": "off"])
        }
        #expect(try lines(ada, "sharingAsked").map { $0["by"] } == (end == "off" ? [] : [.id(zoe.id)]))
    }

    /// Kit, whose parents are Ada and Ben.
    private func child() throws -> FamilyBox.Person {
        let kit = try box.join("kit", kind: .child, by: ada)
        try box.call(ada, "member.relate", ["member": .id(ada.id), "parentOf": .id(kit.id)])
        try box.call(ada, "member.relate", ["member": .id(ben.id), "parentOf": .id(kit.id)])
        return kit
    }

    private func hold(_ parent: FamilyBox.Person, _ kit: FamilyBox.Person, to: Identifier? = nil) throws {
        try box.call(
            parent, "sharing.hold",
            .init(leavingOut: ["member": .id(kit.id), "hold": true, "to": to.map { .id($0) }]))
    }

    @Test func `what a child's holder was asked is not asked of them once another holds it`() throws {
        let kit = try child()
        try hold(ada, kit)
        try box.call(
            ada, "sharing.set",
            ["member": .id(kit.id), "state": "on", "rules": [["viewer": "everyone", "precision": "place"]]])
        _ = try box.join("nia", by: ada)
        try box.call(
            ben, "place.add", ["name": "Pond", "lat": 52.5, "lon": 13.4, "audience": "everyone"])
        #expect(try lines(ada, "sharingAsked").count == 1)
        #expect(try lines(ada, "placeAsked").contains { $0["of"] == .id(kit.id) })
        try hold(ada, kit, to: ben.id)
        #expect(try lines(ada, "sharingAsked").isEmpty)
        #expect(try !lines(ada, "placeAsked").contains { $0["of"] == .id(kit.id) })
        // What waits is for who holds it now.
        let shown = try box.call(ben, "sharing.show", ["member": .id(kit.id)])["sharing"]
        #expect(shown?["waiting"]?.array?.count == 1)
        #expect(try lines(ben, "sharingAsked").count == 1, "who holds it now is asked instead")
        #expect(try lines(ben, "placeAsked").contains { $0["of"] == .id(kit.id) })
    }

    @Test func `who is to hold a child's sharing is asked until one does`() throws {
        let kit = try child()
        let dan = try box.join("dan", by: ada)
        try box.call(ada, "member.relate", ["member": .id(dan.id), "parentOf": .id(kit.id)])
        try hold(dan, kit)
        try box.call(dan, "member.remove", ["member": .id(dan.id), "keep": "delete"])
        for parent in [ada, ben] { #expect(try lines(parent, "childSharing").contains { $0["hold"] == "waits" }) }
        try hold(ben, kit)
        for person in [ada, ben, kit] {
            #expect(try !lines(person, "childSharing").contains { $0["hold"] == "waits" })
        }
    }

    @Test func `a place is asked about no longer when sharing is off, and anew when it counts again`() throws {
        try box.call(
            ada, "sharing.set", ["state": "on", "rules": [["viewer": "everyone", "precision": "place"]]])
        try box.call(
            ben, "place.add", ["name": "Pond", "lat": 52.5, "lon": 13.4, "audience": "everyone"])
        #expect(try lines(ada, "placeAsked").count == 1)
        try box.call(ada, "sharing.set", ["state": "off"])
        #expect(try lines(ada, "placeAsked").isEmpty)
        try box.call(
            lou, "place.add", ["name": "Pier", "lat": 52.6, "lon": 13.4, "audience": "everyone"])
        #expect(try lines(ada, "placeAsked").isEmpty)
    }

    @Test func `a session that waits is asked about until somebody says it is good`() throws {
        try box.wait(seconds: 100 * 3600)
        let nia = try box.join("nia", by: ada)
        func redeemed() throws -> FamilyBox.Person {
            let link = try box.call(ada, "session.link", ["member": .id(nia.id)])["link"] ?? .null
            return try box.person(try box.call(.none, "session.redeem", ["link": link]))
        }
        func waits(_ person: FamilyBox.Person) throws -> Int {
            try lines(person, "accountChanged").filter { $0["what"] == "sessionWaits" }.count
        }
        let first = try redeemed()
        box.clock = box.clock.adding(seconds: 60)
        let second = try redeemed()
        for person in [ben, nia] { #expect(try waits(person) == 2) }
        try box.call(nia, "session.trust", ["session": .id(first.session)])
        for person in [ben, nia] { #expect(try waits(person) == 1) }
        // It is signed out.
        try box.call(second, "session.close")
        for person in [ben, nia] { #expect(try waits(person) == 0) }
        _ = try redeemed()
        for person in [ben, nia] { #expect(try waits(person) == 1) }
        try box.wait(seconds: 72 * 3600)
        for person in [ben, nia] { #expect(try waits(person) == 0) }
    }
}
