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

@Suite struct MeetingsChangingTests {
    let box: FamilyBox
    let ada: FamilyBox.Person
    let ben: FamilyBox.Person
    let kit: FamilyBox.Person
    let soup: Proposed

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
        kit = try box.join("kit", by: ada)
        soup = try box.propose(by: ada, invitees: [ben])
        try box.call(ben, "meeting.vote", soup.votes("yes", "no"))
        for person in [ada, ben, kit] { _ = box.heard(person) }
    }

    private func update(_ more: JSON.Object, _ who: FamilyBox.Person? = nil) throws {
        try box.call(who ?? ada, "meeting.update", soup.with(more))
    }

    @Test func `what changed is told by name, and what did not is told to nobody`() throws {
        try update(["title": "Stew", "place": "Mill", "note": "Bread", "zone": "Europe/Paris"])
        let event = try #require(box.heard(ben).last)
        #expect(event.data["changes"] == ["title", "place", "note", "zone"])
        #expect(event.data["meeting"]?["note"] == "Bread")
        try update(["title": "Stew", "place": "Mill"])
        #expect(box.types(ben) == [])
        try update(["place": nil, "note": nil])
        #expect(box.heard(ben).last?.data["changes"] == ["place", "note"])
        #expect(try box.show(soup, to: ben).meeting.place == nil)
    }

    @Test func `votes stay on slots that stay, by identifier or by both times`() throws {
        let second: JSON = ["id": .id(soup.slots[1])]
        try update(["slots": [second, FamilyBox.slot(24), FamilyBox.slot(96)]])
        let seen = try box.show(soup, to: ben)
        #expect(seen.meeting.slots.prefix(2).map(\.id) == [soup.slots[1], soup.slots[0]])
        #expect(seen.own.votes.count == 2)
        #expect(seen.meeting.tally.slots.map(\.yes) == [0, 1, 0])
        #expect(seen.meeting.tally.slots.map(\.no) == [1, 0, 0])
        #expect(box.heard(ben).last?.data["changes"] == ["slots"])
    }

    @Test func `a slot that keeps its identifier keeps its votes when it is moved`() throws {
        let moved = FamilyBox.slot(30)
        try update(["slots": [["id": .id(soup.slots[0]), "start": moved["start"] ?? nil, "end": moved["end"] ?? nil]]])
        let seen = try box.show(soup, to: ben)
        #expect(seen.meeting.slots == [try #require(Slot(moved.with(id: soup.slots[0])))])
        #expect(seen.own.votes.map(\.answer) == [.yes])
    }

    @Test func `votes on a removed slot go, and who has none left has not replied`() throws {
        try update(["slots": [["id": .id(soup.slots[0])]]])
        #expect(try box.show(soup, to: ben).own.votes.map(\.slot) == [soup.slots[0]])
        #expect(try box.refusal(ben, "meeting.vote", soup.votes("yes", "yes"))?.kind == .notFound)
        try update(["slots": [FamilyBox.slot(96)]])
        let seen = try box.show(soup, to: ben)
        #expect(seen.own == OwnPart(isInvited: true))
        #expect(seen.meeting.tally.noReply == 1)
    }

    @Test func `slots are checked as at the proposal`() throws {
        let unknown: JSON = ["id": .id(Identifier(high: 1, low: 2))]
        let first: JSON = ["id": .id(soup.slots[0])]
        for (slots, field) in [
            ([] as JSON, "slots"), ([unknown], "slots[0].id"), ([first, first], "slots[1]"),
            ([first, FamilyBox.slot(24)], "slots[1]"), ([FamilyBox.slot(-30)], "slots[0].end"),
            ([["start": "2026-11-23T10:00"]], "slots[0].end"),
        ] {
            #expect(try box.refusal(ada, "meeting.update", soup.with(["slots": slots]))?.field == field)
        }
        // A slot that is over may stay beside others, but not alone.
        try box.wait(seconds: 27 * 3600)
        #expect(try box.refusal(ada, "meeting.update", soup.with(["slots": [first]]))?.field == "slots")
        try update(["slots": [first, FamilyBox.slot(96)]])
    }

    @Test func `the confirmed slot moves by its identifier, and the meeting is open again without it`() throws {
        try box.call(ada, "meeting.confirm", soup.confirm(0))
        let moved = FamilyBox.slot(30)
        try update(["slots": [["id": .id(soup.slots[0]), "start": moved["start"] ?? nil, "end": moved["end"] ?? nil]]])
        var seen = try box.show(soup, to: ben)
        #expect(seen.meeting.state == .confirmed)
        #expect(seen.own.attendance == .going)
        #expect(try box.refusal(ada, "meeting.update", soup.with(["deadline": .time(box.clock)]))?.kind == .conflict)
        try update(["slots": [FamilyBox.slot(96)]])
        seen = try box.show(soup, to: ben)
        #expect(seen.meeting.state == .open)
        #expect(seen.meeting.confirmed == nil)
        #expect(seen.meeting.tally.going == nil)
        #expect(seen.own == OwnPart(isInvited: true))
        #expect(box.heard(ben).last?.data["changes"] == ["slots", "state"])
    }

    @Test func `who is added gets the whole thing, who is removed is told to forget it`() throws {
        try update(["invitees": [.id(kit.id)]])
        #expect(box.types(kit) == ["meeting.shown"])
        #expect(box.types(ben) == ["meeting.hidden"])
        #expect(box.heard(ada).last?.data["changes"] == ["invitees"])
        #expect(try box.show(soup, to: kit).own == OwnPart(isInvited: true))
        #expect(try box.refusal(ada, "meeting.update", soup.with(["invitees": []]))?.field == "invitees")
    }

    @Test func `at a public meeting who is named keeps the votes, and who is named no longer starts anew`() throws {
        let fair = try box.propose("Fair", kind: "public", by: ada)
        try box.call(kit, "meeting.vote", fair.votes("yes"))
        for person in [ben, kit] { _ = box.heard(person) }
        try box.call(ada, "meeting.update", fair.with(["invitees": [.id(kit.id), .id(ben.id)]]))
        #expect(box.types(kit) == ["meeting.shown"])
        #expect(box.types(ben) == ["meeting.shown"])
        #expect(try box.show(fair, to: kit).own.votes.count == 1)
        #expect(try box.show(fair, to: kit).own.isInvited)
        #expect(try box.show(fair, to: kit).meeting.tally.invitees == 2)
        try box.call(ada, "meeting.update", fair.with(["invitees": []]))
        #expect(try box.show(fair, to: kit).own == OwnPart())
        #expect(try box.show(fair, to: kit).meeting.tally.invitees == 0)
    }

    @Test func `a slot removed from a public meeting takes those with it who were not named`() throws {
        let fair = try box.propose("Fair", kind: "public", by: ada)
        try box.call(kit, "meeting.vote", fair.votes("yes"))
        try box.call(ada, "meeting.update", fair.with(["slots": [["id": .id(fair.slots[1])]]]))
        #expect(try box.show(fair, to: kit).meeting.tally.invitees == 0)
        #expect(try box.show(fair, to: kit).own == OwnPart())
    }
}

extension JSON {
    fileprivate func with(id: Identifier) -> JSON {
        var copy = self
        copy["id"] = .id(id)
        return copy
    }
}
