import Glibc
import KinCodec
import KinModel
import Testing

/// What strangers stumbled over when they used the page, in Debian's Chromium against the real daemon.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageUseTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["bob", "carol"])
    }

    private func id(_ username: String) throws -> JSON {
        let members = try house.door(as: "ada").call("member.list", [:])["members"]?.array ?? []
        return try #require(members.first { $0["username"]?.string == username }?["id"])
    }

    /// Bob proposes; the meeting's identifier.
    @discardableResult
    private func propose(_ title: String = "Sunday dinner") throws -> JSON {
        let result = try house.door(as: "bob").call(
            "meeting.propose",
            [
                "title": .string(title), "kind": "group", "zone": "Europe/Berlin",
                "slots": [
                    ["start": "2036-11-23T17:00:00Z", "end": "2036-11-23T19:00:00Z"],
                    ["start": "2036-11-24T17:00:00Z", "end": "2036-11-24T19:00:00Z"],
                ], "invitees": [try id("ada"), try id("carol")],
            ])
        return try #require(result["meeting"]?["id"])
    }

    @Test func `what one said oneself stands there whole, is corrected and taken back`() throws {
        let long = "The soup is ready. " + String(repeating: "Bring spoons. ", count: 12) + "Hurry!"
        let (ada, bob) = (try Browser(stage), try Browser(stage))
        try ada.signIn(house, "ada")
        try bob.signIn(house, "bob")
        try bob.type(long, into: "#say")
        try bob.click(".say button")
        try bob.wait(for: "You: \(long)", in: "kin-said")
        try ada.wait(for: long, in: "kin-said")
        try bob.click("kin-said .correct")
        try bob.run("document.querySelector('dialog textarea').value = 'The soup is cold.'")
        try bob.click("dialog button[type=submit]")
        try bob.wait(for: "You: The soup is cold.", in: "kin-said")
        try bob.wait(for: "corrected", in: "kin-said")
        try ada.wait(for: "Bob: The soup is cold.", in: "kin-said")
        try bob.click("kin-said .withdraw")
        try bob.wait("it to be gone here") { try !bob.text("kin-said").contains("soup") }
        // Leaving the page does at once what can still be undone.
        try bob.open(house.url + "/join")
        try ada.wait("it to be gone elsewhere") { try !ada.text("kin-said").contains("soup") }
        #expect(try ada.log() == [])
    }

    @Test func `what can still be undone is done as soon as nobody looks at the page, and no more undone`() throws {
        let (ada, bob) = (try Browser(stage), try Browser(stage))
        try ada.signIn(house, "ada")
        try bob.signIn(house, "bob")
        try bob.type("The soup is ready.", into: "#say")
        try bob.click(".say button")
        try bob.wait(for: "You: The soup is ready.", in: "kin-said")
        try ada.wait(for: "Bob: The soup is ready.", in: "kin-said")
        try bob.click("kin-said .withdraw")
        try bob.wait("a way back") { try bob.sees("#told button") }
        try bob.run(
            """
            Object.defineProperty(document, "hidden", { configurable: true, get: () => true })
            document.dispatchEvent(new Event("visibilitychange"))
            """)
        #expect(try !bob.sees("#told button"), "what is done has no way back")
        try ada.wait("it to be gone elsewhere") { try !ada.text("kin-said").contains("soup") }
        // It was answered, and waits no more.
        try bob.wait("nothing to wait") {
            try bob.run(
                """
                return (async () => {
                  const store = await import(document.querySelector("script[type=module]").src.replace("main.js", "store.js"))
                  return (await store.queued()).length
                })()
                """
            ).int == 0
        }
        #expect(try ada.log() == [] && bob.log() == [])
    }

    @Test func `with the largest text every screen of a small phone is as wide as the phone`() throws {
        try propose()
        _ = try house.door(as: "ada").call("settings.set", ["textSize": 30])
        let browser = try Browser(stage)
        try browser.screen(width: 390, height: 844)
        try browser.signIn(house, "ada")
        try browser.wait("the size") {
            try browser.run("return parseFloat(getComputedStyle(document.documentElement).fontSize) > 25").bool == true
        }
        for language in ["en", "de"] {
            _ = try house.door(as: "ada").call("settings.set", ["language": .string(language)])
            try browser.wait("the language") {
                try browser.run("return document.documentElement.lang").string == language
            }
            for screen in ["home", "map", "meetings", "calendar", "lists", "posts", "chat", "inbox", "family"] {
                try browser.click("[data-tab=\(screen)]")
                try browser.wait("the screen \(screen)") {
                    try browser.run("return document.querySelector('main').firstElementChild?.localName").string
                        == "kin-\(screen)"
                }
                let wide = try browser.run(
                    """
                    return [...document.querySelectorAll('main *, .tabs *')].filter(one => one.checkVisibility()
                      && !one.closest('.scroll, .map') && one.getBoundingClientRect().right > innerWidth + 1)
                      .map(one => one.localName + '.' + one.className)
                    """)
                #expect(wide == .array([]), "\(screen) \(language)")
            }
        }
    }

    @Test func `a setting is saved by itself, and the others stay as the browser has them`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=family]")
        try browser.click("[data-open='family.my-settings']")
        try browser.run(
            "const one = document.querySelector('[data-setting=theme]'); one.value = 'dark'; one.dispatchEvent(new Event('change'))"
        )
        try browser.click("dialog button[type=submit]")
        try browser.wait("the colours") {
            try browser.run("return document.documentElement.dataset.theme").string == "dark"
        }
        let settings = try house.door(as: "ada").call("settings.show", [:])["settings"]
        #expect(settings?["theme"]?.string == "dark")
        #expect(settings?["clock"] == nil, "times of day are said as the browser has them")
        #expect(settings?["language"] == nil && settings?["textSize"] == nil)
        // Twelve hours or twenty-four.
        try browser.click("[data-open='family.my-settings']")
        try browser.wait("the settings") { try browser.sees("[data-setting=clock]") }
        try browser.run("document.querySelector('[data-setting=clock]').value = 'hours24'")
        try browser.click("dialog button[type=submit]")
        try browser.wait("it to be saved") {
            try house.door(as: "ada").call("settings.show", [:])["settings"]?["clock"] == "hours24"
        }
        #expect(try browser.log() == [])
    }

    @Test func `a vote with several times stays until each has an answer, and what is agreed says when`() throws {
        let meeting = try propose()
        let ada = try Browser(stage)
        try ada.signIn(house, "ada")
        try ada.click("kin-ballot .slots li:first-child .answer.yes")
        try ada.wait(for: "1 of 2 voted", in: "kin-home kin-ballot")
        try ada.click("kin-ballot .slots li:last-child .answer.no")
        try ada.wait("the vote to be done with") { try !ada.sees("kin-home kin-ballot") }
        let bob = try house.door(as: "bob")
        let slots = try bob.call("meeting.show", ["meeting": meeting])["meeting"]?["slots"]?.array
        _ = try bob.call("meeting.confirm", ["meeting": meeting, "slot": try #require(slots?.first?["id"])])
        try ada.click("[data-tab=meetings]")
        try ada.wait(for: "It is on: ", in: "[data-part=coming]")
        try ada.wait(for: "2036", in: "[data-part=coming] .agreed")
        // What is cancelled while one looks at it says so.
        try ada.click("[data-part=coming] h3 a")
        try ada.wait(for: "I am coming", in: "kin-meeting")
        _ = try bob.call("meeting.cancel", ["meeting": meeting])
        try ada.wait(for: "cancelled", in: "kin-meeting .empty")
        #expect(try ada.log() == [])
    }

    @Test func `what is said while the daemon is away is seen to wait`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.wait("the line to be live") { try !browser.sees(".line") }
        house.kill()
        try browser.wait(for: "not reached", in: ".line")
        try browser.type("We are late", into: "#say")
        try browser.click(".say button")
        try browser.wait(for: "We are late", in: "kin-said")
        try browser.wait(for: "waits to be sent", in: "kin-said")
        try house.start()
        try browser.wait("it to be said") { try !browser.text("kin-said").contains("waits") }
        try browser.wait(for: "We are late", in: "kin-said")
    }

    @Test func `what is said in one browser is read in the other, and what was not sent is still in the box`() throws {
        let (ada, bob) = (try Browser(stage), try Browser(stage))
        try ada.signIn(house, "ada")
        try bob.signIn(house, "bob")
        try bob.type("Soup is ready", into: "#say")
        try bob.open(house.url + "/#/family")
        try bob.open(house.url + "/#/home")
        try bob.wait("what was typed") {
            try bob.run("return document.querySelector('#say')?.value").string == "Soup is ready"
        }
        try bob.click(".say button")
        try ada.wait(for: "Bob: Soup is ready", in: "kin-home")
        try bob.wait("the box to be empty") { try bob.run("return document.querySelector('#say').value").string == "" }
        #expect(try ada.log() == [])
        #expect(try bob.log() == [])
    }

    @Test func `names on the map do not lie over each other, however near people and places are`() throws {
        let ada = try house.door(as: "ada")
        for (name, lat) in [("School", 45.5481), ("Gym of the school", 45.5482), ("Bakery", 45.5483)] {
            _ = try ada.call("place.add", ["name": .string(name), "lat": .double(lat), "lon": 13.7302, "radius": 60])
        }
        for (name, lat) in [("ada", 45.5481), ("bob", 45.54811), ("carol", 45.5486)] {
            let door = try house.door(as: name)
            _ = try door.call("sharing.set", ["state": "on"])
            _ = try door.call(
                "position.report", ["lat": .double(lat), "lon": 13.7302, "accuracy": 8, "at": .time(Instant.now)])
        }
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=map]")
        try browser.wait("all dots") {
            try browser.run("return document.querySelectorAll('.dot').length").int == 3
        }
        let overlaps = """
            const seen = [...document.querySelectorAll('.dot .name, .pin > span, .town > span')].filter(one => one.checkVisibility({ visibilityProperty: true }))
            const boxes = seen.map(one => [one, one.getBoundingClientRect()]), found = []
            for (const [i, [one, a]] of boxes.entries()) for (const [other, b] of boxes.slice(i + 1))
              if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom) found.push(`${one.textContent} / ${other.textContent}`)
            return { found, shown: seen.length, covered: document.querySelectorAll('.covered').length }
            """
        try browser.wait("names that were laid apart") { (try browser.run(overlaps)["covered"]?.int ?? 0) > 0 }
        let seen = try browser.run(overlaps)
        #expect(seen["found"] == [], "\(seen.text)")
        #expect(seen["shown"]?.int ?? 0 >= 1)
        // Whoever has no room there stands in the list beside it.
        for name in ["Ada", "Bob", "Carol"] { #expect(try browser.text("kin-map .people").contains(name)) }
        // Whoever is looked for has the name.
        let bob = try #require(try id("bob").string)
        try browser.run("location.hash = arguments[0]", .string("#/map/\(bob)"))
        try browser.wait("Bob's name") {
            try browser.run(
                "return document.querySelector(`.dot[data-member='${arguments[0]}'] .name`)?.checkVisibility({ visibilityProperty: true })",
                .string(bob)) == true
        }
        #expect(try browser.run(overlaps)["found"] == [])
    }
}
