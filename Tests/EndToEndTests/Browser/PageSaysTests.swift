import Glibc
import KinCodec
import KinModel
import Testing

/// What screens say while they know nothing yet or nothing is reached, and what stands where, in Debian's Chromium against
/// the real daemon.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageSaysTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["bob"])
    }

    @Test func `the map is as wide as a phone, and where two stand the name is that of the upper one`() throws {
        for name in ["ada", "bob"] {
            let door = try house.door(as: name)
            _ = try door.call("sharing.set", ["state": "on"])
            _ = try door.call("position.report", ["lat": 45.54, "lon": 13.72, "accuracy": 8, "at": .time(Instant.now)])
        }
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        guard try browser.run("return document.querySelector('meta[name=leaflet]').content").string != "" else {
            return
        }
        try browser.click("[data-tab=map]")
        try browser.wait("one of two names") {
            try browser.run("return document.querySelectorAll('.dot .name.covered').length").int == 1
        }
        let name = try browser.text(".dot .name:not(.covered)")
        let upper = try browser.run(
            """
            const box = document.querySelector(".dot .name:not(.covered)").closest(".dot").querySelector(".face").getBoundingClientRect()
            const seen = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
            return seen.closest(".dot").querySelector(".name").textContent
            """
        ).string
        #expect(name == upper)
        for screen in ["map", "chat", "lists"] {
            try browser.run("location.hash = `#/${arguments[0]}`", .string(screen))
            let selector = screen == "map" ? "kin-map .map" : "main .bar"
            try browser.wait("the \(screen)") { try browser.sees(selector) }
            let far = try browser.run(
                """
                const edge = document.querySelector("main").getBoundingClientRect().right
                return edge - document.querySelector(arguments[0]).getBoundingClientRect().right
                """, .string(selector)
            ).double
            #expect((far ?? 99) < 20, "\(screen) ends \(far ?? -1) px before the edge")
        }
    }

    @Test func `a room is opened at its end, however late its pictures come`() throws {
        try stage.run("sh", "-c", "printf %s '\(UpkeepTests.picture)' | base64 -d >\(stage.folder)/kite.png")
        for words in (1...12).map({ ["chat", "say", "family", "Day \($0)"] })
            + [["chat", "send", "family", "Our kite", "--picture", stage.folder + "/kite.png"]]
        {
            let program = stage.start(["kin"] + words + ["--as", "bob"])
            program.closeInput()
            try stage.wait("kin to end") { program.status != nil }
            #expect(program.status == 0, "\(words): \(program.said)")
        }
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=chat]")
        let room = try #require(try house.snapshot("ada").rooms.values.first { $0.room.kind == .family }).room.id
        try browser.click("#rooms a[href='#/chat/\(room)']")
        try browser.wait("the picture") {
            try browser.run("return !!document.querySelector('.message:last-child img')?.naturalHeight").bool == true
        }
        try browser.wait("the end of the room to be seen") {
            let rest = try browser.run(
                "const list = document.querySelector('.messages'); return list.scrollHeight - list.scrollTop - list.clientHeight"
            ).double
            return (rest ?? 99) < 2
        }
        // Whoever has scrolled up stays there.
        try browser.run("document.querySelector('.messages').scrollTop = 60")
        try browser.run(
            """
            return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {
              document.querySelector(".message img").dispatchEvent(new Event("load"))
              done(true)
            })))
            """)
        #expect(try browser.run("return document.querySelector('.messages').scrollTop").double == 60)
        #expect(try browser.log() == [])
    }

    @Test func `what is not known yet is not said to be nothing, nor that nothing is reached`() throws {
        let today = String(Instant.now.description.prefix(10))
        _ = try house.door(as: "ada").call(
            "entry.add", ["subject": "Fair", "start": .string(today), "end": .string(today), "zone": "UTC"])
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.beforehand(
            """
            window.said = new Set()
            new MutationObserver(() => { for (const one of document.querySelectorAll("main .empty, main [role=status]")) if (one.checkVisibility()) said.add(one.textContent) })
              .observe(document, { childList: true, subtree: true, attributes: true, characterData: true })
            """)
        for (screen, sign) in [("calendar", "Fair"), ("search?q=fair", "Fair"), ("posts/news", "News from outside")] {
            try browser.open(house.url + "/#" + screen)
            try browser.run("location.reload()")
            try browser.wait(for: sign, in: "main")
            if screen == "calendar" {
                // A year is asked for by its days alone: what it has is not what a list has.
                try browser.click("[data-view=year]")
                try browser.wait("the year") { try browser.sees("kin-calendar .today") }
                try browser.click("[data-view=agenda]")
                try browser.wait(for: sign, in: "kin-calendar")
            }
            let said = try browser.run("return [...window.said]").array?.compactMap(\.string) ?? []
            let wrong = said.filter { $0.contains("Kinwire is reached") || $0.contains("Nothing is on") }
            #expect(wrong == [], "\(screen)")
        }
    }

    @Test func `without the daemon no button is dead, and no screen names another cause`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.wait("the page to be live") { try browser.sees("#show-me") && !browser.sees("header .line") }
        try browser.click("[data-tab=family]")
        try browser.wait("the page to be idle") { try browser.sees("#invites") }
        house.kill()
        try browser.wait(for: "not reached", in: "header .line")
        for selector in ["#invites", "[data-open='family.sessions']", "#walls"] {
            try browser.run("document.querySelector('#told').replaceChildren()")
            try browser.click(selector)
            try browser.wait(for: "not reached at the moment, so this cannot be done now", in: "#told")
        }
        // Two seconds later one goes elsewhere: what was said on that screen goes with it.
        try browser.run("window.realNow = Date.now; Date.now = () => realNow.call(Date) + 2_000")
        try browser.run("location.hash = '#/meals/dishes'")
        try browser.wait(for: "as soon as Kinwire is reached", in: "kin-dishes")
        #expect(try !browser.text("#told").contains("cannot be done now"))
        try browser.run("Date.now = window.realNow")
        try browser.run("location.hash = '#/map'")
        if try browser.run("return document.querySelector('meta[name=leaflet]').content").string != "" {
            try browser.wait("the map, or why it is not there") {
                try browser.sees("kin-map .leaflet-container") || browser.text("kin-map").contains("Kinwire is reached")
            }
            #expect(try !browser.text("kin-map").contains("libjs-leaflet"))
        }
        try house.start()
        try browser.wait("the map") { try browser.sees("kin-map .leaflet-container") }
    }
}
