import Glibc
import KinCodec
import KinModel
import Testing

/// Calendars as files on the page, and the addresses at which other programs read them.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageCalendarFileTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["bob"])
    }

    /// The calendar, with the list of calendars open.
    private func open(
        _ username: String = "ada", language: String = "en", width: Int = 1280, isDark: Bool = false
    ) throws -> Browser {
        let browser = try Browser(stage, language: language)
        try browser.screen(width: width, height: 844, isDark: isDark)
        try browser.signIn(house, username)
        _ = try browser.run("location.hash = '#/calendar/2036-11-24'")
        try browser.wait("the calendars there are") {
            try browser.run("return !!document.querySelector('#calendar-export')").bool == true
        }
        try unfold(browser)
        return browser
    }

    private func unfold(_ browser: Browser) throws {
        _ = try browser.run("document.querySelector('#calendar-sources').open = true")
    }

    private static func event(_ uid: String, _ summary: String, start: String? = "20361124T090000Z") -> String {
        let begins = start.map { "DTSTART:\($0)\r\nDTEND:20361124T100000Z\r\n" } ?? ""
        return "BEGIN:VEVENT\r\nUID:\(uid)\r\nDTSTAMP:20260101T000000Z\r\n\(begins)SUMMARY:\(summary)\r\nEND:VEVENT\r\n"
    }

    private static func calendar(_ events: [String]) -> String {
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Test//EN\r\n" + events.joined() + "END:VCALENDAR\r\n"
    }

    private func subjects() throws -> [String] {
        var found: [String] = []
        var after: JSON?
        repeat {
            let answer = try house.door(as: "ada").call(
                "entry.all", .object(leavingOut: ["after": after]))
            found += (answer["entries"]?.array ?? []).compactMap { $0["subject"]?.string }
            after = answer["next"]
        } while after != nil
        return found
    }

    @Test func `a file is taken in part by part, with a report of each entry, and may be taken in again`() throws {
        let path = stage.folder + "/school.ics"
        let events = (1...230).map { Self.event("lesson-\($0)", "Lesson \($0)") }
        let broken = Self.event("broken", "Without a beginning", start: nil)
        try Array(Self.calendar(events + [broken]).utf8).write(file: path)
        let browser = try open()
        try browser.click("#calendar-import")
        try browser.wait("the form") { try browser.sees("#import-file") }
        // How far it is, as long as it goes on.
        _ = try browser.run(
            """
            const bar = document.querySelector('dialog progress')
            window.howFar = []
            new MutationObserver(() => { if (!bar.hidden) window.howFar.push([bar.value, bar.max]) }).observe(bar, { attributes: true })
            """)
        try browser.choose(path, in: "#import-file")
        try browser.wait(for: "230 new, 0 changed, 0 there already, 1 not taken.", in: "#import-said")
        let howFar = try browser.run("return window.howFar").array ?? []
        let steps = howFar.compactMap { $0.array?.first?.int }
        #expect(howFar.allSatisfy { $0.array?.last?.int == 231 } && steps.contains(100), "\(howFar)")
        #expect(steps == steps.sorted() && steps.first == 0, "\(howFar)")
        #expect(try !browser.sees("dialog progress"))
        // What was not taken stands first, with why.
        let first = try browser.run(
            """
            const row = document.querySelector('#import-report [data-outcome]')
            return [row.dataset.outcome, row.innerText]
            """)
        #expect(first.array?.first?.string == "refused")
        #expect(first.array?.last?.string?.contains("Without a beginning") == true, "\(first.text)")
        #expect(first.array?.last?.string?.contains("not taken · ") == true, "\(first.text)")
        let added = try browser.run("return document.querySelectorAll('#import-report [data-outcome=added]').length")
        #expect(added.int == 230)
        #expect(try subjects().count == 230)
        try browser.draw("calendar-import-report")
        try browser.choose(path, in: "#import-file")
        try browser.wait(for: "0 new, 0 changed, 230 there already, 1 not taken.", in: "#import-said")
        #expect(try subjects().count == 230)
        // What is no calendar is said to be none, and nothing is sent.
        try Array("<!doctype html><p>Sign in".utf8).write(file: path)
        try browser.choose(path, in: "#import-file")
        try browser.wait(for: "This is no file of a calendar", in: "#import-said")
        #expect(try browser.log() == [])
    }

    @Test func `a file that is dropped goes into the chosen calendar, and comes out again as it is seen`() throws {
        let browser = try open()
        let calendars = try house.door(as: "ada").call("calendar.list", [:])["calendars"]?.array ?? []
        let family = try #require(calendars.first { $0["kind"] == "family" }?["id"]?.string)
        try browser.click("#calendar-import")
        try browser.wait("the form") { try browser.sees("#import-drop") }
        let file = Self.calendar([Self.event("picnic", "Picnic; by \\, the lake")])
        try browser.run(
            """
            const into = document.querySelector('#import-into'), data = new DataTransfer()
            into.value = arguments[0]
            data.items.add(new File([arguments[1]], 'picnic.ics', { type: 'text/calendar' }))
            document.querySelector('#import-drop').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
            """, .string(family), .string(file))
        try browser.wait(for: "1 new", in: "#import-said")
        let stored = try house.door(as: "bob").call("entry.all", [:])["entries"]?.array ?? []
        #expect(stored.first?["calendar"]?.string == family)
        try browser.click("dialog > div > button")
        try browser.wait("the dialog to close") { try !browser.sees("dialog") }
        _ = try house.door(as: "ada").call(
            "entry.add", ["subject": "Secret", "start": "2036-11-24T18:00", "zone": "UTC"])
        try browser.click("#calendar-export")
        try browser.wait("the link") { try browser.sees("#export-file") }
        func taken() throws -> String {
            try browser.run(
                """
                const link = document.querySelector('#export-file')
                return fetch(link.href).then(answer => answer.text()).then(text => link.download + '\\n' + text)
                """
            ).string ?? ""
        }
        let all = try taken()
        #expect(all.hasPrefix("Calendar.ics\nBEGIN:VCALENDAR"))
        #expect(all.contains("SUMMARY:Picnic\\; by \\, the lake") || all.contains("SUMMARY:Picnic; by \\, the lake"))
        #expect(all.contains("SUMMARY:Secret"))
        try browser.run(
            """
            const which = document.querySelector('dialog select')
            which.value = arguments[0]
            which.dispatchEvent(new Event('change', { bubbles: true }))
            """, .string(family))
        let one = try taken()
        #expect(one.hasPrefix("Family.ics\n") && one.contains("Picnic") && !one.contains("Secret"))
        try browser.click("#export-file")
        try browser.wait("the dialog to close") { try !browser.sees("dialog") }
        #expect(try browser.log() == [])
    }

    @Test func `an address for a program is shown once with its code, is renewed, and ends`() throws {
        _ = try house.door(as: "ada").call(
            "entry.add", ["subject": "Choir", "start": "2036-11-24T18:00", "zone": "UTC"])
        let browser = try open()
        try browser.click("#calendar-feeds")
        try browser.wait(for: "No program reads by an address yet.", in: "dialog")
        // Which services cannot reach a home is said before one is made.
        let reach = try browser.text("#feed-reach")
        #expect(["Google Calendar", "Outlook.com", "at home"].allSatisfy { reach.contains($0) }, "\(reach)")
        // The family has an address that other devices reach: so there is a code.
        try browser.run("document.querySelector('meta[name=canonical]').content = 'https://kin.example:5469'")
        try browser.type("Kitchen tablet", into: "#feed-name")
        try browser.click("dialog form button[type=submit]")
        func shown() throws -> String {
            try browser.wait("the address") { try browser.sees("dialog .link") }
            try browser.wait("its code") {
                try browser.run("return document.querySelector('dialog img.qr')?.naturalWidth > 0").bool == true
            }
            if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
            let link = try browser.text("dialog .link")
            #expect(try browser.code(in: "dialog img.qr", stage) ?? link == link, "the code leads there too")
            #expect(
                try browser.run("return document.querySelector('#feed-webcal')?.href").string
                    == link.replacing("https:", with: "webcal:"))
            try browser.pressEscape()
            try browser.wait("the address to be gone") { try !browser.sees("dialog .link") }
            return link
        }
        let link = try shown()
        #expect(link.hasPrefix("https://kin.example:5469/feed/feed-") && link.hasSuffix(".ics"))
        /// What a program without a sign-in is answered there.
        func read(_ link: String) throws -> String {
            let path = link.replacing("https://kin.example:5469", with: "")
            return try browser.run(
                """
                return fetch(arguments[0], { credentials: 'omit', cache: 'no-store' })
                  .then(answer => answer.ok ? answer.text() : String(answer.status))
                """, .string(path)
            ).string ?? ""
        }
        #expect(try read(link).contains("SUMMARY:Choir"))
        try browser.wait(for: "Kitchen tablet", in: "#feeds")
        #expect(try browser.text("#feeds").contains("All calendars that I see"))
        try browser.draw("calendar-feeds")
        try browser.click("#feeds [data-do=renew]")
        let renewed = try shown()
        #expect(renewed != link && renewed.hasPrefix("https://kin.example:5469/feed/feed-"))
        #expect(try read(renewed).contains("SUMMARY:Choir"))
        #expect(try !read(link).contains("Choir"), "the former one ended")
        #expect(try browser.run("return document.querySelectorAll('#feeds li').length").int == 1)
        try browser.click("#feeds [data-do=end]")
        try browser.wait(for: "No program reads by an address yet.", in: "dialog")
        try browser.wait("it to end") {
            try house.door(as: "ada").call("calendar.feeds", [:])["feeds"]?.array?.isEmpty == true
        }
        #expect(try !read(renewed).contains("Choir"))
    }

    @Test func `what a phone removes from a shared calendar its owner brings back on the page, or erases at once`()
        throws
    {
        let ada = try house.door(as: "ada")
        let team = try #require(try ada.call("calendar.add", ["name": "Team"])["calendar"]?["id"]?.string)
        _ = try ada.call(
            "calendar.share", ["calendar": .string(team), "with": "everyone", "right": "write"])
        _ = try ada.call(
            "entry.add",
            ["subject": "Match", "start": "2036-11-24T15:00", "zone": "UTC", "calendar": .string(team)])
        let bob = try house.door(as: "bob")
        let password = try bob.call("appPassword.create", ["device": "phone", "scope": "calendar"])["password"]?.string
        let members = try bob.call("member.list", [:])["members"]?.array ?? []
        let own = try #require(members.first { $0["username"]?.string == "bob" }?["id"]?.string)
        let credential = "bob:\(try #require(password))"
        /// The phone finds what stands there and removes it.
        func remove() throws {
            let place = "/dav/calendars/\(own)/\(team)/"
            let found = try stage.run(
                "curl", "-sS", "-u", credential, "-X", "PROPFIND", "-H", "Depth: 1", house.url + place)
            let text = (found.lines + [found.unended]).joined()
            let href = try #require(text.firstMatch(of: /href>([^<]+\.ics)</), "\(text)")
            let gone = try stage.run(
                "curl", "-sS", "-u", credential, "-X", "DELETE", "-o", "/dev/null", "-w", "%{http_code}",
                house.url + String(href.1))
            #expect(gone.unended == "204")
        }
        let browser = try open()
        try remove()
        #expect(try subjects() == [])
        try browser.click("#calendar-bin")
        try browser.wait(for: "removed by Bob", in: "dialog")
        #expect(try browser.violations(try #require(PageTests.axe)) == [])
        try browser.click("dialog [data-do=restore]")
        try browser.wait(for: "Nothing was removed that can be brought back.", in: "dialog")
        #expect(try subjects() == ["Match"])
        try browser.pressEscape()
        try browser.wait("the dialog to close") { try !browser.sees("dialog") }
        try remove()
        try unfold(browser)
        try browser.click("#calendar-bin")
        try browser.click("dialog [data-do=erase]")
        try browser.wait(for: "Nothing was removed that can be brought back.", in: "dialog")
        // It may be had back for a while, too.
        try browser.wait("it to be erased") { try ada.call("entry.bin", [:])["entries"] == [] }
        #expect(try subjects() == [])
        #expect(try browser.log() == [])
    }

    /// With `KINWIRE_SCREENSHOTS=DIR` pictures are written there, to be looked at.
    @Test func `files and addresses fit their screens and keep the rules of accessibility`() throws {
        let axe = try #require(PageTests.axe)
        _ = try house.door(as: "ada").call("calendar.addFeed", ["name": "Grandmother’s tablet in the kitchen"])
        for (language, width, isDark) in [("en", 1280, true), ("de", 320, false)] {
            let browser = try open(language: language, width: width, isDark: isDark)
            for name in ["import", "export", "feeds"] {
                try browser.click("#calendar-\(name)")
                try browser.wait("the dialog") { try browser.sees("dialog h2") }
                #expect(try browser.violations(axe) == [], "\(name), \(language)")
                let wide = try browser.run(
                    """
                    const dialog = document.querySelector('dialog[open]')
                    return Math.max(document.documentElement.scrollWidth - innerWidth, dialog.scrollWidth - dialog.clientWidth)
                    """)
                #expect(wide.int == 0, "\(name), \(width)")
                try browser.draw("calendar-\(name)-\(width)-\(language)")
                try browser.pressEscape()
                try browser.wait("the dialog to close") { try !browser.sees("dialog") }
                try unfold(browser)
            }
            #expect(try browser.log() == [])
        }
    }
}
