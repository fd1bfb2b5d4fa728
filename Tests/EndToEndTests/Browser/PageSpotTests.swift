import KinModel
import Testing

/// A spot that is chosen for a chat on a small map, in Debian's Chromium against the real daemon.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageSpotTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, foundedNowWith: ["bob"])
    }

    private func place(_ name: String, lat: Double, lon: Double) throws -> String {
        let made = try house.door(as: "ada").call(
            "place.add", ["name": .string(name), "lat": .double(lat), "lon": .double(lon)])
        return try #require(made["place"]?["id"]?.string)
    }

    /// The dialog in which a spot is chosen, with its map; nothing where Leaflet is not installed.
    private func choosing(height: Int = 800, language: String = "en") throws -> Browser? {
        let browser = try Browser(stage, language: language)
        try browser.screen(width: 390, height: 800)
        try browser.signIn(house, "ada")
        guard try browser.run("return document.querySelector('meta[name=leaflet]').content").string != "" else {
            return nil
        }
        try browser.click("[data-tab=chat]")
        try browser.click("#rooms a")
        try browser.click("#attach")
        try browser.wait("the dialog") { try browser.sees("#chat-spot") }
        try browser.screen(width: 390, height: height)
        try browser.click("#chat-spot")
        try browser.wait("the marks") { try browser.sees("dialog .leaflet-container .pin > span") }
        return browser
    }

    private func value(_ selector: String, _ browser: Browser) throws -> String {
        try browser.run("return document.querySelector(arguments[0]).value", .string(selector)).string ?? ""
    }

    /// The degrees that the dialog would send.
    private func degrees(_ browser: Browser) throws -> (lat: Double, lon: Double) {
        let parts = try value("#spot-at", browser).split(separator: ", ").compactMap { Double($0) }
        try #require(parts.count == 2)
        return (parts[0], parts[1])
    }

    /// A tap beside the middle of a mark.
    private func tap(_ browser: Browser, _ mark: String, by way: (x: Double, y: Double)) throws {
        try browser.run("document.querySelector('.small-map').scrollIntoView({ block: 'center' })")
        let middle = try browser.middle(mark)
        try browser.drag(from: (middle.x + way.x, middle.y + way.y), by: (0, 0))
    }

    /// The mark of what is chosen lies in the middle of the map.
    private func isInTheMiddle(_ browser: Browser) throws -> Bool {
        guard try browser.sees(".small-map path.area") else { return false }
        let (mark, map) = (try browser.middle(".small-map path.area"), try browser.middle(".small-map"))
        return abs(mark.x - map.x) < 3 && abs(mark.y - map.y) < 3
    }

    @Test(arguments: [false, true])
    func `a tap after degrees were typed means what lies beneath it, by mouse and by finger`(isFinger: Bool) throws {
        let id = try place("Home", lat: 45.5483, lon: 13.7302)
        // So low that the dialog is scrolled, and a part of the map is out of sight.
        guard let browser = try choosing(height: 320) else { return }
        try browser.type("45.6, 13.8", into: "#spot-at")
        let pin = ".small-map .pin[data-place='\(id)']"
        try browser.run(
            """
            const top = one => document.querySelector(one).getBoundingClientRect().top
            document.querySelector("dialog").scrollTop += top(arguments[0]) - top("dialog") - 12
            """, .string(pin))
        let middle = try browser.middle(pin)
        let spot = (x: middle.x + 60, y: middle.y + 40)
        let isOnMap = try browser.run(
            "return !!document.elementFromPoint(arguments[0], arguments[1]).closest('.small-map')",
            .double(spot.x), .double(spot.y))
        try #require(isOnMap == true)
        #expect(try browser.run("return document.activeElement.id") == "spot-at")
        if isFinger {
            try browser.tell("Emulation.setTouchEmulationEnabled", ["enabled": true])
            try browser.touch("touchStart", spot)
            try browser.touch("touchEnd")
        } else {
            try browser.drag(from: spot, by: (0, 0))
        }
        try browser.wait("the degrees of the tap") { try value("#spot-at", browser) != "45.6, 13.8" }
        // At this zoom a pixel is 0.000086° of longitude, and 0.7 of that of latitude.
        let chosen = try degrees(browser)
        #expect(abs(chosen.lon - (13.7302 + 60 * 0.000_085_83)) < 0.000_2, "\(chosen)")
        #expect(abs(chosen.lat - (45.5483 - 40 * 0.000_060_1)) < 0.000_2, "\(chosen)")
        // Nothing moved, and the mark is where the tap was.
        let (after, mark) = (try browser.middle(pin), try browser.middle(".small-map path.area"))
        #expect(abs(after.x - middle.x) < 1 && abs(after.y - middle.y) < 1)
        #expect(abs(mark.x - spot.x) < 3 && abs(mark.y - spot.y) < 3)
        // What is typed is shown as soon as its field is left for anything but the map.
        try browser.type("45.6, 13.8", into: "#spot-at")
        try browser.click("#spot-name")
        try browser.wait("the typed spot in the middle") { try isInTheMiddle(browser) }
        #expect(try value("#spot-at", browser) == "45.6, 13.8")
        #expect(try browser.log() == [])
    }

    @Test func `a tap on a mark chooses its place with its name, and so does the list for keys`() throws {
        let pharmacy = try place("Pharmacy", lat: 45.5483, lon: 13.7302)
        let school = try place("School", lat: 45.5483, lon: 13.7382)
        guard let browser = try choosing() else { return }
        let pin = ".small-map .pin[data-place='\(pharmacy)']"
        // Not upon its very middle, as fingers do.
        try tap(browser, pin, by: (9, -8))
        try browser.wait("the spot of the place") { try value("#spot-at", browser) == "45.54830, 13.73020" }
        #expect(try value("#spot-name", browser) == "Pharmacy")
        #expect(try value("#spot-place", browser) == pharmacy)
        try browser.wait(for: "Pharmacy", in: "#spot-said")
        // The name goes with its place.
        try tap(browser, pin, by: (0, 60))
        try browser.wait("another spot") { try value("#spot-at", browser) != "45.54830, 13.73020" }
        #expect(try value("#spot-name", browser) == "")
        #expect(try value("#spot-place", browser) == "")
        // By keys, in the list.
        try browser.run(
            """
            const list = document.querySelector("#spot-place")
            list.value = arguments[0]
            list.dispatchEvent(new Event("change", { bubbles: true }))
            """, .string(school))
        try browser.wait("the list's place in the middle") { try isInTheMiddle(browser) }
        #expect(try value("#spot-at", browser) == "45.54830, 13.73820")
        #expect(try value("#spot-name", browser) == "School")
        if let axe = PageTests.axe {
            #expect(try browser.violations(axe) == [])
            try browser.draw("chat-spot-list")
            try browser.screen(width: 390, height: 800, isDark: true)
            #expect(try browser.violations(axe) == [])
            try browser.draw("chat-spot-list-dark")
        }
        // Other degrees are another place.
        try browser.type("45.6, 13.8", into: "#spot-at")
        #expect(try value("#spot-name", browser) == "")
        #expect(try value("#spot-place", browser) == "")
        // What one typed oneself stays.
        try browser.type("Lunch", into: "#spot-name")
        try browser.wait("the typed spot in the middle") { try isInTheMiddle(browser) }
        try browser.run(
            """
            const list = document.querySelector("#spot-place")
            list.value = arguments[0]
            list.dispatchEvent(new Event("change", { bubbles: true }))
            """, .string(pharmacy))
        try browser.wait("the list's place in the middle") { try isInTheMiddle(browser) }
        try tap(browser, pin, by: (-8, 8))
        #expect(try value("#spot-name", browser) == "Lunch")
        #expect(try value("#spot-at", browser) == "45.54830, 13.73020")
        try browser.click("dialog form button[type=submit]")
        try browser.wait(for: "Lunch", in: ".message .spot")
        #expect(try browser.log() == [])
    }

    @Test func `by keys Enter takes the middle of the small map, and who sends nothing reads what is missing`() throws {
        _ = try place("Home", lat: 45.5483, lon: 13.7302)
        guard let browser = try choosing() else { return }
        try browser.click("dialog form button[type=submit]")
        try browser.wait(for: "Tap the map, choose a place, or type degrees.", in: "dialog form > .wrong")
        try browser.run("document.querySelector('#spot-name').focus()")
        try browser.press("Tab", code: 9)
        try browser.wait("the map to have the focus") {
            try browser.run("return document.activeElement.classList.contains('small-map')") == true
        }
        let cross = try browser.run("return getComputedStyle(document.querySelector('.small-map'), '::before').content")
        #expect(cross != "none")
        try browser.press("Enter", code: 13)
        try browser.wait("the middle") { try value("#spot-at", browser) != "" }
        #expect(try abs(degrees(browser).lon - 13.7302) < 0.000_2 && abs(degrees(browser).lat - 45.5483) < 0.000_2)
        #expect(try isInTheMiddle(browser))
        #expect(try !browser.sees("dialog form > .wrong"))
        // The arrows move the map beneath the cross: eighty pixels at a time.
        try browser.press("ArrowRight", code: 39)
        try browser.wait("a spot farther east") {
            try browser.press("Enter", code: 13)
            return try degrees(browser).lon > 13.7302 + 79 * 0.000_085_83
        }
        // What the keys reach next is seen as well.
        try browser.press("Tab", code: 9)
        try browser.wait("the button") {
            try browser.run("return document.activeElement.matches('.small-map .leaflet-control-zoom-in')") == true
        }
        #expect(try browser.run("return getComputedStyle(document.activeElement).outlineStyle") == "solid")
        try browser.click("dialog form button[type=submit]")
        try browser.wait("the message") { try browser.sees(".message .spot") }
        #expect(try browser.log() == [])
    }

    @Test func `the small map speaks the reader's language, says where it lies, and is no list of pictures`() throws {
        _ = try place("Zuhause", lat: 45.5483, lon: 13.7302)
        guard let browser = try choosing(language: "de") else { return }
        let title = try browser.run("return document.querySelector('dialog .leaflet-control-zoom-in').title")
        #expect(title == "Näher heran")
        #expect(
            try browser.run("return getComputedStyle(document.querySelector('.small-map')).display") == "block")
        // Without a region beneath, towns around are named.
        for _ in 1...4 { try browser.click("dialog .leaflet-control-zoom-out") }
        let around: JSON = ["west": 13.7, "south": 45.5, "east": 13.8, "north": 45.6]
        let towns = try house.door(as: "ada").call("place.towns", around)["towns"]?.array ?? []
        if !towns.isEmpty { try browser.wait("towns") { try browser.sees("dialog .small-map .town") } }
        // Who goes by keys sees where they are.
        try browser.run("document.querySelector('#spot-name').focus()")
        try browser.press("Tab", code: 9)
        try browser.wait("the map to have the focus") {
            try browser.run("return document.activeElement.classList.contains('small-map')") == true
        }
        #expect(
            try browser.run("return getComputedStyle(document.querySelector('.small-map')).outlineStyle") == "solid")
        #expect(try browser.log() == [])
    }
}
