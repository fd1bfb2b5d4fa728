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

@Suite struct MapSharingTests {
    @Test func `switching on shows the last dot to everyone and no guest`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        let gus = try box.join("Gus", role: .guest)
        try box.report(ada, 52.1)
        try box.share(ada)
        #expect(try box.dots(bob)[ada]?.lat == 52.1)
        #expect(try box.dots(gus).isEmpty)
        #expect(box.heard(gus).isEmpty)
        #expect(box.heard(ada).map(\.type) == ["position", "position", "sharing.changed"])
        #expect(try box.call(bob, "position.latest")["positions"]?.array?.count == 1)
        #expect(try box.call(gus, "position.latest")["positions"]?.array == [])
        try box.wait(seconds: 5)
        try box.report(ada, 52.2)
        #expect(try box.dots(bob)[ada]?.lat == 52.2)
    }

    @Test func `switching off hides the dot in the same act and leaves it in no row for others`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        try box.share(ada)
        try box.report(ada, 52.1)
        _ = box.heard(bob)
        try box.share(ada, "off")
        #expect(box.heard(bob).map(\.type) == ["position.hidden"])
        #expect(try box.dots(bob).isEmpty)
        #expect(try box.dots(ada)[ada]?.lat == 52.1)
        let page = try Log.read(
            box.store.database, after: 0, through: nil, member: 2, types: ["position"], bytesMax: 1 << 20)
        #expect(page.rows.isEmpty)
        try box.wait(seconds: 5)
        try box.report(ada, 52.2)
        #expect(box.heard(bob).isEmpty)
    }

    @Test func `on again shows the dot of now and takes the hidden back`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        try box.share(ada)
        try box.report(ada, 1)
        try box.share(ada, "off")
        try box.wait(seconds: 5)
        try box.report(ada, 2)
        _ = box.heard(bob)
        try box.share(ada)
        #expect(box.heard(bob).map(\.type) == ["position"])
        #expect(try box.dots(bob)[ada]?.lat == 2)
        #expect(try box.count("SELECT count(*) FROM log WHERE type = 'position.hidden'") == 0)
        #expect(try box.count("SELECT count(*) FROM log WHERE type = 'position'") == 1)
    }

    @Test func `the same switch twice says nothing twice`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        try box.report(ada)
        try box.share(ada, "off")
        #expect(box.heard(ada).map(\.type) == ["position"])
        try box.share(ada)
        _ = (box.heard(ada), box.heard(bob))
        try box.share(ada)
        #expect(box.heard(ada).isEmpty)
        #expect(box.heard(bob).isEmpty)
    }

    @Test func `until ends it by itself`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        try box.report(ada)
        let until = box.clock.adding(seconds: 600)
        let answer = try box.call(ada, "sharing.set", ["state": "on", "until": .time(until)])
        #expect(answer["sharing"]?["until"]?.instant == until)
        try box.wait(seconds: 599)
        #expect(try box.dots(bob)[ada] != nil)
        _ = (box.heard(ada), box.heard(bob))
        try box.wait(seconds: 1)
        #expect(try box.dots(bob).isEmpty)
        #expect(box.heard(bob).map(\.type) == ["position.hidden"])
        let told = try #require(box.heard(ada).last)
        #expect(told.type == "sharing.changed")
        #expect(told.by == nil)
        #expect(try box.call(ada, "sharing.show")["sharing"]?["state"] == "off")
    }

    @Test func `another end replaces the first and no end takes it away`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        try box.report(ada)
        for until in [600, 1200] as [Int64] {
            try box.call(ada, "sharing.set", ["state": "on", "until": .time(box.clock.adding(seconds: until))])
        }
        try box.wait(seconds: 700)
        #expect(try box.dots(bob)[ada] != nil)
        try box.share(ada)
        try box.wait(seconds: 1000)
        #expect(try box.dots(bob)[ada] != nil)
        #expect(try box.count("SELECT count(*) FROM due WHERE kind = 'sharing.ends'") == 0)
    }

    @Test func `while the clock is doubted sharing with an end is withheld, and what has none goes on`() throws {
        let box = try MapBox()
        box.machine = .alone
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        let cyd = try box.join("Cyd")
        try box.report(ada)
        try box.report(bob)
        let until = box.clock.adding(seconds: 3600)
        try box.call(ada, "sharing.set", ["state": "on", "until": .time(until)])
        try box.share(bob)
        for ahead in [-301_000, 400 * 86_400_000] as [Int64] {
            box.machine.ahead = ahead
            try box.wait(seconds: 10)
            #expect(try box.dots(cyd)[ada] == nil)
            #expect(try box.dots(cyd)[bob] != nil)
            let shown = try box.call(ada, "sharing.show")["sharing"]
            #expect(shown?["state"] == "on" && shown?["seenBy"] == [])
            try box.report(ada, 2)
            #expect(try box.dots(cyd)[ada] == nil)
            // Another end gives no more, and none gives all.
            try box.call(ada, "sharing.set", ["state": "on"])
            #expect(try box.dots(cyd)[ada] != nil)
            try box.call(ada, "sharing.set", ["state": "on", "until": .time(until)])
            #expect(try box.dots(cyd)[ada] == nil)
            box.machine.ahead = 0
            try box.wait(seconds: 10)
            #expect(try box.dots(cyd)[ada] != nil)
        }
        box.machine.ahead = -301_000
        try box.wait(seconds: 7200)
        #expect(try box.call(ada, "sharing.show")["sharing"]?["state"] == "on")
        box.machine.ahead = 0
        try box.wait(seconds: 10)
        #expect(try box.call(ada, "sharing.show")["sharing"]?["state"] == "off")
        #expect(try box.dots(cyd)[ada] == nil)
    }

    @Test func `what a phone saw while sharing was off stays its owner's when it comes late`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        try box.wait(seconds: 1000)
        try box.report(ada, 1)
        try box.wait(seconds: 1000)
        try box.share(ada)
        try box.wait(seconds: 10)
        try box.report(ada, 2, ago: 500)
        #expect(try box.dots(ada)[ada]?.lat == 2)
        #expect(try box.dots(bob)[ada]?.lat == 1)
        try box.report(ada, 3, ago: 5)
        #expect(try box.dots(ada)[ada]?.lat == 3)
        #expect(try box.dots(bob)[ada]?.lat == 3)
        try box.report(ada, 2.5, ago: 500)
        try box.share(ada, "off")
        #expect(try box.dots(bob).isEmpty)
    }

    @Test func `a track recorded before its owner joined is shown as it is replayed`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        try box.share(ada)
        try box.report(ada, 1, ago: 400 * 86400)
        #expect(try box.dots(bob)[ada]?.lat == 1)
    }

    @Test func `a newcomer sees who shares once admitted, and a guest who shares is seen by everyone`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let gus = try box.join("Gus", role: .guest)
        try box.share(ada)
        try box.report(ada, 1)
        try box.report(gus, 2)
        #expect(try box.dots(ada)[gus] == nil)
        try box.share(gus)
        let bob = try box.join("Bob")
        #expect(try box.dots(bob).isEmpty)
        for watched in [ada, gus] { try box.admit(bob, to: watched) }
        #expect(try box.dots(bob).mapValues(\.lat) == [ada: 1, gus: 2])
        #expect(try box.dots(gus).mapValues(\.lat) == [gus: 2])
        try box.share(ada, "off")
        #expect(try box.dots(bob).mapValues(\.lat) == [gus: 2])
    }

    @Test func `sharing is shown with who will see it`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        let gus = try box.join("Gus", role: .guest)
        let shown = try box.call(ada, "sharing.show")["sharing"]
        #expect(shown?["state"] == "off")
        #expect(shown?["historyDays"] == 30)
        #expect(
            shown?["seenBy"]?.array
                == [
                    [
                        "id": .id(bob), "displayName": "Bob", "precision": "exact", "history": false,
                        "rules": ["everyone"],
                    ]
                ])
        #expect(shown?["notSeenBy"] == [["id": .id(gus), "displayName": "Gus", "rules": []]])
        #expect(shown?["others"] == nil)
        let guests = try box.call(gus, "sharing.show")["sharing"]
        #expect(guests?["seenBy"]?.array?.count == 2)
        #expect(guests?["others"] == true)
    }

    @Test func `who shares and has not reported is told apart from who does not share`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        let gus = try box.join("Gus", role: .guest)
        func unreported(_ viewer: Identifier) throws -> JSON? {
            try box.call(viewer, "position.latest")["unreported"]
        }
        #expect(try unreported(bob) == nil)
        try box.share(ada)
        #expect(try unreported(bob) == [.id(ada)])
        // Whom the rules are not for, and oneself.
        #expect(try unreported(gus) == nil && unreported(ada) == nil)
        try box.report(ada)
        #expect(try unreported(bob) == nil)
        // Off and not for the viewer are the same to them.
        let hidden = try box.call(gus, "sharing.seen", ["member": .id(ada)])
        try box.share(ada, "off")
        #expect(try box.call(gus, "sharing.seen", ["member": .id(ada)]) == hidden)
        #expect(try box.call(bob, "sharing.seen", ["member": .id(ada)]) == ["precision": "off", "history": false])
    }

    @Test func `whoever shares and has not reported reads that, and nobody else does`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        func unreported() throws -> JSON? { try box.call(ada, "sharing.show")["sharing"]?["unreported"] }
        // While it is off there is nothing to see anyway.
        #expect(try unreported() == nil)
        #expect(try box.call(ada, "sharing.set", ["state": "on"])["sharing"]?["unreported"] == true)
        #expect(try unreported() == true)
        try box.report(ada)
        #expect(try unreported() == nil)
        // The last position is shown again as soon as sharing is on.
        try box.share(ada, "off")
        try box.share(ada)
        #expect(try unreported() == nil)
    }

    @Test func `a change is answered by its effect, and whom it does not affect is said to see the same`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let lea = try box.join("Lea")
        let far = try box.join("Far", household: box.hill)
        func rules(_ rules: JSON, _ state: JSON? = nil) throws -> [JSON] {
            let answer = try box.call(ada, "sharing.set", .init(leavingOut: ["rules": rules, "state": state]))
            return try #require(answer["effect"]?.array)
        }
        let exact: JSON = ["precision": "exact", "history": false]
        let off: JSON = ["precision": "off", "history": false]
        let household: JSON = ["viewer": "household", "precision": "exact"]
        let on = try rules([household], "on")
        // The rule for everyone is gone: Far sees nothing, as before, and by no rule.
        #expect(on.map { $0["id"] } == [.id(lea), .id(far)])
        #expect(on.last?["changed"] == false && on.last?["rules"] == [])
        #expect(on.first?["before"] == off && on.first?["now"] == exact && on.first?["changed"] == true)
        let place = try rules([household, ["viewer": "everyone", "precision": "place"]])
        let kept = try #require(place.first { $0["id"] == .id(lea) })
        #expect(kept["changed"] == false && kept["now"] == exact && kept["rules"] == ["household"])
        let gained = try #require(place.first { $0["id"] == .id(far) })
        #expect(gained["changed"] == true && gained["rules"] == ["everyone"])
        // The same again does nothing to anybody.
        #expect(try rules([household, ["viewer": "everyone", "precision": "place"]]).isEmpty)
        let answer = try box.call(ada, "sharing.set", ["state": "off"])
        #expect(answer["effect"]?.array?.allSatisfy { $0["now"] == off && $0["changed"] == true } == true)
        #expect(answer["effect"]?.array?.count == 2)
        // An answer to a repeat knows of no effect.
        let once = try box.call(ada, "sharing.set", ["state": "on"], op: "1")
        let again = try box.call(ada, "sharing.set", ["state": "on"], op: "1")
        #expect(once["effect"] != nil && again["effect"] == nil && again["sharing"] == once["sharing"])
    }

    @Test func `a switch that cannot be is refused`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let later = JSON.time(box.clock.adding(seconds: 60))
        let cases: [(JSON.Object, String)] = [
            ([:], "state"), (["state": "maybe"], "state"), (["state": "off", "until": later], "until"),
            (["historyDays": 1, "until": later], "until"), (["state": "on", "until": .time(box.clock)], "until"),
            (["state": "on", "historyDays": -1], "historyDays"), (["historyDays": 3651], "historyDays"),
            (["historyDays": .double(0.5)], "historyDays"), (["historyDays": .int(.max)], "historyDays"),
        ]
        for (params, field) in cases {
            let refused = #expect(throws: Rejection.self) { try box.call(ada, "sharing.set", params) }
            #expect(refused?.field == field)
        }
        #expect(box.heard(ada).isEmpty)
    }

    @Test func `a restore pauses sharing until the member confirms`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        try box.report(ada)
        try box.share(ada)
        try box.write("INSERT INTO due (kind, about, at) VALUES ('restored', '', 0)")
        try box.wait(seconds: 0)
        #expect(try box.dots(bob).isEmpty)
        let paused = try box.call(ada, "sharing.show")["sharing"]
        #expect(paused?["state"] == "off")
        #expect(paused?["paused"] == true)
        try box.share(ada)
        #expect(try box.dots(bob)[ada] != nil)
        #expect(try box.call(ada, "sharing.show")["sharing"]?["paused"] == nil)
    }

    @Test func `a member who goes leaves nothing on the map`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let bob = try box.join("Bob")
        try box.report(ada)
        try box.call(ada, "sharing.set", ["state": "on", "until": .time(box.clock.adding(seconds: 60))])
        try box.call(bob, "owntracks.publish", ["message": ["_type": "lwt"]])
        let act = Act(keeper: box.keeper, now: box.clock, caller: .nobody, origin: Origin(), work: nil)
        try box.store.beginTurn()
        try Map.area.life.deleteOwned?(act, ada)
        try box.store.commitTurn()
        for table in ["positions", "latest_positions", "sharing", "position_devices", "tracker_ids"] {
            #expect(try box.count("SELECT count(*) FROM \(table)") == 0, "\(table)")
        }
        #expect(try box.count("SELECT count(*) FROM log WHERE type LIKE 'position%' OR type LIKE 'sharing%'") == 0)
        #expect(try box.count("SELECT count(*) FROM due") == 0)
    }

    @Test(arguments: 1...4) func `whatever happens in whatever order, all see what a fresh snapshot says`(
        seed: UInt64
    ) throws {
        let box = try MapBox()
        var dice = Dice(state: seed)
        var family = try [("Ada", Role.admin), ("Bob", .member), ("Gus", .guest)].map {
            try box.join($0.0, role: $0.1)
        }
        for step in 0..<150 {
            let member = family[dice.roll(family.count)]
            switch dice.roll(12) {
            case 0...4: try box.report(member, Double(dice.roll(90)), ago: Int64(dice.roll(2000)))
            case 5:
                let points = (0..<dice.roll(5) + 1).map { _ in
                    JSON.object(box.point(Double(dice.roll(90)), ago: Int64(dice.roll(2000))))
                }
                try box.call(member, "position.report", ["positions": .array(points)])
            case 6: try box.share(member)
            case 7: try box.share(member, "off")
            case 8:
                let until = box.clock.adding(seconds: Int64(dice.roll(900)) + 1)
                try box.call(member, "sharing.set", ["state": "on", "until": .time(until)])
            case 9...10: try box.wait(seconds: Int64(dice.roll(900)))
            default:
                if family.count < 7 {
                    family.append(try box.join("New \(step)", role: step % 2 == 0 ? .guest : .member))
                }
            }
        }
    }
}
