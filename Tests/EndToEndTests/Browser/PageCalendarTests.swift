import Glibc
import KinCodec
import KinModel
import Testing

/// The calendar on the family's page, in Debian's Chromium against the real daemon. All is in November 2036, whose 24th is
/// a Monday.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageCalendarTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["bob"])
    }

    func id(_ username: String) throws -> JSON {
        let members = try house.door(as: "ada").call("member.list", [:])["members"]?.array ?? []
        return try #require(members.first { $0["username"]?.string == username }?["id"])
    }

    /// The family's calendar.
    func family() throws -> JSON {
        let calendars = try house.door(as: "ada").call("calendar.list", [:])["calendars"]?.array ?? []
        return try #require(calendars.first { $0["kind"]?.string == "family" }?["id"])
    }

    @discardableResult
    func add(_ subject: String, _ start: String, by username: String = "ada", _ more: JSON = [:]) throws -> JSON {
        var all = more.object ?? JSON.Object()
        all["subject"] = .string(subject)
        all["start"] = .string(start)
        all["calendar"] = try family()
        if start.utf8.count > 10 { all["zone"] = "UTC" }
        return try #require(try house.door(as: username).call("entry.add", .object(all))["entry"]?["id"])
    }

    /// When things are, as the daemon has it.
    func times(_ subject: String) throws -> [String] {
        let found = try house.door(as: "ada").call(
            "entry.list", ["from": "2036-11-01", "to": "2036-12-31", "zone": "UTC"])
        return (found["occurrences"]?.array ?? []).filter { $0["subject"]?.string == subject }
            .compactMap { $0["starts"]?.string }
    }

    func open(_ username: String, at day: String = "2036-11-24", view: String = "month", width: Int = 1280)
        throws
        -> Browser
    {
        let browser = try Browser(stage, width: width, height: 900)
        try browser.signIn(house, username)
        try browser.click("[data-tab=calendar]")
        try browser.click("[data-view=\(view)]")
        _ = try browser.run("location.hash = arguments[0]", .string("#/calendar/\(day)"))
        try browser.wait("the day") {
            try browser.run("return document.querySelector('kin-calendar').day").string == day
        }
        return browser
    }

    /// What stands on a day that is shown.
    private func on(_ day: String, _ browser: Browser) throws -> [String] {
        let texts = try browser.run(
            "return [...document.querySelectorAll(`td[data-day=\"${arguments[0]}\"] .event .what, .column[data-day=\"${arguments[0]}\"] .event .what`)].map(one => one.textContent)",
            .string(day))
        return (texts.array ?? []).compactMap(\.string)
    }

    @Test func `an entry is put down by one and seen by the other at once, and what was typed is kept`() throws {
        let (ada, bob) = (try open("ada"), try open("bob"))
        try ada.click("#new-entry")
        try ada.wait("the form") { try ada.sees("#entry-subject") }
        // It says below its title who sees it: the family, unless another calendar is chosen.
        #expect(try ada.run("return document.querySelector('#entry-form [name=calendar]').value") == family())
        #expect(
            try ada.run("return document.querySelector('#entry-seen').textContent").string
                == "The whole family sees it.")
        try ada.type("Dentist", into: "#entry-subject")
        try ada.run(
            """
            const form = document.querySelector('#entry-form'), set = (name, value) => {
              const input = form.querySelector(`[name=${name}]`)
              input.value = value
              input.dispatchEvent(new Event('change', { bubbles: true }))
              input.dispatchEvent(new Event('input', { bubbles: true }))
            }
            set('startTime', '09:30')
            set('category', 'medical')
            set('calendar', arguments[0])
            """, try family())
        // The end moved along.
        #expect(try ada.run("return document.querySelector('[name=endTime]').value").string == "10:30")
        try ada.pressEscape()
        try ada.wait("the form to close") { try !ada.sees("dialog") }
        try ada.click("#new-entry")
        try ada.wait("the form") { try ada.sees("#entry-form") }
        #expect(try ada.run("return document.querySelector('#entry-subject').value").string == "Dentist")
        #expect(try ada.run("return document.querySelector('[name=startTime]').value").string == "09:30")
        try ada.click("#entry-form button[type=submit]")
        for browser in [ada, bob] {
            try browser.wait("it to stand there") {
                try on("2036-11-24", browser).contains { $0.contains("Dentist") }
            }
        }
        #expect(try times("Dentist") == ["2036-11-24T09:30"])
        // What was put down is nothing typed any more.
        try ada.click("#new-entry")
        try ada.wait("an empty form") {
            try ada.run("return document.querySelector('#entry-subject')?.value").string == ""
        }
        #expect(try ada.log() == [] && bob.log() == [])
    }

    @Test func `birthdays and open votes are left out on all of one's devices, by a setting`() throws {
        _ = try house.door(as: "ada").call(
            "profile.add", ["kind": "birthday", "value": "--11-24", "audience": "everyone"])
        let (one, other) = (try open("bob"), try open("bob"))
        for browser in [one, other] {
            try browser.wait("the birthday") {
                try on("2036-11-24", browser).contains { $0.contains("birthday") }
            }
        }
        try one.click("#calendar-sources summary")
        try one.click("[data-calendar=birthdays]")
        for browser in [one, other] {
            try browser.wait("no birthday") { try on("2036-11-24", browser).isEmpty }
        }
        let set = try house.door(as: "bob").call("settings.show", [:])["settings"]
        #expect(set?["leftOut"] == ["birthdays"])
        try other.click("#calendar-sources summary")
        try other.wait("the tick to be out there too") {
            try other.run("return document.querySelector('[data-calendar=birthdays]').checked").bool == false
        }
        try other.click("[data-calendar=birthdays]")
        try one.wait("the birthday again") {
            try on("2036-11-24", one).contains { $0.contains("birthday") }
        }
        #expect(try one.log() == [] && other.log() == [])
    }

    @Test func `changing one of a series asks for how much of it, and does just that`() throws {
        try add("Choir", "2036-11-03T18:00", ["minutes": 90, "repeat": "weekly", "until": "2036-11-30"])
        let browser = try open("ada")
        func change(to time: String, _ scope: String) throws {
            try browser.click("td[data-day=\"2036-11-17\"] .event")
            try browser.click("#entry-change")
            try browser.wait("the form") { try browser.sees("#entry-form") }
            try browser.run(
                """
                const input = document.querySelector('[name=startTime]')
                input.value = arguments[0]
                input.dispatchEvent(new Event('change', { bubbles: true }))
                """, .string(time))
            try browser.click("#entry-form button[type=submit]")
            try browser.click("[data-scope=\(scope)]")
            try browser.wait("the form to close") { try !browser.sees("dialog") }
        }
        try change(to: "19:00", "this")
        #expect(
            try times("Choir") == ["2036-11-03T18:00", "2036-11-10T18:00", "2036-11-17T19:00", "2036-11-24T18:00"])
        try browser.wait("the new time") { try browser.text("td[data-day=\"2036-11-17\"]").contains("7:00") }
        try change(to: "20:00", "following")
        #expect(
            try times("Choir") == ["2036-11-03T18:00", "2036-11-10T18:00", "2036-11-17T20:00", "2036-11-24T20:00"])
        #expect(try browser.log() == [])
    }

    @Test func `who is asked answers with one tap, to one of a series, and the other sees it`() throws {
        let entry = try add(
            "Football", "2036-11-24T17:00", ["repeat": "weekly", "until": "2036-12-20", "invitees": [try id("bob")]])
        let (ada, bob) = (try open("ada"), try open("bob"))
        try ada.click("td[data-day=\"2036-11-24\"] .event")
        try ada.wait(for: "Bob has not answered.", in: "dialog")
        try bob.click(".day-list [data-answer=accepted]")
        try ada.wait(for: "Bob comes.", in: "dialog")
        try bob.wait("it to be pressed") {
            try bob.run("return document.querySelector('.day-list [data-answer=accepted]').ariaPressed").string
                == "true"
        }
        let stored = try house.door(as: "ada").call("entry.show", ["entry": entry])["entry"]
        #expect(stored?["answers"]?.array?.compactMap { $0["occurrence"]?.string } == ["2036-11-24T17:00"])
        #expect(stored?["invitees"]?.array?.first?["answer"]?.string == "none")
        #expect(try ada.log() == [] && bob.log() == [])
    }

    /// Presses on an element and lets go over another, as a mouse does it.
    private func drag(_ browser: Browser, from: String, to: String) throws {
        let spots = try browser.run(
            """
            const middle = selector => {
              const element = document.querySelector(selector)
              element.scrollIntoView({ block: 'nearest' })
              const box = element.getBoundingClientRect()
              return [box.x + box.width / 2, box.y + Math.min(box.height / 2, 12)]
            }
            middle(arguments[1])
            return [...middle(arguments[0]), ...middle(arguments[1])]
            """, .string(from), .string(to))
        let numbers = (spots.array ?? []).compactMap(\.double)
        func mouse(_ type: String, _ x: Double, _ y: Double) throws {
            try browser.tell(
                "Input.dispatchMouseEvent",
                [
                    "type": .string(type), "x": .double(x), "y": .double(y), "button": "left", "buttons": 1,
                    "clickCount": 1,
                ])
        }
        try mouse("mousePressed", numbers[0], numbers[1])
        try mouse("mouseMoved", numbers[0] + 10, numbers[1] + 4)
        try mouse("mouseMoved", numbers[2], numbers[3])
        try mouse("mouseReleased", numbers[2], numbers[3])
    }

    /// Drags an entry among the hours, by so many hours down and so many columns to the right.
    private func drag(_ browser: Browser, _ subject: String, hours: Double, columns: Double = 0) throws {
        let spots = try browser.run(
            """
            const one = [...document.querySelectorAll('.column .event')].find(each => each.textContent.includes(arguments[0]))
            one.scrollIntoView({ block: 'center' })
            const box = one.getBoundingClientRect(), column = one.closest('.column').getBoundingClientRect()
            return [box.x + 12, box.y + 8, column.width, column.height / 24]
            """, .string(subject))
        let numbers = (spots.array ?? []).compactMap(\.double)
        try browser.drag(from: (numbers[0], numbers[1]), by: (columns * numbers[2], hours * numbers[3]))
    }

    @Test(arguments: ["week", "day"]) func `an entry is dragged to another hour among the hours`(view: String) throws {
        try add("Walk", "2036-11-25T10:00", ["minutes": 90])
        try add("Swim", "2036-11-25T15:00", ["repeat": "weekly", "until": "2036-12-20"])
        let browser = try open("ada", at: "2036-11-25", view: view)
        try browser.wait("the hours") { try on("2036-11-25", browser).count == 2 }
        try drag(browser, "Walk", hours: 2)
        try browser.wait("it to be later") { try times("Walk") == ["2036-11-25T12:00"] }
        #expect(try !browser.sees("dialog"), "a drag is no click")
        if view == "week" {
            try browser.wait("it to stand there") { try on("2036-11-25", browser).contains("Walk") }
            try drag(browser, "Walk", hours: -0.5, columns: 1)
            try browser.wait("it to be on the next day") { try times("Walk") == ["2036-11-26T11:30"] }
            try browser.wait("it to stand there") { try on("2036-11-26", browser) == ["Walk"] }
        }
        // How long it is stays.
        let found = try house.door(as: "ada").call(
            "entry.list", ["from": "2036-11-24", "to": "2036-11-27", "zone": "UTC", "words": "walk"])
        #expect(found["entries"]?.array?.first?["times"]?["minutes"] == 90)
        // Of what repeats, it is asked how much of it.
        try drag(browser, "Swim", hours: 1)
        try browser.click("[data-scope=this]")
        try browser.wait("that one to be later") {
            try times("Swim") == ["2036-11-25T16:00", "2036-12-02T15:00", "2036-12-09T15:00", "2036-12-16T15:00"]
        }
        #expect(try browser.log() == [])
    }

    @Test func `the planner has a column for each member, and each thing stands in those of whom it concerns`() throws {
        try house.join("carol")
        let (bob, carol) = (try id("bob"), try id("carol"))
        try add("Picnic", "2036-11-20T12:00")
        try add("Chess", "2036-11-21T17:00", ["invitees": [bob, carol]])
        let own = try house.door(as: "bob").call(
            "entry.add",
            ["subject": "Dentist", "start": "2036-11-22T09:00", "zone": "UTC", "invitees": .array([try id("ada")])])
        _ = try house.door(as: "carol").call(
            "entry.answer",
            [
                "entry": try #require(
                    try house.door(as: "carol").call("entry.all", [:])["entries"]?.array?.first {
                        $0["subject"] == "Chess"
                    }?["id"]), "answer": "declined",
            ])
        #expect(own["entry"] != nil)
        let browser = try open("ada", view: "wall")
        let heads = try browser.run(
            "return [...document.querySelectorAll('.wall thead th')].map(one => one.textContent)")
        #expect(heads.array?.compactMap(\.string) == ["Day", "Everybody", "Ada", "Bob", "Carol"], "\(heads.text)")
        /// In which columns something stands.
        func columns(_ day: String, _ subject: String) throws -> [Int64] {
            let found = try browser.run(
                """
                return [...document.querySelectorAll(`.wall td[data-day="${arguments[0]}"]`)].map((cell, at) =>
                  [...cell.querySelectorAll('.event .what')].some(one => one.textContent.includes(arguments[1])) ? at : -1).filter(at => at >= 0)
                """, .string(day), .string(subject))
            return (found.array ?? []).compactMap(\.int)
        }
        try browser.wait("the planner") { try columns("2036-11-20", "Picnic") == [0] }
        // Who declined is not among those who are there.
        #expect(try columns("2036-11-21", "Chess") == [1, 2])
        #expect(try columns("2036-11-22", "Dentist") == [1, 2])
        #expect(try browser.log() == [])
    }

    @Test func `an admin makes a category with a colour and a sign, which entries then show, and removes it`() throws {
        let browser = try open("ada")
        let sources = "document.querySelector('#categories').closest('details').open = true"
        _ = try browser.run(sources)
        try browser.click("#categories")
        try browser.wait("the form") { try browser.sees("#category-name") }
        try browser.type("Scouts", into: "#category-name")
        try browser.type("S!", into: "#category-icon")
        try browser.run(
            "const one = document.querySelector('#category-color'); one.value = '#00aa00'; one.dispatchEvent(new Event('input', { bubbles: true }))"
        )
        try browser.click("dialog form button[type=submit]")
        try browser.wait("it to stand there") { try browser.sees("[data-category=Scouts]") }
        let stored = try house.door(as: "bob").call("category.list", [:])["categories"]?.array?.last
        #expect(stored == ["name": "Scouts", "color": "#00aa00", "icon": "S!"])
        try browser.pressEscape()
        try add("Camp", "2036-11-24T10:00", ["category": "Scouts"])
        try browser.wait("its sign") { try on("2036-11-24", browser) == ["S! Camp"] }
        let mark = try browser.run(
            "return document.querySelector('td[data-day=\"2036-11-24\"] .event').style.getPropertyValue('--mark')")
        #expect(mark.string == "#00aa00")
        // It can be chosen where something is put down, and is taken away where it was made.
        try browser.click("#new-entry")
        try browser.wait("the choice") {
            try browser.run("return !!document.querySelector('#entry-form [name=category] option[value=Scouts]')").bool
                ?? false
        }
        try browser.pressEscape()
        _ = try browser.run(sources)
        try browser.click("#categories")
        try browser.click("[data-category=Scouts] button:last-child")
        try browser.wait("it to be gone") { try !browser.sees("[data-category=Scouts]") }
        #expect(
            try house.door(as: "bob").call("category.list", [:])["categories"]?.array?.contains {
                $0["name"] == "Scouts"
            } == false)
        try browser.pressEscape()
        // Only admins make them.
        let bob = try open("bob")
        #expect(try bob.run("return !!document.querySelector('#categories')").bool == false)
        #expect(try browser.log() == [] && bob.log() == [])
    }

    @Test func `an entry is dragged to another day, moved back by its button, and moved by keys`() throws {
        try add("Walk", "2036-11-24T10:00")
        let browser = try open("ada")
        try drag(browser, from: "td[data-day=\"2036-11-24\"] .event", to: "td[data-day=\"2036-11-26\"]")
        try browser.wait("it to be moved") { try on("2036-11-26", browser) == ["Walk"] }
        #expect(try times("Walk") == ["2036-11-26T10:00"])
        #expect(try !browser.sees("dialog"), "a drag is no click")
        try browser.click("#told button")
        try browser.wait("it to be back") { try on("2036-11-24", browser) == ["Walk"] }
        func press(_ key: String, _ code: Int64) throws {
            try browser.tell(
                "Input.dispatchKeyEvent",
                ["type": "rawKeyDown", "key": .string(key), "windowsVirtualKeyCode": .int(code), "modifiers": 8])
        }
        _ = try browser.run("document.querySelector('td[data-day=\"2036-11-24\"] .event').focus()")
        try press("ArrowRight", 39)
        try browser.wait("the next day") { try times("Walk") == ["2036-11-25T10:00"] }
        // Focus went along.
        try browser.wait("focus to be there") {
            try browser.run("return document.activeElement.closest('td')?.dataset.day").string == "2036-11-25"
        }
        try press("ArrowUp", 38)
        try browser.wait("the week before") { try times("Walk") == ["2036-11-18T10:00"] }
        _ = try browser.run("location.hash = '#/calendar/2036-11-18'")
        try browser.click("[data-view=week]")
        try browser.wait("the hours") { try on("2036-11-18", browser) == ["Walk"] }
        _ = try browser.run("document.querySelector('.column .event').focus()")
        try press("ArrowDown", 40)
        try browser.wait("a quarter later") { try times("Walk") == ["2036-11-18T10:15"] }
        #expect(try browser.log() == [])
    }

    @Test func `a search joins words, members, kinds and days, and what it finds can be changed`() throws {
        try add("Swimming lesson", "2036-11-20T15:00", ["category": "sport"])
        try add("Swimming gala", "2036-11-21T15:00", by: "bob", ["category": "sport"])
        try add("Swimming costume", "2036-11-22T15:00", ["category": "shopping"])
        let browser = try open("ada")
        func search(_ script: String) throws -> [String] {
            _ = try browser.run(
                """
                const form = document.querySelector('#calendar-search form')
                document.querySelector('#calendar-search').open = true
                return new Promise(done => setTimeout(done, 0)).then(() => {
                  for (const one of form.querySelectorAll('[type=checkbox]')) one.checked = false
                  form.from.value = '2036-11-01'
                  form.to.value = '2036-11-30'
                  \(script)
                  form.requestSubmit()
                })
                """, try id("bob"))
            try browser.wait("the answer") {
                try browser.run("return !!document.querySelector('kin-calendar').found").bool == true
            }
            let texts = try browser.run(
                "return [...document.querySelectorAll('.day-list .what')].map(one => one.lastChild.textContent)")
            return (texts.array ?? []).compactMap(\.string)
        }
        #expect(try search("form.words.value = 'swim'").count == 3)
        #expect(
            try search("form.querySelector('[value=sport]').checked = true") == ["Swimming lesson", "Swimming gala"])
        #expect(try search("form.querySelector(`[value='${arguments[0]}']`).checked = true") == ["Swimming gala"])
        #expect(try search("form.to.value = '2036-11-20'") == ["Swimming lesson"])
        #expect(
            try search("form.to.value = '2036-10-20'; document.querySelector('kin-calendar').found ??= 1").count == 1)
        #expect(try browser.text("#calendar-search .wrong:not([hidden])") == "Give two days, the earlier one first.")
        try browser.click(".day-list .event")
        try browser.wait("what can be done") { try browser.sees("#entry-change") }
        #expect(try browser.log() == [])
    }

    /// With `KINWIRE_SCREENSHOTS=DIR` pictures are written there, to be looked at.
    @Test func `every look of it fits its screen and keeps the rules of accessibility`() throws {
        let axe = try #require(PageTests.axe)
        let carol = try id("bob")
        try add(
            "Football practice", "2036-11-03T17:00", ["repeat": "weekly", "category": "sport", "invitees": [carol]])
        try add("Holidays in the mountains with everybody", "2036-11-22", ["days": 4, "category": "vacation"])
        try add("School play", "2036-11-24T18:00", by: "bob", ["minutes": 120, "invitees": [try id("ada")]])
        for (language, width, isDark) in [("en", 1280, false), ("de", 390, true), ("de", 320, false)] {
            let browser = try Browser(stage, language: language)
            try browser.screen(width: width, height: 844, isDark: isDark)
            try browser.signIn(house, "ada")
            try browser.click("[data-tab=calendar]")
            _ = try browser.run("location.hash = '#/calendar/2036-11-24'")
            func judge(_ screen: String) throws {
                #expect(try browser.violations(axe) == [], "\(screen), \(language)")
                let wide = try browser.run("return document.documentElement.scrollWidth").int ?? .max
                #expect(wide <= Int64(width), "\(screen), \(width)")
                try browser.draw("calendar-\(screen)-\(width)-\(language)")
            }
            for view in ["month", "week", "day", "agenda", "wall", "year"] {
                try browser.click("[data-view=\(view)]")
                try browser.wait("what is on") {
                    try browser.sees(
                        "#calendar-body \(["year": ".marked", "month": ".day-list .event"][view] ?? ".event")")
                }
                try judge(view)
            }
            try browser.click("[data-view=agenda]")
            // The holidays stand under the first day alone.
            try browser.wait(for: language == "de" ? "bis 25. Nov" : "until 25 Nov", in: "#calendar-body")
            try browser.click(".day-list .event")
            try browser.wait("all there is to it") { try browser.sees("#entry-change") }
            try judge("entry")
            try browser.click("#entry-change")
            try browser.wait("the form") { try browser.sees("#entry-form") }
            try judge("form")
            #expect(try browser.log() == [])
        }
    }

    @Test(arguments: ["week", "day"])
    func `a finger that rests on an entry drags it, with a way back, and one that swipes scrolls`(view: String) throws {
        try add("Walk", "2036-11-24T10:00")
        let browser = try open("ada", view: view, width: 500)
        try browser.wait("the hours") { try on("2036-11-24", browser) == ["Walk"] }
        // The hours around ten, in the middle of the screen.
        _ = try browser.run(
            "document.querySelector('.column .event').scrollIntoView({ block: 'center', inline: 'center' })")
        _ = try browser.run("addEventListener('scrollend', () => document.body.dataset.scrolled = '', true)")
        let scrolled = "return document.querySelector('[data-scroll=hours]').scrollTop + scrollY"
        let before = try browser.run(scrolled).double ?? -1
        let start = try still(browser)
        _ = try browser.run("delete document.body.dataset.scrolled")
        try browser.touch("touchStart", start)
        for step in 1...8 { try browser.touch("touchMove", (start.x, start.y - 20 * Double(step))) }
        #expect(try !browser.sees(".ghost"))
        try browser.touch("touchEnd")
        try browser.wait("the page to be scrolled") { try browser.run(scrolled).double ?? 0 > before + 40 }
        #expect(try times("Walk") == ["2036-11-24T10:00"] && !browser.sees("dialog"))
        // A finger that comes while a scroll runs out goes on with that.
        try browser.wait("the scroll to be over") { try browser.sees("body[data-scrolled]") }
        _ = try browser.run(
            "document.querySelector('.column .event').scrollIntoView({ block: 'center', inline: 'center' })")
        let rest = try still(browser)
        let hour =
            try browser.run("return document.querySelector('.column').getBoundingClientRect().height / 24").double ?? 0
        try browser.touch("touchStart", rest)
        try browser.wait("it to be held") { try browser.sees(".ghost") }
        for step in 1...4 { try browser.touch("touchMove", (rest.x, rest.y + 2 * hour * Double(step) / 4)) }
        try browser.draw("calendar-finger-\(view)")
        try browser.touch("touchEnd")
        try browser.wait("it to be later") { try times("Walk") == ["2036-11-24T12:00"] }
        #expect(try !browser.sees("dialog") && !browser.sees(".ghost"), "a drag is no tap")
        try browser.click("#told button")
        try browser.wait("it to be back") { try times("Walk") == ["2036-11-24T10:00"] }
        #expect(try browser.log() == [])
    }

    /// Where the entry is once nothing moves any more.
    private func still(_ browser: Browser) throws -> (x: Double, y: Double) {
        var last = try browser.middle(".column .event")
        try browser.wait("the page to stand still") {
            let now = try browser.middle(".column .event")
            defer { last = now }
            return now == last
        }
        return last
    }
}
