import Glibc
import KinModel
import Testing

/// What the map's screen shows where nobody added a map, and where its library is not installed.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageGroundTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage)
        try house.found()
        try house.join("bob")
        let ada = try house.door(as: "ada")
        _ = try ada.call("place.add", ["name": "School", "lat": 45.5481, "lon": 13.7302, "radius": 100])
        for name in ["ada", "bob"] {
            let door = try house.door(as: name)
            _ = try door.call("sharing.set", ["state": "on"])
            _ = try door.call(
                "position.report", ["lat": 45.5485, "lon": 13.731, "accuracy": 8, "at": .time(Instant.now)])
        }
    }

    @Test func `with no map beneath there are towns, own places, a grid and a scale, from near and from far`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        guard try browser.run("return document.querySelector('meta[name=leaflet]').content").string != "" else {
            return
        }
        try browser.click("[data-tab=map]")
        try browser.wait("the map") { try browser.sees("kin-map .leaflet-container") && browser.sees(".pin.place") }
        #expect(try browser.text("kin-map").contains("No streets yet"))
        for zoom in [3, 6, 9, 13, 17] {
            try browser.run(
                "document.querySelector('kin-map').map.setView([45.5481, 13.7302], arguments[0], { animate: false })",
                .int(Int64(zoom)))
            // Lines of degrees cross what one sees, and how far it is stands beside them.
            try browser.wait("the grid at zoom \(zoom)") {
                try browser.run(
                    """
                    const box = document.querySelector("kin-map .map").getBoundingClientRect()
                    const crosses = one => { const own = one.getBoundingClientRect(); return own.left < box.right && own.right > box.left && own.top < box.bottom && own.bottom > box.top }
                    const lines = [...document.querySelectorAll("kin-map .graticule")].filter(crosses)
                    return lines.length >= 2 && /\\d (m|km)$/.test(document.querySelector("kin-map .leaflet-control-scale-line").textContent)
                    """
                ).bool == true
            }
        }
        let door = try house.door(as: "ada")
        let around: JSON = ["west": 12, "south": 44, "east": 15, "north": 47]
        guard try door.call("place.towns", around)["towns"]?.array?.isEmpty == false else { return }
        try browser.run(
            "document.querySelector('kin-map').map.setView([45.5481, 13.7302], 9, { animate: false })")
        // Where names would lie over each other, some are left out.
        try browser.wait("a town by its name") {
            try browser.run(
                "return [...document.querySelectorAll('kin-map .town span')].some(one => one.textContent && one.checkVisibility({ visibilityProperty: true }))"
            ).bool == true
        }
        let log = try browser.log()
        #expect(log == [], "\(log)")
    }

    @Test func `without the map's library the list says the same, and what one does there can be done`() throws {
        let browser = try Browser(stage, width: 320, height: 640)
        // As the shell is where Debian's package is not installed.
        try browser.beforehand(
            """
            new MutationObserver(() => { const one = document.querySelector("meta[name=leaflet]"); if (one?.content) one.content = "" })
              .observe(document, { childList: true, subtree: true })
            """)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=map]")
        try browser.wait(for: "Bob", in: "kin-map .people")
        #expect(try !browser.sees("kin-map .map"))
        #expect(try browser.text("kin-map").contains("libjs-leaflet"))
        #expect(try browser.sees("kin-own-sharing #unshare-me"))
        let members = try house.door(as: "ada").call("member.list", [:])["members"]?.array ?? []
        let bob = try #require(members.first { $0["username"]?.string == "bob" }?["id"]?.string)
        try browser.click("kin-map .people a[href='#/map/\(bob)']")
        try browser.wait(for: "Where are you?", in: "kin-map > .opened .actions")
        if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
        // A place is put where one is oneself.
        try browser.click("#add-place")
        try browser.type("Bakery", into: "#place-name")
        try browser.click("dialog button[type=submit]")
        try browser.wait(for: "Bakery", in: "kin-map .rows:not(.people)")
        let places = try house.door(as: "bob").call("place.list", [:])["places"]?.array ?? []
        let bakery = try #require(places.first { $0["name"]?.string == "Bakery" })
        #expect(bakery["lat"]?.double == 45.5485 && bakery["lon"]?.double == 13.731)
        #expect(try browser.run("return document.documentElement.scrollWidth").int == 320)
        #expect(try browser.log() == [])
    }
}
