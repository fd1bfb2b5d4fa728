import Glibc
import KinCodec
import KinModel
import Testing

/// The daemon's own pages beside the family's, in Debian's Chromium against the real daemon: each at 320 and 390 px and on
/// a desk, light and dark, in both languages. With `KINWIRE_SCREENSHOTS=DIR` pictures of them are written there, to be
/// looked at.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PagesTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage)
    }

    /// Ada with her household, Bob beside her, Kit her child, a place, and Bob where it is.
    private func family() throws {
        try house.found()
        try house.join("bob")
        let ada = try house.door(as: "ada")
        let code = try ada.call("invite.create", ["kind": "child"])["code"] ?? .null
        _ = try house.door().call(
            "member.join",
            [
                "code": code, "username": "kit", "password": .string(House.password), "displayName": "Kit",
                "asChild": true,
            ])
        let here: JSON = ["name": "School", "lat": 45.5481, "lon": 13.7302, "radius": 100]
        _ = try ada.call("place.add", here)
        _ = try ada.call("sharing.set", ["state": "on"])
        for _ in 0..<3 {
            _ = try ada.call(
                "position.report", ["lat": 45.5481, "lon": 13.7302, "accuracy": 8, "at": .time(Instant.now)])
        }
    }

    /// A guest's link with a name and a place; its path.
    private func guestLink(_ precision: JSON = "exact") throws -> (id: JSON, path: String) {
        let ada = try house.door(as: "ada")
        let place = try ada.call("place.list", [:])["places"]?.array?.first?["id"] ?? .null
        let made = try ada.call(
            "guestLink.create",
            [
                "precision": precision, "until": .time(Instant.now.adding(seconds: 7200)), "name": "Mum",
                "places": [place],
            ])
        return (try #require(made["guestLink"]?["id"]), "/where/\(try #require(made["secret"]?.string))")
    }

    /// Looks at the page that is open, at every width and in both schemes: nothing overflows, and the rules of
    /// accessibility are kept.
    private func judge(_ browser: Browser, _ name: String, _ language: String, isQuiet: Bool = true) throws {
        for (width, height, isDark) in [
            (320, 640, false), (390, 844, false), (390, 844, true), (1280, 800, false), (1280, 800, true),
        ] {
            try browser.screen(width: width, height: height, isDark: isDark)
            let wide = try browser.run("return document.documentElement.scrollWidth").int ?? .max
            #expect(wide <= Int64(width), "\(name), \(language), at \(width) px")
            if width != 320, let axe = PageTests.axe {
                #expect(try browser.violations(axe) == [], "\(name), \(language), \(isDark ? "dark" : "light")")
            }
            guard Browser.pictures != nil, width != 320 else { continue }
            let tall = try browser.run("return document.documentElement.scrollHeight").int ?? 800
            try browser.screen(width: width, height: max(height, Int(min(tall, 4000))), isDark: isDark)
            try browser.draw("\(name)-\(width)-\(isDark ? "dark" : "light")-\(language)")
        }
        try browser.screen(width: 390, height: 844)
        if isQuiet { #expect(try browser.log() == [], "\(name), \(language)") }
    }

    @Test(arguments: ["en", "de"])
    func `pages for who is not signed in fit every screen and keep the rules of accessibility`(language: String) throws
    {
        let setUp = try #require(house.firstWords.firstMatch(of: /\/setup\/([\w-]+)/)).1
        let browser = try Browser(stage, language: language)
        func look(_ path: String, _ name: String) throws {
            try browser.open(house.url + path)
            try judge(browser, name, language)
        }
        try look("/setup/\(setUp)", "setup")
        try look("/signin", "unfounded")
        try family()
        let code = try house.door(as: "ada").call("invite.create", ["kind": "child"])["code"]?.string ?? ""
        try look("/signin", "signin")
        try look("/join/\(code)", "join")
        try look("/join", "join-by-code")
        let me = try house.door(as: "ada").call("member.list", [:])["members"]?.array?.first?["id"] ?? .null
        let link = try house.door(as: "ada").call("session.link", ["member": me])["link"]?.string ?? ""
        try look("/signin/\(link)", "signin-link")
        let household = try #require(try house.snapshot("ada").households.keys.first)
        let wall = try house.door(as: "ada").call("wall.add", ["name": "Kitchen wall", "household": .id(household)])
        // What is no page is missing, which browsers note in their log.
        for (path, name) in [
            ("/join/none", "join-gone"), ("/no/such/page", "unknown"), ("/wall", "wall-unpaired"),
            ("/wall/\(wall["link"]?.string ?? "")", "wall-pair"),
        ] {
            try browser.open(house.url + path)
            _ = try browser.log()
            try judge(browser, name, language)
        }
        try browser.open(house.url + "/signin")
        try browser.type("ada", into: "input[name=username]")
        try browser.type("wrong", into: "input[name=password]")
        try browser.click("[data-reveals=password]")
        #expect(try browser.run("return document.querySelector('#password').type").string == "text")
        try browser.click("form button:not([type])")
        try browser.wait("the sentence") { try browser.sees(".wrong") }
        #expect(try browser.run("return document.querySelector('#username').value").string == "ada")
        #expect(try browser.run("return document.querySelector('#password').value").string == "")
        _ = try browser.log()
        try judge(browser, "signin-wrong", language)
    }

    @Test(arguments: ["en", "de"])
    func `pages of a member fit every screen and keep the rules of accessibility`(language: String) throws {
        try family()
        let browser = try Browser(stage, language: language)
        try browser.lendShare()
        try browser.signIn(house, "ada")
        func look(_ path: String, _ name: String) throws {
            try browser.open(house.url + path)
            try judge(browser, name, language)
        }
        try look("/phone", "phone")
        // Nobody but this machine reaches the daemon, and that is said; there is no certificate to trust for it.
        #expect(try browser.sees("[data-reach=here]"))
        #expect(try !browser.sees("a[href='/ca.crt']"))
        _ = try guestLink()
        try look("/sharing", "sharing")
        try browser.run("for (const one of document.querySelectorAll('details')) one.open = true")
        try judge(browser, "sharing-open", language)
        try browser.click("#links input[name=place]")
        try browser.click("#links details button")
        try browser.wait("the link") { try browser.sees(".once code") }
        try judge(browser, "sharing-link", language)
        #expect(try browser.sees("[data-reach=here]"))
        #expect(try browser.sees("[data-do=copy]"))
        try browser.tell(
            "Browser.grantPermissions", ["permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]])
        try browser.click("[data-do=copy]")
        try browser.wait("to be told") { try !browser.text(".once [role=status]").isEmpty }
        let said = try browser.text(".once [role=status]")
        let copied = try browser.run("return navigator.clipboard.readText().catch(() => null)").string
        if said == (language == "en" ? "Copied." : "Kopiert.") {
            #expect(try copied == browser.text(".once code"), "what is said to be copied is")
        }
        try browser.click("[data-do=share]")
        #expect(try browser.run("return window.sent.url").string == browser.text(".once code"))
        let kit = try house.door(as: "ada").call("member.list", [:])["members"]?.array?
            .first { $0["username"] == "kit" }?["id"]?.string
        try look("/sharing/\(kit ?? "")", "sharing-child")
        try look("/household", "household")
        try look("/phone/reporter", "reporter")
        try browser.open(house.url + "/phone")
        try browser.click("form[action='/phone/owntracks'] button")
        try browser.wait("the app's page") { try browser.sees("dl.values, details") }
        try judge(browser, "owntracks", language)
        // Members of today's language keep theirs on these pages, whatever the browser asks for.
        let other = language == "en" ? "de" : "en"
        let clock = language == "en" ? "hours12" : "hours24"
        _ = try house.door(as: "ada").call(
            "settings.set", ["language": .string(other), "clock": .string(clock), "zone": "Asia/Kathmandu"])
        try browser.open(house.url + "/")
        try browser.wait("the setting") {
            try browser.run("return document.cookie").string?.contains("kinwire-language=\(other)") == true
        }
        try browser.open(house.url + "/sharing")
        #expect(try browser.run("return document.documentElement.lang").string == other)
        // German with twelve hours, and English with twenty-four.
        let until = try browser.text("#links time")
        let there = try browser.run(
            """
            const how = { timeZone: "Asia/Kathmandu", hour: "numeric", minute: "2-digit", hourCycle: arguments[0] }
            return new Intl.DateTimeFormat("en", how).format(new Date(document.querySelector("#links time").dateTime)).split(/\\s/)[0]
            """, .string(clock == "hours12" ? "h12" : "h23"))
        #expect(until.contains(try #require(there.string)), "in the zone of the settings")
        #expect(until.contains(/[AP]M/) == (clock == "hours12"), "\(until)")
    }

    @Test func `read from the right, pages of the daemon fit a small phone, and boxes stand before what they tick`()
        throws
    {
        try family()
        let link = try guestLink()
        let browser = try Browser(stage, width: 320, height: 568)
        try browser.beforehand(
            "new MutationObserver(() => { if (document.documentElement) document.documentElement.dir = 'rtl' }).observe(document, { childList: true })"
        )
        try browser.signIn(house, "ada")
        var boxes: Int64 = 0
        for path in ["/phone", "/sharing", "/household", link.path] {
            try browser.open(house.url + path)
            try browser.wait("the page") { try browser.sees("h1") }
            #expect(try browser.run("return getComputedStyle(document.body).direction") == "rtl", "\(path)")
            try browser.run("for (const one of document.querySelectorAll('details')) one.open = true")
            let wide = try browser.run("return document.documentElement.scrollWidth").int ?? .max
            #expect(wide <= 320, "\(path)")
            let found = try browser.run(
                """
                const all = [...document.querySelectorAll("label > input[type=checkbox]")].filter(one => one.checkVisibility())
                return [all.length, all.filter(one => one.parentElement.getBoundingClientRect().right - one.getBoundingClientRect().right > 6).length]
                """
            ).array?.compactMap(\.int)
            #expect(found?.last == 0, "\(path)")
            boxes += found?.first ?? 0
            if let axe = PageTests.axe { #expect(try browser.violations(axe) == [], "\(path)") }
            try browser.draw("rtl-\(path.split(separator: "/").first ?? "")")
        }
        #expect(boxes > 0)
    }

    @Test func `a child is offered no command line, and reads whose hands the settings are in`() throws {
        try family()
        let ada = try house.door(as: "ada")
        let members = try ada.call("member.list", [:])["members"]?.array ?? []
        func id(_ name: JSON) -> JSON { members.first { $0["username"] == name }?["id"] ?? .null }
        _ = try ada.call("member.relate", ["member": id("ada"), "parentOf": id("kit")])
        _ = try ada.call("sharing.hold", ["member": id("kit"), "hold": true])
        let (kit, parent) = (try Browser(stage), try Browser(stage))
        try kit.signIn(house, "kit")
        try kit.open(house.url + "/phone")
        #expect(try !kit.text("body").contains("kin login"))
        #expect(try kit.text("#sharing").contains("Ada holds these settings"))
        try parent.signIn(house, "ada")
        #expect(try parent.run("return document.querySelector('meta[name=canonical]').content").string == house.url)
        try parent.open(house.url + "/phone")
        #expect(try parent.run("return document.body.textContent").string?.contains("kin login") == true)
        try parent.open(house.url + "/#/family/\(id("kit").string ?? "")")
        try parent.wait(for: "You hold Kit", in: "main")
        #expect(try parent.log() == [])
    }

    @Test(arguments: ["en", "de"])
    func `a guest's link shows who, where and how long, live, and one sentence after its end`(language: String) throws {
        try family()
        let (link, cell) = (try guestLink(), try guestLink("coarse"))
        let browser = try Browser(stage, language: language)
        try browser.open(house.url + link.path)
        try browser.wait(for: "Mum", in: "h1")
        try browser.wait("the dot") { try browser.sees(".dot") }
        #expect(try browser.sees("svg.map .here") && !browser.sees("svg.map .cell"))
        try judge(browser, "where", language)
        // Whoever watches sees the dot move, without a touch; what had the focus keeps it, and one opening stays one.
        let spot = try browser.text("main p.hint")
        try browser.run("document.querySelector('main form button').focus()")
        _ = try house.door(as: "ada").call(
            "position.report", ["lat": 45.6481, "lon": 13.8302, "at": .time(Instant.now)])
        try browser.wait("the dot to move") { try browser.text("main p.hint") != spot }
        #expect(try browser.text("main p.hint").contains(language == "de" ? "45,6481" : "45.6481"))
        #expect(try browser.run("return document.activeElement.name").string == "look")
        let looks = try house.door(as: "ada").call("sharing.looks", [:])["looks"]?.array ?? []
        let own = looks.first { $0["link"] == link.id }
        #expect(own?["count"] == 1)
        // It hears of its end by itself.
        _ = try house.door(as: "ada").call("guestLink.revoke", ["guestLink": link.id])
        try browser.wait("its end") { try !browser.sees("[data-live]") }
        #expect(try !browser.text("body").contains("Mum"))
        _ = try browser.log()
        try judge(browser, "where-ended", language)
        try browser.open(house.url + cell.path)
        try browser.wait("the cell") { try browser.sees(".dot") }
        #expect(try browser.sees("svg.map .cell") && !browser.sees("svg.map .here"))
        try judge(browser, "where-cell", language)
        // Away: what stands there is said to be old, and stays.
        house.kill()
        try browser.run("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
        try browser.wait("the sentence") { try browser.sees("[data-away]") }
        #expect(try browser.text("h1").contains("Mum"))
        try judge(browser, "where-away", language, isQuiet: false)
    }

    @Test(arguments: [true, false])
    func `a guest's link is told what moves without asking, and asks where there is no stream`(hasStream: Bool) throws {
        try family()
        let link = try guestLink()
        let browser = try Browser(stage)
        try browser.beforehand(
            """
            const fetch0 = window.fetch, Source = window.EventSource
            window.asked = 0
            window.heard = 0
            window.fetch = (...all) => { window.asked++; return fetch0(...all) }
            window.EventSource = class extends Source {
              constructor(address) {
                super(\(hasStream ? "address" : "'/no/such/stream'"))
                this.addEventListener("shown", () => window.heard++)
              }
            }
            """)
        try browser.open(house.url + link.path)
        try browser.wait("the dot") { try browser.sees(".dot") }
        if hasStream {
            try browser.wait("the stream") { try browser.run("return window.heard > 0").bool == true }
        }
        let asked = try browser.run("return window.asked").int ?? 0
        _ = try house.door(as: "ada").call(
            "position.report", ["lat": 45.6481, "lon": 13.8302, "at": .time(Instant.now)])
        try browser.wait("the dot to move") { try browser.text("main p.hint").contains("45.6481") }
        let after = try browser.run("return window.asked").int ?? 0
        #expect(hasStream ? after == asked : after > asked)
    }

    @Test func `a guest's link says how old the position is on a device whose clock is wrong`() throws {
        try family()
        let link = try guestLink()
        let browser = try Browser(stage)
        try browser.beforehand(
            """
            const Real = Date, ahead = 3 * 3_600_000
            Date = class extends Real {
              constructor(...all) { if (all.length) super(...all); else super(Real.now() + ahead) }
              static now() { return Real.now() + ahead }
            }
            """)
        try browser.open(house.url + link.path)
        try browser.wait("the dot") { try browser.sees(".dot") }
        let age = try browser.text("time.age")
        #expect(age.contains("just now") || age.contains("1 minute"), "\(age)")
    }

    @Test func `without script a guest's link opens by its button`() throws {
        try family()
        let link = try guestLink()
        let browser = try Browser(stage)
        try browser.tell("Emulation.setScriptExecutionDisabled", ["value": true])
        try browser.open(house.url + link.path)
        try browser.click("form button")
        try browser.wait(for: "Mum", in: "h1")
    }
}
