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

/// A child's sharing in the hands of an adult of its household.
@Suite struct MapHoldingTests {
    private let box: MapBox
    private let mum, dad, aunt, kid: Identifier

    init() throws {
        box = try MapBox()
        (mum, dad, aunt) = (try box.join("Mum"), try box.join("Dad"), try box.join("Aunt"))
        kid = try box.join("Kid", kind: .child)
        for parent in [mum, dad] { try box.relate(parent, of: kid) }
        try box.openInbox(mum, dad, kid)
        try box.report(kid)
    }

    private var holder: Identifier? { get throws { try box.fresh(kid)?.snapshot.sharing.heldBy } }

    private func hold(_ adult: Identifier, _ hold: JSON = true, to: Identifier? = nil) throws {
        try box.call(
            adult, "sharing.hold", .init(leavingOut: ["member": .id(kid), "hold": hold, "to": to.map { .id($0) }]))
    }

    private func set(_ adult: Identifier, _ params: JSON.Object) throws {
        var params = params
        params["member"] = .id(kid)
        try box.call(adult, "sharing.set", params)
    }

    private func rule(_ viewer: JSON, _ precision: JSON, until: Instant? = nil, history: Bool = false) -> JSON {
        .object(leavingOut: [
            "viewer": viewer, "precision": precision, "until": until.map { .time($0) }, "history": .bool(history),
        ])
    }

    private func lines(_ member: Identifier, _ kind: JSON) throws -> [JSON] {
        try #require(try box.fresh(member)).snapshot.inbox.entries.flatMap(\.lines).filter { $0["kind"] == kind }
    }

    @Test func `other hands are answered by their effect on people`() throws {
        func hold(_ hold: JSON, op: String? = nil) throws -> JSON {
            try box.call(mum, "sharing.hold", ["member": .id(kid), "hold": hold], op: op)
        }
        let taken = try hold(true, op: "1")
        // What others see stays as it was.
        #expect(taken["sharing"]?["heldBy"] == .id(mum))
        #expect(taken["effect"]?.array?.allSatisfy { $0["changed"] == false } == true)
        #expect(try hold(true, op: "1")["effect"] == nil)
        try set(mum, ["state": "on", "rules": [rule("household", "exact")]])
        let given = try hold(false)
        #expect(given["sharing"]?["heldBy"] == nil)
        #expect(given["effect"]?.array?.allSatisfy { $0["changed"] == false } == true)
        #expect(try box.call(aunt, "sharing.seen", ["member": .id(kid)])["precision"] == "exact")
    }

