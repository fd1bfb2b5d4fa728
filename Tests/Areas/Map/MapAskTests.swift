import KinActivity
import KinCodec
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

/// "Where are you?"
@Suite struct MapAskTests {
    private let box: FamilyBox
    private let ada: FamilyBox.Person
    private let ben: FamilyBox.Person

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
        try box.call(ben, "sharing.set", ["state": "on"])
        try box.readAll(ada, ben)
        _ = (box.heard(ada), box.heard(ben))
    }

    @discardableResult
    private func ask(_ asker: FamilyBox.Person) throws -> JSON {
        try box.call(asker, "position.ask", ["member": .id(ben.id)])
    }

    /// Ben's phone posts; the actions it is given.
    private func post(_ message: JSON.Object = ["_type": "lwt"]) throws -> [String] {
        let answer = try box.call(ben, "owntracks.publish", ["message": .object(message), "device": "pixel"])
        return try (answer.array ?? []).compactMap(\.string).compactMap { try JSON.parse($0)["action"]?.string }
    }

    @Test func `the question rides on the phone's next post, and the asked knows who asks`() throws {
        _ = try post()
        try box.wait(seconds: 90)
        let answer = try ask(ada)
        #expect(answer["rides"] == true && answer["at"] == .time(box.clock) && answer["last"] == nil)
        let heard = box.clock.adding(seconds: -90).milliseconds
        #expect(answer["contact"] == .time(Instant(milliseconds: heard / 60_000 * 60_000)))
        #expect(box.types(ben) == ["position.asked"])
        let line = try #require(try box.fresh(ben.id).inbox.entries.first?.lines.last)
        #expect(line["kind"] == "positionAsked" && line["by"] == .id(ada.id))
        #expect(!box.types(ada).contains("position.asked"))
        #expect(try post(["_type": "lwt", "tst": 1]) == ["reportLocation"])
        #expect(try post(["_type": "lwt", "tst": 2]).isEmpty)
    }

    @Test func `switching on asks the phone, as far as it can be asked`() throws {
        try box.call(ben, "sharing.set", ["state": "off"])
        try box.call(ben, "sharing.set", ["state": "on"])
        _ = try post()
        // On already.
        try box.call(ben, "sharing.set", ["state": "on"])
        #expect(try post(["_type": "lwt", "tst": 1]).isEmpty)
        try box.call(ben, "sharing.set", ["state": "off"])
        #expect(try post(["_type": "lwt", "tst": 2]).isEmpty)
        func waiting() throws -> JSON? { try box.call(ben, "phone.list")["phones"]?.array?.first?["waiting"] }
        #expect(try waiting() == 0)
        try box.call(ben, "sharing.set", ["state": "on"])
        #expect(try waiting() == 1)
        #expect(try post(["_type": "lwt", "tst": 3]) == ["reportLocation"])
        #expect(try post(["_type": "lwt", "tst": 4]).isEmpty)
    }

    @Test func `asking again within minutes is one question, another's is another`() throws {
        _ = try post()
        let first = try ask(ada)
        try box.wait(seconds: 299)
        #expect(try ask(ada)["at"] == first["at"])
        #expect(box.types(ben).filter { $0 == "position.asked" }.count == 1)
        let cy = try box.join("cy", by: ada)
        #expect(throws: Rejection.self) { try ask(cy) }
        try box.call(ben, "sharing.admit", ["viewer": .id(cy.id), "admit": true])
        try ask(cy)
        #expect(box.types(ben).filter { $0 == "position.asked" }.count == 1)
        try box.wait(seconds: 1)
        #expect(try ask(ada)["at"] == .time(box.clock))
        // The phone is asked once, however many ask.
        #expect(try post(["_type": "lwt", "tst": 1]) == ["reportLocation"])
    }

    @Test func `the answer says when the phone was last heard of, and whether it can be asked`() throws {
        let unheard = try ask(ada)
        #expect(unheard["contact"] == nil && unheard["rides"] == false)
        try box.call(ben, "phone.publish", ["app": "overland", "device": "pixel", "points": []])
        #expect(try ask(ada)["rides"] == false && ask(ada)["contact"] != nil)
        _ = try post(["_type": "configuration", "cmd": false])
        #expect(try ask(ada)["rides"] == false)
        _ = try post(["_type": "configuration", "cmd": true])
        try box.call(ben, "position.report", ["lat": 1, "lon": 2, "at": .time(box.clock)])
        let answer = try ask(ada)
        #expect(answer["rides"] == true && answer["last"] == .time(box.clock))
    }

    @Test func `only who sees a member may ask, and nobody oneself`() throws {
        func code(_ asker: FamilyBox.Person, _ member: Identifier) -> Rejection.Kind? {
            do {
                try box.call(asker, "position.ask", ["member": .id(member)])
                return nil
            } catch { return (error as? Rejection)?.kind }
        }
        #expect(code(ben, ben.id) == .invalid)
        #expect(code(ben, ada.id) == .forbidden)
        #expect(code(ada, Identifier(at: box.clock, random: (1, 2))) == .notFound)
        let gil = try box.join("gil", role: .guest, by: ada)
        #expect(code(gil, ben.id) == .forbidden)
        try box.call(ben, "sharing.set", ["state": "off"])
        #expect(code(ada, ben.id) == .forbidden)
    }
}
