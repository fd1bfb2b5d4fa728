import Glibc
import KinCodec
import KinModel
import Testing

/// Where something in a calendar is, on the page: in words, and on the family's map. All is on 24 November 2036.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageCalendarPlaceTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: [])
    }

    private static let event = "td[data-day=\"2036-11-24\"] .event"

    /// Where the entry that is called so is, as the daemon has it.
    private func place(_ subject: String) throws -> JSON? {
        let all = try house.door(as: "ada").call("entry.all", [:])["entries"]?.array ?? []
        return try #require(all.first { $0["subject"]?.string == subject })["place"]
    }

    private func show(_ browser: Browser) throws {
        try browser.wait("it to stand there") { try browser.sees(Self.event) }
        try browser.click(Self.event)
        try browser.wait("all there is to it") { try browser.sees("dialog dl") }
    }

    private func link(_ browser: Browser) throws -> String? {
        try browser.run("return document.querySelector('dialog dl a')?.getAttribute('href')").string
    }

    /// Shows it until it is as it should be: the screen hears of a change a moment later.
    private func show(_ browser: Browser, _ what: String, until isSo: () throws -> Bool) throws {
        try browser.wait(what) {
            try show(browser)
            if try isSo() { return true }
            try browser.pressEscape()
            try browser.wait("the dialog to close") { try !browser.sees("dialog") }
            return false
        }
    }

    private func change(_ words: String, _ browser: Browser) throws {
        try browser.click("#entry-change")
        try browser.type(words, into: "#entry-form [name=place]")
        try browser.click("#entry-form button[type=submit]")
        try browser.wait("the form to close") { try !browser.sees("dialog") }
    }

    @Test func `a place of the map is chosen by its name, and leads there`() throws {
        let ada = try house.door(as: "ada")
        let pool = try #require(
            try ada.call("place.add", ["name": "Pool", "lat": 45.28, "lon": 13.72, "radius": 100])["place"]?["id"])
        let browser = try Browser(stage, width: 1280, height: 900)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=calendar]")
        try browser.click("[data-view=month]")
        _ = try browser.run("location.hash = '#/calendar/2036-11-24'")
        try browser.wait("the day") {
            try browser.run("return document.querySelector('kin-calendar').day").string == "2036-11-24"
        }
        try browser.click("#new-entry")
        try browser.type("Swim", into: "#entry-subject")
        try browser.type("Pool", into: "#entry-form [name=place]")
        try browser.click("#entry-form button[type=submit]")
        try show(browser)
        #expect(try place("Swim") == ["text": "Pool", "mapPlace": pool])
        #expect(try link(browser) == "#/map/45.28,13.72,Pool")
        // Elsewhere, of which the map knows nothing.
        try change("Lake", browser)
        #expect(try place("Swim") == ["text": "Lake"])
        try show(browser, "the other place") {
            try browser.text("dialog dl").contains("Lake") && link(browser) == nil
        }
        try browser.pressEscape()
        try browser.wait("the dialog to close") { try !browser.sees("dialog") }
        // A spot that a program said goes with its words.
        let entry = try #require(try ada.call("entry.all", [:])["entries"]?.array?.first?["id"])
        _ = try ada.call("entry.update", ["entry": entry, "lat": 45.5, "lon": 13.5])
        try show(browser, "the spot") { try link(browser) == "#/map/45.5,13.5,Lake" }
        try change("Pool", browser)
        #expect(try place("Swim") == ["text": "Pool", "mapPlace": pool])
        #expect(try browser.log() == [])
    }
}
