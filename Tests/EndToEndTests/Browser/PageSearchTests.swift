import Glibc
import KinCodec
import KinModel
import Testing

/// One search on the family's page, in Debian's Chromium against the real daemon.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageSearchTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["carol"])
    }

    @Test func `everything is found from every screen by a key or a link, and each hit leads to its thing`() throws {
        let door = try house.door(as: "ada")
        let post = try #require(
            try door.call("post.add", ["text": "Quinces from <b>Grandma's</b> garden", "audience": "everyone"])[
                "post"]?[
                    "id"]?.string)
        _ = try door.call("post.add", ["text": "Quinces of mine alone", "audience": []])
        _ = try door.call("list.add", ["name": "Quince jam", "kind": "shopping", "audience": "everyone"])
        let browser = try Browser(stage)
        try browser.signIn(house, "carol")
        try browser.click("[data-tab=meetings]")
        try browser.run("document.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }))")
        try browser.wait(for: "All of the words are looked for", in: "kin-search")
        try browser.wait("the field to have the keys") {
            try browser.run("return document.activeElement.id").string == "search-words"
        }
        try browser.type("quinc", into: "#search-words")
        try browser.wait(for: "garden", in: "kin-search .rows")
        let found = try browser.text("kin-search .rows")
        #expect(found.contains("<b>Grandma's</b>") && found.contains("Quince jam") && !found.contains("mine alone"))
        #expect(try browser.run("return document.querySelectorAll('kin-search mark').length").int == 2)
        #expect(try browser.run("return location.hash").string == "#search?q=quinc")
        if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
        // A hit leads to its thing, and the way back to what was found.
        try browser.click("kin-search a[href='#/posts/\(post)']")
        try browser.wait(for: "Quinces from", in: "kin-posts")
        try browser.run("history.back()")
        try browser.wait(for: "Quince jam", in: "kin-search .rows")
        try browser.type("submarine", into: "#search-words")
        try browser.wait(for: "Nothing that you see has these words", in: "kin-search")
        // The link, from another screen.
        try browser.click("[data-tab=home]")
        try browser.click("#to-search")
        try browser.wait(for: "What are you looking for?", in: "kin-search")
        // What was said leads to its whole text.
        let text = "The plumber comes at nine. " + String(repeating: "Please clear the cellar. ", count: 12)
        let told = try door.call("activity.say", ["text": .string(text + "Thanks!")])
        let said = try #require(told["saying"]?["id"]?.string)
        try browser.type("plumber", into: "#search-words")
        try browser.wait(for: "plumber comes", in: "kin-search .rows")
        try browser.click("kin-search a[href='#/inbox/\(said)']")
        try browser.wait(for: "Thanks!", in: "#inbox-one")
        if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
        try browser.click("#inbox-one a")
        try browser.wait("the text to be away") { try !browser.sees("#inbox-one") }
        #expect(try browser.log() == [])
    }
}
