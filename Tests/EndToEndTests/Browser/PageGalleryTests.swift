import KinModel
import Testing

/// The gallery on the family's page, looked through, in Debian's Chromium against the real daemon.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageGalleryTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage)
        try house.found()
        try house.join("carol")
    }

    @Test func `pictures are looked through by who is in them, as soon as somebody is said to be in one`() throws {
        let browser = try Browser(stage)
        func isShown(_ expected: Int64) throws {
            try browser.wait("\(expected) to be shown") {
                try browser.run("return document.querySelectorAll('#pictures img').length").int == expected
            }
        }
        func choose(_ who: JSON) throws {
            try browser.run(
                """
                const choice = document.querySelector("#pictured")
                choice.value = arguments[0]
                choice.dispatchEvent(new Event("change"))
                """, who)
        }
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=pictures]")
        try browser.drop(pictures: 2, into: "kin-gallery")
        try isShown(2)
        #expect(try !browser.sees("#pictured"))
        let door = try house.door(as: "ada")
        let carol = JSON.id(try #require(try house.snapshot("carol").me))
        let first = JSON.id(try #require(try house.snapshot("ada").pictures.keys.min()))
        _ = try door.call("picture.update", ["picture": first, "people": [carol]])
        try browser.wait("the choice") { try browser.sees("#pictured") }
        if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
        try choose(carol)
        try isShown(1)
        // Whoever says not to be in it takes it out of sight there, and not out of the gallery.
        _ = try house.door(as: "carol").call("picture.leave", ["picture": first])
        try isShown(0)
        try choose("")
        try isShown(2)
        #expect(try browser.log() == [])
    }
}
