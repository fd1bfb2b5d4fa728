import KinCodec
import KinModel
import Testing

/// A phone that rings: added by `kin`, reached by ntfy's interface.
@Suite(.serialized) struct RingTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["bob"])
    }

    /// The topic of a phone of Ada's.
    private func topic() throws -> String {
        try #require(try house.door(as: "ada").call("notice.add", ["name": "pixel"])["topic"]?.string)
    }

    @Test func `a phone is added, rings with what is said, and falls silent when it is revoked`() throws {
        #expect(try stage.run("kin", "phone", "--as", "ada").lines.first?.hasPrefix("There are none.") == true)
        let added = try stage.run("kin", "phone", "add", "pixel", "--app", "ntfy", "--as", "ada")
        let link = try #require(added.lines.first { $0.contains("ntfy://") }.map { String($0.drop { $0 == " " }) })
        let topic = try #require(link.split(separator: "/").last?.split(separator: "?").first.map(String.init))
        #expect(link.hasPrefix("ntfy://127.0.0.1:\(house.port)/") && link.hasSuffix("?display=Kinwire&secure=false"))
        let ringing = added.lines.filter { $0.hasPrefix("Have it ring now: ") }
        #expect(ringing.count == 1 && ringing.first?.hasSuffix("/kin --as ada phone test pixel") == true)
        // As the app does: may it read, and then the stream.
        #expect(try stage.run("curl", "-s", "\(house.url)/\(topic)/auth").unended.contains("true"))
        let phone = stage.start(["curl", "-sN", "\(house.url)/\(topic)/json"])
        try stage.wait("the stream") { phone.lines.contains { $0.contains("\"open\"") } }
        try stage.run("kin", "say", "Soup is ready", "--as", "bob")
        try stage.wait("the ring") { phone.lines.contains { $0.contains("Soup is ready") } }
        try stage.run("kin", "phone", "test", "pixel", "--as", "ada")
        try stage.wait("the test") { phone.lines.filter { $0.contains("\"message\"") }.count >= 2 }
        // It is told when the phone last took something: the test, just now.
        let listed = try stage.run("kin", "phone", "--as", "ada").lines
        #expect(listed.contains { $0.contains("pixel") && $0.contains("ntfy") && $0.contains("just now") }, "\(listed)")
        // What is printed can be typed as it stands.
        let named = try stage.run("kin", "phone", "add", "Phone 2", "--app", "ntfy", "--as", "ada")
        #expect(named.lines.contains { $0.hasSuffix("/kin --as ada phone test 'Phone 2'") }, "\(named.lines)")
        // Another member's phone is nobody's business.
        #expect(try stage.run("kin", "phone", "test", "pixel", "--as", "bob", exits: nil).status != 0)
        try stage.run("kin", "phone", "revoke", "pixel", "--as", "ada")
        try stage.wait("the stream to end") { phone.status != nil }
        let refused = try stage.run("curl", "-s", "\(house.url)/\(topic)/json?poll=1")
        #expect((refused.unended + refused.lines.joined()).contains("40301"))
    }

    @Test(arguments: ["sse", "raw"]) func `curl gets what rings as server-sent events and as lines`(form: String) throws
    {
        let topic = try topic()
        let phone = stage.start(["curl", "-sN", "\(house.url)/\(topic)/\(form)"])
        try stage.wait("the stream") { form == "raw" ? phone.lines.contains("") : phone.lines.contains("event: open") }
        try stage.run("kin", "say", "Soup is ready", "--as", "bob")
        try stage.wait("the ring") { phone.lines.contains { $0.contains("Soup is ready") } }
        let line = try #require(phone.lines.first { $0.contains("Soup is ready") })
        #expect(form == "raw" ? line.hasPrefix("Bob: Soup is ready") : line.hasPrefix("data: {"), "\(line)")
        // Who comes later is told what was missed, in the same form.
        let missed = try stage.run("curl", "-s", "\(house.url)/\(topic)/\(form)?poll=1&since=all")
        #expect(missed.lines.contains(line) || missed.unended == line, "\(missed.lines)")
    }

    @Test(.enabled(if: PythonClient.hasWebSockets(PythonClient.debian), "python3-websockets is not installed"))
    func `the library websockets gets what rings, and is told what it missed`() throws {
        let topic = try topic()
        let url = house.url.replacing("http://", with: "ws://") + "/\(topic)/ws"
        func listen(_ address: String) -> Program {
            stage.start([
                PythonClient.debian, "-c",
                """
                import asyncio, sys, websockets
                async def run():
                    async with websockets.connect(sys.argv[1]) as socket:
                        async for text in socket: print(text, flush=True)
                asyncio.run(run())
                """, address,
            ])
        }
        let phone = listen(url)
        try stage.wait("the stream") { phone.lines.contains { $0.contains("\"open\"") } }
        try stage.run("kin", "say", "Soup is ready", "--as", "bob")
        try stage.wait("the ring") { phone.lines.contains { $0.contains("Soup is ready") } }
        let other = listen(url + "?since=all")
        try stage.wait("what was missed") { other.lines.contains { $0.contains("Soup is ready") } }
    }

    @Test func `a phone whose stream stays open is not taken for one that nothing reaches`() throws {
        let topic = try topic()
        let phone = stage.start(["curl", "-sN", "\(house.url)/\(topic)/json"])
        try stage.wait("the stream") { phone.lines.contains { $0.contains("\"open\"") } }
        func taken() throws -> Instant? {
            try house.door(as: "ada").call("notice.list", [:])["devices"]?.array?.first?["taken"]?.instant
        }
        let before = try taken()
        let id = try house.door(as: "ada").call("notice.list", [:])["devices"]?.array?.first?["id"] ?? .null
        _ = try house.door(as: "ada").call("notice.test", ["device": id])
        try stage.wait("it to be noted") { try taken() != before }
    }

    @Test(.enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
    func `the page adds a phone, and says when it last came`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=family]")
        try browser.click("[data-open=\"family.ringing\"]")
        try browser.wait(for: "No phone rings for you yet", in: "dialog")
        try browser.click("#add-ringing")
        try browser.type("Pixel", into: "#ring-name")
        try browser.click("dialog button[type=submit]")
        try browser.wait("the link") { try browser.sees("#ring-link") }
        let link = try browser.run("return document.querySelector('#ring-link').getAttribute('href')").string ?? ""
        #expect(link.hasPrefix("ntfy://127.0.0.1:\(house.port)/"))
        // A code would lead the phone that scans it to itself.
        try browser.wait("the hint") { try browser.sees("dialog .wrong:not([hidden])") }
        #expect(try browser.run("return document.querySelector('dialog img')").isNull)
        let topic = String(link.split(separator: "/").last?.split(separator: "?").first ?? "")
        let phone = stage.start(["curl", "-sN", "\(house.url)/\(topic)/json"])
        try stage.wait("the stream") { phone.lines.contains { $0.contains("\"open\"") } }
        try browser.click("#ring-test")
        try stage.wait("the test") { phone.lines.contains { $0.contains("\"message\"") } }
        // The phone confirms it by taking it.
        try browser.wait(for: "Pixel took it just now", in: "body")
        try browser.pressEscape()
        try browser.click("[data-open=\"family.ringing\"]")
        try browser.wait(for: "came for something", in: "dialog")
        #expect(try browser.log() == [])
    }
}
