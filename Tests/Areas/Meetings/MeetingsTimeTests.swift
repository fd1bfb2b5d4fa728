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

@Suite struct MeetingsTimeTests {
    let box: FamilyBox
    let ada: FamilyBox.Person
    let ben: FamilyBox.Person
    let kit: FamilyBox.Person

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
        kit = try box.join("kit", by: ada)
    }

    private func hours(_ hours: Int64) -> JSON { .time(FamilyBox.start.adding(seconds: hours * 3600)) }

    @Test func `the deadline closes the meeting once, without anybody asking`() throws {
        let soup = try box.propose(by: ada, invitees: [ben, kit], ["deadline": hours(10)])
        try box.call(ben, "meeting.vote", soup.votes("yes"))
        _ = box.heard(kit)
        try box.wait(seconds: 10 * 3600)
        let closed = box.heard(kit).filter { $0.type == "meeting.closed" }
        #expect(closed.count == 1)
        #expect(closed.first?.by == nil)
        #expect(closed.first?.data["tally"]?["voted"] == 1)
        #expect(try box.show(soup, to: ben).meeting.state == .closed)
        try box.wait(seconds: 3600)
        #expect(!box.types(kit).contains("meeting.closed"))
        for (method, params) in [
            ("meeting.vote", soup.votes("no")), ("meeting.refuse", soup.params),
            ("meeting.suggest", soup.with(["slot": FamilyBox.slot(72)])),
        ] {
            #expect(try box.refusal(ben, method, params)?.kind == .conflict, "\(method)")
        }
    }

    @Test func `a vote in the turn of the deadline is late, and a clock that jumps over it closes it`() throws {
        let soup = try box.propose(by: ada, invitees: [ben], ["deadline": hours(10)])
        box.clock = FamilyBox.start.adding(seconds: 10 * 3600)
        #expect(try box.refusalAfterDue(ben, "meeting.vote", soup.votes("yes"))?.kind == .conflict)
        let stew = try box.propose("Stew", by: ada, invitees: [ben], ["deadline": hours(20)])
        _ = box.heard(ben)
        try box.wait(seconds: 30 * 24 * 3600)
        // Nobody is reminded of a deadline that has passed.
        let types = box.types(ben)
        #expect(types.filter { $0 == "meeting.deadlineNear" } == [])
        #expect(types.filter { $0 == "meeting.closed" }.count == 1)
        #expect(types.filter { $0 == "meeting.ended" }.count == 2)
        #expect(try box.refusal(ben, "meeting.vote", stew.votes("yes"))?.kind == .conflict)
    }

    @Test func `another deadline opens it again, and none as well`() throws {
        let soup = try box.propose(by: ada, invitees: [ben], ["deadline": hours(10)])
        try box.wait(seconds: 11 * 3600)
        try box.call(ada, "meeting.update", soup.with(["deadline": hours(20)]))
        #expect(box.heard(ben).last?.data["changes"] == ["deadline", "state"])
        try box.call(ben, "meeting.vote", soup.votes("yes"))
        try box.wait(seconds: 10 * 3600)
        #expect(try box.show(soup, to: ben).meeting.state == .closed)
        try box.call(ada, "meeting.update", soup.with(["deadline": nil]))
        #expect(try box.show(soup, to: ben).meeting.state == .open)
        let late = soup.with(["deadline": hours(51)])
        #expect(try box.refusal(ada, "meeting.update", late)?.field == "deadline")
        // A deadline that lies after all slots is no deadline.
        try box.call(ada, "meeting.update", soup.with(["deadline": hours(49)]))
        let early = soup.with(["slots": [["id": .id(soup.slots[0])]]])
        #expect(try box.refusal(ada, "meeting.update", early)?.field == "deadline")
    }

    @Test func `who has not replied is told that the deadline is near, a day before`() throws {
        let soup = try box.propose(
            slots: [240], by: ada, invitees: [ben, kit], ["deadline": hours(100)])
        try box.call(ben, "meeting.vote", soup.votes("yes"))
        for person in [ada, ben, kit] { _ = box.heard(person) }
        try box.wait(seconds: 75 * 3600)
        #expect(box.types(kit) == [])
        try box.wait(seconds: 3600)
        let near = try #require(box.heard(kit).first)
        #expect(near.type == "meeting.deadlineNear")
        #expect(near.data["deadline"] == hours(100))
        #expect(box.types(ben) == [])
        #expect(box.types(ada) == [])
        // Changing something else tells it no second time.
        try box.call(ada, "meeting.update", soup.with(["title": "Stew"]))
        try box.wait(seconds: 3600)
        #expect(box.types(kit) == ["activity.corrected", "meeting.updated"])
    }

    @Test func `of a short time the half is near`() throws {
        _ = try box.propose(by: ada, invitees: [ben], ["deadline": hours(10)])
        _ = box.heard(ben)
        try box.wait(seconds: 5 * 3600 - 1)
        #expect(box.types(ben) == [])
        try box.wait(seconds: 1)
        #expect(box.types(ben) == ["meeting.deadlineNear"])
    }

    @Test func `a meeting is past when its last slot ends, or the confirmed one`() throws {
        let soup = try box.propose(by: ada, invitees: [ben])
        let stew = try box.propose("Stew", by: ada, invitees: [ben])
        try box.call(ada, "meeting.confirm", stew.confirm(0))
        _ = box.heard(ben)
        try box.wait(seconds: 26 * 3600)
        #expect(box.heard(ben).map(\.about) == ["meeting/\(stew.id)"])
        #expect(try box.titles(ben, "past") == ["Stew"])
        #expect(Set(try box.fresh(ben.id).meetings.keys) == [soup.id])
        try box.wait(seconds: 24 * 3600)
        #expect(box.types(ben) == ["meeting.ended"])
        #expect(try box.titles(ben, "past") == ["Soup", "Stew"])
        #expect(try box.refusal(ben, "meeting.vote", soup.votes("yes"))?.kind == .conflict)
        #expect(try box.refusal(ben, "meeting.attend", stew.with(["answer": "going"]))?.kind == .conflict)
        #expect(try box.count("SELECT count(*) FROM due WHERE about LIKE 'meeting/%'") == 0)
    }

    @Test func `what passed while the daemon was off is done at the start`() throws {
        let soup = try box.propose(by: ada, invitees: [ben], ["deadline": hours(10)])
        // A keeper that starts on the same store has overdue work in its first turn, before any request.
        box.clock = FamilyBox.start.adding(seconds: 30 * 24 * 3600)
        let started = try Keeper(store: box.store, registry: .family)
        let commit = started.turn([], clock: box.reading)
        #expect(
            commit.events.map(\.type).filter { $0.hasPrefix("meeting.") } == ["meeting.closed", "meeting.ended"])
        let state = try box.store.database.first("SELECT state FROM meetings WHERE id = ?", .id(soup.id)) { row in
            row.text(0)
        }
        #expect(state == "closed")
    }
}

extension FamilyBox {
    /// The kind of refusal of a request in the very turn in which something falls due.
    fileprivate func refusalAfterDue(
        _ who: Person, _ method: String, _ params: JSON.Object
    ) throws -> Rejection? {
        let commit = try turn(request(who.credential, method, params))
        guard case .failure(let rejection) = commit.replies.first?.result else { return nil }
        return rejection
    }
}
