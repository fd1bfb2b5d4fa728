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

@Suite struct MeetingsAnsweringTests {
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
        soup = try box.propose(by: ada, invitees: [ben, kit])
        for person in [ada, ben, kit] { _ = box.heard(person) }
    }

    private func tally() throws -> Tally { try box.show(soup, to: ada).meeting.tally }

    @Test func `no reply is the default and is counted`() throws {
        #expect(try tally() == Tally(noReply: 2, slots: soup.slots.map { Tally.Count(slot: $0) }))
    }

    @Test func `a vote moves the tally for all who see the meeting`() throws {
        let result = try box.call(ben, "meeting.vote", soup.votes("yes", "ifNeedBe"))
        let counts = [
            Tally.Count(slot: soup.slots[0], yes: 1), Tally.Count(slot: soup.slots[1], ifNeedBe: 1),
        ]
        #expect(try tally() == Tally(voted: 1, noReply: 1, slots: counts))
        #expect(SeenMeeting(result)?.own.votes.first { $0.slot == soup.slots[0] }?.answer == .yes)
        #expect(SeenMeeting(result)?.own.votes.count == 2)
        for person in [ada, ben, kit] {
            let events = box.heard(person)
            #expect(events.map(\.type) == ["meeting.voted"])
            #expect(events.first?.data["tally"].flatMap(Tally.init)?.slots == counts)
        }
        #expect(try box.show(soup, to: kit).own.reply == OwnPart.Reply.none)
    }

    @Test func `voters are all who may vote, at a public meeting too, where the host is not told of all before`() throws
    {
        let gus = try box.join("gus", role: .guest, by: ada)
        let gil = try box.join("gil", role: .guest, by: ada)
        let fair = try box.propose("Fair", kind: "public", by: ada, invitees: [gil])
        func voters(_ person: FamilyBox.Person) throws -> [Int64?] {
            let listed = try box.call(person, "meeting.list", ["view": person.id == ada.id ? "hosting" : "invitations"])
            let inList = listed["meetings"]?.array?.first { $0["meeting"]?["id"] == fair.params["meeting"] }
            let shown = try box.call(person, "meeting.show", fair.params)
            return [shown["voters"]?.int, inList?["voters"]?.int]
        }
        // Ben, Kit and the guest who is asked; a guest is told of those who are asked only.
        #expect(try voters(ada) == [3, 3])
        #expect(try voters(ben) == [3, 3])
        #expect(try voters(gil) == [1, 1])
        #expect(try box.refusal(gus, "meeting.show", fair.params)?.kind == .notFound)
        #expect(try box.call(ben, "meeting.show", soup.params)["voters"] == 2)
        func isToldOfAll() throws -> Bool {
            let lines = try box.fresh(ada.id).inbox.entries.filter { $0.title == "Fair" }.flatMap(\.lines)
            return lines.contains { $0["kind"] == "allReplied" }
        }
        #expect(try box.call(gil, "meeting.vote", fair.votes("yes"))["voters"] == 1)
        #expect(try !isToldOfAll())
        #expect(try box.call(ben, "meeting.vote", fair.votes("yes"))["voters"] == 3)
        #expect(try !isToldOfAll())
        try box.call(kit, "meeting.refuse", fair.params)
        #expect(try isToldOfAll())
    }

    @Test func `a vote takes as many statements however many are invited`() throws {
        let many = try ["mia", "noa", "pia", "rex"].map { try box.join($0, by: ada) }
        let feast = try box.propose("Feast", by: ada, invitees: [ben, kit] + many)
        func statements(_ proposed: Proposed) throws -> Int {
            let before = box.store.database.statementCount
            try box.call(kit, "meeting.vote", proposed.votes("yes", "no"))
            return box.store.database.statementCount - before
        }
        // The voter's session is remembered from here on.
        try box.call(kit, "family.show")
        let count = try statements(soup)
        #expect(try statements(feast) == count)
        // A budget, not a law: what one vote reads and writes, the host's inbox and the voter's included. Six of them ask
        // whether the search has the meeting as it is.
        #expect(count <= 56, "\(count)")
    }

    @Test func `another vote replaces the one before, and the same again tells nobody`() throws {
        try box.call(ben, "meeting.vote", soup.votes("yes", "yes"))
        try box.call(ben, "meeting.vote", soup.votes("no"))
        #expect(try tally().slots == [Tally.Count(slot: soup.slots[0], no: 1), Tally.Count(slot: soup.slots[1])])
        #expect(try tally().voted == 1)
        _ = box.heard(ada)
        try box.call(ben, "meeting.vote", soup.votes("no"))
        #expect(box.types(ada) == [])
    }

    @Test func `refusing takes votes back, and voting takes the refusal back`() throws {
        try box.call(ben, "meeting.vote", soup.votes("yes", "yes"))
        try box.call(ben, "meeting.refuse", soup.with(["reason": "A cold"]))
        #expect(
            try tally() == Tally(refused: 1, noReply: 1, slots: soup.slots.map { Tally.Count(slot: $0) }))
        #expect(try box.show(soup, to: ben).own == OwnPart(reply: .refused, isInvited: true))
        let shown = try box.call(kit, "meeting.show", soup.params)["invitees"]?.array
        #expect(shown?.first { $0["member"]?.identifier == ben.id }?["reason"] == "A cold")
        // The same again tells nobody.
        _ = box.heard(ada)
        try box.call(ben, "meeting.refuse", soup.with(["reason": "A cold"]))
        #expect(box.types(ada) == [])
        try box.call(ben, "meeting.vote", soup.votes("yes"))
        #expect(try tally().refused == 0)
        #expect(try tally().voted == 1)
        let again = try box.call(kit, "meeting.show", soup.params)["invitees"]?.array
        #expect(again?.first { $0["member"]?.identifier == ben.id }?["reason"] == nil)
    }

    @Test func `a vote names slots of the meeting, each once`() throws {
        #expect(try box.refusal(ben, "meeting.vote", soup.with(["votes": []]))?.field == "votes")
        let slot = JSON.id(soup.slots[0])
        let twice: JSON = [["slot": slot, "answer": "yes"], ["slot": slot, "answer": "no"]]
        #expect(try box.refusal(ben, "meeting.vote", soup.with(["votes": twice]))?.field == "votes[1].slot")
        let other = try box.propose("Stew", by: ada, invitees: [ben])
        let strange: JSON = [["slot": .id(other.slots[0]), "answer": "yes"]]
        let rejection = try box.refusal(ben, "meeting.vote", soup.with(["votes": strange]))
        #expect(rejection?.kind == .notFound && rejection?.field == "votes[0].slot")
        #expect(try box.refusal(ben, "meeting.vote", soup.votes("maybe"))?.kind == .invalid)
    }

    @Test func `the host answers nobody`() throws {
        for (method, params) in [
            ("meeting.vote", soup.votes("yes")), ("meeting.refuse", soup.params),
            ("meeting.suggest", soup.with(["slot": FamilyBox.slot(72)])),
        ] {
            #expect(try box.refusal(ada, method, params)?.kind == .forbidden, "\(method)")
        }
    }

    @Test func `an invitee suggests a slot, and the host takes it or not`() throws {
        try box.call(ben, "meeting.suggest", soup.with(["slot": FamilyBox.slot(72)]))
        try box.call(kit, "meeting.suggest", soup.with(["slot": FamilyBox.slot(96)]))
        #expect(try box.refusal(kit, "meeting.suggest", soup.with(["slot": FamilyBox.slot(72)]))?.kind == .conflict)
        #expect(try box.refusal(kit, "meeting.suggest", soup.with(["slot": FamilyBox.slot(24)]))?.kind == .conflict)
        #expect(try box.refusal(kit, "meeting.suggest", soup.with(["slot": FamilyBox.slot(-9)]))?.kind == .invalid)
        let suggestions = try box.show(soup, to: ada).meeting.suggestions
        #expect(suggestions.map(\.by) == [ben.id, kit.id])
        let first = soup.with(["suggestion": .id(suggestions[0].slot.id)])
        let second = soup.with(["suggestion": .id(suggestions[1].slot.id)])
        #expect(try box.refusal(ben, "meeting.accept", first)?.kind == .forbidden)
        // Nobody votes on a suggestion before it is a slot.
        let vote: JSON = [["slot": .id(suggestions[0].slot.id), "answer": "yes"]]
        #expect(try box.refusal(kit, "meeting.vote", soup.with(["votes": vote]))?.kind == .notFound)
        try box.call(ada, "meeting.accept", first)
        try box.call(ada, "meeting.decline", second)
        #expect(try box.refusal(ada, "meeting.accept", first)?.kind == .notFound)
        let meeting = try box.show(soup, to: kit).meeting
        #expect(meeting.slots.map(\.id) == soup.slots + [suggestions[0].slot.id])
        #expect(meeting.suggestions == [])
        try box.call(kit, "meeting.vote", soup.with(["votes": vote]))
        #expect(try tally().slots.last?.yes == 1)
    }

    @Test func `slots and suggestions together are bounded`() throws {
        let full = try box.propose(
            "Fair", slots: (0..<Int64(Limits.meetingSlotsMax)).map { 24 + $0 * 3 }, by: ada, invitees: [ben])
        let rejection = try box.refusal(ben, "meeting.suggest", full.with(["slot": FamilyBox.slot(500)]))
        #expect(rejection?.kind == .tooLarge)
        let many: JSON = .array((0...Int64(Limits.meetingSlotsMax)).map { FamilyBox.slot(24 + $0) })
        let params: JSON.Object = ["title": "Fair", "kind": "public", "zone": "UTC", "slots": many]
        #expect(try box.refusal(ada, "meeting.propose", params)?.kind == .tooLarge)
    }

    @Test func `attendance waits for a confirmed slot`() throws {
        #expect(try box.refusal(ben, "meeting.attend", soup.with(["answer": "going"]))?.kind == .conflict)
        try box.call(ben, "meeting.vote", soup.votes("yes"))
        try box.call(ada, "meeting.confirm", soup.confirm(0))
        #expect(try tally().going == 1)
        #expect(try box.show(soup, to: ben).own.attendance == .going)
        #expect(try box.show(soup, to: kit).own.attendance == nil)
        try box.call(kit, "meeting.attend", soup.with(["answer": "going"]))
        try box.call(ben, "meeting.attend", soup.with(["answer": "notGoing"]))
        #expect(try tally().going == 1)
        #expect(try tally().notGoing == 1)
        #expect(try tally().noReply == 1)
        _ = box.heard(ada)
        try box.call(ben, "meeting.attend", soup.with(["answer": "notGoing"]))
        #expect(box.types(ada) == [])
        #expect(try box.refusal(ben, "meeting.vote", soup.votes("no"))?.kind == .conflict)
        #expect(try box.refusal(ben, "meeting.refuse", soup.params)?.kind == .conflict)
        #expect(try box.refusal(ada, "meeting.attend", soup.with(["answer": "going"]))?.kind == .forbidden)
    }

    @Test func `an invitee removed in the middle of voting votes no longer`() throws {
        try box.call(ben, "meeting.vote", soup.votes("yes", "yes"))
        try box.call(ada, "meeting.update", soup.with(["invitees": [.id(kit.id)]]))
        #expect(box.types(ben).last == "meeting.hidden")
        #expect(try box.refusal(ben, "meeting.vote", soup.votes("no"))?.kind == .notFound)
        #expect(try tally() == Tally(noReply: 1, slots: soup.slots.map { Tally.Count(slot: $0) }))
        // Invited again, nothing of before is there.
        try box.call(ada, "meeting.update", soup.with(["invitees": [.id(kit.id), .id(ben.id)]]))
        #expect(box.types(ben) == ["meeting.shown"])
        #expect(try box.show(soup, to: ben).own == OwnPart(isInvited: true))
    }

    @Test func `two phones of one member that vote at once leave the later vote`() throws {
        let phone = try box.signIn("ben")
        try box.turn(
            box.request(ben.credential, "meeting.vote", soup.votes("yes", "yes")),
            box.request(phone.credential, "meeting.vote", soup.votes("no")))
        #expect(try tally().voted == 1)
        #expect(try tally().slots == [Tally.Count(slot: soup.slots[0], no: 1), Tally.Count(slot: soup.slots[1])])
    }

    @Test func `a vote costs the same whoever is invited`() throws {
        let before = try box.count("SELECT count(*) FROM audiences")
        try box.call(ben, "meeting.vote", soup.votes("yes"))
        try box.call(kit, "meeting.vote", soup.votes("yes"))
        // One audience serves them all.
        #expect(try box.count("SELECT count(*) FROM audiences") == before)
    }
}
