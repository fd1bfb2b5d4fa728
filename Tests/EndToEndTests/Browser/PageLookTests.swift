import Glibc
import KinModel
import Testing

/// Every screen of the family's page in each of its looks: as wide as a phone and as a desk, light and dark, in both
/// languages. With `KINWIRE_SCREENSHOTS=DIR` pictures of all of them are written there, to be looked at.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageLookTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage)
        try house.found()
        for name in ["bob", "carol"] { try house.join(name) }
    }

    /// A screen: what its pictures are called, its address, and what is to be seen on it.
    private typealias Screen = (name: String, address: String, sign: String)

    /// Something on every screen, most of it said by Bob.
    private func live() throws -> [Screen] {
        let (ada, bob) = (try house.door(as: "ada"), try house.door(as: "bob"))
        let members = try ada.call("member.list", [:])["members"]?.array ?? []
        func id(_ username: String) throws -> JSON {
            try #require(members.first { $0["username"]?.string == username }?["id"])
        }
        _ = try ada.call("member.relate", ["member": try id("ada"), "partnerOf": try id("bob")])
        _ = try bob.call("sharing.set", ["state": "on"])
        _ = try bob.call(
            "position.report", ["lat": 45.281, "lon": 13.721, "accuracy": 30, "battery": 41, "at": .time(Instant.now)])
        _ = try ada.call("place.add", ["name": "School", "lat": 45.2805, "lon": 13.7205, "radius": 100])
        for (name, kind) in [("Beach", "hotspot"), ("Bakery", "note")] as [(JSON, JSON)] {
            _ = try ada.call("place.add", ["name": name, "kind": kind, "lat": 45.283, "lon": 13.7205])
        }
        let meeting = try bob.call(
            "meeting.propose",
            [
                "title": "Sunday dinner", "kind": "group", "zone": "Europe/Berlin", "place": "Nest",
                "slots": [
                    ["start": "2036-11-23T17:00:00Z", "end": "2036-11-23T19:00:00Z"],
                    ["start": "2036-11-24T17:00:00Z", "end": "2036-11-24T19:00:00Z"],
                ], "invitees": [try id("ada"), try id("carol")],
            ])["meeting"]?["id"]?.string
        let today = String(Instant.now.description.prefix(10))
        _ = try ada.call(
            "entry.add", ["subject": "Fair", "start": .string(today), "end": .string(today), "zone": "UTC"])
        let list = try ada.call("list.add", ["name": "Groceries", "audience": "everyone"])["list"]?["id"]?.string
        _ = try bob.call("activity.say", ["text": "Soup is ready"])
        _ = try bob.call("post.add", ["text": "The first snow"])
        let room = try bob.call("room.list", [:])["rooms"]?.array?.first { $0["room"]?["kind"] == "family" }
        let family = try #require(room?["room"]?["id"])
        _ = try bob.call("message.send", ["room": family, "text": "Who brings bread?"])
        _ = try ada.call("activity.announce", ["text": "Water is off on Monday"])
        return [
            ("home", "home", "kin-home kin-ballot"), ("chat", "chat", "#rooms a"),
            ("room", "chat/\(family.string ?? "")", "kin-chat .message"), ("map", "map", "kin-map .people li"),
            ("meetings", "meetings", "kin-meetings kin-ballot"),
            ("meeting", "meetings/\(meeting ?? "")", "kin-meeting .grid td"), ("calendar", "calendar", "kin-calendar"),
            ("lists", "lists", "kin-lists"), ("list", "lists/\(list ?? "")", "#add-item"),
            ("meals", "meals", "kin-meals .day"), ("posts", "posts", "kin-posts .post"),
            ("pictures", "pictures", "kin-gallery"), ("inbox", "inbox", "kin-inbox .row"),
            ("family", "family", "kin-family .tree"),
            ("member", "family/\(try id("bob").string ?? "")", "kin-family .card.person"),
            ("search", "search", "#search-words"),
        ]
    }

    @Test(arguments: ["en", "de"])
    func `each screen fits, keeps the rules of accessibility and breaks no policy, narrow and wide, light and dark`(
        language: String
    ) throws {
        let screens = try live()
        let browser = try Browser(stage, language: language)
        // What the Content-Security-Policy refused, whatever the log says of it.
        try browser.beforehand(
            """
            window.refused = []
            addEventListener("securitypolicyviolation", event => refused.push(`${event.violatedDirective} ${event.blockedURI}`))
            """)
        try browser.signIn(house, "ada")
        try browser.wait("the page to be live") { try browser.sees("#show-me") && !browser.sees("header .line") }
        for screen in screens {
            try browser.screen(width: 390, height: 844)
            try browser.run("location.hash = arguments[0]", .string("#/\(screen.address)"))
            try browser.wait("the screen \(screen.name)") { try browser.sees(screen.sign) }
            for (width, height, isDark) in [
                (390, 844, false), (390, 844, true), (1280, 800, true), (1280, 800, false),
            ] {
                let look = "\(screen.name)-\(width)-\(isDark ? "dark" : "light")-\(language)"
                try browser.screen(width: width, height: height, isDark: isDark)
                // The bar of screens is another on a desk, by the next frame.
                try browser.run(
                    "return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
                let wide = try browser.run("return document.documentElement.scrollWidth").int ?? .max
                #expect(wide <= Int64(width), "\(look)")
                // The other looks of a phone are judged by `PageTests`.
                let isJudged = (width == 390) == (isDark == (language == "en"))
                if isJudged, let axe = PageTests.axe { #expect(try browser.violations(axe) == [], "\(look)") }
                guard Browser.pictures != nil else { continue }
                // All of it is on the picture, however far down it goes.
                let tall = Int(try browser.run("return document.documentElement.scrollHeight").int ?? 0)
                try browser.screen(width: width, height: max(height, min(tall, 4000)), isDark: isDark)
                try browser.draw("look-\(look)")
            }
        }
        #expect(try browser.run("return window.refused") == .array([]))
        #expect(try browser.log() == [])
    }
}
