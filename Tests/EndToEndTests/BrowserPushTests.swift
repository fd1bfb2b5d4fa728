import Glibc
import KinCodec
import KinModel
import Testing

/// Made by `deploy/test` where PyPI can be reached.
private enum PushPython {
    static let path = Stage.root + "/.build/python/bin/python"
    static let isThere = access(Stage.root + "/.build/python/has-these-five", F_OK) == 0
}

/// Browsers that ring through a push service: the daemon as it is, over HTTPS, to a push service on loopback that deciphers
/// with somebody else's code.
@Suite(.serialized, .enabled(if: PushPython.isThere, "PyPI's http-ece is not installed"))
struct BrowserPushTests {
    let stage: Stage
    let house: House
    let service: Program
    /// What the push service said of itself.
    let first: JSON

    init() throws {
        stage = try Stage()
        for name in ["trusted", "other"] {
            try stage.run(
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-days", "2", "-subj", "/CN=push", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
                "\(stage.folder)/\(name).key", "-out", "\(stage.folder)/\(name).crt")
        }
        service = try Self.startService(stage, "trusted")
        first = try JSON.parse(Array((service.lines.first ?? "").utf8))
        // The system's trust is this one certificate, as OpenSSL has it said.
        house = try House(stage, family: ["bob"], environment: ["SSL_CERT_FILE=\(stage.folder)/trusted.crt"])
        try allow(first)
    }

    private static func startService(_ stage: Stage, _ certificate: String) throws -> Program {
        let service = stage.start([
            PushPython.path, Stage.fixtures + "/push.py", "\(stage.folder)/\(certificate).crt",
            "\(stage.folder)/\(certificate).key",
        ])
        try stage.wait("the push service") { !service.lines.isEmpty || service.status != nil }
        return service
    }

    private func allow(_ services: JSON...) throws {
        let hosts = services.map { JSON.string("127.0.0.1:\($0["port"]?.int ?? 0)") }
        // The push service is no machine outside: that takes an admin's word of its own.
        for host in hosts { _ = try house.door(as: "ada").call("outside.allow", ["place": host]) }
        _ = try house.door(as: "ada").call(
            "notice.allowPush", ["on": true, "contact": "mailto:ada@example.org", "hosts": .array(hosts)])
    }

    private func subscribe(_ who: String, _ service: JSON) throws {
        var subscription = service["subscription"] ?? .null
        subscription["page"] = "https://kin.local:5469"
        _ = try house.door(as: who).call(
            "notice.add", ["name": "browser", "app": "webPush", "subscription": subscription])
    }

    private func devices(_ who: String) throws -> [JSON] {
        try house.door(as: who).call("notice.list", [:])["devices"]?.array ?? []
    }

    /// What the push service was brought so far.
    private func pushed() throws -> [JSON] { try service.lines.dropFirst().map { try JSON.parse(Array($0.utf8)) } }

    private func say(_ text: String) throws { try stage.run("kin", "say", text, "--as", "ada") }

    private func next(_ answers: String) throws {
        try stage.run(
            "curl", "-sS", "--cacert", stage.folder + "/trusted.crt", "-X", "PUT", "-d", answers,
            "https://127.0.0.1:\(first["port"]?.int ?? 0)/next")
    }

