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

/// Who comes under a rule for a group, and what the one who is watched answers.
@Suite struct MapAdmissionTests {
    private let box: MapBox
    private let ada, bob: Identifier

    init() throws {
        box = try MapBox()
        (ada, bob) = (try box.join("Ada"), try box.join("Bob"))
        try box.openInbox(ada)
        try box.report(ada)
    }

    private func rule(_ viewer: JSON, _ precision: JSON, until: Instant? = nil) -> JSON {
        .object(leavingOut: ["viewer": viewer, "precision": precision, "until": until.map { .time($0) }])
    }

    @discardableResult
    private func set(_ rules: [JSON]? = nil, state: JSON? = "on", confirms: [Identifier]? = nil) throws -> JSON? {
        try box.call(
            ada, "sharing.set",
            .init(leavingOut: [
                "state": state, "rules": rules.map { .array($0) },
                "confirms": confirms.map { .array($0.map { .id($0) }) },
            ]))["sharing"]
    }

    private func names(_ list: String) throws -> [String] {
        try (box.call(ada, "sharing.show")["sharing"]?[list]?.array ?? []).compactMap { $0["displayName"]?.string }
    }

    private func asked(_ member: Identifier) -> [Event] { box.heard(member).filter { $0.type == "sharing.asked" } }

    @Test func `who comes is asked about once, and sees what the rule says when the answer is yes`() throws {
        try set([rule("household", "coarse")])
        _ = box.heard(ada)
        let new = try box.join("New")
        let told = try #require(asked(ada).first)
        #expect(told.data == ["member": .id(ada), "viewer": .id(new), "group": "household", "precision": "coarse"])
        let line = try #require(try box.fresh(ada)?.snapshot.inbox.entries.first?.lines.last)
        #expect(line["kind"] == "sharingAsked" && line["by"] == .id(new) && line["precision"] == "coarse")
        #expect(try names("waiting") == ["New"])
        #expect(try names("seenBy") == ["Bob"])
        let other = try box.join("Other")
        #expect(asked(ada).map { $0.data["viewer"] } == [.id(other)])
        try box.admit(new, to: ada)
        #expect(try box.dots(new)[ada]?.precision == .coarse)
        #expect(try box.dots(other)[ada] == nil)
        #expect(try names("waiting") == ["Other"])
        try box.admit(new, to: ada)
        #expect(asked(ada).isEmpty)
    }

    @Test func `who is refused is not asked about again until they leave and return`() throws {
        try set([rule("household", "exact")])
        let new = try box.join("New")
        try box.admit(new, to: ada, false)
        #expect(try names("waiting").isEmpty)
        #expect(try names("declined") == ["New"])
        _ = box.heard(ada)
        try set(state: "off")
        try set()
        #expect(try box.dots(new).isEmpty)
        try set([rule("household", "coarse")])
        #expect(try box.dots(new).isEmpty && asked(ada).isEmpty)
        try box.move(new, to: box.hill)
        #expect(try names("declined").isEmpty)
        try box.move(new, to: box.mill)
        #expect(asked(ada).count == 1)
        try box.admit(new, to: ada, false)
        try box.admit(new, to: ada)
        #expect(try names("declined").isEmpty)
        #expect(try box.dots(new)[ada] != nil)
        // Who sees it can be refused, too.
        try box.admit(bob, to: ada, false)
        #expect(try box.dots(bob).isEmpty)
    }

    @Test func `switching on is for those who were on the list that was shown`() throws {
        try set(state: "off")
        #expect(try names("seenBy") == ["Bob"])
        let new = try box.join("New")
        #expect(asked(ada).isEmpty)
        try set(confirms: [bob])
        #expect(try box.dots(bob)[ada] != nil)
        #expect(try box.dots(new).isEmpty)
        #expect(asked(ada).map { $0.data["viewer"] } == [.id(new)])
        #expect(try box.fresh(ada)?.snapshot.inbox.entries.first?.lines.last?["by"] == .id(new))
        // Without a list it is for all who are there.
        try set(state: "off")
        #expect(try names("waiting").isEmpty)
        try set()
        #expect(try box.dots(new)[ada] != nil)
        #expect(throws: Rejection.self) { try set([], state: nil, confirms: [bob]) }
    }

    @Test func `staying on without a list changes nobody's sight`() throws {
        try set()
        let new = try box.join("New")
        try set()
        #expect(try box.dots(new).isEmpty)
        try set(confirms: [bob, new])
        #expect(try box.dots(new)[ada] != nil)
    }

    @Test func `a rule that stays as it was keeps who sees by it, and one that changed is for all who are there`()
        throws
    {
        try set([rule("everyone", "coarse")])
        let new = try box.join("New")
        try set([rule("everyone", "coarse"), rule(.id(bob), "exact")], state: nil)
        #expect(try box.dots(new).isEmpty)
        // Back under everyone's by an act of one's own; who waits still waits.
        try set([rule("everyone", "coarse")], state: nil)
        #expect(try box.dots(bob)[ada]?.precision == .coarse)
        #expect(try box.dots(new).isEmpty)
        try set([rule("everyone", "exact")], state: nil)
        #expect(try box.dots(new)[ada]?.precision == .exact)
    }

