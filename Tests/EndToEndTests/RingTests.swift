import KinCodec
import KinModel
import Testing

/// A phone that rings: added by `kin`, reached by ntfy's interface.
@Suite(.serialized) struct RingTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage)
        try house.found()
        try house.join("bob")
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
        let listed = try stage.run("kin", "phone", "--as", "ada").lines
        #expect(listed.contains { $0.contains("pixel") && $0.contains("ntfy") }, "\(listed)")
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
        try browser.wait("the hint") { try browser.sees("dialog .wrong") }
        #expect(try browser.run("return document.querySelector('dialog img')").isNull)
        let topic = String(link.split(separator: "/").last?.split(separator: "?").first ?? "")
        let phone = stage.start(["curl", "-sN", "\(house.url)/\(topic)/json"])
        try stage.wait("the stream") { phone.lines.contains { $0.contains("\"open\"") } }
        try browser.click("#ring-test")
        try stage.wait("the test") { phone.lines.contains { $0.contains("\"message\"") } }
        try browser.pressEscape()
        try browser.click("[data-open=\"family.ringing\"]")
        try browser.wait(for: "came for something", in: "dialog")
        #expect(try browser.log() == [])
    }
}
