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

/// Ways in which others could make somebody visible: none of them may show anybody anything.
@Suite struct SharingHoleTests {
    private func rule(_ viewer: JSON, _ precision: JSON, history: Bool = false) -> JSON {
        ["viewer": viewer, "precision": precision, "history": .bool(history)]
    }

    private func set(_ box: MapBox, _ member: Identifier, _ rules: [JSON]) throws {
        try box.call(member, "sharing.set", ["state": "on", "rules": .array(rules)])
    }

    @Test func `whoever joins sees nobody by a rule for everyone or the household`() throws {
        let box = try MapBox()
        let (ada, bob) = (try box.join("Ada"), try box.join("Bob"))
        try box.report(ada)
        try box.report(bob)
        try box.share(ada)
        try set(box, bob, [rule("household", "exact")])
        let new = try box.join("New")
        #expect(try box.dots(new).isEmpty)
    }

    @Test func `a parent who moves into the household sees nothing of what it shows`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let away = try box.join("Away", household: box.hill)
        try box.report(ada)
        try set(box, ada, [rule("household", "exact", history: true)])
        try box.move(away, to: box.mill)
        #expect(try box.dots(away).isEmpty)
        #expect(throws: Rejection.self) { try box.history(of: ada, for: away) }
    }

    @Test func `who moves in goes on seeing what everyone sees, and no more`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let away = try box.join("Away", household: box.hill)
        try box.report(ada)
        try set(box, ada, [rule("household", "exact"), rule("everyone", "coarse")])
        try box.move(away, to: box.mill)
        #expect(try box.dots(away)[ada]?.precision == .coarse)
    }

    @Test func `a guest who becomes a member sees nobody by that`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let gus = try box.join("Gus", role: .guest)
        try box.report(ada)
        try box.share(ada)
        try box.become(gus, .member)
        #expect(try box.dots(gus).isEmpty)
    }

    @Test func `moving out of a household that sees less shows nobody more`() throws {
        let box = try MapBox()
        let (ada, bob) = (try box.join("Ada"), try box.join("Bob"))
        let cyd = try box.join("Cyd", household: box.hill)
        try box.report(ada)
        try set(box, ada, [rule("household", "off"), rule("everyone", "exact")])
        try box.move(bob, to: box.hill)
        #expect(try box.dots(bob)[ada] == nil)
        // In and out again is not a way either.
        #expect(try box.dots(cyd)[ada] != nil)
        try box.move(cyd, to: box.mill)
        #expect(try box.dots(cyd)[ada] == nil)
        try box.move(cyd, to: box.hill)
        #expect(try box.dots(cyd)[ada] == nil)
    }

    @Test func `whoever moves shows the new household nothing by a rule made for the old one`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let far = try box.join("Far", household: box.hill)
        try box.report(ada)
        try set(box, ada, [rule("household", "exact")])
        try box.move(ada, to: box.hill)
        #expect(try box.dots(far).isEmpty)
    }

    @Test func `whoever leaves a household and returns sees nothing by its rule`() throws {
        let box = try MapBox()
        let (ada, bob) = (try box.join("Ada"), try box.join("Bob"))
        try box.report(ada)
        try set(box, ada, [rule("household", "exact")])
        #expect(try box.dots(bob)[ada] != nil)
        try box.move(bob, to: box.hill)
        try box.move(bob, to: box.mill)
        #expect(try box.dots(bob)[ada] == nil)
    }

    @Test func `an adult switches off whatever the rows say of a holder`() throws {
        let box = try MapBox()
        let (ada, bob) = (try box.join("Ada"), try box.join("Bob"))
        try box.report(ada)
        try box.share(ada)
        try box.plantHolder(bob, of: ada)
        try box.share(ada, "off")
        #expect(try box.dots(bob)[ada] == nil)
        try box.plantHolder(bob, of: ada)
        #expect(throws: Rejection.self) {
            try box.call(bob, "sharing.set", ["member": .id(ada), "state": "on"])
        }
        #expect(try box.dots(bob)[ada] == nil)
    }

    @Test func `an adult of the household who is no parent takes nobody's settings`() throws {
        let box = try MapBox()
        let aunt = try box.join("Aunt")
        let kid = try box.join("Kid", kind: .child)
        #expect(throws: Rejection.self) { try box.call(aunt, "sharing.hold", ["member": .id(kid), "hold": true]) }
    }

    @Test func `a parent takes nothing out of another parent's hands`() throws {
        let box = try MapBox()
        let (mum, dad) = (try box.join("Mum"), try box.join("Dad"))
        let kid = try box.join("Kid", kind: .child)
        for parent in [mum, dad] { try box.relate(parent, of: kid) }
        try box.call(mum, "sharing.hold", ["member": .id(kid), "hold": true])
        for hold in [true, false] as [JSON] {
            #expect(throws: Rejection.self) { try box.call(dad, "sharing.hold", ["member": .id(kid), "hold": hold]) }
        }
        #expect(try box.fresh(kid)?.snapshot.sharing.heldBy == mum)
    }

    @Test func `when a holder leaves, nobody sees the child until somebody decides`() throws {
        let box = try MapBox()
        let (mum, dad) = (try box.join("Mum"), try box.join("Dad"))
        let kid = try box.join("Kid", kind: .child)
        for parent in [mum, dad] { try box.relate(parent, of: kid) }
        try box.report(kid)
        try box.call(mum, "sharing.hold", ["member": .id(kid), "hold": true])
        try box.call(mum, "sharing.set", ["member": .id(kid), "state": "on"])
        #expect(try box.dots(dad)[kid] != nil)
        try box.move(mum, to: box.hill)
        #expect(try box.dots(dad)[kid] == nil)
        #expect(throws: Rejection.self) { try box.share(kid) }
        try box.share(kid, "off")
        try box.call(dad, "sharing.hold", ["member": .id(kid), "hold": false])
        try box.share(kid)
        #expect(try box.dots(dad)[kid] != nil)
    }
}
