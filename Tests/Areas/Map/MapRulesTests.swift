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

/// Who sees how much: rules, what they come to, and what everybody is told when they change.
@Suite struct MapRulesTests {
    private func rule(_ viewer: JSON, _ precision: JSON, until: Instant? = nil, history: Bool = false) -> JSON {
        .object(leavingOut: [
            "viewer": viewer, "precision": precision, "until": until.map { .time($0) }, "history": .bool(history),
        ])
    }

    private func set(_ box: MapBox, _ member: Identifier, _ rules: [JSON], _ state: JSON? = "on") throws {
        try box.call(member, "sharing.set", .init(leavingOut: ["state": state, "rules": .array(rules)]))
    }

    @Test func `the rule that names a member decides before the household's and that before everyone's`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        let cyd = try box.join("Cyd")
        let far = try box.join("Far", household: box.hill)
        try box.report(ada, 52.5, 13.4)
        try set(box, ada, [rule("everyone", "coarse"), rule("household", "exact"), rule(.id(bob), "off")])
        #expect(try box.dots(bob)[ada] == nil)
        #expect(try box.dots(cyd)[ada]?.precision == .exact)
        #expect(try box.dots(far)[ada]?.precision == .coarse)
        let shown = try box.call(ada, "sharing.show")["sharing"]
        #expect(shown?["seenBy"]?.array?.map { $0["precision"]?.string } == ["exact", "coarse"])
        #expect(shown?["rules"]?.array?.count == 3)
    }

    @Test func `a coarse dot is the middle of a cell, a rounded time and nothing else`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        try set(box, ada, [rule("everyone", "coarse")])
        try box.wait(seconds: 401)
        try box.call(
            ada, "position.report",
            ["lat": 52.5, "lon": 13.4, "at": .time(box.clock), "accuracy": 7, "speed": 3, "battery": 50])
        let told = try #require(box.heard(bob).last)
        #expect(told.data.object?.members.map(\.name) == ["member", "precision", "lat", "lon", "at"])
        #expect(told.at == MapBox.start)
        #expect(told.data["at"]?.instant == MapBox.start)
        let dot = try #require(try box.dots(bob)[ada])
        #expect(abs(dot.lat - 52.5) < 0.005 && abs(dot.lon - 13.4) < 0.008)
        #expect(try box.dots(ada)[ada]?.accuracy == 7)
        #expect(try box.call(bob, "position.latest")["positions"]?.array == [told.data])
        let answer = try box.call(bob, "owntracks.publish", ["message": ["_type": "lwt"]])
        #expect(answer.array?.last?.object?.members.map(\.name) == ["_type", "tid", "lat", "lon", "tst"])
        #expect(answer.array?.last?["tst"]?.int == MapBox.start.milliseconds / 1000)
    }

    @Test func `guests see what a rule that names them says, and no group's`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let gus = try box.join("Gus", role: .guest)
        try box.report(ada)
        try set(box, ada, [rule("everyone", "exact"), rule("household", "exact")])
        #expect(try box.dots(gus)[ada] == nil)
        try set(box, ada, [rule(.id(gus), "coarse")])
        #expect(try box.dots(gus)[ada]?.precision == .coarse)
        #expect(try box.call(gus, "position.latest")["positions"]?.array?.count == 1)
    }

    @Test func `no rules at all show nothing, and none given shows everyone the exact dot`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        try box.report(ada)
        try box.share(ada)
        #expect(try box.dots(bob)[ada]?.precision == .exact)
        _ = box.heard(bob)
        try set(box, ada, [], nil)
        #expect(box.heard(bob).map(\.type) == ["position.hidden"])
        #expect(try box.dots(bob).isEmpty)
        #expect(try box.call(ada, "sharing.show")["sharing"]?["state"] == "on")
    }

    @Test func `who sees less is told first that the dot is gone, and no finer row stays anywhere`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        let cyd = try box.join("Cyd")
        try box.report(ada, 52.123456)
        try box.share(ada)
        _ = (box.heard(bob), box.heard(cyd))
        try set(box, ada, [rule("everyone", "exact"), rule(.id(bob), "coarse")], nil)
        #expect(box.heard(bob).map(\.type) == ["position.hidden", "position"])
        #expect(box.heard(cyd).map(\.type) == ["position"])
        #expect(try box.dots(bob)[ada]?.precision == .coarse)
        let page = try Log.read(
            box.store.database, after: 0, through: nil, member: 2, types: ["position"], bytesMax: 1 << 20)
        #expect(page.rows.count == 1)
        #expect(!page.rows.contains { String(decoding: $0.payload, as: UTF8.self).contains("52.123456") })
    }

    @Test func `one row of the log for each payload, and nobody in two of them`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        try box.join("Cyd")
        try box.report(ada)
        try set(box, ada, [rule("everyone", "coarse"), rule(.id(bob), "exact")])
        for step in 1...5 {
            try box.wait(seconds: 600)
            try box.report(ada, 52.5 + Double(step) / 10)
        }
        let rows = try box.store.database.rows("SELECT key, audience FROM log WHERE type = 'position'") { row in
            (row.text(0), row.int(1))
        }
        #expect(rows.map(\.0).sorted() == ["position/\(ada)/coarse", "position/\(ada)/exact"])
    }

    @Test func `a rule ends by itself, and the one behind it decides`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        try box.report(ada)
        let end = box.clock.adding(seconds: 600)
        try set(box, ada, [rule("everyone", "coarse"), rule(.id(bob), "exact", until: end)])
        try box.wait(seconds: 599)
        #expect(try box.dots(bob)[ada]?.precision == .exact)
        try box.wait(seconds: 1)
        #expect(try box.dots(bob)[ada]?.precision == .coarse)
        #expect(box.heard(ada).last?.type == "sharing.changed")
        #expect(try box.call(ada, "sharing.show")["sharing"]?["rules"]?.array?.count == 1)
    }

    @Test func `while the clock is doubted a rule with an end gives nothing, and takes what it took`() throws {
        let box = try MapBox()
        box.machine = .alone
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        let cyd = try box.join("Cyd")
        let dan = try box.join("Dan", household: box.hill)
        try box.report(ada)
        let end = box.clock.adding(seconds: 3600)
        try set(
            box, ada,
            [
                rule("everyone", "coarse"), rule("household", "off", until: end), rule(.id(bob), "off", until: end),
                rule(.id(cyd), "exact", until: end), rule(.id(dan), "exact", until: end),
            ])
        #expect(try box.dots(cyd)[ada]?.precision == .exact)
        box.machine.ahead = -301_000
        // Also past the end, as far as anybody knows.
        for seconds in [0, 7200] as [Int64] {
            try box.wait(seconds: seconds)
            #expect(try box.dots(bob)[ada] == nil)
            // Were the rule for Cyd over, the one for the household would hold.
            #expect(try box.dots(cyd)[ada] == nil)
            #expect(try box.dots(dan)[ada]?.precision == .coarse)
        }
        box.machine.ahead = 0
        try box.wait(seconds: 0)
        for viewer in [bob, cyd, dan] { #expect(try box.dots(viewer)[ada]?.precision == .coarse) }
    }

    @Test func `rules that cannot be are refused and change nothing`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let nobody = Identifier(at: box.clock, random: (7, 7))
        let cases: [([JSON], String, Rejection.Kind)] = [
            ([rule(.id(nobody), "exact")], "rules[0].viewer", .notFound),
            ([rule("everyone", "exact"), rule("everyone", "off")], "rules[1].viewer", .invalid),
            ([rule("everyone", "exact", until: box.clock)], "rules[0].until", .invalid),
            ([rule("everyone", "telescope")], "rules[0].precision", .invalid),
            ([rule("neighbours", "exact")], "rules[0].viewer", .invalid),
        ]
        for (rules, field, kind) in cases {
            let refused = #expect(throws: Rejection.self) { try set(box, ada, rules) }
            #expect(refused?.field == field)
            #expect(refused?.kind == kind)
        }
        let many = (0...Limits.sharingRulesMax).map { _ in rule("everyone", "exact") }
        #expect(throws: Rejection.self) { try set(box, ada, many) }
        #expect(try box.count("SELECT count(*) FROM sharing_rules") == 0)
    }

    @Test func `whoever was hidden before hears nothing of what others lose`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        let cyd = try box.join("Cyd")
        try box.report(ada)
        try box.share(ada)
        try set(box, ada, [rule(.id(cyd), "exact")], nil)
        _ = box.heard(bob)
        try set(box, ada, [], nil)
        #expect(box.heard(bob).isEmpty)
        #expect(box.heard(cyd).last?.type == "position.hidden")
        try set(box, ada, [rule("everyone", "exact")], nil)
        #expect(try box.count("SELECT count(*) FROM log WHERE type = 'position.hidden'") == 0)
    }

    @Test(arguments: 1...6) func `whatever the rules, all see what a fresh snapshot says, and nobody too much`(
        seed: UInt64
    ) throws {
        let box = try MapBox()
        var dice = Dice(state: seed)
        var family = try [("Ada", Role.admin), ("Bob", .member), ("Gus", .guest), ("Cyd", .member)].map {
            try box.join($0.0, role: $0.1)
        }
        family.append(try box.join("Far", household: box.hill))
        for step in 0..<120 {
            let member = family[dice.roll(family.count)]
            switch dice.roll(12) {
            case 0...4: try box.report(member, Double(dice.roll(9)) / 100, ago: Int64(dice.roll(2000)))
            case 5...7:
                var viewers: [JSON] = ["everyone", "household"] + family.map { .id($0) }
                let rules = (0..<dice.roll(4)).map { _ in
                    let until = dice.roll(3) == 0 ? box.clock.adding(seconds: Int64(dice.roll(900)) + 1) : nil
                    return rule(
                        viewers.remove(at: dice.roll(viewers.count)),
                        ["off", "home", "place", "coarse", "exact"][dice.roll(5)],
                        until: until, history: dice.roll(2) == 0)
                }
                // A guest names nobody out of sight.
                _ = try? set(box, member, rules, [nil, "on", "off"][dice.roll(3)])
            case 8: try box.share(member)
            case 9...10: try box.wait(seconds: Int64(dice.roll(900)))
            default:
                if family.count < 8 {
                    family.append(try box.join("New \(step)", role: step % 2 == 0 ? .guest : .member))
                }
            }
            for viewer in family {
                let shown = try box.dots(viewer)
                for (watched, dot) in shown where watched != viewer {
                    let sharing = try #require(try MemberSharing.find(box.store.database, watched))
                    let number = try #require(try box.keeper.roster()[viewer]).number
                    #expect(sharing.isOn && sharing.viewers.precision(for: number) == dot.precision)
                }
            }
        }
    }
}
