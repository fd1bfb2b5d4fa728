import KinCodec
import KinModel
import Testing

/// Recipes at addresses on the family's page, in Debian's Chromium against the real daemon and a server outside.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageRecipeTests {
    let news: NewsServer

    init() throws { news = try NewsServer() }

    private func begin(_ browser: Browser, _ who: String) throws {
        try browser.signIn(news.house, who)
        try browser.run("location.hash = '#/meals/dishes'")
        try browser.wait("the screen") { try browser.sees("#fetch-dish") }
        try browser.click("#fetch-dish")
    }

    @Test func `a recipe at an address is taken in once an admin allows it, and what cannot be read says why`() throws {
        let (ada, bob) = (try Browser(news.stage), try Browser(news.stage))
        try ada.screen(width: 320, height: 700, isDark: false)
        try begin(bob, "bob")
        try bob.wait(for: "An admin can allow it", in: "dialog")
        #expect(try !bob.sees("#dish-address") && !bob.sees("#dish-outside-allow"))
        try bob.pressEscape()
        try bob.wait("the dialog to close") { try !bob.sees("dialog") }
        try begin(ada, "ada")
        try ada.wait(for: "only once an admin allows it", in: "dialog")
        #expect(try !ada.sees("#dish-address"))
        if let axe = PageTests.axe { #expect(try ada.violations(axe) == []) }
        try ada.click("#dish-outside-allow")
        // A machine of the house is not asked; what was typed stays, and why not stands beside it.
        try ada.type(news.address("/recipe"), into: "#dish-address")
        try ada.click("dialog button[type=submit]")
        try ada.wait(for: "kin outside allow", in: "dialog")
        #expect(try ada.run("return document.querySelector('#dish-address').value").string == news.address("/recipe"))
        #expect(try news.asked().isEmpty)
        #expect(try ada.run("return document.documentElement.scrollWidth").int == 320)
        if let axe = PageTests.axe { #expect(try ada.violations(axe) == []) }
        try ada.draw("meals-recipe-outside")
        let door = try news.house.door(as: "ada")
        _ = try door.call("outside.allow", ["place": .string("127.0.0.1:\(news.port)")])
        try ada.click("dialog button[type=submit]")
        try ada.wait(for: "Leek soup", in: "dialog .rows")
        try ada.click("dialog .actions button")
        for browser in [ada, bob] { try browser.wait(for: "Leek soup", in: "#dishes") }
        // Nothing of the page came along: neither its script nor its markup.
        #expect(try !ada.text("#dishes").contains("<b>"))
        #expect(try ada.log() == [] && bob.log() == [])
    }
}
