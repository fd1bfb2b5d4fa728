import KinActivity
import KinModel
import KinNotices
import KinStore
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinNotices

/// What rings, where, and when it falls silent.
@Suite struct NoticeTests {
    private let box: FamilyBox
    private let ada: FamilyBox.Person
    private let ben: FamilyBox.Person

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
    }

    /// Adds a device; its topic.
    private func add(_ person: FamilyBox.Person, _ name: String = "Phone", discreet: Bool = false) throws -> String {
        try #require(
            try box.call(person, "notice.add", ["name": .string(name), "discreet": .bool(discreet)])["topic"]?.string)
    }

    @Test func `an app password for notifications has a device ring and does nothing else`() throws {
        let made = try box.call(ada, "appPassword.create", ["device": "Panel", "scope": "notifications"])
        let panel = Credential.appPassword(username: "ada", password: try #require(made["password"]?.string))
        let added = try box.call(panel, "notice.add", ["name": "Panel"])
        #expect(added["topic"]?.string != nil)
        try box.call(panel, "notice.test", ["device": added["device"]?["id"] ?? .null])
        #expect(try box.call(panel, "notice.list")["devices"]?.array?.count == 1)
        for method in ["activity.list", "member.list", "notice.messages", "sharing.show"] {
            #expect(try box.refusal(panel, method)?.kind == .forbidden, "\(method)")
        }
        let other = try box.call(ada, "appPassword.create", ["device": "Phone", "scope": "location"])
        let phone = Credential.appPassword(username: "ada", password: try #require(other["password"]?.string))
        #expect(try box.refusal(phone, "notice.add", ["name": "x"])?.kind == .forbidden)
    }

    /// What a device gets that comes now.
    private func take(_ topics: String..., since: String = "all") throws -> [Notice] {
        try box.call(.none, "notice.take", ["topics": .array(topics.map { .string($0) }), "since": .string(since)])[
            "notices"]?.array?.compactMap { $0["notice"].flatMap(Notice.init) } ?? []
    }

    private func announce(_ text: String) throws -> Identifier {
        box.clock = box.clock.adding(seconds: 1)
        return try #require(
            try box.call(ada, "activity.announce", ["text": .string(text)])["announcement"]?["id"]?.identifier)
    }

    /// What was pushed to a member's devices since somebody asked.
    private func rang(_ person: FamilyBox.Person) -> [Notice] {
        box.allHeard(person).compactMap { $0[NoticeDevice.rang]?.notice }
    }

    @Test func `a topic is 256 random bits, shown once and stored as a digest, and others learn nothing of it`() throws
    {
        for person in [ada, ben] { _ = box.heard(person) }
        let topic = try add(ben)
        #expect(topic.hasPrefix("kin-") && topic.utf8.count == 4 + 43)
        #expect(try !box.holds(topic))
        #expect(box.types(ben) == ["notice.devices"] && box.types(ada) == [])
        #expect(try box.fresh(ben.id).noticeDevices.map(\.name) == ["Phone"])
        #expect(try box.fresh(ada.id).noticeDevices == [])
        let listed = try box.call(ben, "notice.list")["devices"]?.array
        #expect(listed?.count == 1 && listed?[0]["topic"] == nil && listed?[0]["taken"] == nil)
        _ = try take(topic)
        #expect(try box.call(ben, "notice.list")["devices"]?.array?[0]["taken"] == .time(box.clock))
    }

    @Test func `what comes into the inbox rings in the member's language, and on nobody else's devices`() throws {
        _ = try add(ben)
        let plain = try add(ada)
        try box.call(ben, "settings.set", ["language": "de"])
        for person in [ada, ben] { _ = box.allHeard(person) }
        let id = try announce("Soup is ready")
        let notices = rang(ben)
        #expect(notices.map(\.act) == [.ring] && notices.map(\.entry) == [id])
        #expect(notices.first?.text == "Ada: Soup is ready")
        let device = try #require(try box.fresh(ben.id).noticeDevices.first)
        try box.call(ben, "notice.test", ["device": .id(device.id)])
        #expect(rang(ben).first?.text == "Dieses Gerät klingelt für dich")
        #expect(notices.first?.priority == 4 && notices.first?.click?.hasPrefix("/#/inbox") == true)
        #expect(rang(ada).isEmpty)
        #expect(try take(plain).isEmpty)
    }

    @Test func `a device that was away gets what is unread, once and in order, and goes on from what it had`() throws {
        let topic = try add(ben)
        let first = try announce("one")
        let second = try announce("two")
        let had = try take(topic)
        #expect(had.map(\.entry) == [first, second])
        #expect(try take(topic, since: had[0].id).map(\.entry) == [second])
        #expect(try take(topic, since: had[1].id).isEmpty)
        let third = try announce("three")
        #expect(try take(topic, since: had[1].id).map(\.entry) == [third])
        #expect(try take(topic, since: "latest").map(\.entry) == [third])
        #expect(try take(topic, since: "none").isEmpty)
        #expect(try take(topic, since: "\(box.clock.milliseconds / 1000)").map(\.entry) == [third])
        #expect(try take(topic, since: "2s").map(\.entry) == [first, second, third])
        #expect(try take(topic, since: "0s").map(\.entry) == [third])
        // An id that was never given loses nothing: all comes.
        #expect(try take(topic, since: "AAAAAAAAAAAA").map(\.entry) == [first, second, third])
        for wrong in ["soon", "1y", "-5", "2d3", "99999999999999999999"] {
            #expect(throws: Rejection.self) { try take(topic, since: wrong) }
        }
    }

    @Test func `what was read or dismissed falls silent, live and for who comes later`() throws {
        let topic = try add(ben)
        let first = try announce("one")
        let second = try announce("two")
        let had = try take(topic)
        _ = box.allHeard(ben)
        try box.call(ben, "activity.dismiss", ["id": .id(second)])
        #expect(rang(ben).map { [$0.act.rawValue, $0.entry.description] } == [["clear", second.description]])
        try box.call(ben, "activity.read", ["upTo": .time(box.clock)])
        #expect(rang(ben).map { [$0.act.rawValue, $0.entry.description] } == [["clear", first.description]])
        #expect(try take(topic).isEmpty)
        let later = try take(topic, since: had[1].id)
        #expect(later.map(\.act) == [.clear, .clear] && later.map(\.entry) == [second, first])
        #expect(try take(topic, since: later[1].id).isEmpty)
        // Nothing of what was said lies in the log any more.
        #expect(try box.count("SELECT count(*) FROM log WHERE type = 'notice.rang' AND payload LIKE '%one%'") == 0)
    }

    @Test func `what somebody said rings, and is deleted on the phone when it is taken back`() throws {
        let topic = try add(ben)
        _ = box.allHeard(ben)
        let said = try #require(
            try box.call(ada, "activity.say", ["text": "Supper"])["saying"]?["id"]?.identifier)
        let notices = rang(ben)
        #expect(notices.map(\.act) == [.ring])
        #expect(try take(topic).first?.text?.contains("Supper") == true)
        try box.call(ada, "activity.withdraw", ["id": .id(said)])
        #expect(rang(ben).map(\.act) == [.delete])
        let later = try take(topic, since: try #require(notices.first).id)
        #expect(later.map(\.act) == [.delete] && later.first?.text == nil)
        #expect(try take(topic).isEmpty)
    }

    @Test func `what never rang can be put off, and then rings; without a device there is nothing to put off`() throws {
        try box.call(ada, "post.add", ["text": "Soup is ready"])
        let entry = try #require(try box.fresh(ben.id).inbox.entries.first { $0.about.hasPrefix("post/") })
        #expect(try box.refusal(ben, "notice.snooze", ["entry": .id(entry.id)])?.kind == .conflict)
        let topic = try add(ben)
        #expect(try take(topic).isEmpty)
        try box.call(ben, "notice.snooze", ["entry": .id(entry.id), "minutes": 5])
        try box.wait(seconds: 301)
        #expect(try take(topic).map(\.entry) == [entry.id])
    }

    @Test func `what is muted does not ring, and what comes in quiet hours rings when they are over`() throws {
        let topic = try add(ben)
        try box.call(ben, "activity.setRules", ["mute": ["said"]])
        try box.call(ada, "activity.say", ["text": "Muted"])
        #expect(try take(topic).isEmpty)
        // It is 18:00 in UTC.
        try box.call(
            ben, "activity.setRules",
            ["mute": [], "quiet": ["from": "17:00", "to": "19:00", "zone": "UTC"]])
        try box.call(ada, "activity.say", ["text": "Quiet"])
        #expect(try take(topic).isEmpty)
        // Official messages pass.
        let official = try announce("Loud")
        #expect(try take(topic).map(\.entry) == [official])
        try box.wait(seconds: 2 * 3600)
        #expect(try take(topic).count == 2)
    }

    @Test func `a new post and a like wait in the inbox, who is named in it rings and is led there`() throws {
        let topic = try add(ben)
        for person in [ada, ben] { _ = box.allHeard(person) }
        func post(_ text: String) throws -> Identifier {
            try #require(try box.call(ada, "post.add", ["text": .string(text)])["post"]?["id"]?.identifier)
        }
        _ = try post("Soup is ready")
        #expect(rang(ben).isEmpty)
        let named = try post("Soup is ready, @ben")
        let notice = try #require(rang(ben).first)
        #expect(notice.title == "Soup is ready, @ben" && notice.text == "Ada mentioned you")
        #expect(notice.click == "/#/posts/\(named)")
        let own = try #require(try box.call(ben, "post.add", ["text": "Bread"])["post"]?["id"]?.identifier)
        _ = box.allHeard(ben)
        try box.call(ada, "like.set", ["post": .id(own), "reaction": "love"])
        #expect(rang(ben).isEmpty)
        let entries = try box.fresh(ben.id).inbox.entries
        #expect(entries.contains { $0.about == "post/\(own)" })
        try box.call(ada, "comment.add", ["post": .id(own), "text": "Thanks"])
        #expect(rang(ben).map(\.text) == ["Ada commented"])
        #expect(try take(topic).map(\.click) == ["/#/posts/\(named)", "/#/posts/\(own)"])
    }

    @Test func `an unknown topic and one that is gone are refused alike, and guessing grows slow`() throws {
        let topic = try add(ben)
        let device = try #require(try box.fresh(ben.id).noticeDevices.first)
        try box.call(ben, "notice.remove", ["device": .id(device.id)])
        #expect(box.revocations.contains(.session(device.id)))
        func refusal(_ topic: String, from address: String) throws -> Rejection? {
            try box.refusal(
                .none, "notice.take", ["topics": [.string(topic)], "since": "all"], from: address)
        }
        let gone = try #require(try refusal(topic, from: "192.0.2.9"))
        let never = try #require(try refusal("kin-nobody", from: "192.0.2.9"))
        #expect(gone.kind == .forbidden && gone.message == never.message)
        var kinds: [Rejection.Kind] = []
        for _ in 0..<12 { kinds.append(try #require(try refusal("kin-nobody", from: "192.0.2.9")).kind) }
        #expect(kinds.last == .slowDown && kinds.first == .forbidden)
        // The right one is taken from there all the same.
        let good = try add(ben)
        try box.call(.none, "notice.take", ["topics": [.string(good)], "since": "all"], from: "192.0.2.9")
    }

    @Test func `a discreet device says that there is something, and a renewed topic ends the one before`() throws {
        let topic = try add(ben, discreet: true)
        let answer = try box.call(.none, "notice.take", ["topics": [.string(topic)], "since": "all"])
        #expect(answer["topics"]?.array?.map { $0["discreet"] } == ["Something for you"])
        let device = try #require(try box.fresh(ben.id).noticeDevices.first)
        let renewed = try #require(
            try box.call(ben, "notice.renew", ["device": .id(device.id)])["topic"]?.string)
        #expect(renewed != topic)
        #expect(throws: Rejection.self) { try take(topic) }
        _ = try take(renewed)
        #expect(try box.refusal(ada, "notice.test", ["device": .id(device.id)])?.kind == .notFound)
        _ = box.allHeard(ben)
        try box.call(ben, "notice.test", ["device": .id(device.id)])
        let tested = box.allHeard(ben).compactMap { $0[NoticeDevice.rang] }
        #expect(tested.map(\.device) == [device.id])
    }

    @Test func `a test is kept for the one device, for half a day`() throws {
        let topic = try add(ben)
        let other = try add(ben, "Tablet")
        let device = try #require(try box.fresh(ben.id).noticeDevices.first)
        try box.call(ben, "notice.test", ["device": .id(device.id)])
        let kept = try take(topic)
        #expect(kept.map(\.title) == ["Phone"] && kept.map(\.act) == [.ring] && kept.map(\.entry) == [device.id])
        #expect(try take(topic, since: "latest").map(\.id) == kept.map(\.id))
        #expect(try take(topic, since: try #require(kept.first).id).isEmpty)
        #expect(try take(other).isEmpty)
        // Reading elsewhere says nothing of it, and a second test stands in its place.
        let first = try announce("one")
        try box.call(ben, "activity.read", ["upTo": .time(box.clock)])
        #expect(try take(topic, since: "1h").map(\.entry) == [device.id])
        try box.call(ben, "notice.test", ["device": .id(device.id)])
        #expect(try take(topic).count == 1)
        #expect(try take(topic, since: try #require(kept.first).id).map(\.entry) == [first, device.id])
        try box.wait(seconds: 14 * 3600)
        #expect(try take(topic).isEmpty)
    }

    @Test func `a burst is three notices for a device that was away, and ends when what it stood for was read`() throws
    {
        let topic = try add(ben)
        var said: [Identifier] = []
        for number in 0..<20 { said.append(try announce("\(number)")) }
        #expect(try take(topic).map(\.entry) == said)
        let had = try #require(try take(topic).last)
        for number in 20..<150 { said.append(try announce("\(number)")) }
        let burst = try take(topic, since: had.id)
        #expect(burst.map(\.entry) == [ben.id] + said.suffix(2))
        #expect(burst.first?.text == "148 things for you in the inbox" && burst.first?.priority == 4)
        #expect(burst.map(\.act) == [.ring, .ring, .ring] && Set(burst.map(\.id)).count == 3)
        #expect(try take(topic).map(\.entry) == burst.map(\.entry))
        // From wherever of it the device goes on, nothing comes again.
        #expect(try take(topic, since: burst[0].id).map(\.entry) == said.suffix(2))
        #expect(try take(topic, since: burst[2].id).isEmpty)
        _ = box.allHeard(ben)
        for id in said.suffix(2) { try box.call(ben, "activity.dismiss", ["id": .id(id)]) }
        #expect(rang(ben).map(\.entry) == said.suffix(2))
        try box.call(ben, "activity.read", ["upTo": .time(box.clock)])
        let silent = rang(ben)
        #expect(silent.last?.entry == ben.id && silent.allSatisfy { $0.act == .clear })
        #expect(silent.count { $0.entry == ben.id } == 1)
        // Who was away at that moment is told as well.
        #expect(try take(topic, since: burst[2].id).count { $0.entry == ben.id && $0.act == .clear } == 1)
        #expect(try take(topic).isEmpty)
    }

    @Test func `a burst over an open connection is two notices and one that is replaced, however long it is`() throws {
        _ = try add(ben)
        let crowd = try (0..<10).map { try box.join("m\($0)", by: ada) }
        try box.call(ben, "activity.read", ["upTo": .time(box.clock)])
        try box.wait(seconds: 60)
        _ = rang(ben)
        var shown: [Notice] = []
        for second in 0..<49 {
            // Twenty a second: with the second's first the daemon begins a turn, and takes the others in the next one.
            box.clock = box.clock.adding(seconds: 1)
            let texts = (0..<20).map { "\(second * 20 + $0)" }
            let all = texts.enumerated().map { index, text in
                box.request(
                    crowd[index % 10].credential, "activity.say", ["text": .string(text), "to": [.id(ben.id)]])
            }
            try box.turn(all: Array(all.prefix(1)))
            let commit = try box.turn(all: Array(all.dropFirst()))
            #expect(commit.replies.allSatisfy { (try? $0.result.get()) != nil })
            shown += rang(ben)
        }
        for _ in 0..<6 {
            try box.wait(seconds: 10)
            shown += rang(ben)
        }
        #expect(Set(shown.map(\.entry)).count == 3)
        #expect(shown.count <= 3 + 50 / 10 + 1, "\(shown.count)")
        #expect(shown.last?.entry == ben.id && shown.last?.text == "980 things for you in the inbox")
        // Once it is over, what comes rings by itself.
        try box.wait(seconds: 31)
        func say(_ text: String) throws {
            try box.call(ada, "activity.say", ["text": .string(text), "to": [.id(ben.id)]])
        }
        try say("Soup")
        #expect(rang(ben).map(\.text) == ["Ada: Soup"])
        // What is official does so in the middle of one, and an alarm.
        for number in 0..<5 { try say("\(number)") }
        #expect(rang(ben).contains { $0.entry == ben.id })
        for number in 0..<5 {
            let official = try announce("\(number)")
            #expect(rang(ben).map(\.entry) == [official])
        }
        try box.call(ada, "alarm.raise", ["kind": "sos", "to": [.id(ben.id)]])
        #expect(rang(ben).first?.priority == 5)
    }

    @Test func `what a script says with the highest priority rings by itself in a burst, unless there is one of them`()
        throws
    {
        let phone = try add(ben)
        let topic = try #require(try box.call(ben, "notice.addScript", ["name": "Smoke"])["topic"])
        func publish(_ text: String, _ priority: Int64?) throws {
            var params: JSON.Object = ["topic": topic, "text": .string(text)]
            if let priority { params["priority"] = .int(priority) }
            try box.call(.none, "notice.publish", params)
        }
        for number in 0..<6 { try publish("\(number)", nil) }
        #expect(rang(ben).last?.entry == ben.id)
        try publish("Smoke in the cellar", 5)
        let alone = rang(ben)
        #expect(alone.map(\.text) == ["Smoke in the cellar"] && alone.first?.priority == 5)
        // Many of them are a burst, which is as loud as they are.
        for number in 0..<12 { try publish("Smoke \(number)", 5) }
        #expect(rang(ben).count { $0.text?.hasPrefix("Smoke ") ?? false } == Int(Limits.noticesPressingMax) - 1)
        try box.wait(seconds: Limits.noticeBurstSeconds)
        let burst = try #require(rang(ben).last)
        #expect(burst.entry == ben.id && burst.priority == 5)
        // Low ones make no sound together, either.
        try box.call(ben, "activity.read", ["upTo": .time(box.clock)])
        try box.wait(seconds: 60)
        for number in 0..<6 { try publish("low \(number)", 2) }
        let low = try #require(rang(ben).last)
        #expect(low.entry == ben.id && low.priority == 2)
        #expect(try take(phone).allSatisfy { $0.priority ?? 3 <= 2 })
    }

    @Test(arguments: [
        ("1.5h", true), ("0.25m", true), ("1h30.5m", true), ("1.h", false), (".5h", false), ("1.5", false),
    ])
    func `a duration may have a part of a unit, as ntfy's server takes it`(_ since: String, _ isGood: Bool) throws {
        let topic = try add(ben)
        let id = try announce("Soup")
        guard isGood else {
            #expect(throws: Rejection.self) { try take(topic, since: since) }
            return
        }
        #expect(try take(topic, since: since).map(\.entry) == [id])
        box.clock = box.clock.adding(seconds: 7200)
        #expect(try take(topic, since: since).isEmpty)
    }

    @Test func `an invitation that was answered anywhere is read, and falls silent; a meeting that is renamed says so`()
        throws
    {
        let topic = try add(ben)
        _ = box.allHeard(ben)
        let meeting = try box.propose("Supper", slots: [48], by: ada, invitees: [ben])
        let entry = try #require(rang(ben).last).entry
        try box.call(ada, "meeting.update", meeting.with(["title": "Big supper"]))
        let renamed = rang(ben).filter { $0.act == .ring }
        #expect(renamed.map(\.title) == ["Big supper"] && renamed.map(\.entry) == [entry])
        #expect(try take(topic).map(\.title) == ["Big supper"])
        #expect(try box.fresh(ben.id).inbox.entries.map(\.title) == ["Big supper"])
        let had = try #require(try take(topic).last)
        #expect(had.answers?.map(\.label) == ["Yes", "If need be", "No", "Later"] || had.answers?.count == 3)
        try box.call(ben, "meeting.vote", meeting.votes("no"))
        #expect(rang(ben).map { [$0.act.rawValue, $0.entry.description] } == [["clear", entry.description]])
        #expect(try box.fresh(ben.id).inbox.unread == 0 && take(topic).isEmpty)
        #expect(try take(topic, since: had.id).map(\.act) == [.clear])
        let listed = try box.call(ben, "activity.list")["entries"]?.array ?? []
        #expect(listed.contains { $0["id"] == .id(entry) && $0["unread"] == false })
        // It asks again, and is answered again; refusing is an answer as well.
        try box.call(ada, "meeting.confirm", meeting.confirm(0))
        #expect(rang(ben).filter { $0.act == .ring }.map { $0.answers?.count } == [3])
        try box.call(ben, "meeting.attend", meeting.with(["answer": "notGoing"]))
        #expect(rang(ben).map(\.act) == [.clear])
        let other = try box.propose(slots: [72], by: ada, invitees: [ben])
        _ = rang(ben)
        try box.call(ben, "meeting.refuse", other.with([:]))
        #expect(rang(ben).map(\.act) == [.clear])
        #expect(try box.fresh(ben.id).inbox.unread == 0)
    }

    @Test func `an entry of a calendar that was answered anywhere is read, and falls silent`() throws {
        let topic = try add(ben)
        _ = box.allHeard(ben)
        let made = try box.call(
            ada, "entry.add",
            [
                "subject": "Choir", "start": "2026-12-01T19:30", "zone": "Europe/Berlin", "repeat": "weekly",
                "invitees": [.id(ben.id)],
            ])
        let choir = try #require(made["entry"]?["id"])
        let rung = try #require(rang(ben).last)
        #expect(rung.act == .ring && rung.answers?.map(\.label) == ["I'm coming", "Maybe", "I'm not coming"])
        // One day of a series is answered, and the question with it.
        try box.call(
            ben, "entry.answer", ["entry": choir, "answer": "declined", "occurrence": "2026-12-08T19:30"])
        #expect(rang(ben).map { [$0.act.rawValue, $0.entry.description] } == [["clear", rung.entry.description]])
        #expect(try box.fresh(ben.id).inbox.unread == 0 && take(topic).isEmpty)
        #expect(try take(topic, since: rung.id).map(\.act) == [.clear])
        // The host is told, and nothing of the answer comes back to who gave it.
        #expect(try box.fresh(ada.id).inbox.entries.contains { $0.about == "entry/\(choir.string ?? "")" })
        // What is moved asks again; an answer to what is read already pushes nothing.
        try box.call(ada, "entry.update", ["entry": choir, "start": "2026-12-02T19:30"])
        #expect(rang(ben).map(\.act) == [.ring])
        try box.call(ben, "entry.answer", ["entry": choir, "answer": "accepted"])
        #expect(rang(ben).map(\.act) == [.clear])
        try box.call(ben, "entry.answer", ["entry": choir, "answer": "tentative"])
        #expect(rang(ben).isEmpty)
    }

    @Test func `what quiet hours hold back of an invitation that was answered is not told when they end`() throws {
        let topic = try add(ben)
        try box.call(
            ben, "activity.setRules", ["quiet": ["from": "17:00", "to": "19:00", "zone": "UTC"]])
        let meeting = try box.propose(slots: [48], by: ada, invitees: [ben])
        try box.call(ben, "meeting.vote", meeting.votes("yes"))
        try box.wait(seconds: 2 * 3600)
        #expect(try take(topic).isEmpty && box.fresh(ben.id).inbox.unread == 0)
    }

    @Test func `a device that comes while a burst waits is given no name twice`() throws {
        let topic = try add(ben)
        for number in 0..<6 {
            try box.call(ada, "activity.say", ["text": .string("\(number)"), "to": [.id(ben.id)]])
        }
        let had = try take(topic)
        #expect(had.count == 6)
        _ = box.allHeard(ben)
        try box.wait(seconds: 11)
        let burst = rang(ben)
        #expect(burst.map(\.entry) == [ben.id] && !had.map(\.id).contains(burst[0].id))
        #expect(try take(topic, since: burst[0].id).isEmpty)
    }

    @Test func `devices outlive the daemon, and go with their member`() throws {
        let topic = try add(ben)
        let first = try announce("one")
        try box.restart()
        #expect(try take(topic).map(\.entry) == [first])
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        for table in ["notice_devices", "notice_members", "notice_rings"] {
            #expect(try box.count("SELECT count(*) FROM \(table)") == 0)
        }
        #expect(try box.count("SELECT count(*) FROM log WHERE type LIKE 'notice.%'") == 0)
        #expect(throws: Rejection.self) { try take(topic) }
    }

    @Test func `two members' topics on one connection lose nothing`() throws {
        let chris = try box.join("chris", by: ada)
        let (one, other) = (try add(ben), try add(chris))
        let first = try announce("one")
        let had = try take(one, other)
        #expect(had.map(\.entry) == [first, first])
        let second = try announce("two")
        let more = try take(one, other, since: try #require(had.first).id).map(\.entry)
        #expect(more.filter { $0 == second }.count == 2)
    }

    @Test func `a burst of one member hides nothing from another on the same connection`() throws {
        let chris = try box.join("chris", by: ada)
        let (one, other) = (try add(ben), try add(chris))
        _ = try announce("one")
        let had = try #require(try take(one).first)
        try box.call(ben, "activity.read", ["upTo": .time(box.clock)])
        for number in 0..<30 { _ = try announce("\(number)") }
        #expect(try take(one).first?.entry == ben.id)
        let more = try take(one, other, since: had.id).map(\.entry)
        #expect(more.contains(ben.id) && more.contains(chris.id))
    }
}