    @Test func `what rings comes through a push service, which http-ece deciphers, with who it is from`() throws {
        try subscribe("bob", first)
        try say("Soup is ready")
        try stage.wait("the push") { try pushed().count == 1 }
        let push = try #require(try pushed().first)
        let shown = try #require(push["text"]?["notification"])
        #expect(push["text"]?["web_push"] == 8030 && shown["title"]?.string != nil)
        #expect(shown["body"]?.string?.contains("Soup is ready") == true, "\(shown)")
        #expect(shown["navigate"]?.string?.hasPrefix("https://kin.local:5469/#/") == true)
        #expect([1024 + 103, 2048 + 103].contains(push["bytes"]?.int ?? 0))
        #expect(push["claims"]?["sub"] == "mailto:ada@example.org")
        let key = try house.door(as: "bob").call("notice.push", [:])["key"]
        #expect(push["claims"]?["key"] == key)
        // Buttons come enciphered, and are answered as the worker does it.
        let way = try #require(shown["data"]?["answers"]?.object?.members.first?.value.string)
        #expect(try stage.run("curl", "-s", "-X", "POST", house.url + way).unended.contains("\"done\":true"))
        // What was answered is closed with the next one.
        try say("Supper too")
        try stage.wait("the next push") { try pushed().count == 2 }
        let closed = try pushed()[1]["text"]?["notification"]?["data"]?["closed"]?.array
        #expect(closed == [shown["tag"] ?? .null])
        try stage.wait("it to be noted") { try devices("bob").first?["taken"] != nil }
        #expect(!house.daemon.said.contains("send/browser"))
    }

