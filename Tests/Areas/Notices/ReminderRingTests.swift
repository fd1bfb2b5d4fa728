import KinCrypto
import KinModel
import KinStore
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinNotices

/// Reminders of the calendar ring: on phones by ntfy's interface, in browsers by a push service, once for each device.
@Suite struct ReminderRingTests {
    private let box: FamilyBox
    private let ada: FamilyBox.Person
    private let ben: FamilyBox.Person
    private let cleo: FamilyBox.Person
    private let service = PushService()

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let service = service
        box.substitute = { work in (work as? PushWork)?.run(at: Workplace(store: nil, outside: service)) }
        try box.call(ada, "notice.allowPush", ["on": true, "contact": "mailto:ada@example.org"])
    }

    private func phone(_ person: FamilyBox.Person, _ name: String = "Phone") throws -> String {
        try #require(try box.call(person, "notice.add", ["name": .string(name)])["topic"]?.string)
    }

    private func browser(_ person: FamilyBox.Person) throws {
        let key = P256Key(scalar: Digest.sha256(Array("browser".utf8)))
        try box.call(
            person, "notice.add",
            [
                "name": "Browser", "app": "webPush",
                "subscription": [
                    "endpoint": "https://fcm.googleapis.com/send/browser",
                    "auth": .string(Base64.urlEncode(Array("sixteen of bytes".utf8))),
                    "p256dh": .string(Base64.urlEncode(key?.point ?? [])), "page": "https://kin.local:5469",
                ],
            ])
    }

    /// What a phone is told to show of reminders, since it last asked.
    private func shown(_ topic: String, of subject: String) throws -> [String] {
        let notices =
            try box.call(.none, "notice.take", ["topics": [.string(topic)], "since": "all"])["notices"]?.array ?? []
        return notices.compactMap { $0["notice"].flatMap(Notice.init) }.filter { $0.act == .ring }
            .map { "\($0.title ?? "") \($0.text ?? "")" }.filter { $0.contains(subject) }
    }

    /// How often it rang for somebody since this was asked, by what was told.
    private func reminders(_ person: FamilyBox.Person) -> Int {
        box.allHeard(person).count { $0.type == "entry.reminded" }
    }

    private func wait(hours: Int64, seconds: Int64 = 0) throws {
        box.clock = box.clock.adding(seconds: hours * 3600 + seconds)
        try box.callOwn()
    }

    @Test func `a reminder rings once on each phone and in each browser, and on nobody else's`() throws {
        let topics = [try phone(ben), try phone(ben, "Tablet")]
        let other = try phone(cleo)
        try browser(ben)
        // The box begins at 18:00 in universal time, 19:00 in Berlin.
        try box.call(
            ben, "entry.add",
            ["subject": "Dentist", "start": "2026-11-20T23:00", "zone": "Europe/Berlin", "remind": [60]])
        _ = service.taken()
        try wait(hours: 2, seconds: 3000)
        #expect(try topics.allSatisfy { try shown($0, of: "Dentist").isEmpty } && service.taken().isEmpty)
        try wait(hours: 0, seconds: 660)
        for topic in topics { #expect(try shown(topic, of: "Dentist").count == 1) }
        // It leaves for the push service with the next look.
        try wait(hours: 0, seconds: 5)
        #expect(service.taken().count == 1)
        #expect(try shown(other, of: "Dentist").isEmpty)
        // Neither time nor a restart rings it again.
        try box.restart(after: 120)
        try wait(hours: 1)
        for topic in topics { #expect(try shown(topic, of: "Dentist").count <= 1) }
        #expect(service.taken().isEmpty)
    }

    @Test func `who is going to a confirmed meeting is reminded a day and an hour before; it moves along`() throws {
        let soup = try box.propose(slots: [72, 96], by: ada, invitees: [ben, cleo])
        try box.call(ben, "meeting.vote", soup.votes("yes", "no"))
        try box.call(cleo, "meeting.vote", soup.votes("no", "yes"))
        try box.call(ada, "meeting.confirm", soup.confirm(0))
        for person in [ada, ben, cleo] { _ = box.allHeard(person) }
        try wait(hours: 47)
        #expect(reminders(ben) == 0)
        // A day before what it was: it is six hours later now.
        var moved = FamilyBox.slot(78)
        moved["id"] = .id(soup.slots[0])
        try box.call(ada, "meeting.update", soup.with(["slots": [moved, ["id": .id(soup.slots[1])]]]))
        try wait(hours: 2)
        #expect(reminders(ben) == 0 && reminders(ada) == 0)
        try wait(hours: 5, seconds: 60)
        #expect(reminders(ben) == 1 && reminders(ada) == 1 && reminders(cleo) == 0)
        try wait(hours: 22)
        #expect(reminders(ben) == 0)
        try wait(hours: 1)
        #expect(reminders(ben) == 1 && reminders(ada) == 1 && reminders(cleo) == 0)
    }

    @Test func `who says not going is not reminded, and who says going later is`() throws {
        let soup = try box.propose(slots: [72, 96], by: ada, invitees: [ben, cleo])
        try box.call(ben, "meeting.vote", soup.votes("yes", "no"))
        try box.call(cleo, "meeting.vote", soup.votes("no", "yes"))
        try box.call(ada, "meeting.confirm", soup.confirm(0))
        try box.call(ben, "meeting.attend", soup.with(["answer": "notGoing"]))
        try box.call(cleo, "meeting.attend", soup.with(["answer": "going"]))
        for person in [ada, ben, cleo] { _ = box.allHeard(person) }
        try wait(hours: 48, seconds: 60)
        #expect(reminders(ben) == 0 && reminders(cleo) == 1 && reminders(ada) == 1)
        // Ben thinks better of it between the two times, and Cleo of that.
        try box.call(ben, "meeting.attend", soup.with(["answer": "going"]))
        try box.call(cleo, "meeting.attend", soup.with(["answer": "notGoing"]))
        try wait(hours: 23)
        #expect(reminders(ben) == 1 && reminders(cleo) == 0 && reminders(ada) == 1)
        // A meeting that is cancelled reminds nobody.
        let tea = try box.propose("Tea", slots: [160], by: ada, invitees: [ben])
        try box.call(ben, "meeting.vote", tea.votes("yes"))
        try box.call(ada, "meeting.confirm", tea.confirm(0))
        try box.call(ada, "meeting.cancel", tea.params)
        for person in [ada, ben] { _ = box.allHeard(person) }
        try wait(hours: 100)
        #expect(reminders(ben) == 0 && reminders(ada) == 0)
    }
}
