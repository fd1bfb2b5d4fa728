import KinModel
import Testing

/// A source outside for pictures of the map, as an admin names it in the page.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageMapSourceTests {
    @Test func `an admin names a source, is told where its address is wrong, and forbids it again`() throws {
        let stage = try Stage()
        let house = try House(stage, family: ["bob"])
        let browser = try Browser(stage)
        try browser.screen(width: 320, height: 700, isDark: false)
        try browser.signIn(house, "ada")
        try browser.run("location.hash = '#/family'")
        try browser.click("#map-source")
        try browser.wait(for: "Nobody outside is asked", in: "#source-state")
        #expect(try browser.text("dialog").contains("and not who looks"))
        #expect(try !browser.sees("#source-forbid"))
        try browser.type("https://tiles.example.org/0.png", into: "#source-address")
        try browser.type("© OpenStreetMap", into: "#source-attribution")
        try browser.click("#source-set")
        try browser.wait(for: "has z, x and y", in: "#source-address-wrong")
        try browser.run("document.querySelector('#source-address').value = ''")
        try browser.type("https://tiles.example.org/{z}/{x}/{y}.png", into: "#source-address")
        try browser.draw("map-source")
        try browser.click("#source-set")
        try browser.wait(for: "come from the source", in: "#source-state")
        if let axe = PageTests.axe {
            let wrong = try browser.violations(axe)
            #expect(wrong == [], "\(wrong.text)")
        }
        let seen = try house.door(as: "bob").call("map.source", [:])
        #expect(seen["on"] == true && seen["attribution"] == "© OpenStreetMap" && seen["address"] == nil, "\(seen)")
        try browser.click("#source-forbid")
        try browser.wait(for: "Nobody outside is asked", in: "#source-state")
        #expect(try house.door(as: "bob").call("map.source", [:])["on"] == false)
        let log = try browser.log()
        #expect(log == [], "\(log)")
        // Who is no admin has no such button.
        let bob = try Browser(stage)
        try bob.signIn(house, "bob")
        try bob.run("location.hash = '#/family'")
        try bob.wait("the family") { try bob.sees("#sign-out") }
        #expect(try !bob.sees("#map-source"))
    }
}
