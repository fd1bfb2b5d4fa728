import Glibc
import KinCodec
import KinCrypto
import KinModel
import Testing

/// The gallery on the family's page, in Debian's Chromium against the real daemon.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PagePictureTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["carol"])
    }

    private func drop(_ count: Int, from: Int = 1, into selector: String = "kin-gallery", _ browser: Browser) throws {
        try browser.drop(pictures: count, from: from, into: selector)
    }

    private func count(_ selector: String, _ browser: Browser) throws -> Int64 {
        try browser.run("return document.querySelectorAll(arguments[0]).length", .string(selector)).int ?? -1
    }

    @Test func `pictures are dropped by one, seen, named and looked through by another, and removed`() throws {
        let (ada, carol) = (try Browser(stage), try Browser(stage))
        for (browser, name) in [(ada, "ada"), (carol, "carol")] {
            try browser.signIn(house, name)
            try browser.click("[data-tab=pictures]")
            try browser.wait(for: "There are no pictures here yet", in: "kin-gallery")
        }
        try drop(3, ada)
        try carol.wait("three to be seen") { try count("#pictures img", carol) == 3 }
        try ada.wait("nothing to be on its way") { try !ada.sees(".tray") }
        // A burst is one entry.
        let entries = try house.snapshot("carol").inbox.entries.filter { $0.about.hasPrefix("picture") }
        #expect(entries.count == 1 && entries.first?.lines.first?["count"] == 3, "\(entries.map(\.json))")
        // The first one, wherever it is drawn while others still come.
        try carol.run("document.querySelector('#pictures .picture').click()")
        try carol.wait("the viewer") { try carol.sees("dialog.viewer img") }
        let shown = "return document.querySelector('dialog.viewer img').src.match(/pictures.([^/]+)/)[1]"
        let first = try carol.run(shown).string
        // A key that comes while the picture is still being shown may be nobody's: whoever looks presses again.
        try carol.wait("the next one") {
            try carol.press("ArrowRight", 39)
            return try carol.run(shown).string != first
        }
        try carol.wait("the one before") {
            try carol.press("ArrowLeft", 37)
            return try carol.run(shown).string == first
        }
        if let axe = PageTests.axe { #expect(try carol.violations(axe) == []) }
        // Only what one may do is offered.
        #expect(try count("dialog.viewer .remove-picture", carol) == 0)
        try carol.pressEscape()
        try carol.wait("the gallery") { try count("dialog.viewer", carol) == 0 }
        try ada.click("#pictures .picture")
        try ada.wait(for: "Who sees it: Everybody but guests", in: "dialog.viewer .words")
        try ada.click("dialog.viewer .edit-picture")
        try ada.type("At the lake", into: "#picture-caption")
        try ada.type("Summer", into: "#picture-album")
        try ada.click("#edit-picture button[type=submit]")
        try ada.wait(for: "At the lake", in: "dialog.viewer")
        try ada.click("dialog.viewer .remove-picture")
        try ada.wait("two to be left") { try count("#pictures img", ada) == 2 }
        // It can be had back, and nobody else saw it go.
        try ada.click("#told button")
        try ada.wait("three to be there") { try count("#pictures img", ada) == 3 }
        #expect(try count("#pictures img", carol) == 3)
        #expect(
            try house.door(as: "ada").call("picture.list", ["bin": true])["pictures"]?.array?.isEmpty == true)
        #expect(
            try ada.run("return document.querySelector('#archive').getAttribute('href')").string
                == "/api/pictures-archive?format=zip")
        try ada.click("#pictures .picture")
        try ada.wait(for: "At the lake", in: "dialog.viewer")
        try ada.click("dialog.viewer .remove-picture")
        try ada.wait("two to be left") { try count("#pictures img", ada) == 2 }
        try carol.wait("two to be left") { try count("#pictures img", carol) == 2 }
        #expect(try ada.log() == [] && carol.log() == [])
    }

    @Test func `whoever is said to be in a picture undoes it, and what was removed comes out of one's own bin`() throws
    {
        let (ada, carol) = (try Browser(stage), try Browser(stage))
        for (browser, name) in [(ada, "ada"), (carol, "carol")] {
            try browser.signIn(house, name)
            try browser.click("[data-tab=pictures]")
            try browser.wait(for: "There are no pictures here yet", in: "kin-gallery")
        }
        try drop(1, ada)
        try carol.wait("one to be seen") { try count("#pictures img", carol) == 1 }
        try ada.wait("nothing to be on its way") { try !ada.sees(".tray") }
        let seen = try house.snapshot("carol")
        let (picture, door) = (try #require(seen.pictures.keys.first), try house.door(as: "ada"))
        _ = try door.call(
            "picture.update", ["picture": .id(picture), "people": [.id(try #require(seen.me))]])
        #expect(
            try house.snapshot("carol").inbox.entries.contains {
                $0.about == "picture/\(picture)" && $0.lines.contains { $0["kind"] == "pictured" }
            })
        try carol.click("#pictures .picture")
        try carol.click("dialog.viewer .not-me")
        try carol.wait("the button to go") { try !carol.sees("dialog.viewer .not-me") }
        #expect(try house.snapshot("ada").pictures[picture]?.people == [])
        try carol.pressEscape()
        try carol.wait("the gallery") { try count("dialog.viewer", carol) == 0 }
        _ = try door.call("picture.remove", ["picture": .id(picture)])
        for browser in [ada, carol] {
            try browser.wait("none to be left") { try count("#pictures img", browser) == 0 }
            try browser.click(".picking input[type=checkbox]")
        }
        try carol.wait(for: "Your bin is empty", in: "kin-gallery")
        try ada.wait("one in the bin") { try count("#pictures img", ada) == 1 }
        #expect(try ada.text("kin-gallery").contains("Only you see what lies here"))
        try ada.click("#pictures .picture")
        try ada.click("dialog.viewer .restore-picture")
        try ada.wait(for: "Your bin is empty", in: "kin-gallery")
        try carol.click(".picking input[type=checkbox]")
        try carol.wait("it to be there again") { try count("#pictures img", carol) == 1 }
        #expect(try ada.log() == [] && carol.log() == [])
    }

    @Test func `an upload goes on after the daemon was away, and a file that is no picture is said to be none`() throws
    {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=pictures]")
        try browser.wait(for: "There are no pictures here yet", in: "kin-gallery")
        // Pieces go one by one; the daemon dies after the second.
        try browser.run(
            """
            const real = window.fetch
            window.pieces = 0
            window.begun = 0
            window.fetch = async (address, how) => {
              // Whole pieces from the beginning: a second one would be an upload that began anew.
              if (how?.method === "PATCH" && how.headers["Upload-Offset"] === "0" && how.body.size === 1 << 20) window.begun += 1
              const answer = await real(address, how)
              if (how?.method === "PATCH" && ++window.pieces === 2) await new Promise(resolve => { window.goOn = resolve })
              return answer
            }
            const noise = new Uint8Array(3_000_000)
            for (let at = 0; at < noise.length; at += 65536) crypto.getRandomValues(noise.subarray(at, at + 65536))
            const canvas = new OffscreenCanvas(1000, 1000)
            canvas.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(4_000_000).map((_, at) => at % 4 === 3 ? 255 : noise[at % 3_000_000]), 1000, 1000), 0, 0)
            const data = new DataTransfer()
            data.items.add(new File([await canvas.convertToBlob({ type: "image/png" })], "noise.png", { type: "image/png" }))
            data.items.add(new File(["<svg xmlns='http://www.w3.org/2000/svg'/>"], "drawing.jpg", { type: "image/jpeg" }))
            document.querySelector("kin-gallery").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }))
            """)
        try browser.wait("two pieces") { try browser.run("return !!window.goOn").bool == true }
        #expect(try browser.run("return document.querySelector('.tray progress').value").double ?? 0 > 0)
        house.kill()
        try browser.run("window.goOn()")
        try browser.wait(for: "not reached", in: ".line")
        try house.start()
        try browser.wait("the picture") { try count("#pictures img", browser) == 1 }
        try browser.wait(for: "drawing.jpg: Choose a picture", in: ".tray")
        #expect(try house.snapshot("ada").pictures.values.first?.width == 1000)
        #expect(try browser.run("return window.begun").int == 1, "it began anew")
    }

    /// Made by code: a HEIC of 64 by 48 pixels.
    private static let heic = """
        AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAeVtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAA\
        AAAAAA5waXRtAAAAAAACAAAAEGlkYXQAAAAAAEAAMAAAAExpbG9jAQAAAERAAAMAAQAAAAAAAAIJAAEAAAAAAAAAUgACAAEA\
        AAAAAAAAAQAAAAAAAAAIAAMAAAAAAAACWwABAAAAAAAAAHAAAABNaWluZgAAAAAAAwAAABVpbmZlAgAAAQABAABodmMxAAAA\
        ABVpbmZlAgAAAAACAABncmlkAAAAABVpbmZlAgAAAQADAABFeGlmAAAAANlpcHJwAAAAt2lwY28AAAB3aHZjQwEDcAAAAAAA\
        AAAAAB7wAPz9+PgAAA8DIAABABhAAQwB//8DcAAAAwCQAAADAAADAB66AkAhAAEAK0IBAQNwAAADAJAAAAMAAAMAHqAggQWW\
        6SkpLm4EBAwIAAADAAgAAAMACEAiAAEABkQBwHGBEgAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAAQAAAADAA\
        AAAQcGl4aQAAAAADCAgIAAAAGmlwbWEAAAAAAAAAAgABAoECAAICA4QAAAAoaXJlZgAAAAAAAAAOZGltZwACAAEAAQAAAA5j\
        ZHNjAAMAAQACAAAAym1kYXQAAABOKAGsJ4CGNv/KeX/zB2h8R7vwdhRH/MdivWN4/mYiDwUB/NNRhxOzyBfmKb07SX01Wf15\
        jbU3syP+bLd5ln1ZHn62TXfG9341VGr9Mgg+AAAAAE1NACoAAAAIAAMBEgADAAAAAQAGAACHaQAEAAAAAQAAADKIJQAEAAAA\
        AQAAAIAAAAAAAAKQAwACAAAAFAAAAFCQEQACAAAABwAAAGQAAAAAMjAyNDowNTowMSAxMjozNDo1NgArMDI6MDAAAA==
        """

    @Test func `a picture of 40 megapixels and a HEIC are shown, and what cannot be opened is said with what to do`()
        throws
    {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=pictures]")
        try browser.wait(for: "There are no pictures here yet", in: "kin-gallery")
        // Red on the left and blue on the right, 8,000 by 5,000.
        try browser.run(
            """
            const canvas = new OffscreenCanvas(8000, 5000), pen = canvas.getContext("2d")
            for (const [colour, x] of [["#f00", 0], ["#00f", 4000]]) { pen.fillStyle = colour; pen.fillRect(x, 0, 4000, 5000) }
            const bytes = Uint8Array.from(atob(arguments[0]), one => one.charCodeAt(0))
            const data = new DataTransfer()
            data.items.add(new File([await canvas.convertToBlob({ type: "image/jpeg" })], "wide.jpg", { type: "image/jpeg" }))
            // As browsers that do not know the type name it.
            data.items.add(new File([bytes], "IMG_0001.HEIC"))
            data.items.add(new File([bytes.slice(0, 400)], "IMG_0002.HEIC"))
            data.items.add(new File([await canvas.convertToBlob({ type: "image/png" })], "huge.png", { type: "image/png" }))
            document.querySelector("kin-gallery").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }))
            """, .string(Self.heic))
        try browser.wait("three pictures") { try count("#pictures img", browser) == 3 }
        try browser.wait(for: "IMG_0002.HEIC: The picture is damaged or incomplete", in: ".tray")
        #expect(try count(".tray li", browser) == 1)
        #expect(try count(".tray li button", browser) == 1, "it can be tried again")
        let sides = Set(try house.snapshot("carol").pictures.values.map { Double($0.width) / Double($0.height) })
        #expect(sides == [1.6, 64.0 / 48])
        let colours = try browser.run(
            """
            const wide = [...document.querySelectorAll("#pictures img")].map(async one => {
              await one.decode()
              if (one.naturalWidth / one.naturalHeight < 1.5) return []
              const canvas = new OffscreenCanvas(100, 100), pen = canvas.getContext("2d")
              pen.drawImage(one, 0, 0, 100, 100)
              return [10, 90].map(x => [...pen.getImageData(x, 50, 1, 1).data].slice(0, 3).map(part => Math.round(part / 255)).join(""))
            })
            return (await Promise.all(wide)).flat()
            """)
        #expect(colours == ["100", "001", "100", "001"])
    }

    @Test func `ten years of pictures take no more of the page than ten`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=pictures]")
        try drop(70, browser)
        // One after the other, each in a process of its own.
        for number in 1...70 {
            try browser.wait("\(number) to have come") { try house.snapshot("ada").pictures.count >= number }
        }
        try browser.run("location.reload()")
        try browser.wait("pictures") { try count("#pictures img", browser) > 0 }
        var most: Int64 = 0
        try browser.wait("the end to be reached") {
            try browser.run("scrollTo(0, document.documentElement.scrollHeight)")
            most = max(most, try count("#pictures .picture", browser))
            return try browser.run("return document.querySelector('kin-gallery').items.length").int == 70
        }
        #expect(most < 60, "\(most) of 70 stood in the page at once")
    }

    @Test func `a post has pictures, which stand beside each other`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=posts]")
        try drop(3, into: "#post-text", browser)
        try browser.wait("three to be there") { try count(".hung img", browser) == 3 }
        try browser.type("Look", into: "#post-text")
        try browser.click("#send-post")
        try browser.wait("the post") { try count(".post .shots img", browser) == 3 }
        #expect(try house.snapshot("carol").posts.values.first?.pictures.count == 3)
        try browser.click(".post .shots .picture")
        try browser.wait("the viewer") { try browser.sees("dialog.viewer img") }
        #expect(try browser.log() == [])
    }

    @Test func `two to twelve pictures of a post are a collage whose rows come out even`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=pictures]")
        try drop(12, browser)
        for number in 1...12 {
            try browser.wait("\(number) to have come") { try house.snapshot("ada").pictures.count >= number }
        }
        let pictures = try house.snapshot("ada").pictures.keys.sorted()
        let door = try house.door(as: "ada")
        try browser.click("[data-tab=posts]")
        for count in 2...12 {
            let shown = pictures.prefix(count).map { ["picture": .id($0)] as JSON }
            let post = try door.call("post.add", ["pictures": .array(shown), "audience": "everyone"])["post"]?["id"]
            try browser.wait("\(count) to be there") { try self.count(".post .shots img", browser) == Int64(count) }
            // Right of each picture, or of one beside it, is the edge of the collage; none is beyond that.
            let isEven = try browser.run(
                """
                const all = document.querySelector(".post .shots").getBoundingClientRect()
                const parts = [...document.querySelectorAll(".post .shots figure")].map(one => one.getBoundingClientRect())
                return parts.every(one => one.right < all.right + 1 && one.left > all.left - 1
                  && parts.some(other => Math.abs(other.right - all.right) < 2
                    && other.top < one.bottom - 1 && other.bottom > one.top + 1))
                """)
            #expect(isEven == .bool(true), "\(count)")
            // They were in the gallery, and are there again.
            _ = try door.call("post.remove", ["post": try #require(post)])
            try browser.wait("it to be gone") { try self.count(".post", browser) == 0 }
        }
        #expect(try house.snapshot("ada").pictures.count == 12)
        #expect(try browser.log() == [])
    }

    @Test func `pictures that are chosen become a collage, which is a picture of its own`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=pictures]")
        try drop(3, browser)
        try browser.wait("three to be there") { try count("#pictures img", browser) == 3 }
        try browser.click("#collage")
        try browser.wait("what can be chosen") { try count(".choosing .picture", browser) == 3 }
        let isOff = "return document.querySelector('#make-collage').disabled"
        try browser.click(".choosing .picture:nth-child(2)")
        #expect(try browser.run(isOff).bool == true, "one is none")
        try browser.click(".choosing .picture:nth-child(1)")
        #expect(try browser.run(isOff).bool == false)
        if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
        for (width, isDark) in [(320, true), (1280, false)] {
            try browser.screen(width: width, height: 800, isDark: isDark)
            try browser.draw("collage-\(width)")
        }
        try browser.click("#make-collage")
        try browser.wait("the collage") { try house.snapshot("ada").pictures.count == 4 }
        let made = try #require(try house.snapshot("ada").pictures.values.max { $0.id < $1.id })
        #expect(made.width == 1920 && made.height == 720)
        // It is its maker's alone until it is shared, whoever sees the others.
        #expect(try house.snapshot("carol").pictures.count == 3)
        try browser.wait("the gallery") { try count("#pictures img", browser) == 4 && count("dialog", browser) == 0 }
        #expect(try browser.log() == [])
    }

    @Test func `what is pasted or dropped goes where one is, and a swipe shows the next picture`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=pictures]")
        try browser.wait(for: "There are no pictures here yet", in: "kin-gallery")
        for number in 1...2 {
            try browser.drop(pictures: 1, from: number, into: "body", pasted: true)
            try browser.wait("what was pasted") { try count("#pictures img", browser) == Int64(number) }
        }
        try browser.wait("nothing to be on its way") { try !browser.sees("kin-gallery .tray") }
        try browser.click("#pictures .picture")
        try browser.wait("the viewer") { try browser.sees("dialog.viewer img") }
        let shown = "return document.querySelector('dialog.viewer img').src.match(/pictures.([^/]+)/)[1]"
        // The larger one, which comes a moment later, is named by its whole address: `shown` reads both.
        let first = try browser.run(shown).string
        func swipe(_ pixels: Int64) throws {
            _ = try browser.run(
                """
                const image = document.querySelector("dialog.viewer img")
                const at = (type, clientX) => image.dispatchEvent(new PointerEvent(type,
                  { bubbles: true, isPrimary: true, pointerId: 7, pointerType: "touch", clientX, clientY: 90 }))
                at("pointerdown", 200)
                at("pointermove", 200 + arguments[0])
                at("pointerup", 200 + arguments[0])
                """, .int(pixels))
        }
        try swipe(-30)
        #expect(try browser.run(shown).string == first)
        try swipe(-90)
        try browser.wait("the next one") { try browser.run(shown).string != first }
        try swipe(90)
        try browser.wait("the one before") { try browser.run(shown).string == first }
        try browser.pressEscape()
        try browser.wait("the gallery") { try count("dialog.viewer", browser) == 0 }
        try browser.click("[data-tab=posts]")
        try browser.wait("the form") { try browser.sees("#post-text") }
        try browser.drop(pictures: 1, from: 3, into: "#post-text", pasted: true)
        try browser.wait("what was pasted") { try count(".hung img", browser) == 1 }
        try browser.click("#send-post")
        try browser.wait("the post") { try count(".post .shots img", browser) == 1 }
        let room = try #require(try house.snapshot("ada").rooms.values.first { $0.room.kind == .family }).room.id
        try browser.click("[data-tab=chat]")
        try browser.click("#rooms a[href='#/chat/\(room)']")
        // What was chosen for a message and left by Escape is nowhere any more.
        try browser.wait("the room") { try browser.sees("#message-text") }
        try browser.drop(pictures: 1, from: 6, into: "#message-text", pasted: true)
        try browser.wait("its picture") { try count("dialog .hung img", browser) == 1 }
        #expect(try house.snapshot("ada").pictures.count == 4)
        try browser.pressEscape()
        try browser.wait("it to go") { try house.snapshot("ada").pictures.count == 3 }
        for (number, isPasted) in [(4, true), (5, false)] {
            try browser.wait("the room") { try browser.sees("#message-text") }
            try browser.drop(pictures: 1, from: number, into: "#message-text", pasted: isPasted)
            try browser.wait("its picture") { try count("dialog .hung img", browser) == 1 }
            try browser.click("#send-pictures")
            try browser.wait("the message") { try count(".message .shots img", browser) == Int64(number - 3) }
        }
        // Each went to one place.
        #expect(try house.snapshot("ada").pictures.count == 5)
        #expect(try browser.log() == [])
    }

    @Test func `this day of other years has a row of its own, and a category is a word of the reader's language`()
        throws
    {
        let browser = try Browser(stage, language: "de")
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=pictures]")
        try browser.wait(for: "Hier sind noch keine Bilder", in: "kin-gallery")
        // A JPEG whose camera says that it was taken on this day, two years ago.
        try browser.run(
            """
            const canvas = new OffscreenCanvas(400, 300)
            canvas.getContext("2d").fillRect(0, 0, 400, 300)
            const plain = new Uint8Array(await (await canvas.convertToBlob({ type: "image/jpeg" })).arrayBuffer())
            const now = new Date(), two = number => String(number).padStart(2, "0")
            const clock = `${now.getUTCFullYear() - 2}:${two(now.getUTCMonth() + 1)}:${two(now.getUTCDate())} 12:00:00\\0`
            const exif = [...new TextEncoder().encode("Exif\\0\\0MM"), 0, 42, 0, 0, 0, 8, 0, 1, 0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0,
              0, 1, 0x90, 3, 0, 2, 0, 0, 0, 20, 0, 0, 0, 44, 0, 0, 0, 0, ...new TextEncoder().encode(clock)]
            const data = new DataTransfer()
            data.items.add(new File([plain.slice(0, 2), new Uint8Array([0xFF, 0xE1, 0, exif.length + 2, ...exif]), plain.slice(2)], "then.jpg", { type: "image/jpeg" }))
            document.querySelector("kin-gallery").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }))
            """)
        try browser.wait("the picture") { try count("#pictures img", browser) == 1 }
        try browser.run("location.reload()")
        try browser.wait("its row") { try count("#on-this-day img", browser) == 1 }
        try browser.wait(for: "An diesem Tag", in: "#on-this-day")
        try browser.click("#on-this-day .picture")
        try browser.click("dialog.viewer .edit-picture")
        try browser.type("Ferien", into: "#picture-category")
        try browser.click("#edit-picture button[type=submit]")
        try browser.wait(for: "Ferien", in: "dialog.viewer")
        #expect(try house.snapshot("carol").pictures.values.map(\.category) == ["holidays"])
        #expect(try browser.log() == [])
    }

    @Test(arguments: ["en", "de"])
    func `the gallery stays within every screen, light and dark`(language: String) throws {
        let browser = try Browser(stage, language: language)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=pictures]")
        try drop(12, browser)
        try browser.wait("all to be there") { try count("#pictures img", browser) == 12 }
        let pictures = try house.snapshot("ada").pictures.values
        let some = pictures.sorted { $0.id < $1.id }.prefix(5).map { JSON.id($0.id) }
        let door = try house.door(as: "ada")
        for picture in some {
            _ = try door.call(
                "picture.update",
                [
                    "picture": picture, "album": "Summer by the sea",
                    "caption": "Grandma and the whole family at the lake",
                    "people": .array(try house.snapshot("ada").members.keys.sorted().map { .id($0) }),
                ])
        }
        _ = try door.call(
            "post.add", ["text": "Look", "pictures": .array(some.map { ["picture": $0, "caption": "At the lake"] })])
        for (width, height, isDark) in [
            (320, 640, true), (390, 844, false), (390, 844, true), (1280, 800, false), (1280, 800, true),
        ] {
            try browser.screen(width: width, height: height, isDark: isDark)
            for (hash, name) in [("#/pictures", "gallery"), ("#/posts", "feed-pictures")] {
                _ = try browser.run("location.hash = arguments[0]", .string(hash))
                try browser.wait("pictures") { try count("main img[src*=pictures]", browser) >= 5 }
                let wide = try browser.run("return document.documentElement.scrollWidth").int
                #expect(wide ?? .max <= Int64(width), "\(name) \(width)")
                if width != 320, let axe = PageTests.axe {
                    let found = try browser.violations(axe)
                    #expect(found == [], "\(name) \(width): \(found)")
                }
                try browser.draw("\(name)-\(width)-\(isDark ? "dark" : "light")-\(language)")
            }
            _ = try browser.run("location.hash = '#/pictures'")
            try browser.wait("the grid") { try browser.sees("#pictures") }
            // On the smallest screen, too, one sees pictures before one scrolls, and what goes with new ones is folded.
            try browser.wait("a picture to be in sight, \(width)") {
                try browser.run(
                    """
                    scrollTo(0, 0)
                    const bar = document.querySelector('.tabs').getBoundingClientRect(), first = document.querySelector('#pictures .picture')?.getBoundingClientRect()
                    return !!first && (bar.width < innerWidth ? innerHeight : bar.top) - first.top > 40
                    """
                ).bool == true
            }
            if width < 640 { #expect(try !browser.sees("#picture-audience")) }
            _ = try browser.run("document.querySelector('#pictures').scrollIntoView()")
            try browser.click("#pictures .picture")
            try browser.wait("the viewer") { try count("dialog.viewer .actions button", browser) > 0 }
            if width != 320, let axe = PageTests.axe {
                let found = try browser.violations(axe)
                #expect(found == [], "viewer \(width): \(found)")
            }
            try browser.draw("viewer-\(width)-\(isDark ? "dark" : "light")-\(language)")
            try browser.pressEscape()
            try browser.wait("the gallery") { try count("dialog.viewer", browser) == 0 }
        }
        #expect(try browser.log() == [])
    }
}
