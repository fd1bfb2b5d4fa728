import KinActivity
import KinCrypto
import KinModel
import KinNotices
import KinStore
import Synchronization
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinNotices

/// A push service, as far as the daemon sees one: it answers what a test says, else that it took it.
final class PushService: OutsideDesk, Sendable {
    private struct State: Sendable {
        var letters: [OutsideLetter] = []
        var answers: [OutsideAnswer] = []
    }
    private let state = Mutex(State())

    /// What was sent since somebody looked.
    func taken() -> [OutsideLetter] {
        state.withLock { state in
            defer { state.letters = [] }
            return state.letters
        }
    }

    /// What the next ones are answered with.
    func answers(_ answers: OutsideAnswer...) { state.withLock { $0.answers += answers } }

    func send(_ letter: OutsideLetter) -> OutsideAnswer {
        state.withLock { state in
            state.letters.append(letter)
            return state.answers.isEmpty
                ? .answered(status: 201, retryAfterSeconds: nil) : state.answers.removeFirst()
        }
    }
}

/// Browsers that ring through push services: what leaves, when, how often, and what is kept.
@Suite struct PushTests {
    private let box: FamilyBox
    private let ada: FamilyBox.Person
    private let ben: FamilyBox.Person
    private let service = PushService()

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
        let service = service
        box.substitute = { work in
            (work as? PushWork)?.run(at: Workplace(store: nil, outside: service))
        }
        try box.call(ada, "notice.allowPush", ["on": true, "contact": "mailto:ada@example.org"])
    }

    /// What a browser of the name gives a page.
    private func subscription(_ name: String, at host: String = "fcm.googleapis.com") -> JSON {
        let key = P256Key(scalar: Digest.sha256(Array(name.utf8)))
        return [
            "endpoint": .string("https://\(host)/send/\(name)"),
            "auth": .string(Base64.urlEncode(Array("sixteen of bytes".utf8))),
            "p256dh": .string(Base64.urlEncode(key?.point ?? [])), "page": "https://kin.local:5469",
        ]
    }

    private func add(_ person: FamilyBox.Person, _ name: String = "one") throws -> Identifier {
        try #require(
            try box.call(
                person, "notice.add",
                ["name": .string(name), "app": "webPush", "subscription": subscription(name)])["device"]?["id"]?
                .identifier)
    }

    private func say(_ text: String, seconds: Int64 = 60) throws {
        box.clock = box.clock.adding(seconds: seconds)
        try box.call(ada, "activity.announce", ["text": .string(text)])
        try box.callOwn()
    }

    /// Time passes, and what is due leaves; the letters.
    private func wait(seconds: Int64) throws -> [OutsideLetter] {
        box.clock = box.clock.adding(seconds: seconds)
        try box.callOwn()
        return service.taken()
    }

    private func waiting() throws -> Int64 { try box.count("SELECT count(*) FROM notice_pushes") }

    @Test func `it is off until an admin allows it, who says whom push services may write to`() throws {
        try box.call(ada, "notice.allowPush", ["on": false])
        #expect(try box.call(ben, "notice.push") == ["on": false])
        #expect(
            try box.refusal(ben, "notice.add", ["name": "x", "app": "webPush", "subscription": subscription("x")])?.kind
                == .conflict)
        #expect(
            try box.refusal(ben, "notice.allowPush", ["on": true, "contact": "mailto:b@example.org"])?.kind
                == .forbidden)
        #expect(try box.refusal(ada, "notice.allowPush", ["contact": "ada"])?.data["field"]?.string == "contact")
        try box.call(ada, "notice.allowPush", ["on": true])
        let seen = try box.call(ben, "notice.push")
        #expect(
            Base64.urlDecode(seen["key"]?.string ?? "")?.count == 65 && seen["contact"] == nil && seen["hosts"] == nil)
        #expect(try box.call(ada, "notice.push")["contact"] == "mailto:ada@example.org")
        // The same key for as long as the family is: browsers take no other.
        try box.call(ada, "notice.allowPush", ["on": false])
        try box.call(ada, "notice.allowPush", ["on": true])
        #expect(try box.call(ben, "notice.push")["key"] == seen["key"])
    }

    @Test func `what rings leaves enciphered, of one length, with how long and how urgent it is, and says not what`()
        throws
    {
        let device = try add(ben)
        try say("Soup is ready")
        let letter = try #require(service.taken().first)
        #expect(letter.address == "https://fcm.googleapis.com/send/one" && letter.content.count == 1024 + 103)
        let fields = Dictionary(uniqueKeysWithValues: letter.headers.map { ($0.name, $0.value) })
        #expect(fields["Content-Encoding"] == "aes128gcm" && fields["TTL"] == "86400" && fields["Urgency"] == "high")
        #expect(fields["Topic"]?.utf8.count == 32)
        #expect(fields["Authorization"]?.hasPrefix("vapid t=") == true)
        // An alarm is worth something for an hour, and at once.
        try box.call(ada, "alarm.raise", ["kind": "sos", "to": [.id(ben.id)]])
        try box.callOwn()
        let alarm = try #require(service.taken().first)
        #expect(
            alarm.headers.contains { $0 == ("TTL", "3600") } && alarm.headers.contains { $0 == ("Urgency", "high") })
        #expect(try box.call(ben, "notice.list")["devices"]?.array?.first?["taken"] == .time(box.clock))
        #expect(try waiting() == 0)
        // Nothing of it goes to others, or to a log.
        for person in [ada, ben] {
            let told = box.allHeard(person).map { String(decoding: $0.data.bytes, as: UTF8.self) }.joined()
            #expect(!told.contains("send/one"))
        }
        #expect(!box.notes.joined().contains("send/"))
        try box.call(ben, "notice.remove", ["device": .id(device)])
        try say("nobody hears it")
        #expect(service.taken().isEmpty)
    }

    @Test func `an alarm that a push service took has reached, and what was answered before it left does not`() throws {
        _ = try add(ben)
        let alarm = try #require(
            try box.call(ada, "alarm.raise", ["kind": "come", "to": [.id(ben.id)]])["alarm"]?["id"])
        try box.callOwn()
        #expect(service.taken().count == 1)
        try box.turn()
        #expect(try box.fresh(ada.id).alarms.values.first?.called.first?.reached == box.clock)
        // It rings again, the service is down, and Ben answers on the page: nothing leaves any more.
        service.answers(.answered(status: 503, retryAfterSeconds: nil))
        #expect(try wait(seconds: 121).count + wait(seconds: 0).count == 1)
        try box.call(ben, "alarm.answer", ["alarm": alarm, "answer": "cannot"])
        for _ in 0..<10 { #expect(try wait(seconds: 600).isEmpty) }
    }

    @Test func `a phone that is silent for a member, and one for what is official, as browsers`() throws {
        _ = try add(ben)
        let device = try #require(try box.fresh(ben.id).noticeDevices.first).id
        try box.call(ben, "notice.change", ["device": .id(device), "only": "official"])
        try box.call(ada, "activity.say", ["text": "Soup", "to": [.id(ben.id)]])
        try box.callOwn()
        #expect(service.taken().isEmpty)
        try say("Soup is ready")
        #expect(service.taken().count == 1)
    }

    @Test func `a browser's own rules decide what leaves for it, and how urgent`() throws {
        let (first, second) = (try add(ben), try add(ben, "two"))
        try box.call(ben, "activity.setRules", ["device": .id(first), "mute": ["said"]])
        try box.call(
            ben, "activity.setRules",
            ["device": .id(second), "quiet": ["from": "00:00", "to": "23:59", "zone": "UTC"]])
        try box.call(ada, "activity.say", ["text": "Soup", "to": [.id(ben.id)]])
        try box.callOwn()
        let letters = service.taken()
        #expect(letters.map(\.address) == ["https://fcm.googleapis.com/send/two"])
        #expect(letters.first?.headers.first { $0.name == "Urgency" }?.value == "low")
        try say("Soup is ready")
        #expect(service.taken().count == 2)
    }

    @Test func `a push service that is slow holds up no command, and nothing leaves twice meanwhile`() throws {
        _ = try add(ben)
        box.clock = box.clock.adding(seconds: 60)
        try box.call(ada, "activity.announce", ["text": "Soup is ready"])
        try box.turn()
        let letter = box.request(.machine, "notice.deliver")
        guard case .later(let work)? = try box.turn(letter).replies.first?.effect else {
            throw Rejection(.invalid, "nothing left")
        }
        // It is on its way for nine minutes: what a member asks is done at once, and what is due as well.
        for minute in 0..<9 {
            box.clock = box.clock.adding(seconds: 60)
            try box.call(ada, "activity.say", ["text": .string("\(minute)"), "to": [.id(ada.id)]])
            let commit = try box.turn(box.request(.machine, "notice.deliver"))
            if case .later? = commit.replies.first?.effect { throw Rejection(.invalid, "it left twice") }
        }
        var done = box.request(.machine, "notice.deliver")
        done.work = work.run(at: Workplace(store: nil, outside: service))
        try box.turn(done)
        #expect(service.taken().count == 1)
        #expect(try waiting() == 0)
    }

    @Test func `a push service that is down is asked again, ever more seldom, and rings once`() throws {
        _ = try add(ben)
        service.answers(
            .failed("fcm.googleapis.com cannot be reached."), .answered(status: 503, retryAfterSeconds: nil),
            .answered(status: 429, retryAfterSeconds: 300))
        try say("Soup is ready")
        #expect(service.taken().count == 1)
        #expect(
            try box.call(ben, "notice.list")["devices"]?.array?.first?["trouble"]?.string
                == "fcm.googleapis.com cannot be reached.")
        #expect(box.notes.filter { $0.contains("push service") }.count == 1)
        #expect(try wait(seconds: 10).isEmpty)
        #expect(try wait(seconds: 6).count == 1)
        #expect(try wait(seconds: 29).isEmpty)
        #expect(try wait(seconds: 2).count == 1)
        // It said when to come again.
        #expect(try wait(seconds: 298).isEmpty)
        #expect(try wait(seconds: 3).count == 1)
        #expect(try waiting() == 0)
        #expect(try box.call(ben, "notice.list")["devices"]?.array?.first?["trouble"] == nil)
        #expect(try wait(seconds: 86_400).isEmpty)
    }

    @Test func `what is worth nothing any more is given up, and what was read meanwhile does not leave`() throws {
        _ = try add(ben)
        service.answers(.answered(status: 500, retryAfterSeconds: nil))
        try say("Soup is ready")
        #expect(service.taken().count == 1)
        try box.call(ben, "activity.read", ["upTo": .time(box.clock)])
        #expect(try waiting() == 0)
        #expect(try wait(seconds: 60).isEmpty)
        service.answers(.answered(status: 500, retryAfterSeconds: 4_000_000_000_000))
        try say("Supper")
        for _ in 0..<40 {
            service.answers(.answered(status: 500, retryAfterSeconds: nil))
            _ = try wait(seconds: 3601)
        }
        #expect(try waiting() == 0)
    }

    @Test(arguments: [404, 410])
    func `a browser that is gone is forgotten`(status: Int) throws {
        _ = try add(ben)
        service.answers(.answered(status: status, retryAfterSeconds: nil))
        _ = box.allHeard(ben)
        try say("Soup is ready")
        #expect(try box.fresh(ben.id).noticeDevices.isEmpty)
        #expect(box.allHeard(ben).contains { $0.type == "notice.devices" })
        #expect(try waiting() == 0 && box.count("SELECT count(*) FROM notice_subscriptions") == 0)
    }

    @Test(arguments: [301, 400, 401, 403]) func `another answer is no reason to ring twice`(status: Int) throws {
        _ = try add(ben)
        service.answers(.answered(status: status, retryAfterSeconds: nil))
        try say("Soup is ready")
        #expect(service.taken().count == 1)
        #expect(try wait(seconds: 16).count == 1)
        #expect(try waiting() == 0)
    }

    @Test func `a restart in the middle forgets nothing, and sends nothing twice that was taken`() throws {
        _ = try add(ben)
        service.answers(.answered(status: 500, retryAfterSeconds: nil))
        try say("Soup is ready")
        #expect(service.taken().count == 1)
        try box.restart(after: 20)
        #expect(try wait(seconds: 1).count == 1)
        try box.restart()
        #expect(try wait(seconds: 60).isEmpty)
        // It left, and the daemon fell before it heard what came of it.
        box.clock = box.clock.adding(seconds: 60)
        try box.call(ada, "activity.announce", ["text": "Supper"])
        try box.turn()
        let commit = try box.turn(box.request(.machine, "notice.deliver"))
        guard case .later? = commit.replies.first?.effect else { throw Rejection(.invalid, "nothing left") }
        try box.restart(after: 1)
        #expect(try wait(seconds: 6).count == 1)
        #expect(try wait(seconds: 3600).isEmpty)
    }

    @Test func `a slow push service holds up nobody else's, and is not asked twice in a row`() throws {
        for name in ["one", "two", "three"] { _ = try add(ben, name) }
        _ = try box.call(
            ben, "notice.add",
            [
                "name": "fox", "app": "webPush",
                "subscription": subscription("fox", at: "updates.push.services.mozilla.com"),
            ])
        service.answers(.failed("fcm.googleapis.com fell silent; try again later."))
        try say("Soup is ready")
        let hosts = service.taken().map { $0.address.split(separator: "/")[1] }
        #expect(
            hosts.filter { $0 == "fcm.googleapis.com" }.count <= 3
                && hosts.contains("updates.push.services.mozilla.com"))
    }

    /// Ada says something to Ben, so long after the last time.
    private func tell(_ text: String, seconds: Int64 = 0) throws {
        box.clock = box.clock.adding(seconds: seconds)
        try box.call(ada, "activity.say", ["text": .string(text), "to": [.id(ben.id)]])
        try box.callOwn()
    }

    @Test func `a burst is three notices, and what is late too`() throws {
        _ = try add(ben)
        for number in 0..<60 { try tell("\(number)") }
        #expect(service.taken().count == 3)
        // What is official is told by itself in the middle of it.
        try say("Water off at ten", seconds: 0)
        #expect(service.taken().count == 1)
        // While the push service is away, more gathers than is told one by one.
        for number in 0..<8 {
            service.answers(.failed("fcm.googleapis.com cannot be reached."))
            try tell("late \(number)", seconds: 100)
        }
        _ = service.taken()
        var later: [OutsideLetter] = []
        for _ in 0..<10 { later += try wait(seconds: 3600) }
        #expect(later.count <= 3 && !later.isEmpty, "\(later.count)")
    }

    @Test func `what is official waits by itself while a push service is down, and together where it is very much`()
        throws
    {
        _ = try add(ben)
        box.substitute = { work in
            guard let pushes = work as? PushWork else { return nil }
            return .made(
                pushes.letters.map {
                    PushSent(waiting: $0.waiting, lifeSeconds: 86_400, outcome: .later("down", seconds: nil))
                })
        }
        func gather(_ count: Int) throws {
            for number in 0..<count { try box.call(ada, "activity.announce", ["text": .string("\(number)")]) }
            for number in 0..<count { try tell("beside \(number)") }
        }
        try gather(5)
        // Five, two beside them, and one that stands for the others.
        #expect(try waiting() == 5 + 2 + 1)
        try gather(30)
        #expect(try waiting() == 2 + 2 + 1)
        let service = service
        box.substitute = { work in (work as? PushWork)?.run(at: Workplace(store: nil, outside: service)) }
        var later = 0
        for _ in 0..<12 { later += try wait(seconds: 60).count }
        #expect(later == 5)
    }

    @Test(arguments: [true, false])
    func `the clock is set back while a push waits: it leaves all the same, and rings once`(isSynchronised: Bool) throws
    {
        // It is three hours ahead, and somebody vouches for it; or it was right, and jumps back.
        if isSynchronised { box.machine.ahead = 3 * 3_600_000 }
        _ = try add(ben)
        service.answers(.answered(status: 503, retryAfterSeconds: 3600))
        try say("Soup is ready")
        #expect(service.taken().count == 1)
        box.machine.isSynchronised = isSynchronised
        box.machine.ahead = isSynchronised ? 0 : -3 * 3_600_000
        if isSynchronised {
            #expect(try wait(seconds: 6).count + wait(seconds: 0).count == 1)
        } else {
            // The time goes on as it would have: it leaves when it was to.
            #expect(try wait(seconds: 3590).isEmpty)
            #expect(try wait(seconds: 20).count + wait(seconds: 0).count == 1)
        }
        try say("Supper")
        #expect(service.taken().count == 1)
        #expect(try wait(seconds: 1200).isEmpty)
        #expect(try waiting() == 0)
    }

    @Test func `endpoints are those of known push services, and keys are keys`() throws {
        func refused(_ change: (inout JSON) -> Void) throws -> String? {
            var given = subscription("x")
            change(&given)
            return try box.refusal(ben, "notice.add", ["name": "x", "app": "webPush", "subscription": given])?.data[
                "field"]?
                .string
        }
        for wrong in [
            "http://fcm.googleapis.com/x", "https://evil.example/x", "https://fcm.googleapis.com@evil.example/",
            "https://fcm.googleapis.com.evil.example/", "https://127.0.0.1/", "https://192.168.1.1:8443/x", "nonsense",
        ] {
            #expect(try refused { $0["endpoint"] = .string(wrong) } == "subscription.endpoint", "\(wrong)")
        }
        #expect(try refused { $0["p256dh"] = "AAAA" } == "subscription.p256dh")
        #expect(try refused { $0["auth"] = "AAAA" } == "subscription.auth")
        #expect(try refused { $0["page"] = "https://kin.local:5469/x" } == "subscription.page")
        try box.call(ada, "notice.allowPush", ["hosts": ["192.168.1.1:8443"]])
        #expect(try refused { $0["endpoint"] = "https://192.168.1.1:8443/x" } == nil)
        #expect(try box.refusal(ada, "notice.allowPush", ["hosts": ["a b"]])?.data["field"]?.string == "hosts")
    }

    @Test func `a browser rings for whoever asked last, and goes with its member`() throws {
        _ = try add(ada)
        _ = try add(ben)
        #expect(try box.fresh(ada.id).noticeDevices.isEmpty)
        #expect(try box.fresh(ben.id).noticeDevices.count == 1)
        #expect(
            try box.refusal(ben, "notice.renew", ["device": .id(try box.fresh(ben.id).noticeDevices[0].id)])?.kind
                == .conflict)
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        #expect(try box.count("SELECT count(*) FROM notice_subscriptions") == 0)
    }

    @Test func `where an admin forbids it again, what waits is gone`() throws {
        _ = try add(ben)
        service.answers(.answered(status: 500, retryAfterSeconds: nil))
        try say("Soup is ready")
        _ = service.taken()
        try box.call(ada, "notice.allowPush", ["on": false])
        #expect(try wait(seconds: 3600).isEmpty)
        #expect(try waiting() == 0)
    }
}
