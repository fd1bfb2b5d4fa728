import KinModel
import KinStore
import Testing

@testable import KinFamily

/// Ways in which others could make somebody visible: none of them may show anybody anything.
@Suite struct ConsentHoleTests {
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

extension MapBox {
    /// What no command leaves behind: a row that says somebody holds these settings.
    func plantHolder(_ holder: Identifier, of member: Identifier) throws {
        try write("UPDATE sharing SET holder = ? WHERE member = ?", .id(holder), .id(member))
        try resetSight(of: member)
    }

    /// A member moves, by whatever door.
    func move(_ member: Identifier, to household: Identifier) throws {
        try write("UPDATE members SET household = ? WHERE id = ?", .id(household), .id(member))
        try tell("member.moved", member, ["household"])
    }

    /// A member has another role from here on.
    func become(_ member: Identifier, _ role: Role) throws {
        try write("UPDATE members SET role = ? WHERE id = ?", .text(role.rawValue), .id(member))
        try tell("member.updated", member, ["role"])
        try resetSight(of: member)
    }

    /// A member is grown from here on, or is not.
    func become(_ member: Identifier, _ kind: MemberKind) throws {
        try write("UPDATE members SET kind = ? WHERE id = ?", .text(kind.rawValue), .id(member))
        try tell("member.updated", member, ["kind"])
    }

    /// Somebody is a parent of a child, or no longer.
    func relate(_ parent: Identifier, of child: Identifier, remove: Bool = false) throws {
        if remove {
            try write("DELETE FROM parents WHERE child = ? AND parent = ?", .id(child), .id(parent))
        } else {
            try write("INSERT INTO parents (child, parent) VALUES (?, ?)", .id(child), .id(parent))
        }
        try tell("member.updated", child, ["parents"])
    }

    /// What the area hears of a change of the roster that the tests write by hand.
    func tell(_ type: String, _ member: Identifier, _ changed: [JSON]) throws {
        keeper.forgetRoster()
        try act { (act) throws(Rejection) in
            let told = Told(
                type: type, at: clock, about: "", by: nil, audience: Audience(),
                data: ["member": ["id": .id(member)], "changed": .array(changed)])
            try Map.area.told[type]?(act, told)
            try act.tellAreas()
        }
    }

    /// What somebody is answered of another's history.
    @discardableResult
    func history(of watched: Identifier, for viewer: Identifier) throws -> JSON {
        try call(
            viewer, "position.history",
            ["member": .id(watched), "from": .time(clock.adding(days: -2)), "to": .time(clock)])
    }
}