    @Test func `a rule that ends shows nobody anything new by the one behind it`() throws {
        let end = box.clock.adding(seconds: 600)
        try set([rule("everyone", "exact"), rule("household", "coarse", until: end)])
        let new = try box.join("New")
        #expect(try box.dots(bob)[ada]?.precision == .coarse)
        try box.wait(seconds: 600)
        #expect(try box.dots(bob)[ada]?.precision == .exact)
        #expect(try box.dots(new).isEmpty)
    }

    @Test func `while a rule for the household that ends hides more, moving out shows no more`() throws {
        try set([rule("everyone", "exact"), rule("household", "home", until: box.clock.adding(seconds: 600))])
        try box.move(bob, to: box.hill)
        #expect(try box.dots(bob).isEmpty)
        try box.wait(seconds: 600)
        #expect(try box.dots(bob).isEmpty)
        #expect(try names("waiting") == ["Bob"])
    }

    @Test func `after a restore nobody is agreed to, and switching on is for those on the list`() throws {
        try set()
        try box.write("INSERT INTO due (at, kind, about) VALUES (?, 'restored', 'sharing')", .time(box.clock))
        try box.wait(seconds: 1)
        #expect(try box.dots(bob).isEmpty)
        #expect(try box.count("SELECT count(*) FROM sharing_groups") == 0)
        let cyd = try box.join("Cyd")
        try set(confirms: [bob])
        #expect(try box.dots(bob)[ada] != nil)
        #expect(try box.dots(cyd).isEmpty)
    }

    @Test func `guests are neither asked about nor asked about whom they do not see`() throws {
        try set()
        _ = box.heard(ada)
        let gus = try box.join("Gus", role: .guest)
        #expect(asked(ada).isEmpty)
        let refused = #expect(throws: Rejection.self) { try box.admit(gus, to: ada) }
        #expect(refused?.kind == .conflict)
        try box.report(gus)
        try box.share(gus)
        let far = try box.join("Far", household: box.hill)
        let near = try box.join("Near")
        #expect(asked(gus).map { $0.data["viewer"] } == [.id(near)])
        #expect(try box.call(gus, "sharing.show")["sharing"]?["waiting"]?.array?.count == 1)
        #expect(throws: Rejection.self) { try box.admit(far, to: gus) }
        // Those out of sight are among the others that the screen speaks of.
        try box.share(gus, "off")
        try box.call(gus, "sharing.set", ["state": "on", "confirms": [.id(ada), .id(bob)]])
        #expect(try box.dots(far)[gus] != nil)
        #expect(try box.dots(near)[gus] == nil)
    }

    @Test func `a phone with OwnTracks shows its owner nobody who has not answered`() throws {
        try set()
        let new = try box.join("New")
        func friends() throws -> Int {
            try box.call(new, "owntracks.publish", ["message": ["_type": "lwt"]]).array?
                .filter { $0["_type"] == "location" }.count ?? 0
        }
        #expect(try friends() == 0)
        try box.admit(new, to: ada)
        #expect(try friends() == 1)
    }

    @Test func `answers that cannot be are refused`() throws {
        let nobody = Identifier(at: box.clock, random: (7, 7))
        #expect(throws: Rejection.self) { try box.admit(bob, to: ada) }
        try set()
        #expect(throws: Rejection.self) { try box.admit(ada, to: ada) }
        #expect(throws: Rejection.self) { try box.admit(nobody, to: ada) }
        #expect(throws: Rejection.self) {
            try box.call(bob, "sharing.admit", ["member": .id(ada), "viewer": .id(bob), "admit": true])
        }
    }

    @Test(arguments: 1...8) func `whatever others do, nobody sees more of anybody by it`(seed: UInt64) throws {
        var dice = Dice(state: seed)
        var family = [ada, bob]
        for name in ["Cyd", "Dan", "Eve"] {
            family.append(try box.join(name, household: dice.roll(2) == 0 ? box.hill : box.mill))
        }
        family.append(try box.join("Gus", role: .guest))
        let precisions: [JSON] = ["off", "home", "place", "coarse", "exact"]
        for _ in 0..<150 {
            var before: [Identifier: Viewers] = [:]
            for member in family { before[member] = try MemberSharing.find(box.store.database, member)?.viewers }
            let member = family[dice.roll(family.count)]
            var actor: Identifier?
            switch dice.roll(7) {
            case 0: try box.move(member, to: dice.roll(2) == 0 ? box.hill : box.mill)
            case 1: try box.become(member, [Role.member, .guest, .head][dice.roll(3)])
            case 2 where family.count < 12:
                family.append(try box.join("New", role: dice.roll(3) == 0 ? .guest : .member))
            case 3:
                let viewer = family[dice.roll(family.count)]
                actor = member
                _ = try? box.admit(viewer, to: member, dice.roll(3) == 0 ? false : true)
            case 4: actor = member; try box.share(member, dice.roll(4) == 0 ? "off" : "on")
            default:
                actor = member
                var viewers: [JSON] = ["everyone", "household"] + family.map { .id($0) }
                let rules = (0..<dice.roll(4)).map { _ in
                    rule(viewers.remove(at: dice.roll(viewers.count)), precisions[dice.roll(5)])
                }
                _ = try? box.call(member, "sharing.set", ["rules": .array(rules)])
            }
            let roster = try box.keeper.roster()
            for watched in family where watched != actor {
                guard let now = try MemberSharing.find(box.store.database, watched)?.viewers else { continue }
                #expect(now.gaining(on: before[watched] ?? .nobody, in: roster).isEmpty)
            }
        }
    }
}
