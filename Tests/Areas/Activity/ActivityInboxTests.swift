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

/// What comes into an inbox, and what leaves it. The box compares every follower with a fresh snapshot after each turn.
@Suite struct ActivityInboxTests {
    @Test func `who joins is everybody's news but their own`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        #expect(try box.fresh(ada.id).inbox.entries.isEmpty)
        let ben = try box.join("ben", by: ada)
        #expect(try box.fresh(ben.id).inbox.entries.isEmpty)
        let entry = try #require(try box.fresh(ada.id).inbox.entries.first)
        #expect(entry.about == "member/\(ben.id)" && entry.title == "Ben" && !entry.isOfficial)
        #expect(entry.lines.map { $0["kind"]?.string } == ["memberJoined"])
        let told = try #require(box.toldByInbox(ada).last)
        #expect(told.type == "activity.added" && told.data["entry"] == entry.json && told.data["unread"] == 1)
    }

    @Test func `before there is a family nothing is announced`() throws {
        let box = try FamilyBox()
        let refusal = try box.refusal(Credential.machine, "activity.announce", ["text": "Soup"])
        #expect(refusal?.kind == .conflict && refusal?.message.contains("kin found") == true)
        #expect(try box.count("SELECT count(*) FROM announcements") == 0)
        _ = try box.found()
        try box.call(Credential.machine, "activity.announce", ["text": "Soup"])
    }

    @Test func `an announcement is in every inbox but its author's and costs one row and one event`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let gus = try box.join("gus", role: .guest, by: ada)
        try box.readAll(ada, ben)
        let (rows, position) = (try box.count("SELECT count(*) FROM inbox"), box.store.log.position)
        try box.call(ada, "activity.announce", ["text": "Soup\nis ready"])
        #expect(try box.count("SELECT count(*) FROM inbox") == rows && box.store.log.position == position + 1)
        let entry = try #require(try box.fresh(ben.id).inbox.entries.first)
        #expect(entry.isOfficial && entry.title == "Soup is ready" && entry.lines.first?["by"] == .id(ada.id))
        #expect(try box.fresh(ada.id).inbox.entries.isEmpty)
        #expect(try box.fresh(gus.id).inbox.entries.isEmpty)
        // Who comes later was not told.
        let dora = try box.join("dora", by: ada)
        try box.call(ada, "activity.announce", ["text": "More soup"])
        #expect(try box.fresh(dora.id).inbox.entries.map(\.title) == ["More soup"])
        #expect(try box.call(dora, "activity.list")["entries"]?.array?.count == 1)
    }

    @Test func `reading and dismissing are in step and leave the rest`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        var ids: [JSON] = []
        for number in 1...4 {
            box.clock = box.clock.adding(seconds: 1)
            ids.append(
                try #require(
                    try box.call(ada, "activity.announce", ["text": .string("\(number)")])["announcement"]?["id"]))
        }
        #expect(try box.call(ben, "activity.read", ["upTo": ids[1]])["unread"] == 2)
        #expect(try box.call(ben, "activity.dismiss", ["id": ids[3]])["unread"] == 1)
        #expect(try box.call(ben, "activity.dismiss", ["id": ids[3]])["unread"] == 1)
        #expect(try box.call(ben, "activity.dismiss", ["id": ids[0]])["unread"] == 1)
        #expect(box.toldByInbox(ben).map(\.type) == ["activity.read", "activity.dismissed", "activity.dismissed"])
        #expect(try box.fresh(ben.id).inbox.entries.map(\.title) == ["3"])
        let listed = try box.call(ben, "activity.list")
        #expect(listed["entries"]?.array?.compactMap { $0["title"]?.string } == ["3", "2"])
        #expect(listed["entries"]?.array?.compactMap { $0["unread"]?.bool } == [true, false])
        // Another's entry is nobody's business.
        #expect(try box.refusal(ada, "activity.dismiss", ["id": ids[2]])?.kind == .notFound)
        #expect(try box.refusal(ada, "activity.read", ["upTo": ids[2]])?.kind == .notFound)
        // A moment to come marks only what is there.
        try box.call(ben, "activity.read", ["upTo": .time(box.clock.adding(days: 9))])
        box.clock = box.clock.adding(seconds: 1)
        try box.call(ada, "activity.announce", ["text": "5"])
        #expect(try box.fresh(ben.id).inbox.unread == 1)
        #expect(try box.call(ben, "activity.read", ["upTo": .time(.earliest)])["unread"] == 1)
    }

    @Test func `what was announced in the same millisecond as the reading stays unread`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        for number in 1...20 {
            try box.call(ada, "activity.announce", ["text": .string("\(number)")])
            if number == 10 { try box.call(ben, "activity.read", ["upTo": .time(box.clock)]) }
        }
        #expect(try box.fresh(ben.id).inbox.unread == 10)
    }

    @Test func `the newest hundred are in view, and an older one comes back when one goes`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        for number in 1...140 {
            if number % 3 == 0 { box.clock = box.clock.adding(milliseconds: 1) }
            try box.call(
                ada, "activity.announce", ["text": .string("\(number) " + String(repeating: "ä", count: number))])
        }
        var inbox = try box.fresh(ben.id).inbox
        #expect(inbox.unread == 140 && inbox.entries.count < 100 && inbox.json.bytes.count <= Inbox.bytesMax + 100)
        _ = box.toldByInbox(ben)
        for index in [0, 5, 9] { try box.call(ben, "activity.dismiss", ["id": .id(inbox.entries[index].id)]) }
        let again = box.toldByInbox(ben).filter { $0.type == "activity.added" }
        #expect(!again.isEmpty && again.allSatisfy { $0.data["again"] == true })
        inbox = try box.fresh(ben.id).inbox
        #expect(inbox.unread == 137)
        // Page by page the list has all of them once.
        var seen: [String] = []
        var before: JSON?
        repeat {
            var params: JSON.Object = ["limit": 33]
            params["before"] = before
            let page = try box.call(ben, "activity.list", params)
            seen += (page["entries"]?.array ?? []).compactMap { $0["id"]?.string }
            before = page["next"]
        } while before != nil
        #expect(seen.count == 137 && Set(seen).count == 137)
    }

    @Test func `an author who leaves takes the announcements out of every inbox`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", role: .admin, by: ada)
        let kit = try box.join("kit", by: ada)
        try box.readAll(ada, ben, kit)
        for number in 1...40 { try box.call(ben, "activity.announce", ["text": .string("quillon \(number)")]) }
        try box.call(ada, "activity.announce", ["text": "Ada's"])
        box.clock = box.clock.adding(seconds: 1)
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        #expect(
            try box.fresh(kit.id).inbox.entries.compactMap { $0.lines.last?["kind"]?.string } == [
                "memberLeft", "announcement",
            ])
        #expect(try box.fresh(kit.id).inbox.unread == 2)
        // The index of words lets go of them a moment later.
        for _ in 0..<6 { try box.wait(seconds: 2) }
        try box.wait(seconds: 60)
        #expect(try !box.holds("quillon"))
    }

    @Test func `what is handed over stays what it was in every inbox`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", role: .admin, by: ada)
        let kit = try box.join("kit", by: ada)
        try box.call(ben, "activity.announce", ["text": "Ben's"])
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "hand-over"])
        #expect(try box.fresh(ada.id).inbox.entries.contains { $0.title == "Ben's" })
        #expect(try box.fresh(kit.id).inbox.entries.contains { $0.lines.first?["by"] == .id(ben.id) })
    }

    @Test func `who left is out of the inbox, text and all`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let kit = try box.join("kit", by: ada)
        let ben = try box.join("quillon", by: ada)
        #expect(try box.fresh(kit.id).inbox.entries.first?.title == "Quillon")
        #expect(try box.fresh(ada.id).inbox.entries.count == 2)
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        let left = try #require(try box.fresh(kit.id).inbox.entries.first)
        #expect(left.lines.first?["kind"] == "memberLeft" && left.title == nil)
        #expect(try !box.holds("Quillon") && !box.holds("quillon"))
        // Nothing of the member's own inbox is left.
        #expect(try box.count("SELECT count(*) FROM inbox WHERE member NOT IN (SELECT id FROM members)") == 0)
    }

    @Test func `a change of role is official, told once, to the one it concerns, unless it was their own act`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let gus = try box.join("gus", role: .guest, by: ada)
        try box.readAll(ada, ben, gus)
        try box.call(ada, "member.setRole", ["member": .id(ben.id), "role": "admin"])
        let entry = try #require(try box.fresh(ben.id).inbox.entries.first)
        #expect(
            entry.isOfficial
                && entry.lines == [["kind": "roleChanged", "at": .time(box.clock), "by": .id(ada.id), "role": "admin"]])
        #expect(try box.fresh(ben.id).inbox.unread == 1 && box.fresh(ada.id).inbox.unread == 0)
        try box.call(ben, "member.setRole", ["member": .id(ben.id), "role": "member"])
        #expect(try box.fresh(ben.id).inbox.unread == 1)
        box.clock = box.clock.adding(seconds: 1)
        // A guest who becomes a member has no part in what was announced before.
        try box.call(ada, "activity.announce", ["text": "before"])
        try box.call(ada, "member.setRole", ["member": .id(gus.id), "role": "member"])
        #expect(try box.fresh(gus.id).inbox.entries.map(\.title) == [nil])
        box.clock = box.clock.adding(seconds: 1)
        try box.call(ada, "activity.announce", ["text": "after"])
        #expect(try box.fresh(gus.id).inbox.entries.map(\.title) == ["after", nil])
        #expect(try box.fresh(ben.id).inbox.entries.compactMap(\.title) == ["after", "before"])
        // A guest again: announcements are not for guests.
        try box.call(ada, "member.setRole", ["member": .id(gus.id), "role": "guest"])
        #expect(try box.fresh(gus.id).inbox.entries.allSatisfy { $0.lines.first?["kind"] == "roleChanged" })
    }

    @Test func `another device, a link, a password: the member is told`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        try box.readAll(ada, ben)
        _ = try box.signIn("ben")
        #expect(try box.fresh(ben.id).inbox.entries.first?.lines.first?["device"] == "test")
        try box.call(ada, "session.link", ["member": .id(ben.id)])
        try box.call(.machine, "password.reset", ["username": "ben", "password": .string(FamilyBox.password)])
        let entries = try box.fresh(ben.id).inbox.entries
        #expect(Set(entries.compactMap { $0.lines.first?["what"]?.string }) == ["signInLinkMade", "passwordChanged"])
        #expect(entries.filter(\.isOfficial).count == 2)
        // One's own doing is no news.
        let again = try box.signIn("ben")
        try box.readAll(again)
        try box.call(again, "appPassword.create", ["device": "phone", "scope": "report"])
        #expect(try box.fresh(ben.id).inbox.unread == 0)
        // The other adult of the household hears of what was done to the account, and that a session waits.
        let told = try box.fresh(ada.id).inbox.entries.compactMap { $0.lines.first?["what"]?.string }
        #expect(told.sorted() == ["passwordSet", "sessionWaits"])
    }

    @Test func `a guest's inbox says nothing of members out of sight`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let lake = try box.foundHousehold("Lake", by: ada)
        let gus = try box.join("gus", role: .guest, by: ada)
        _ = try box.join("elsewhere", into: lake, by: ada)
        #expect(try box.fresh(gus.id).inbox.entries.isEmpty)
        let ben = try box.join("ben", by: ada)
        #expect(try box.fresh(gus.id).inbox.entries.map(\.title) == ["Ben"])
        try box.move(ben, to: lake)
        #expect(try box.fresh(gus.id).inbox.entries.isEmpty)
        // That somebody left stays, whatever becomes of others.
        let eve = try box.join("eve", by: ada)
        try box.call(ada, "member.remove", ["member": .id(eve.id), "keep": "delete"])
        let dora = try box.join("dora", into: lake, by: ada)
        try box.call(ada, "member.setRole", ["member": .id(dora.id), "role": "head"])
        #expect(try box.fresh(gus.id).inbox.entries.compactMap { $0.lines.first?["kind"]?.string } == ["memberLeft"])
        // A member who becomes a guest loses what guests do not see.
        let kit = try box.join("kit", by: ada)
        _ = try box.join("far", into: lake, by: ada)
        _ = try box.join("near", by: ada)
        #expect(Set(try box.fresh(kit.id).inbox.entries.compactMap(\.title)) == ["Near", "Far"])
        let ivy = try box.join("ivy", into: lake, by: ada)
        try box.call(ada, "member.remove", ["member": .id(ivy.id), "keep": "delete"])
        let left = { try box.fresh(kit.id).inbox.entries.count { $0.lines.first?["kind"] == "memberLeft" } }
        #expect(try left() == 1)
        try box.call(ada, "member.setRole", ["member": .id(kit.id), "role": "guest"])
        #expect(try box.fresh(kit.id).inbox.entries.compactMap(\.title) == ["Near"])
        #expect(try left() == 0)
    }

    @Test func `a muted kind makes no entries, an official one cannot be muted`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let set = try box.call(ada, "activity.setRules", ["mute": ["memberJoined", "voted"]])
        #expect(
            set["rules"]
                == ["mute": ["memberJoined", "voted"], "ring": [], "quiet": nil, "still": [], "soundFrom": nil])
        let ben = try box.join("ben", by: ada)
        #expect(try box.fresh(ada.id).inbox.unread == 0)
        #expect(try box.refusal(ada, "activity.setRules", ["mute": ["announcement"]])?.kind == .invalid)
        try box.call(ada, "activity.setRules", ["mute": []])
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        #expect(try box.fresh(ada.id).inbox.unread == 0)
        _ = try box.join("kit", by: ada)
        #expect(try box.fresh(ada.id).inbox.unread == 1)
    }
}