    @Test func `a push service that fails in every way is told of, and rings once`() throws {
        try subscribe("bob", first)
        try next(#"["garbage", 301]"#)
        try say("Soup is ready")
        try stage.wait("garbage") { try pushed().count == 1 && devices("bob").first?["trouble"] != nil }
        // The daemon falls in the middle of it.
        house.kill()
        try house.start()
        try stage.wait("301, which is not followed") { try pushed().count == 2 }
        try stage.wait("it to be told") {
            try devices("bob").first?["trouble"]?.string?.contains("redirect") == true
        }
        #expect(try pushed().allSatisfy { $0["path"] == "/send/browser" })
        #expect(Set(try pushed().map { $0["text"]?["notification"]?["data"]?["id"] ?? .null }).count == 1)
        #expect(!house.daemon.said.contains("send/browser"))
        // It is gone.
        try next("[410]")
        try stage.wait("410") { try devices("bob").isEmpty }
    }

    @Test func `a push service with another's certificate is told nothing`() throws {
        let other = try Self.startService(stage, "other")
        let said = try JSON.parse(Array((other.lines.first ?? "").utf8))
        try allow(first, said)
        try subscribe("bob", said)
        try say("Soup is ready")
        try stage.wait("it to be told") {
            try devices("bob").first?["trouble"]?.string?.contains("not trusted") == true
        }
        #expect(other.lines.count == 1)
    }

    @Test(.enabled(if: Browser.isWholeThere, "Chromium and its driver are not installed"))
    func `the page subscribes, and its worker shows what comes`() throws {
        let browser = try Browser(stage, isNew: true)
        try browser.tell("Browser.grantPermissions", ["permissions": ["notifications"]])
        try browser.signIn(house, "bob")
        // Debian's Chromium has no push service: subscribing never settles there.
        try browser.run(
            """
            const given = arguments[0]
            PushManager.prototype.getSubscription = async () => null
            PushManager.prototype.subscribe = async options => {
              window.keyGiven = options.applicationServerKey
              return { endpoint: given.endpoint, toJSON: () => ({ endpoint: given.endpoint, keys: given }) }
            }
            """, first["subscription"] ?? .null)
        try browser.click("[data-tab=family]")
        try browser.click("[data-open=\"family.ringing\"]")
        try browser.wait("the button") { try browser.sees("#ring-here") }
        try browser.click("#ring-here")
        try stage.wait("the test") { try pushed().count == 1 }
        let (given, known) = (try browser.run("return window.keyGiven"), try pushed()[0]["claims"]?["key"])
        #expect(given == known)
        try say("Soup is ready")
        try stage.wait("the ring") { try pushed().count == 2 }
        let page = try browser.run("return location.origin").string ?? ""
        var text = try #require(try pushed()[1]["text"])
        // To whoever looks at the page nothing is shown besides: it is left.
        try browser.open("about:blank")
        try browser.tell("ServiceWorker.enable")
        /// What the browser shows of the page's.
        func shown() throws -> [JSON] {
            try browser.run(
                """
                return navigator.serviceWorker.getRegistration().then(one => one.getNotifications())
                  .then(all => all.map(({ title, body, tag }) => ({ title, body, tag })))
                """
            ).array ?? []
        }
        /// As if the browser's own push service had brought it. DevTools gives registrations small numbers.
        func deliver(_ text: JSON) throws {
            let data = JSON.string(String(decoding: text.bytes, as: UTF8.self))
            for number in 0..<3 {
                _ = try? browser.tell(
                    "ServiceWorker.deliverPushMessage",
                    ["origin": .string(page), "registrationId": .string("\(number)"), "data": data])
            }
        }
        /// The names of those that the worker had.
        func rung() throws -> [JSON] {
            try browser.run("return caches.match('/rung').then(one => one ? one.json() : [])").array ?? []
        }
        // Whoever looks at the page just now sees it there.
        try browser.open(page + "/")
        try browser.wait("the page") { try browser.sees("[data-tab=home]") }
        var unseen = text
        unseen["notification"]?["data"]?["id"] = "focused"
        unseen["notification"]?["tag"] = "focused"
        // The worker may not run yet: the same is brought until it had it, and once it had it that changes nothing.
        try browser.wait("the worker") {
            try deliver(unseen)
            return try rung().contains("focused")
        }
        #expect(try shown().isEmpty)
        // Where the page is there before the worker has looked, it is seen there: then another is brought.
        let tag = try #require(text["notification"]?["tag"])
        var times = 0
        try browser.wait("the notification") {
            if times > 0 { text["notification"]?["data"]?["id"] = .string("again \(times)") }
            times += 1
            try browser.open("about:blank")
            try deliver(text)
            try browser.open(page + "/")
            return try shown().contains { $0["tag"] == tag }
        }
        // The last of them may still be on its way when an earlier one is shown.
        let last = text["notification"]?["data"]?["id"] ?? .null
        try browser.wait("the last one") { try rung().contains(last) }
        #expect(try shown().filter { $0["tag"] == tag }.count == 1)
        // A push service brings the same once more while it is unread: what was put away stays away.
        try browser.run(
            """
            return navigator.serviceWorker.getRegistration().then(one => one.getNotifications())
              .then(all => all.forEach(one => one.close()))
            """)
        unseen["notification"]?["tag"] = "after"
        try browser.wait("what came after it") {
            times += 1
            unseen["notification"]?["data"]?["id"] = .string("after \(times)")
            try browser.open("about:blank")
            try deliver(text)
            try deliver(unseen)
            try browser.open(page + "/")
            return try shown().contains { $0["tag"] == "after" }
        }
        #expect(try !shown().contains { $0["tag"] == tag })
        // Read on another device: the page that is open closes it.
        var third = text
        try browser.wait("it once more, by another name") {
            times += 1
            third["notification"]?["data"]?["id"] = .string("third \(times)")
            try browser.open("about:blank")
            try deliver(third)
            try browser.open(page + "/")
            return try shown().contains { $0["tag"] == tag }
        }
        let latest = third["notification"]?["data"]?["id"] ?? .null
        try browser.wait("the last of these") { try rung().contains(latest) }
        _ = try house.door(as: "bob").call(
            "activity.read", ["upTo": .time(Instant("2200-01-01T00:00:00Z") ?? .earliest)])
        try browser.wait("it to close") { try !shown().contains { $0["tag"] == tag } }
    }

    @Test func `a push service that is busy is asked again when it says so, and one that hangs keeps nobody waiting`()
        throws
    {
        try subscribe("bob", first)
        try next(#"[429]"#)
        try say("Soup is ready")
        try stage.wait("429") { try pushed().count == 1 && devices("bob").first?["trouble"] != nil }
        try stage.wait("it again") { try pushed().count == 2 }
        #expect(Set(try pushed().map { $0["text"]?["notification"]?["data"]?["id"] ?? .null }).count == 1)
        try next(#"["slow"]"#)
        try say("Supper too")
        try stage.wait("the slow one") { try pushed().count == 3 }
        // Others' commands go on meanwhile.
        try say("And dessert")
        #expect(
            try house.door(as: "bob").call("activity.list", [:])["entries"]?.array?.first?["title"] == "And dessert")
    }
}
