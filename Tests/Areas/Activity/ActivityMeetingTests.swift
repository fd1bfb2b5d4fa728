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

/// What meetings put into inboxes.
@Suite struct ActivityMeetingTests {
    private struct Scene {
        let box: FamilyBox
        let ada: FamilyBox.Person
        let ben: FamilyBox.Person
        let kit: FamilyBox.Person
        let meeting: JSON
        let slots: [JSON]

        /// Ada asks Ben and Kit; all have read what came before.
        init(kind: String = "group") throws {
            box = try FamilyBox()
            ada = try box.found()
            ben = try box.join("ben", by: ada)
            kit = try box.join("kit", by: ada)
            try box.readAll(ada, ben, kit)
            let start = box.clock.adding(days: 7)
            var params: JSON.Object = [
                "title": "Quillon's birthday", "kind": .string(kind), "zone": "Europe/Berlin",
                "slots": [
                    ["start": .time(start), "end": .time(start.adding(seconds: 3600))],
                    ["start": .time(start.adding(days: 1)), "end": .time(start.adding(days: 2))],
                ], "deadline": .time(box.clock.adding(days: 4)),
            ]
            if kind != "public" { params["invitees"] = [.id(ben.id), .id(kit.id)] }
            let made = try #require(try box.call(ada, "meeting.propose", params)["meeting"])
            meeting = try #require(made["id"])
            slots = (made["slots"]?.array ?? []).compactMap { $0["id"] }
        }

        func kinds(_ who: FamilyBox.Person) throws -> [String] {
            try box.fresh(who.id).inbox.entries.flatMap(\.lines).compactMap { $0["kind"]?.string }
        }

        func vote(_ who: FamilyBox.Person, _ answer: JSON = "yes") throws {
            let votes: JSON = .array([["slot": slots[0], "answer": answer]])
            try box.call(who, "meeting.vote", ["meeting": meeting, "votes": votes])
        }
    }

    @Test func `invitees are told, votes go to the host, and one person's votes are one line`() throws {
        let scene = try Scene()
        let box = scene.box
        #expect(try scene.kinds(scene.ada) == [] && scene.kinds(scene.ben) == ["invited"])
        #expect(try box.fresh(scene.ben.id).inbox.entries.first?.title == "Quillon's birthday")
        for answer in ["yes", "no", "yes"] { try scene.vote(scene.ben, .string(answer)) }
        let entry = try #require(try box.fresh(scene.ada.id).inbox.entries.first)
        #expect(
            entry.lines.count == 1 && entry.lines.first?["count"] == 3 && entry.lines.first?["by"] == .id(scene.ben.id))
        try box.call(scene.kit, "meeting.refuse", ["meeting": scene.meeting])
        #expect(try scene.kinds(scene.ada) == ["voted", "voted", "allReplied"])
        #expect(try box.fresh(scene.ada.id).inbox.unread == 1)
        // Nobody but the host hears of it, and who answered is asked no more.
        #expect(try scene.kinds(scene.kit) == [])
    }

    @Test func `a fourth line pushes the first out`() throws {
        let scene = try Scene()
        try scene.vote(scene.ben)
        try scene.vote(scene.kit)
        try scene.box.call(scene.ada, "meeting.confirm", ["meeting": scene.meeting, "slot": scene.slots[0]])
        try scene.box.call(scene.ben, "meeting.attend", ["meeting": scene.meeting, "answer": "notGoing"])
        let entry = try #require(try scene.box.fresh(scene.ada.id).inbox.entries.first)
        #expect(
            entry.lines.compactMap { $0["kind"]?.string } == ["voted", "allReplied", "goingChanged"] && entry.more == 1)
        #expect(entry.lines.last?["answer"] == "notGoing")
        #expect(try scene.kinds(scene.kit) == ["confirmed"])
    }

    @Test func `deadline, nudge and closing`() throws {
        let scene = try Scene()
        let box = scene.box
        try scene.vote(scene.ben)
        try box.readAll(scene.ada, scene.ben, scene.kit)
        try box.call(scene.ada, "meeting.nudge", ["meeting": scene.meeting])
        #expect(try scene.kinds(scene.ben) == [] && scene.kinds(scene.kit) == ["nudged"])
        try box.wait(seconds: 86_400 * 4 - 3600)
        #expect(try scene.kinds(scene.ben) == [] && scene.kinds(scene.kit) == ["nudged", "deadlineNear"])
        try box.wait(seconds: 7200)
        #expect(try scene.kinds(scene.ben) == ["closed"] && scene.kinds(scene.kit).last == "closed")
    }

    @Test func `who loses sight of a meeting loses its entry, and a deleted one leaves no byte`() throws {
        let scene = try Scene()
        let box = scene.box
        try box.call(scene.ada, "meeting.update", ["meeting": scene.meeting, "invitees": [.id(scene.ben.id)]])
        #expect(try scene.kinds(scene.kit) == [] && box.fresh(scene.kit.id).inbox.unread == 0)
        #expect(try scene.kinds(scene.ben) == ["invited"])
        try box.call(scene.ada, "member.setRole", ["member": .id(scene.kit.id), "role": "admin"])
        try box.call(scene.kit, "member.remove", ["member": .id(scene.ada.id), "keep": "delete"])
        #expect(try !scene.kinds(scene.ben).contains("invited"))
        #expect(try !box.holds("Quillon"))
    }

    @Test func `a public meeting is everyone's but its host's and a guest's news`() throws {
        let scene = try Scene(kind: "public")
        let gus = try scene.box.join("gus", role: .guest, by: scene.ada)
        #expect(try scene.kinds(scene.ben).sorted() == ["invited", "memberJoined"])
        #expect(try scene.kinds(gus) == [])
    }
}
