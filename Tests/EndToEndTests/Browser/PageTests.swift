import Glibc
import KinCodec
import KinModel
import Testing

/// The family's page in Debian's Chromium, against the real daemon. Left out where Chromium cannot be installed.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, foundedNowWith: ["bob", "carol"])
    }

    private func id(_ username: String) throws -> JSON {
        let members = try house.door(as: "ada").call("member.list", [:])["members"]?.array ?? []
        return try #require(members.first { $0["username"]?.string == username }?["id"])
    }

    /// Shows the family where somebody is.
    private func report(
        _ username: String, lat: Double, lon: Double, isFirst: Bool = false, secondsAgo: Int64 = 0
    ) throws {
        let door = try house.door(as: username)
        if isFirst { _ = try door.call("sharing.set", ["state": "on"]) }
        _ = try door.call(
            "position.report",
            [
                "lat": .double(lat), "lon": .double(lon), "accuracy": 8,
                "at": .time(Instant.now.adding(seconds: -secondsAgo)),
            ])
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

    @Test func `signing in leads to the family at a glance, and it is live`() throws {
        try report("bob", lat: 45.28, lon: 13.72, isFirst: true, secondsAgo: 1200)
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        #expect(try browser.url == house.url + "/")
        try browser.wait(for: "Bob", in: ".people")
        try propose()
        try browser.wait(for: "Sunday dinner", in: "kin-ballot")
        _ = try house.door(as: "ada").call(
            "place.add", ["name": "School", "lat": 45.2805, "lon": 13.7205, "radius": 100])
        try browser.wait(for: "at School", in: ".people")
        try report("bob", lat: 45.3, lon: 13.72)
        try browser.wait(for: "north of School", in: ".people")
        #expect(try browser.log() == [])
    }

    @Test func `a vote in one browser is seen in the other, and a refusal takes back what was shown`() throws {
        let id = try propose().string ?? ""
        let (ada, carol) = (try Browser(stage), try Browser(stage))
        try ada.signIn(house, "ada")
        try carol.signIn(house, "carol")
        try ada.wait(for: "0 of 2 voted", in: "kin-ballot")
        try carol.click("kin-ballot .slots li:first-child .answer.yes")
        try carol.click("kin-ballot .slots li:last-child .answer.no")
        try carol.wait("the vote to be pressed") {
            // Voted on, it is no open vote of Carol's any more.
            try !carol.sees("kin-home kin-ballot")
        }
        try ada.wait(for: "1 of 2 voted", in: "kin-ballot")
        try ada.wait(for: "1 yes", in: "kin-ballot .slots li:first-child")
        // The grid shows who, too.
        try ada.click("kin-ballot h3 a")
        try ada.wait(for: "Carol", in: ".grid")
        try ada.wait("Carol's yes in the grid") {
            try ada.run("return document.querySelectorAll('.grid td.yes').length").int == 1
        }
        // The daemon refuses what Ada presses: it does not stay, and she reads why.
        try ada.run(
            """
            const send = WebSocket.prototype.send
            WebSocket.prototype.send = function (text) {
              if (window.isTrue || !text.includes('"meeting.vote"')) return send.call(this, text)
              window.pressed = document.querySelectorAll(".answer[aria-pressed=true]").length
              return send.call(this, text.replace('"answer":"yes"', '"answer":"perhaps"'))
            }
            """)
        let yes = "kin-home kin-ballot .slots li:first-child .answer.yes"
        try ada.click("[data-tab=home]")
        try ada.click(yes)
        try ada.wait("why not") { try ada.sees("#told .wrong") }
        #expect(try ada.run("return window.pressed") == 1, "it was shown at once")
        #expect(try ada.run("return document.querySelectorAll('.answer[aria-pressed=true]').length") == 0)
        #expect(try ada.text("kin-home kin-ballot").contains("1 of 2 voted"))
        try ada.run("window.isTrue = true")
        try ada.click(yes)
        try ada.run("location.hash = '#/meetings/\(id)'")
        try ada.wait("her yes beside Carol's") {
            try ada.run("return document.querySelectorAll('.grid td.yes').length").int == 2
        }
        try carol.click("[data-tab=meetings]")
        try carol.wait(for: "Sunday dinner", in: "kin-meetings")
        #expect(try ada.log() == [])
        #expect(try carol.log() == [])
    }

    @Test func `somebody shows where they are from the page, and the dot moves on another's`() throws {
        let (bob, ada) = (try Browser(stage), try Browser(stage))
        try ada.signIn(house, "ada")
        try bob.tell("Browser.grantPermissions", ["permissions": ["geolocation"]])
        try bob.stand(lat: 45.28, lon: 13.72)
        try bob.signIn(house, "bob")
        try bob.click("#show-me")
        // Widening asks, and says who will see what.
        try bob.wait(for: "Ada and Carol", in: "dialog")
        try bob.click("dialog button[type=submit]")
        try bob.wait(for: "Bob (you)", in: ".people")
        try ada.wait(for: "Bob", in: ".people")
        try ada.click("[data-tab=map]")
        try ada.wait("Bob's dot") { try ada.sees(".dot") }
        let before = try ada.run(
            "return document.querySelector('.dot').closest('.leaflet-marker-icon').style.transform")
        // As far as somebody gets in a moment: what jumps is not believed.
        try bob.stand(lat: 45.2804, lon: 13.72)
        try ada.wait("Bob's dot to move") {
            try ada.run("return document.querySelector('.dot')?.closest('.leaflet-marker-icon').style.transform")
                != before
        }
        #expect(try ada.log() == [])
        #expect(try bob.log() == [])
    }

    @Test func `a daemon that is killed and comes back is followed on, and what was done meanwhile is sent once`()
        throws
    {
        try propose()
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.wait(for: "0 of 2 voted", in: "kin-ballot")
        try browser.run("window.isTheSamePage = true")
        house.kill()
        try browser.wait(for: "not reached", in: ".line")
        try browser.click("kin-ballot .slots li:first-child .answer.yes")
        try browser.wait(for: "1 thing you did waits", in: ".line")
        #expect(try browser.text("kin-ballot .answer[aria-pressed=true]") == "yes")
        try house.start()
        try browser.wait("the line to be live") { try !browser.sees(".line") }
        try browser.wait(for: "1 of 2 voted", in: "kin-home kin-ballot")
        #expect(try browser.run("return window.isTheSamePage").bool == true, "it was not loaded anew")
        let meeting = try #require(try house.snapshot("ada").meetings.values.first)
        #expect(meeting.own.votes.count == 1)
        // What happens then is heard of.
        try propose("Breakfast")
        try browser.wait(for: "Breakfast", in: "kin-home")
    }

    @Test func `without the daemon the page opens with what was seen last, and says how old that is`() throws {
        let school: JSON = ["name": "School", "lat": 45.28, "lon": 13.72, "radius": 200]
        _ = try house.door(as: "ada").call("place.add", school)
        try report("bob", lat: 45.28, lon: 13.72, isFirst: true)
        try propose()
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.wait(for: "Sunday dinner", in: "kin-ballot")
        try browser.wait(for: "at School", in: ".people")
        // The worker holds the files once it controls the page; what is held is written when the page is left.
        try browser.wait("the service worker") {
            try browser.run("return !!navigator.serviceWorker.controller").bool == true
        }
        try browser.open(house.url + "/")
        try browser.wait(for: "Sunday dinner", in: "kin-ballot")
        house.kill()
        try browser.open(house.url + "/")
        try browser.wait(for: "Sunday dinner", in: "kin-ballot")
        try browser.wait(for: "What you see is as of", in: ".line")
        // By name, as the daemon judged it: the place is no guess of the browser's.
        #expect(try browser.text(".people").contains("Bob"))
        #expect(try browser.text(".people").contains("at School"))
    }

    /// How much the browser keeps in its databases, its caches and its two stores of texts.
    private static func left(_ browser: Browser) throws -> JSON {
        try browser.run(
            """
            return (async () => {
              const found = []
              for (const { name } of await indexedDB.databases()) {
                const database = await new Promise((done, fail) => {
                  const asked = indexedDB.open(name)
                  asked.onsuccess = () => done(asked.result)
                  asked.onerror = () => fail(asked.error)
                })
                for (const store of database.objectStoreNames) {
                  found.push(...await new Promise(done => {
                    const asked = database.transaction(store).objectStore(store).getAll()
                    asked.onsuccess = () => done(asked.result)
                  }))
                }
              }
              return [found.length, (await caches.keys()).length, localStorage.length, sessionStorage.length]
            })()
            """)
    }

    @Test func `a session that is revoked leaves nothing in the browser and leads to the sign-in`() throws {
        try propose()
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.wait(for: "Sunday dinner", in: "kin-ballot")
        let door = try house.door(as: "ada")
        for session in try door.call("session.list", [:])["sessions"]?.array ?? [] {
            _ = try door.call("session.revoke", ["session": session["id"] ?? .null])
        }
        try browser.wait("the sign-in") { try browser.url.contains("/signin") }
        try browser.wait(for: "This browser is not signed in any more")
        #expect(try Self.left(browser) == [0, 0, 0, 0])
    }

    @Test func `signing out leaves nothing, and the next member sees nothing of the one before`() throws {
        try propose()
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.wait(for: "Sunday dinner", in: "kin-ballot")
        // The daemon's other pages know the member's settings by cookies.
        _ = try house.door(as: "ada").call(
            "settings.set", ["language": "de", "clock": "hours12", "zone": "Asia/Kathmandu"])
        try browser.wait("the settings to be told") {
            let cookies = try browser.run("return document.cookie").string ?? ""
            return ["language=de", "clock=hours12", "zone=Asia"].allSatisfy { cookies.contains("kinwire-\($0)") }
        }
        try browser.type("half a sentence", into: "#say")
        try browser.click("[data-tab=family]")
        try browser.click("#sign-out")
        try browser.wait("the sign-in") { try browser.url.hasSuffix("/signin") }
        #expect(try browser.run("return document.cookie") == "")
        #expect(try browser.run("return document.documentElement.lang") == "en", "as the browser asks for it")
        #expect(try browser.run("return localStorage.length + sessionStorage.length").int == 0)
        #expect(try Self.left(browser) == [0, 0, 0, 0])
        try browser.open(house.url + "/")
        try browser.wait("the sign-in") { try browser.url.hasSuffix("/signin") }
        try browser.signIn(house, "bob")
        try browser.wait("the page to be live") { try !browser.sees(".line") }
        #expect(try browser.run("return document.querySelector('#say').value").string == "")
        #expect(try !browser.sees("kin-home kin-ballot"), "Bob hosts it and has no vote")
    }

    @Test func `who sees about a kilometre never holds a finer number`() throws {
        let exact = (lat: 45.281_234, lon: 13.723_456)
        let bob = try house.door(as: "bob")
        _ = try bob.call(
            "sharing.set", ["state": "on", "rules": [["viewer": "everyone", "precision": "coarse"]]])
        _ = try bob.call(
            "position.report",
            ["lat": .double(exact.lat), "lon": .double(exact.lon), "accuracy": 5, "at": .time(Instant.now)])
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=map]")
        try browser.wait("the cell") { try browser.sees(".cell") }
        #expect(try !browser.sees(".dot"), "no dot is guessed")
        try browser.run("dispatchEvent(new Event('pagehide'))")
        let all = try browser.run(
            """
            return (async () => {
              const { state } = await import(document.querySelector("script[type=module]").src.replace("main.js", "state.js"))
              const database = await new Promise(done => {
                const asked = indexedDB.open("kinwire")
                asked.onsuccess = () => done(asked.result)
              })
              const held = await new Promise(done => {
                const asked = database.transaction("held").objectStore("held").getAll()
                asked.onsuccess = () => done(asked.result)
              })
              return JSON.stringify([state, held, document.documentElement.outerHTML])
            })()
            """)
        let text = try #require(all.string)
        #expect(text.contains("coarse"))
        #expect(!text.contains("45.2812") && !text.contains("13.7234"))
    }

    @Test func `names and texts are text, whatever they are`() throws {
        let wild = "<img src=x onerror=\"document.title='owned'\">"
        let marks = "e" + String(repeating: "\u{301}", count: 8)
        try report("bob", lat: 45.28, lon: 13.72, isFirst: true)
        _ = try house.door(as: "bob").call("member.update", ["member": try id("bob"), "displayName": .string(wild)])
        _ = try house.door(as: "carol").call(
            "member.update", ["member": try id("carol"), "displayName": .string(marks)])
        try propose("<script>document.title='owned'</script>")
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.wait(for: "<img src=x", in: ".people")
        try browser.wait(for: "<script>", in: "kin-ballot")
        for tab in ["map", "meetings", "calendar", "lists", "posts", "chat", "inbox", "family"] {
            try browser.click("[data-tab=\(tab)]")
            try browser.wait("the screen \(tab)") { try browser.sees("kin-\(tab)") }
            #expect(try browser.run("return document.querySelectorAll('img[src=x], main script').length").int == 0)
        }
        try browser.wait(for: wild, in: "kin-family")
        #expect(try !(browser.run("return document.title").string ?? "").contains("owned"))
        #expect(try browser.log() == [])
    }

    @Test func `where WebSocket is refused, events and commands go over HTTP`() throws {
        try propose()
        let browser = try Browser(stage)
        try browser.tell(
            "Page.addScriptToEvaluateOnNewDocument",
            [
                "source": """
                window.WebSocket = class { constructor() { setTimeout(() => this.onclose?.({})) } close() {} }
                """
            ])
        try browser.signIn(house, "ada")
        try browser.wait(for: "0 of 2 voted", in: "kin-ballot")
        try browser.click("kin-ballot .slots li:first-child .answer.yes")
        try browser.wait(for: "1 of 2 voted", in: "kin-home kin-ballot")
        try propose("Breakfast")
        try browser.wait(for: "Breakfast", in: "kin-home")
        #expect(try house.snapshot("ada").meetings.values.flatMap(\.own.votes).count == 1)
    }

    @Test func `a meeting is proposed from the page, and what was typed outlives a mistake`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=meetings]")
        try browser.click("#propose")
        try browser.type("Walk to the sea", into: "#propose-title")
        try browser.pressEscape()
        try browser.wait("the form to close") { try !browser.sees("dialog") }
        try browser.click("#propose")
        try browser.wait("the form") { try browser.sees("#propose-title") }
        #expect(try browser.run("return document.querySelector('#propose-title').value").string == "Walk to the sea")
        try browser.click("dialog button[type=submit]")
        try browser.wait(for: "Walk to the sea", in: "kin-meeting")
        let meeting = try #require(try house.snapshot("bob").meetings.values.first?.meeting)
        #expect(meeting.title == "Walk to the sea")
    }

    @Test func `an entry of the inbox that is done with can be had back, and is gone everywhere else`() throws {
        try propose()
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=inbox]")
        try browser.wait(for: "Sunday dinner", in: "kin-inbox")
        let before = try house.snapshot("ada").inbox.unread
        try browser.click("kin-inbox .row button")
        try browser.click("#told button")
        try browser.wait(for: "Sunday dinner", in: "kin-inbox")
        #expect(try house.snapshot("ada").inbox.unread == before, "it was undone before it was sent")
        try browser.click("#read-all")
        try browser.wait(for: "You have read everything", in: "kin-inbox")
        #expect(try house.snapshot("ada").inbox.unread == 0)
    }

    @Test func `an invitation is a link, and a code that holds it`() throws {
        let browser = try Browser(stage)
        try browser.lendShare()
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=family]")
        try browser.click("#invite")
        try browser.click("dialog button[type=submit]")
        try browser.wait(for: "/join/", in: "dialog .link")
        let link = try browser.text("dialog .link")
        try browser.wait(for: "this machine only", in: "dialog")
        // Nobody else's camera could follow it.
        #expect(try !browser.sees("dialog .qr"))
        // It is handed to the phone's own way of sending, where there is one.
        try browser.click("dialog [data-do=share]")
        #expect(try browser.run("return window.sent.url").string == link)
        #expect(link.hasPrefix(house.url + "/join/"))
        #expect(try browser.log() == [])
    }

    /// The rules of accessibility (WCAG 2.2, A and AA), where `deploy/test` could install them.
    static let axe: String? = {
        let found = Program(
            ["sh", "-c", "cat \(Stage.root)/.build/python/lib/python3*/site-packages/axe_core_python/axe.min.js"],
            environment: ["PATH": "/usr/bin:/bin"])
        let status = found.waited()
        return status == 0 ? found.lines.joined(separator: "\n") + "\n" + found.unended : nil
    }()

    @Test(.enabled(if: Self.axe != nil, "PyPI's axe-core-python is not installed"))
    func `every screen keeps the rules of accessibility, light and dark, in both languages`() throws {
        let axe = try #require(Self.axe)
        try report("bob", lat: 45.28, lon: 13.72, isFirst: true)
        try propose()
        _ = try house.door(as: "bob").call("activity.say", ["text": "Soup is ready"])
        for (language, isDark) in [("en", false), ("de", true)] {
            let browser = try Browser(stage, language: language)
            try browser.screen(width: 390, height: 844, isDark: isDark)
            func judge(_ screen: String) throws {
                #expect(try browser.violations(axe) == [], "\(screen), \(language)")
            }
            try browser.signIn(house, "ada")
            try browser.wait(for: "Sunday dinner", in: "kin-ballot")
            try judge("home")
            for tab in ["map", "meetings", "calendar", "lists", "posts", "chat", "inbox", "family"] {
                try browser.click("[data-tab=\(tab)]")
                try browser.wait("the screen \(tab)") { try browser.sees("kin-\(tab)") }
                if tab == "map" { try browser.wait("the dot") { try browser.sees(".dot") } }
                try judge(tab)
            }
            for dialog in ["my-settings", "my-picture", "my-name", "password", "sessions", "contacts"] {
                try browser.click("[data-open='family.\(dialog)']")
                try browser.wait("the dialog") { try browser.sees("dialog h2") }
                try judge(dialog)
                try browser.pressEscape()
                try browser.wait("the dialog to close") { try !browser.sees("dialog") }
            }
            try browser.click("[data-tab=meetings]")
            try browser.click("kin-ballot h3 a")
            try browser.wait(for: "Carol", in: ".grid")
            try judge("one meeting")
            try browser.click("[data-tab=meetings]")
            try browser.click("#propose")
            try browser.wait("the form") { try browser.sees("#propose-title") }
            try judge("propose")
            #expect(try browser.run("return document.documentElement.scrollWidth").int == 390, "nothing overflows")
        }
    }

    @Test func `language, colours and size follow the member's settings at once`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.wait(for: "Meetings", in: ".tabs")
        _ = try house.door(as: "ada").call("settings.set", ["language": "de", "theme": "dark", "textSize": 24])
        try browser.wait(for: "Treffen", in: ".tabs")
        try browser.wait("the colours") {
            try browser.run("return document.documentElement.dataset.theme").string == "dark"
        }
        #expect(try browser.run("return document.documentElement.lang").string == "de")
        #expect(
            try browser.run("return parseFloat(getComputedStyle(document.documentElement).fontSize) > 20").bool == true)
    }

    @Test(arguments: [("en", 1280, false), ("de", 320, true)])
    func `a newcomer reads what to do first, one step after the other, and nothing once it is done`(
        language: String, width: Int, isDark: Bool
    ) throws {
        let browser = try Browser(stage, language: language)
        try browser.screen(width: width, height: 844, isDark: isDark)
        try browser.signIn(house, "bob")
        let (show, ask) =
            language == "de" ? ("Fang bei dir an", "Bitte die anderen") : ("Begin with yourself", "Ask the others")
        try browser.wait(for: show, in: "kin-home .empty")
        try browser.draw("home-first-\(language)")
        _ = try house.door(as: "bob").call("sharing.set", ["state": "on"])
        try browser.wait(for: ask, in: "kin-home .empty")
        try browser.draw("home-then-\(language)")
        try report("ada", lat: 52.5, lon: 13.4, isFirst: true)
        try browser.wait("it to go") {
            try browser.run(
                "return [...document.querySelectorAll('kin-home .empty')].every(one => one.hidden || !arguments[0].some(text => one.textContent.includes(text)))",
                [.string(show), .string(ask)]
            ).bool == true
        }
    }
}
