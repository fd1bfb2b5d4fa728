import KinModel
import Testing

/// The page for whoever has no mouse, no script, or a screen of another size.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageReachTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["bob"])
    }

    private func propose() throws -> JSON {
        let members = try house.door(as: "ada").call("member.list", [:])["members"]?.array ?? []
        let ada = try #require(members.first { $0["username"]?.string == "ada" }?["id"])
        let made = try house.door(as: "bob").call(
            "meeting.propose",
            [
                "title": "Sunday dinner", "kind": "group", "zone": "Europe/Berlin",
                "slots": [["start": "2036-11-23T17:00:00Z", "end": "2036-11-23T19:00:00Z"]], "invitees": [ada],
            ])
        return try #require(made["meeting"]?["id"])
    }

    /// A key with the text that it types, as a keyboard sends it.
    private func strike(_ key: String, _ code: Int64, text: String, _ browser: Browser) throws {
        for type in ["keyDown", "keyUp"] {
            var params: JSON.Object = [
                "type": .string(type), "key": .string(key), "code": .string(key), "windowsVirtualKeyCode": .int(code),
            ]
            if type == "keyDown" { params["text"] = .string(text) }
            try browser.tell("Input.dispatchKeyEvent", .object(params))
        }
    }

    @Test func `a vote is given by keys alone, and what has the focus is always in sight`() throws {
        let meeting = try propose()
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.wait(for: "Sunday dinner", in: "kin-ballot")
        try browser.run("document.activeElement.blur(); scrollTo(0, 0)")
        var hidden: [String] = []
        var isFound = false
        for _ in 1...60 {
            try browser.press("Tab", code: 9)
            let focus = try browser.run(
                """
                const one = document.activeElement, box = one.getBoundingClientRect()
                const seen = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
                const isInSight = box.width > 0 && box.bottom > 0 && box.top < innerHeight && !!seen && (one.contains(seen) || seen.contains(one))
                return [one.matches(".answer.yes"), isInSight, one.localName + "." + one.className]
                """)
            let parts = focus.array ?? []
            if parts.count == 3, parts[1] == false { hidden.append(parts[2].string ?? "") }
            if parts.first == true { isFound = true; break }
        }
        #expect(isFound)
        #expect(hidden == [])
        try strike("Enter", 13, text: "\r", browser)
        try browser.wait("the vote") {
            try house.door(as: "bob").call("meeting.show", ["meeting": meeting])["meeting"]?["tally"]?["voted"]?.int
                == 1
        }
        #expect(try browser.log() == [])
    }

    @Test func `what is read aloud comes in the order in which it stands there, and one heading leads`() throws {
        let meeting = try propose()
        let door = try house.door(as: "bob")
        _ = try door.call("sharing.set", ["state": "on"])
        _ = try door.call("position.report", ["lat": 45.28, "lon": 13.72, "accuracy": 8, "at": .time(Instant.now)])
        _ = try door.call("activity.say", ["text": "Soup is ready"])
        _ = try door.call("post.add", ["text": "The first snow"])
        _ = try door.call("list.add", ["name": "Groceries", "audience": "everyone"])
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        for (screen, sign) in [
            ("home", "kin-home kin-ballot"), ("map", "kin-map .people li"), ("meetings", "kin-meetings kin-ballot"),
            ("meetings/\(meeting.string ?? "")", "kin-meeting .grid td"), ("lists", "kin-lists h1"),
            ("posts", "kin-posts .post"), ("chat", "#rooms a"), ("inbox", "kin-inbox .row"),
            ("family", "kin-family .tree"), ("search", "#search-words"),
        ] {
            try browser.run("location.hash = arguments[0]", .string("#/\(screen)"))
            try browser.wait("the screen \(screen)") { try browser.sees(sign) }
            // Whatever stands wholly above what comes before it is read too late. A map has its list beside it.
            let late = try browser.run(
                """
                const boxes = [...document.querySelectorAll("main :is(h1, h2, h3, p, a, button, input, textarea, select)")]
                  .filter(one => one.checkVisibility() && !one.closest(".hidden, .map, [aria-hidden=true]"))
                  .map(one => ({ one, box: one.getBoundingClientRect() })).filter(({ box }) => box.width && box.height)
                return boxes.filter(({ box }, at) => at > 0 && box.bottom <= boxes[at - 1].box.top)
                  .map(({ one }) => `${one.localName}.${one.className}: ${one.textContent.slice(0, 40)}`)
                """)
            #expect(late == .array([]), "\(screen)")
            let headings =
                try browser.run(
                    "return [...document.querySelectorAll('main :is(h1, h2, h3)')].filter(one => one.checkVisibility()).map(one => one.localName)"
                ).array?.compactMap(\.string) ?? []
            #expect(headings.first == "h1" && headings.count { $0 == "h1" } == 1, "\(screen): \(headings)")
        }
    }

    /// What has the focus in the screen: whether there is any, whether no part of it is in sight, and what it is. It is noted.
    private static let focus = """
        const one = document.activeElement, isInside = !!one.closest("main") && one.localName !== "main"
        if (!isInside) return [false, false, ""]
        noted.add(one)
        if (one.closest(".map, .hidden") || one.matches(".hidden")) return [true, false, ""]
        const box = one.getBoundingClientRect(), [left, right, top, bottom] = [box.left + 2, box.right - 2, box.top + 2, box.bottom - 2]
        const middle = [(left + right) / 2, (top + bottom) / 2]
        // WCAG 2.4.11: not all of it is hidden by something else.
        const isSeen = [middle, [left, top], [right, top], [left, bottom], [right, bottom]].some(([x, y]) => {
          const seen = document.elementFromPoint(x, y)
          return !!seen && ![document.body, document.documentElement].includes(seen) && (one.contains(seen) || seen.contains(one))
        })
        return [true, !isSeen, `${one.localName}.${one.className}: ${one.textContent.slice(0, 40)}`]
        """

    @Test func `the keys reach all of a screen that one can press, keep it in sight, and lead out of it`() throws {
        let meeting = try propose()
        let door = try house.door(as: "bob")
        _ = try door.call("sharing.set", ["state": "on"])
        _ = try door.call("position.report", ["lat": 45.28, "lon": 13.72, "accuracy": 8, "at": .time(Instant.now)])
        _ = try door.call("activity.say", ["text": "Soup is ready"])
        _ = try door.call("post.add", ["text": "The first snow"])
        let list = try door.call("list.add", ["name": "Groceries", "audience": "everyone"])["list"]?["id"]?.string
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.wait("the page to be live") { try browser.sees("#show-me") && !browser.sees(".line") }
        for (screen, sign) in [
            ("map", "kin-map .people li"), ("meetings", "kin-meetings kin-ballot"),
            ("meetings/\(meeting.string ?? "")", "kin-meeting .grid td"), ("lists", "kin-lists h1"),
            ("lists/\(list ?? "")", "#add-item"), ("meals", "kin-meals .day"), ("posts", "kin-posts .post"),
            ("pictures", "kin-gallery h1"), ("chat", "#rooms a"), ("inbox", "kin-inbox .row"),
            ("family", "kin-family .tree"), ("search", "#search-words"), ("home", "kin-home kin-ballot"),
        ] {
            try browser.run("location.hash = arguments[0]", .string("#/\(screen)"))
            try browser.wait("the screen \(screen)") { try browser.sees(sign) }
            try browser.run("window.noted = new Set(); scrollTo(0, 0); document.querySelector('main').focus()")
            var hidden: [String] = []
            var isOut = false
            for _ in 1...300 {
                try browser.press("Tab", code: 9)
                let parts = try browser.run(Self.focus).array ?? []
                if parts.first == false { isOut = true; break }
                if parts.count == 3, parts[1] == true { hidden.append(parts[2].string ?? "") }
            }
            #expect(isOut, "\(screen) holds the focus")
            #expect(hidden == [], "\(screen)")
            let missed = try browser.run(
                """
                return [...document.querySelectorAll("main :is(a[href], button, input, textarea, select, summary)")]
                  .filter(one => one.checkVisibility() && one.tabIndex >= 0 && !one.disabled && one.type !== "radio" && !one.closest(".map") && !noted.has(one))
                  .map(one => `${one.localName}.${one.className}: ${one.textContent.slice(0, 40)}`)
                """)
            #expect(missed == .array([]), "\(screen)")
        }
        #expect(try browser.log() == [])
    }

    @Test func `what has the focus keeps it where its row goes to another place of the list`() throws {
        func report(_ username: String, lat: Double) throws {
            _ = try house.door(as: username).call(
                "position.report", ["lat": .double(lat), "lon": 13.72, "accuracy": 8, "at": .time(Instant.now)])
        }
        for username in ["ada", "bob"] {
            _ = try house.door(as: username).call("sharing.set", ["state": "on"])
            try report(username, lat: 45.28)
        }
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.run("location.hash = '#/map'")
        func rows() throws -> [String] {
            try browser.run(
                "return [...document.querySelectorAll('kin-map .people li a')].map(one => one.getAttribute('href'))"
            ).array?.compactMap(\.string) ?? []
        }
        try browser.wait("both") { try rows().count == 2 }
        // Bob was heard of last and stands first; Ada's row goes before his.
        let own = try #require(try rows().last)
        try browser.run("document.querySelector(`kin-map .people a[href='${arguments[0]}']`).focus()", .string(own))
        try report("ada", lat: 45.2801)
        try browser.wait("Ada's row to come first") { try rows().first == own }
        #expect(try browser.run("return document.activeElement.getAttribute('href')").string == own)
        #expect(try browser.log() == [])
    }

    @Test(arguments: [(320, 568), (768, 1024), (1280, 800), (3840, 2160)])
    func `from a small phone to a wall of a screen nothing is cut off, and lines stay short enough to read`(
        width: Int, height: Int
    ) throws {
        _ = try propose()
        _ = try house.door(as: "bob").call(
            "post.add", ["text": .string(String(repeating: "Soup is ready. ", count: 60))])
        let browser = try Browser(stage)
        try browser.screen(width: width, height: height)
        try browser.signIn(house, "ada")
        for screen in [
            "home", "map", "meetings", "calendar", "lists", "meals", "posts", "pictures", "chat", "inbox", "family",
        ] {
            try browser.run("location.hash = arguments[0]", .string("#/\(screen)"))
            let element = screen == "pictures" ? "kin-gallery" : "kin-\(screen)"
            try browser.wait("the screen \(screen)") { try browser.sees(element) }
            let wide = try browser.run("return document.documentElement.scrollWidth").int ?? .max
            #expect(wide <= Int64(width), "\(screen)")
            try browser.draw("\(screen)-\(width)")
        }
        try browser.run("location.hash = '#/posts'")
        try browser.wait(for: "Soup is ready.", in: ".post .words")
        // WCAG 1.4.8 would have 80 characters in a line; what is meant is that no line goes across a wall.
        let characters = try browser.run(
            """
            const words = document.querySelector(".post .words"), lines = words.getBoundingClientRect().height / parseFloat(getComputedStyle(words).lineHeight)
            return words.textContent.length / lines
            """)
        #expect(try #require(characters.double) < 160)
        #expect(try browser.log() == [])
    }

    @Test func `on a journey a time that is typed is meant in the zone of one's settings, as times are shown`() throws {
        _ = try house.door(as: "ada").call("settings.set", ["zone": "Europe/Berlin"])
        let browser = try Browser(stage)
        try browser.tell("Emulation.setTimezoneOverride", ["timezoneId": "Pacific/Auckland"])
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=meetings]")
        try browser.click("#propose")
        try browser.type("Sunday dinner", into: "#propose-title")
        try browser.run(
            """
            const time = document.querySelector("dialog input[type=datetime-local]")
            time.value = "2036-11-23T18:00"
            time.dispatchEvent(new Event("input", { bubbles: true }))
            """)
        try browser.click("dialog button[type=submit]")
        try browser.wait(for: "6:00 PM", in: "kin-meeting .slots")
        let slots = try house.snapshot("bob").meetings.values.first?.meeting.slots ?? []
        #expect(slots.map(\.start.description) == ["2036-11-23T17:00:00.000Z"], "an hour before, in winter")
        // How times of day are said is a setting, too, and shows at once.
        _ = try house.door(as: "ada").call("settings.set", ["clock": "hours24"])
        try browser.wait(for: "18:00–20:00", in: "kin-meeting .slots")
        #expect(try !browser.text("main").contains("PM"))
    }

    @Test func `without script the family's page leads to the forms that work without`() throws {
        let browser = try Browser(stage)
        try browser.tell("Emulation.setScriptExecutionDisabled", ["value": true])
        try browser.open(house.url + "/signin")
        try browser.type("ada", into: "input[name=username]")
        try browser.type(House.password, into: "input[name=password]")
        try browser.click("form button:not([type])")
        try browser.wait("the family's page") { try browser.sees("noscript p[lang=en]") }
        for path in ["/phone", "/sharing", "/household"] {
            try browser.open(house.url + "/")
            try browser.click("noscript p[lang=en] a[href='\(path)']")
            try browser.wait("the form") { try browser.url.hasSuffix(path) && browser.sees("h1") }
        }
        // What is done by a form there is done.
        func state() throws -> JSON? {
            try house.door(as: "ada").call("sharing.show", [:])["sharing"]?["state"]
        }
        #expect(try state() == "off")
        try browser.open(house.url + "/sharing")
        for (value, other) in [("on", "off"), ("off", "on")] {
            try browser.click("button[name=state][value=\(value)]")
            try browser.wait("the other button") { try browser.sees("button[name=state][value=\(other)]") }
            #expect(try state() == .string(value))
        }
    }

    @Test func `trust in the family's root is offered at the name it is for, and other addresses lead there first`()
        throws
    {
        let browser = try Browser(stage)
        // A browser that passed a warning has no workers.
        try browser.beforehand("delete Navigator.prototype.serviceWorker")
        try browser.signIn(house, "ada")
        let name = "document.querySelector('meta[name=canonical]').content"
        for (canonical, way) in [
            ("https://kin.example.org/", "https://kin.example.org/"), (house.url + "/", "/phone#trust"),
        ] {
            try browser.run("\(name) = arguments[0]", .string(canonical))
            try browser.run("location.hash = '#/family'")
            try browser.click("[data-open='family.this-browser']")
            try browser.wait("the grade") { try browser.sees("dialog [data-grade=warned]") }
            let found = try browser.run(
                "return [...document.querySelectorAll('dialog a.button')].map(one => one.getAttribute('href'))")
            #expect(found == [.string(way)])
            try browser.pressEscape()
            try browser.wait("the dialog to close") { try !browser.sees("dialog") }
        }
    }

    @Test func `the screen is kept on where one asks for that, and not longer`() throws {
        let browser = try Browser(stage)
        try browser.tell("Browser.grantPermissions", ["permissions": ["geolocation"]])
        try browser.stand(lat: 45.28, lon: 13.72)
        try browser.beforehand(
            """
            window.locks = 0
            Object.defineProperty(navigator, "wakeLock", { value: { request: async () => { locks += 1; return { release: async () => { locks -= 1 } } } } })
            """)
        try browser.signIn(house, "ada")
        try browser.wait("the page to be live") { try browser.sees("#show-me") && !browser.sees(".line") }
        try browser.click("#show-me")
        try browser.click("dialog button[type=submit]")
        try browser.wait("it to be offered") { try browser.sees("kin-report input[type=checkbox]") }
        #expect(try browser.run("return locks") == 0)
        try browser.click("kin-report input[type=checkbox]")
        try browser.wait("the screen to be kept on") { try browser.run("return locks") == 1 }
        try browser.click("kin-report input[type=checkbox]")
        try browser.wait("it to sleep as it is set") { try browser.run("return locks") == 0 }
    }

    @Test func `what has the focus keeps it while the card that reports the position says something else`() throws {
        let browser = try Browser(stage)
        try browser.tell("Browser.grantPermissions", ["permissions": ["geolocation"]])
        try browser.stand(lat: 45.28, lon: 13.72)
        try browser.beforehand(
            """
            window.locks = 0
            Object.defineProperty(navigator, "wakeLock", { value: { request: async () => { locks += 1; return { release: async () => { locks -= 1 } } } } })
            """)
        try browser.signIn(house, "ada")
        try browser.wait("the page to be live") { try browser.sees("#show-me") && !browser.sees(".line") }
        // What was pressed is there no more: what ends it has the focus.
        try browser.run("document.querySelector('#show-me').focus(); document.activeElement.click()")
        try browser.wait("the question") { try browser.sees("dialog button[type=submit]") }
        try browser.run("document.querySelector('dialog button[type=submit]').click()")
        try browser.wait("the position to be shown") {
            try browser.look("return import(folder + 'report.js').then(one => one.report.state)") == "on"
        }
        try browser.wait("the focus on what ends it") {
            try browser.run(
                "return document.activeElement.matches('kin-report > button') && !document.querySelector('#show-me')")
                == true
        }
        // What is there before and after stays the same, and keeps it.
        try browser.run(
            "window.box = document.querySelector('kin-report input[type=checkbox]'); box.focus(); box.click()")
        try browser.wait("the screen to be kept on") { try browser.run("return locks") == 1 }
        _ = try house.door(as: "ada").call("sharing.set", ["state": "off"])
        try browser.wait("the card to say so") {
            try browser.run("return document.querySelectorAll('kin-report > button').length") == 2
        }
        #expect(try browser.run("return document.activeElement === box && box.isConnected") == true)
        #expect(try browser.log() == [])
    }
}