    @Test func `a parent of the household holds a child's sharing, and the child is told what they do`() throws {
        let far = try box.join("Far", household: box.hill)
        for other in [kid, aunt, far] { #expect(throws: Rejection.self) { try hold(other) } }
        try hold(mum)
        #expect(try holder == mum)
        let told = try #require(box.heard(kid).last { $0.type == "sharing.changed" })
        #expect(told.data["sharing"]?["heldBy"]?.identifier == mum && told.data["changes"] == ["holder"])
        let refused = #expect(throws: Rejection.self) { try box.share(kid) }
        #expect(refused?.kind == .forbidden && refused?.message.contains("Mum holds") == true)
        try set(mum, ["state": "on", "rules": [rule(.id(mum), "exact", history: true)], "historyDays": 7])
        #expect(try box.dots(mum)[kid] != nil)
        #expect(try box.dots(far)[kid] == nil)
        let changes = box.heard(kid).filter { $0.type == "sharing.changed" }
        #expect(changes.allSatisfy { $0.by == mum })
        #expect(changes.compactMap { $0.data["changes"]?.array?.first } == ["history", "rules", "state"])
        let line = try #require(try lines(kid, "sharingChanged").first)
        #expect(line["by"] == .id(mum) && line["changes"]?.array != nil)
        #expect(try box.call(kid, "sharing.show")["sharing"]?["seenBy"]?.array?.count == 1)
        for parent in [mum, dad] {
            #expect(try box.call(parent, "sharing.show", ["member": .id(kid)])["sharing"]?["state"] == "on")
        }
        for other in [aunt, far] {
            #expect(throws: Rejection.self) { try box.call(other, "sharing.show", ["member": .id(kid)]) }
        }
        for other in [dad, far] {
            #expect(throws: Rejection.self) { try box.call(other, "sharing.looks", ["member": .id(kid)]) }
        }
        #expect(try box.call(mum, "sharing.looks", ["member": .id(kid)])["looks"]?.array != nil)
    }

    @Test func `who brought a child in may hold its sharing, and nobody who did not`() throws {
        let child = try box.join("Foundling", kind: .child)
        let params: JSON.Object = ["member": .id(child), "hold": true]
        #expect(throws: Rejection.self) { try box.call(aunt, "sharing.hold", params) }
        try box.write("UPDATE members SET brought_by = ? WHERE id = ?", .id(aunt), .id(child))
        try box.call(aunt, "sharing.hold", params)
        #expect(try box.fresh(child)?.snapshot.sharing.heldBy == aunt)
    }

    @Test func `only who holds it hands it over or gives it back`() throws {
        try hold(mum)
        for (hold, to) in [(true, nil), (false, nil), (true, dad)] as [(JSON, Identifier?)] {
            let refused = #expect(throws: Rejection.self) { try self.hold(dad, hold, to: to) }
            #expect(refused?.kind == .forbidden)
        }
        #expect(throws: Rejection.self) { try hold(mum, true, to: aunt) }
        try set(mum, ["state": "on"])
        _ = (box.heard(dad), box.heard(kid))
        try hold(mum, true, to: dad)
        #expect(try holder == dad)
        #expect(box.heard(dad).contains { $0.type == "sharing.child" && $0.data["what"] == "held" })
        #expect(try lines(dad, "childSharing").first?["by"] == .id(mum))
        #expect(try lines(kid, "sharingChanged").first?["by"] == .id(mum))
        // It goes on as it was.
        #expect(try box.dots(aunt)[kid] != nil)
        #expect(throws: Rejection.self) {
            try set(mum, ["state": "on", "rules": [rule("everyone", "exact", history: true)]])
        }
        try hold(dad, false)
        #expect(try holder == nil)
        try box.share(kid, "off")
        try box.share(kid)
        #expect(try box.dots(aunt)[kid] != nil)
    }

    @Test func `a child who grows up has its own settings at once, as they were`() throws {
        try hold(mum)
        try set(mum, ["state": "on", "rules": [rule("household", "exact")]])
        try box.become(kid, .adult)
        #expect(try holder == nil)
        #expect(try box.dots(dad)[kid] != nil)
        for parent in [mum, dad] {
            #expect(throws: Rejection.self) { try hold(parent) }
            #expect(throws: Rejection.self) { try set(parent, ["state": "off"]) }
            #expect(throws: Rejection.self) { try box.call(parent, "sharing.show", ["member": .id(kid)]) }
        }
        try box.share(kid, "off")
        #expect(try box.dots(dad)[kid] == nil)
    }

