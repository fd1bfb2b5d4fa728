import KinModel
import Testing

/// The gallery on the family's page, looked through, in Debian's Chromium against the real daemon.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageGalleryTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage)
        try house.found()
        try house.join("carol")
    }

    @Test func `pictures are looked through by who is in them, as soon as somebody is said to be in one`() throws {
        let browser = try Browser(stage)
        func isShown(_ expected: Int64) throws {
            try browser.wait("\(expected) to be shown") {
                try browser.run("return document.querySelectorAll('#pictures img').length").int == expected
            }
        }
        func choose(_ who: JSON) throws {
            try browser.run(
                """
                const choice = document.querySelector("#pictured")
                choice.value = arguments[0]
                choice.dispatchEvent(new Event("change"))
                """, who)
        }
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=pictures]")
        try browser.drop(pictures: 2, into: "kin-gallery")
        try isShown(2)
        #expect(try !browser.sees("#pictured"))
        let door = try house.door(as: "ada")
        let carol = JSON.id(try #require(try house.snapshot("carol").me))
        let first = JSON.id(try #require(try house.snapshot("ada").pictures.keys.min()))
        _ = try door.call("picture.update", ["picture": first, "people": [carol]])
        try browser.wait("the choice") { try browser.sees("#pictured") }
        if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
        try choose(carol)
        try isShown(1)
        // Whoever says not to be in it takes it out of sight there, and not out of the gallery.
        _ = try house.door(as: "carol").call("picture.leave", ["picture": first])
        try isShown(0)
        try browser.wait(for: "No picture that you see here shows this member", in: "kin-gallery")
        try choose("")
        try isShown(2)
        #expect(try browser.log() == [])
    }

    @Test func `pictures are looked through by the days on which they were taken`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=pictures]")
        try browser.drop(pictures: 1, into: "kin-gallery")
        try browser.wait("it to be shown") { try browser.sees("#pictures img") }
        func choose(_ from: String, _ to: String) throws {
            try browser.run(
                """
                document.querySelector("#by-date").open = true
                for (const [id, day] of [["#pictures-from", arguments[0]], ["#pictures-to", arguments[1]]]) {
                  const input = document.querySelector(id)
                  input.value = day
                  input.dispatchEvent(new Event("change"))
                }
                """, .string(from), .string(to))
        }
        try choose("1999-01-01", "1999-12-31")
        try browser.wait(for: "No picture that you see was taken then", in: "kin-gallery")
        if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
        // What is sent now was not taken then.
        try browser.drop(pictures: 1, from: 2, into: "kin-gallery")
        try browser.wait("it to have come") { try house.snapshot("ada").pictures.count == 2 }
        #expect(try !browser.sees("#pictures img"))
        // The last day is one of them.
        let taken = try #require(try house.snapshot("ada").pictures.values.map(\.moment).max())
        let day = String(taken.description.prefix(10))
        try choose("1999-01-01", day)
        try browser.wait("both to be shown") {
            try browser.run("return document.querySelectorAll('#pictures img').length").int == 2
        }
        #expect(try browser.log() == [])
    }

    @Test func `a picture is kept as it was sent where its sender asks for that, and others save it so`() throws {
        let (ada, carol) = (try Browser(stage), try Browser(stage))
        for (browser, name) in [(ada, "ada"), (carol, "carol")] {
            try browser.signIn(house, name)
            try browser.click("[data-tab=pictures]")
            try browser.wait(for: "There are no pictures here yet", in: "kin-gallery")
        }
        let original = "return document.querySelector('dialog.viewer a[href$=original]')?.href ?? null"
        try ada.drop(pictures: 1, into: "kin-gallery")
        try carol.wait("the picture") { try carol.sees("#pictures img") }
        try carol.click("#pictures .picture")
        try carol.wait("the viewer") { try carol.sees("dialog.viewer .like") }
        #expect(try carol.run(original) == .null, "nobody asked for it")
        try carol.pressEscape()
        try ada.run("document.querySelector('#how-added').open = true")
        try ada.click("#keep-original")
        try ada.drop(pictures: 1, from: 2, into: "kin-gallery")
        try ada.wait("the second") { try house.snapshot("ada").pictures.count == 2 }
        #expect(try house.snapshot("ada").pictures.values.compactMap(\.original) == [.png])
        try carol.wait("both") {
            try carol.run("return document.querySelectorAll('#pictures img').length").int == 2
        }
        // The newest stands first.
        try carol.click("#pictures .picture")
        try carol.wait("the way to it") { try carol.run(original).string != nil }
        let saved = try carol.run(
            """
            const answer = await fetch(document.querySelector("dialog.viewer a[href$=original]").href)
            const bytes = new Uint8Array(await answer.arrayBuffer())
            return [answer.headers.get("Content-Type"), String.fromCharCode(...bytes.slice(1, 4))].join(" ")
            """)
        #expect(saved.string == "image/png PNG")
        #expect(try ada.log() == [] && carol.log() == [])
    }

    @Test func `an upload that was given up goes on where it was when it is tried again`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=pictures]")
        try browser.wait(for: "There are no pictures here yet", in: "kin-gallery")
        // After the first piece nothing is reached, for longer than the page tries; its pauses are short here.
        try browser.run(
            """
            const [real, later] = [window.fetch, window.setTimeout]
            Object.assign(window, { begun: 0, pieces: 0, isCut: false })
            const pauses = [1000, 2000, 4000, 8000, 15_000]
            window.setTimeout = (work, after, ...more) => later(work, window.isCut && pauses.includes(after) ? 20 : after, ...more)
            window.fetch = async (address, how) => {
              if (window.isCut && ["PATCH", "HEAD", "POST"].includes(how?.method)) throw new TypeError("cut")
              if (how?.method === "POST") window.begun += 1
              const answer = await real(address, how)
              if (how?.method === "PATCH" && ++window.pieces === 1) window.isCut = true
              return answer
            }
            const noise = new Uint8Array(3_000_000)
            for (let at = 0; at < noise.length; at += 65536) crypto.getRandomValues(noise.subarray(at, at + 65536))
            const canvas = new OffscreenCanvas(1000, 1000)
            canvas.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(4_000_000).map((_, at) => at % 4 === 3 ? 255 : noise[at % 3_000_000]), 1000, 1000), 0, 0)
            const data = new DataTransfer()
            data.items.add(new File([await canvas.convertToBlob({ type: "image/png" })], "noise.png", { type: "image/png" }))
            document.querySelector("kin-gallery").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }))
            """)
        try browser.wait("it to be given up") { try browser.sees(".tray button") }
        #expect(try browser.run("return window.pieces").int == 1)
        try browser.run("window.isCut = false")
        try browser.click(".tray button")
        try browser.wait("the picture") {
            try browser.run("return document.querySelectorAll('#pictures img').length").int == 1
        }
        #expect(try house.snapshot("ada").pictures.values.first?.width == 1000)
        #expect(try browser.run("return window.begun").int == 1, "it began anew")
    }

    @Test func `what is thought of a picture is the same in the grid and in the viewer, for everybody at once`() throws
    {
        let (ada, carol) = (try Browser(stage), try Browser(stage))
        for (browser, name) in [(ada, "ada"), (carol, "carol")] {
            try browser.signIn(house, name)
            try browser.click("[data-tab=pictures]")
            try browser.wait(for: "There are no pictures here yet", in: "kin-gallery")
        }
        try ada.drop(pictures: 1, into: "kin-gallery")
        for browser in [ada, carol] { try browser.wait("the picture") { try browser.sees("#pictures img") } }
        for browser in [ada, carol] {
            try browser.click("#pictures .picture")
            try browser.wait("the words") { try browser.sees("dialog.viewer .like[data-word=love]") }
        }
        try carol.click("dialog.viewer .like[data-word=love]")
        for browser in [ada, carol] { try browser.wait(for: "❤️ Carol", in: "#liked-by") }
        if let axe = PageTests.axe { #expect(try carol.violations(axe) == []) }
        try ada.pressEscape()
        try ada.wait(for: "1", in: "#pictures .hearts")
        let seen = try house.snapshot("ada")
        #expect(seen.pictures.values.first?.likes.map(\.reaction) == [.love])
        #expect(
            seen.inbox.entries.contains {
                $0.about.hasPrefix("picture/") && $0.lines.contains { $0["kind"] == "pictureLiked" }
            })
        try carol.click("dialog.viewer .like[data-word=love]")
        try carol.wait("nobody to be named") { try !carol.sees("#liked-by") }
        try ada.wait("the heart to go") { try !ada.sees("#pictures .hearts") }
        #expect(try ada.log() == [] && carol.log() == [])
    }
}
