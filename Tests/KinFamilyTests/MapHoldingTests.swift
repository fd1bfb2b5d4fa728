import KinModel
import KinStore
import Testing

@testable import KinFamily

/// A child's sharing in the hands of an adult of its household.
@Suite struct MapHoldingTests {
    @Test func `an adult of the household holds a child's sharing, and the child sees that`() throws {
        let box = try MapBox()
        let mum = try box.join("Mum")
        let kid = try box.join("Kid", kind: .child)
        let far = try box.join("Far", household: box.hill)
        try box.report(kid)
        let hold: JSON.Object = ["member": .id(kid), "hold": true]
        for other in [kid, far] {
            #expect(throws: Rejection.self) { try box.call(other, "sharing.hold", hold) }
        }
        #expect(try box.call(mum, "sharing.hold", hold)["sharing"]?["heldBy"]?.identifier == mum)
        #expect(box.heard(kid).last?.data["sharing"]?["heldBy"]?.identifier == mum)
        #expect(try box.fresh(kid)?.snapshot.sharing.heldBy == mum)
        let refused = #expect(throws: Rejection.self) { try box.share(kid) }
        #expect(refused?.kind == .forbidden)
        let rule: JSON = ["viewer": .id(mum), "precision": "exact", "history": true]
        try box.call(mum, "sharing.set", ["member": .id(kid), "state": "on", "rules": [rule]])
        #expect(try box.dots(mum)[kid] != nil)
        #expect(try box.dots(far)[kid] == nil)
        #expect(box.heard(kid).last?.by == mum)
        #expect(try box.call(kid, "sharing.show")["sharing"]?["seenBy"]?.array?.count == 1)
        #expect(try box.call(mum, "sharing.show", ["member": .id(kid)])["sharing"]?["state"] == "on")
        #expect(throws: Rejection.self) { try box.call(far, "sharing.show", ["member": .id(kid)]) }
        #expect(throws: Rejection.self) { try box.call(far, "sharing.looks", ["member": .id(kid)]) }
        #expect(try box.call(mum, "sharing.looks", ["member": .id(kid)])["looks"]?.array != nil)
    }

    @Test func `it ends when it is given back, and when the one grew up or the other moved`() throws {
        let box = try MapBox()
        let mum = try box.join("Mum")
        let dad = try box.join("Dad")
        let kid = try box.join("Kid", kind: .child)
        func isHeld() throws -> Bool { try box.fresh(kid)?.snapshot.sharing.heldBy != nil }
        func hold(_ adult: Identifier, _ hold: JSON = true) throws {
            try box.call(adult, "sharing.hold", ["member": .id(kid), "hold": hold])
        }
        try hold(mum)
        try hold(dad)
        #expect(throws: Rejection.self) { try box.call(mum, "sharing.set", ["member": .id(kid), "state": "on"]) }
        try hold(dad, false)
        #expect(try !isHeld())
        try box.share(kid)
        try hold(mum)
        try box.write("UPDATE members SET household = ? WHERE id = ?", .id(box.hill), .id(mum))
        box.keeper.forgetRoster()
        try box.act { (act) throws(Rejection) in try Consent.checkHolders(act) }
        #expect(try !isHeld())
        try hold(dad)
        try box.write("UPDATE members SET kind = 'adult' WHERE id = ?", .id(kid))
        try box.act { (act) throws(Rejection) in try Consent.checkHolders(act) }
        #expect(try !isHeld())
        #expect(throws: Rejection.self) { try hold(dad) }
    }
}
