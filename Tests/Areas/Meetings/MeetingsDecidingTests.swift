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

@Suite struct MeetingsDecidingTests {
    let box: FamilyBox
    let ada: FamilyBox.Person
    let ben: FamilyBox.Person
    let kit: FamilyBox.Person
    let eve: FamilyBox.Person
    let soup: Proposed

    /// Ben hosts; Ada is the admin and invited, Eve is neither.
    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
        kit = try box.join("kit", by: ada)
        eve = try box.join("eve", by: ada)
        soup = try box.propose(by: ben, invitees: [ada, kit])
        for person in [ada, ben, kit, eve] { _ = box.heard(person) }
    }

    @Test func `host and admins decide, and only where they see the meeting`() throws {
        let hidden = try box.propose("Secret", by: ben, invitees: [kit])
        let acts: [(String, (Proposed) -> JSON.Object)] = [
            ("meeting.confirm", { $0.confirm(0) }), ("meeting.update", { $0.with(["title": "Stew"]) }),
            ("meeting.cancel", { $0.params }), ("meeting.nudge", { $0.params }),
            ("meeting.handOver", { $0.with(["to": .id(kit.id)]) }),
        ]
        for (method, params) in acts {
            #expect(try box.refusal(kit, method, params(soup))?.kind == .forbidden, "\(method)")
            #expect(try box.refusal(eve, method, params(soup))?.kind == .notFound, "\(method)")
            // An admin's curiosity opens no door.
            #expect(try box.refusal(ada, method, params(hidden))?.kind == .notFound, "\(method)")
        }
        try box.call(ada, "meeting.update", soup.with(["title": "Stew"]))
        #expect(try box.show(soup, to: ben).meeting.title == "Stew")
    }

    @Test func `of two confirmations the first counts, and the same again changes nothing`() throws {
        let commit = try box.turn(
            box.request(ben.credential, "meeting.confirm", soup.confirm(1)),
            box.request(ada.credential, "meeting.confirm", soup.confirm(0)),
            box.request(ada.credential, "meeting.confirm", soup.confirm(1)))
        let kinds = commit.replies.map { reply -> Rejection.Kind? in
            if case .failure(let rejection) = reply.result { rejection.kind } else { nil }
        }
        #expect(kinds == [nil, .conflict, nil])
        #expect(try box.show(soup, to: kit).meeting.confirmed == soup.slots[1])
        #expect(box.types(kit) == ["meeting.confirmed"])
    }

    @Test func `yes voters on the confirmed slot start as going, others do not`() throws {
        try box.call(ada, "meeting.vote", soup.votes("yes", "no"))
        try box.call(kit, "meeting.vote", soup.votes("ifNeedBe", "yes"))
        let result = try box.call(ben, "meeting.confirm", soup.confirm(0))
        let meeting = try #require(SeenMeeting(result)?.meeting)
        #expect([meeting.tally.going, meeting.tally.notGoing] == [1, 0])
        #expect(box.heard(kit).last?.data["going"]?.array?.compactMap(\.identifier) == [ada.id])
        #expect(try box.show(soup, to: kit).own.attendance == nil)
    }

    @Test func `of a tie nothing follows by itself, and slots stay in the host's order`() throws {
        let tied = try box.propose(
            "Fair", slots: [72, 24, 48], by: ben, invitees: [ada, kit], ["deadline": hours(20)])
        try box.call(ada, "meeting.vote", tied.votes("yes", "yes"))
        try box.call(kit, "meeting.vote", tied.votes("yes", "yes"))
        try box.wait(seconds: 21 * 3600)
        let meeting = try box.show(tied, to: ada).meeting
        #expect(meeting.state == .closed)
        #expect(meeting.confirmed == nil)
        #expect(meeting.slots.map(\.id) == tied.slots)
        #expect(meeting.tally.slots.map(\.slot) == tied.slots)
        // After the deadline the host decides.
        try box.call(ben, "meeting.confirm", tied.confirm(2))
        #expect(try box.show(tied, to: ada).meeting.state == .confirmed)
    }

    @Test func `what is over is not confirmed`() throws {
        try box.wait(seconds: 27 * 3600)
        #expect(try box.refusal(ben, "meeting.confirm", soup.confirm(0))?.field == "slot")
        let unknown = soup.with(["slot": .id(Identifier(high: 1, low: 2))])
        #expect(try box.refusal(ben, "meeting.confirm", unknown)?.kind == .notFound)
        #expect(try box.refusal(ben, "meeting.confirm", soup.confirm(1)) == nil)
    }

    @Test func `a cancelled meeting is past at once, for all`() throws {
        try box.call(ada, "meeting.vote", soup.votes("yes"))
        try box.call(ben, "meeting.cancel", soup.with(["reason": "Snow"]))
        #expect(box.heard(kit).last?.data["reason"] == "Snow")
        #expect(try box.fresh(kit.id).meetings.isEmpty)
        #expect(try box.titles(kit, "past") == ["Soup"])
        #expect(try box.titles(ben, "past") == ["Soup"])
        #expect(try box.titles(ben, "hosting") == [])
        #expect(try box.show(soup, to: kit).meeting.state == .cancelled)
        for (method, params) in [
            ("meeting.vote", soup.votes("no")), ("meeting.refuse", soup.params),
            ("meeting.suggest", soup.with(["slot": FamilyBox.slot(72)])),
            ("meeting.attend", soup.with(["answer": "going"])),
        ] {
            #expect(try box.refusal(kit, method, params)?.kind == .conflict, "\(method)")
        }
        #expect(try box.refusal(ben, "meeting.cancel", soup.params)?.kind == .conflict)
        #expect(try box.refusal(ben, "meeting.update", soup.with(["title": "Stew"]))?.kind == .conflict)
    }

    @Test func `what is over changes no more, and confirming drops what was suggested`() throws {
        try box.call(kit, "meeting.suggest", soup.with(["slot": FamilyBox.slot(72)]))
        let suggestion = try #require(try box.show(soup, to: ben).meeting.suggestions.first).slot.id
        try box.call(ada, "meeting.refuse", soup.params)
        try box.call(ben, "meeting.confirm", soup.confirm(0))
        #expect(try box.show(soup, to: ben).meeting.suggestions == [])
        #expect(try box.refusal(ben, "meeting.accept", soup.with(["suggestion": .id(suggestion)])) != nil)
        // Whoever refused may come nevertheless.
        try box.call(ada, "meeting.attend", soup.with(["answer": "going"]))
        #expect(try box.show(soup, to: ben).meeting.tally.going == 1)
        try box.wait(seconds: 26 * 3600)
        for (method, params) in [
            ("meeting.confirm", soup.confirm(1)), ("meeting.update", soup.with(["title": "Stew"])),
            ("meeting.update", soup.with(["deadline": nil])), ("meeting.cancel", soup.params),
            ("meeting.nudge", soup.params), ("meeting.handOver", soup.with(["to": .id(kit.id)])),
            ("meeting.accept", soup.with(["suggestion": .id(suggestion)])),
            ("meeting.decline", soup.with(["suggestion": .id(suggestion)])),
        ] {
            #expect(try box.refusal(ben, method, params)?.kind == .conflict, "\(method)")
        }
        #expect(try box.refusal(kit, "meeting.attend", soup.with(["answer": "going"]))?.kind == .conflict)
    }

    @Test func `only those who have not replied are nudged`() throws {
        try box.call(ada, "meeting.vote", soup.votes("yes"))
        for person in [ada, ben, kit] { _ = box.heard(person) }
        #expect(try box.call(ben, "meeting.nudge", soup.params)["nudged"] == 1)
        #expect(box.types(kit) == ["meeting.nudged"])
        #expect(box.types(ada) == [])
        #expect(box.types(ben) == [])
        try box.call(kit, "meeting.refuse", soup.params)
        #expect(try box.call(ben, "meeting.nudge", soup.params)["nudged"] == 0)
        try box.call(ben, "meeting.confirm", soup.confirm(0))
        #expect(try box.refusal(ben, "meeting.nudge", soup.params)?.kind == .conflict)
    }

    @Test func `a meeting is handed over, and the two change places`() throws {
        try box.call(kit, "meeting.vote", soup.votes("yes"))
        for person in [ada, ben, kit, eve] { _ = box.heard(person) }
        try box.call(ben, "meeting.handOver", soup.with(["to": .id(kit.id)]))
        let seen = try box.show(soup, to: ben)
        #expect(seen.meeting.host == kit.id)
        #expect(seen.own == OwnPart(isInvited: true))
        #expect(seen.meeting.tally == Tally(noReply: 2, slots: soup.slots.map { Tally.Count(slot: $0) }))
        #expect(try box.show(soup, to: kit).own == OwnPart())
        for person in [ada, ben, kit] { #expect(box.types(person) == ["meeting.handedOver"]) }
        #expect(try box.refusal(ben, "meeting.confirm", soup.confirm(0))?.kind == .forbidden)
        // To somebody who did not see it before.
        try box.call(kit, "meeting.handOver", soup.with(["to": .id(eve.id)]))
        #expect(box.types(eve) == ["meeting.shown"])
        #expect(try box.titles(eve, "hosting") == ["Soup"])
        #expect(try box.titles(eve, "hosting", ["words": "soup"]) == ["Soup"])
        let gus = try box.join("gus", role: .guest, by: ada)
        #expect(try box.refusal(eve, "meeting.handOver", soup.with(["to": .id(gus.id)]))?.kind == .invalid)
    }

    @Test func `a solo meeting is handed over to its invitee only`() throws {
        let walk = try box.propose("Walk", kind: "solo", by: ben, invitees: [kit])
        #expect(try box.refusal(ben, "meeting.handOver", walk.with(["to": .id(eve.id)]))?.kind == .conflict)
        try box.call(ben, "meeting.handOver", walk.with(["to": .id(kit.id)]))
        #expect(try box.show(walk, to: ben).meeting.tally.invitees == 1)
    }

    private func hours(_ hours: Int64) -> JSON { .time(FamilyBox.start.adding(seconds: hours * 3600)) }
}