    @Test(arguments: ["moves", "guest", "child", "no parent", "removed"])
    func `a holder who is no longer one leaves the child unseen, and another parent decides`(_ how: String) throws {
        try hold(mum)
        try set(mum, ["state": "on"])
        _ = (box.heard(dad), box.heard(kid))
        switch how {
        case "moves": try box.move(mum, to: box.hill)
        case "guest": try box.become(mum, Role.guest)
        case "child": try box.become(mum, MemberKind.child)
        case "no parent": try box.relate(mum, of: kid, remove: true)
        default:
            let admin = try box.join("Root", role: .admin)
            try box.call(admin, "member.remove", ["member": .id(mum), "keep": "delete"])
        }
        #expect(try holder == nil)
        #expect(try box.dots(dad)[kid] == nil)
        #expect(try box.dots(aunt)[kid] == nil)
        #expect(box.heard(dad).contains { $0.type == "sharing.child" && $0.data["what"] == "waits" })
        #expect(try lines(dad, "childSharing").first?["hold"] == "waits")
        let shown = try box.call(kid, "sharing.show")["sharing"]
        #expect(shown?["parents"] == [.id(dad)] && shown?["paused"] == true)
        let refused = #expect(throws: Rejection.self) { try box.share(kid) }
        #expect(refused?.kind == .forbidden && refused?.message.contains("ask Dad") == true)
        #expect(throws: Rejection.self) {
            try box.call(
                kid, "guestLink.create", ["precision": "exact", "until": .time(box.clock.adding(seconds: 600))])
        }
        try box.share(kid, "off")
        #expect(throws: Rejection.self) { try set(dad, ["state": "on"]) }
        try hold(dad)
        try set(dad, ["state": "on"])
        #expect(try box.dots(aunt)[kid] != nil)
        #expect(try box.call(kid, "sharing.show")["sharing"]?["parents"] == nil)
    }

    @Test func `where no parent is left, the child decides itself and is told so`() throws {
        try hold(mum)
        try set(mum, ["state": "on"])
        try box.move(dad, to: box.hill)
        _ = box.heard(kid)
        try box.move(mum, to: box.hill)
        #expect(box.heard(kid).contains { $0.type == "sharing.child" && $0.data["what"] == "given" })
        #expect(try lines(kid, "childSharing").first?["hold"] == "given")
        #expect(try box.dots(aunt)[kid] == nil)
        try box.share(kid)
        #expect(try box.dots(aunt)[kid] != nil)
    }

    @Test func `where the last parent goes who was to decide, the child decides`() throws {
        try hold(mum)
        try set(mum, ["state": "on"])
        try box.move(mum, to: box.hill)
        #expect(throws: Rejection.self) { try box.share(kid) }
        try box.move(dad, to: box.hill)
        try box.share(kid)
        #expect(try box.dots(aunt)[kid] != nil)
    }

    @Test func `another parent narrows, from wherever, and the holder and the child are told`() throws {
        try hold(mum)
        let end = box.clock.adding(seconds: 600)
        let given = [rule("everyone", "coarse"), rule("household", "exact", history: true)]
        try set(mum, ["state": "on", "rules": .array(given)])
        try box.move(dad, to: box.hill)
        let wider: [[JSON]] = [
            [rule("everyone", "exact"), rule("household", "exact", history: true)],
            [rule("everyone", "coarse", history: true), rule("household", "exact", history: true)],
            given + [rule(.id(dad), "exact")],
        ]
        for rules in wider {
            let refused = #expect(throws: Rejection.self) { try set(dad, ["rules": .array(rules)]) }
            #expect(refused?.kind == .forbidden && refused?.message.contains("Only Mum") == true)
        }
        for params in [["state": "on"], ["historyDays": 1], ["historyDays": 300]] as [JSON.Object] {
            #expect(throws: Rejection.self) { try set(dad, params) }
        }
        #expect(throws: Rejection.self) {
            try box.call(dad, "sharing.admit", ["member": .id(kid), "viewer": .id(aunt), "admit": true])
        }
        _ = (box.heard(mum), box.heard(kid))
        try set(
            dad,
            ["rules": [rule("everyone", "coarse"), rule("household", "coarse"), rule(.id(aunt), "off", until: end)]])
        #expect(try box.dots(mum)[kid]?.precision == .coarse)
        #expect(try box.dots(aunt)[kid] == nil)
        #expect(box.heard(mum).contains { $0.type == "sharing.child" && $0.by == dad })
        #expect(try lines(mum, "childSharing").contains { $0["by"] == .id(dad) })
        #expect(try lines(kid, "sharingChanged").contains { $0["by"] == .id(dad) })
        // The end of a rule that hides is not put off, but not brought on either.
        #expect(throws: Rejection.self) {
            try set(dad, ["rules": [rule("everyone", "coarse"), rule("household", "coarse")]])
        }
        try set(dad, ["state": "off"])
        #expect(try box.dots(mum)[kid] == nil)
        #expect(try lines(mum, "childSharing").contains { $0["hold"] == "off" })
        try set(mum, ["state": "on"])
        #expect(try box.dots(mum)[kid] != nil)
    }

    @Test func `somebody who came under a held child's rules waits for the holder, and the child is told`() throws {
        try hold(mum)
        try set(mum, ["state": "on"])
        let new = try box.join("New")
        #expect(try box.dots(new)[kid] == nil)
        for member in [mum, kid] {
            #expect(try lines(member, "sharingAsked").first?["by"] == .id(new))
        }
        #expect(try lines(dad, "sharingAsked").isEmpty)
        #expect(throws: Rejection.self) { try box.admit(new, to: kid) }
        try box.call(mum, "sharing.admit", ["member": .id(kid), "viewer": .id(new), "admit": true])
        #expect(try box.dots(new)[kid] != nil)
        #expect(try lines(kid, "sharingChanged").first?["changes"] == ["viewers"])
    }

    @Test func `a child's links are its parents' to see and to end, and nobody else's`() throws {
        func make() throws -> JSON {
            try #require(
                try box.call(
                    kid, "guestLink.create",
                    ["precision": "exact", "until": .time(box.clock.adding(seconds: 600)), "name": "Kit"])[
                        "guestLink"]?["id"])
        }
        func links(_ viewer: Identifier) throws -> [JSON] {
            try box.call(viewer, "guestLink.list", ["member": .id(kid)])["guestLinks"]?.array ?? []
        }
        func refusal(_ viewer: Identifier, _ method: String, _ params: JSON.Object) -> Rejection? {
            #expect(throws: Rejection.self) { try box.call(viewer, method, params) }
        }
        let (first, second) = (try make(), try make())
        #expect(try Set(links(mum).compactMap { $0["id"] }) == [first, second] && links(dad).count == 2)
        #expect(try links(mum).first?["name"] == "Kit" && links(kid).count == 2)
        // One's own are told to nobody else: neither to the child nor to another adult.
        #expect(refusal(kid, "guestLink.list", ["member": .id(mum)])?.kind == .forbidden)
        #expect(refusal(dad, "guestLink.list", ["member": .id(mum)])?.kind == .forbidden)
        // Whoever is no parent reads the same of a link that is there and of one that never was.
        let other = try box.join("Uncle")
        try box.move(other, to: box.hill)
        #expect(refusal(other, "guestLink.list", ["member": .id(kid)])?.kind == .forbidden)
        let there = try #require(refusal(other, "guestLink.revoke", ["guestLink": first]))
        #expect(there.kind == .notFound && there.message.contains(first.string ?? "-"))
        let never = JSON.id(mum)
        let missing = try #require(refusal(other, "guestLink.revoke", ["guestLink": never]))
        #expect(
            missing.message.replacing(never.string ?? "-", with: "")
                == there.message.replacing(first.string ?? "-", with: ""))
        try box.call(mum, "guestLink.revoke", ["guestLink": first])
        #expect(try links(kid).compactMap { $0["id"] } == [second] && links(dad).count == 1)
        // Who holds the settings has ended them all, and the child makes none.
        try hold(mum)
        #expect(try links(mum).isEmpty && links(dad).isEmpty)
    }

    @Test func `of a child's links a parent reads no place that the parent does not see`() throws {
        let shared = try #require(
            try box.call(kid, "place.add", ["name": "School", "lat": 52.5, "lon": 13.4, "radius": 100])["place"]?["id"])
        let own = try #require(
            try box.call(
                kid, "place.add",
                ["name": "Den", "lat": 52.6, "lon": 13.4, "radius": 100, "audience": []])["place"]?["id"])
        try box.call(
            kid, "guestLink.create",
            [
                "precision": "exact", "until": .time(box.clock.adding(seconds: 600)), "places": .array([shared, own]),
            ])
        func named(_ viewer: Identifier) throws -> Set<JSON> {
            let links = try box.call(viewer, "guestLink.list", ["member": .id(kid)])["guestLinks"]?.array ?? []
            return Set(links.first?["places"]?.array ?? [])
        }
        #expect(try named(kid) == [shared, own] && named(mum) == [shared])
    }
}
