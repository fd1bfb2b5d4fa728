import Glibc
import KinCodec
import KinModel
import Testing

/// The page read from the right, without motion, and with a camera's pictures.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageMannerTests {
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

    /// Something on every screen.
    private func live() throws {
        let bob = try house.door(as: "bob")
        _ = try bob.call("sharing.set", ["state": "on"])
        // A position from before it was switched on would show nothing.
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        _ = try bob.call(
            "position.report",
            [
                "lat": 45.28, "lon": 13.72, "accuracy": 8,
                "at": .time(Instant(milliseconds: Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000)),
            ])
        _ = try bob.call("activity.say", ["text": "Soup is ready"])
        _ = try house.door(as: "ada").call(
            "place.add", ["name": "School", "lat": 45.2805, "lon": 13.7205, "radius": 100])
        _ = try bob.call(
            "meeting.propose",
            [
                "title": "Sunday dinner", "kind": "group", "zone": "Europe/Berlin",
                "slots": [
                    ["start": "2036-11-23T17:00:00Z", "end": "2036-11-23T19:00:00Z"],
                    ["start": "2036-11-24T17:00:00Z", "end": "2036-11-24T19:00:00Z"],
                ], "invitees": [try id("ada"), try id("carol")],
            ])
    }

    private static let tabs = ["home", "map", "meetings", "calendar", "lists", "posts", "chat", "inbox", "family"]
    private static let dialogs = ["my-settings", "my-picture", "my-name", "password", "sessions", "contacts"]

    /// Goes through screens and dialogs.
    private func each(_ browser: Browser, _ judge: (String) throws -> Void) throws {
        for tab in Self.tabs {
            try browser.click("[data-tab=\(tab)]")
            try browser.wait("the screen \(tab)") { try browser.sees("kin-\(tab)") }
            if tab == "map" { try browser.wait("the dot") { try browser.sees(".dot, .people a") } }
            try judge(tab)
        }
        for dialog in Self.dialogs {
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
    }

    @Test func `read from the right nothing of a small phone's screens is cut off, and the rules hold`() throws {
        try live()
        let browser = try Browser(stage, width: 320, height: 568)
        try browser.beforehand(
            "new MutationObserver(() => { if (document.documentElement) document.documentElement.dir = 'rtl' }).observe(document, { childList: true })"
        )
        try browser.signIn(house, "ada")
        try browser.wait(for: "Sunday dinner", in: "kin-ballot")
        #expect(try browser.run("return getComputedStyle(document.body).direction") == "rtl")
        try browser.wait(for: "Bob", in: ".people")
        // The side that one reads from.
        let faces = try browser.run(
            "const [face, name] = ['.people .face', '.people strong'].map(one => document.querySelector(one).getBoundingClientRect()); return face.left >= name.right"
        )
        #expect(faces == true, "the face stands before the name")
        try each(browser) { screen in
            let wide = try browser.run(
                """
                return [...document.querySelectorAll('main *, .tabs *, dialog *, header *')].filter(one => one.checkVisibility()
                  && !one.closest('.scroll, .map, .hidden, [hidden]') && !one.matches('.hidden')
                  && (one.getBoundingClientRect().right > innerWidth + 1 || one.getBoundingClientRect().left < -1))
                  .map(one => one.localName + '.' + one.className)
                """)
            #expect(wide == .array([]), "\(screen)")
            #expect(try browser.run("return document.documentElement.scrollWidth <= 320") == true, "\(screen)")
            if let axe = PageTests.axe { #expect(try browser.violations(axe) == [], "\(screen)") }
            try browser.draw("rtl-\(screen)")
        }
        // A name stands beneath the dot that it is of, on the map as well.
        try browser.pressEscape()
        try browser.click("[data-tab=map]")
        if try browser.sees(".map") {
            try browser.wait("the dot") { try browser.sees(".dot .name") }
            let apart = try browser.run(
                """
                const [dot, name] = ['.dot .face', '.dot .name'].map(one => document.querySelector(one).getBoundingClientRect())
                return Math.abs((dot.left + dot.right) / 2 - (name.left + name.right) / 2)
                """)
            #expect(try #require(apart.double) < 2)
        }
    }

    @Test func `whoever wants no motion sees none`() throws {
        try live()
        let browser = try Browser(stage)
        try browser.tell(
            "Emulation.setEmulatedMedia",
            ["features": [["name": "prefers-reduced-motion", "value": "reduce"]]])
        try browser.signIn(house, "ada")
        try browser.wait(for: "Sunday dinner", in: "kin-ballot")
        try each(browser) { screen in
            let moving = try browser.run(
                """
                const long = text => text.split(',').some(one => parseFloat(one) * (one.includes('ms') ? 0.001 : 1) > 0.01)
                return [...document.querySelectorAll('*')].flatMap(one => [null, '::before', '::after'].map(part => [one, part])).filter(([one, part]) => {
                  const style = getComputedStyle(one, part)
                  return (long(style.transitionDuration) && style.transitionProperty !== 'none') || (style.animationName !== 'none' && long(style.animationDuration)) || style.scrollBehavior === 'smooth'
                }).map(([one, part]) => `${one.localName}.${one.className}${part ?? ''}`)
                """)
            #expect(moving == .array([]), "\(screen)")
            #expect(try browser.run("return document.getAnimations().length") == 0, "\(screen)")
        }
        // The map goes nearer at once.
        try browser.pressEscape()
        try browser.click("[data-tab=map]")
        if try browser.sees(".leaflet-control-zoom-in") {
            let zoomed = try browser.run(
                """
                const { map } = document.querySelector('kin-map'), before = map.getZoom()
                document.querySelector('.leaflet-control-zoom-out').click()
                return [map.getZoom() - before, document.getAnimations().length]
                """)
            #expect(zoomed == [-1, 0])
        }
        // And where motion is welcome the judge would see it.
        let seen = try browser.run(
            """
            const one = document.createElement('p')
            one.style.setProperty('transition', 'opacity 1s', 'important')
            document.body.append(one)
            return parseFloat(getComputedStyle(one).transitionDuration)
            """)
        #expect(seen == 1)
    }

    @Test func `a meeting's times say what one has on then, as soon as one has, and of the others nothing`() throws {
        try live()
        let (ada, carol) = (try Browser(stage), try Browser(stage))
        try ada.signIn(house, "ada")
        try carol.signIn(house, "carol")
        try ada.wait(for: "Sunday dinner", in: "kin-ballot")
        #expect(try !ada.sees("kin-ballot .conflict"))
        let entry = try house.door(as: "ada").call(
            "entry.add",
            [
                "subject": "Choir", "start": "2036-11-23T18:30", "end": "2036-11-23T19:30", "zone": "Europe/Berlin",
            ])
        try ada.wait(for: "Choir", in: "kin-ballot .slots li:first-child .conflict")
        #expect(try !ada.sees("kin-ballot .slots li:last-child .conflict"), "the other time is free")
        // On the screen of the meeting, too.
        try ada.click("kin-ballot h3 a")
        try ada.wait(for: "Choir", in: "kin-meeting .slots li:first-child .conflict")
        try carol.wait(for: "Sunday dinner", in: "kin-ballot")
        #expect(try !carol.run("return document.documentElement.outerHTML").text.contains("Choir"))
        #expect(try !carol.sees("kin-ballot .conflict"))
        _ = try house.door(as: "ada").call("entry.remove", ["entry": try #require(entry["entry"]?["id"])])
        try ada.wait("the time to be free again") { try !ada.sees("kin-meeting .conflict") }
        #expect(try ada.log() == [])
    }

    // MARK: Pictures

    private func choose(_ browser: Browser, _ path: String) throws {
        try browser.choose(path, in: "dialog input[type=file]")
    }

    @Test func `a picture of 40 megapixels is cut in the page, and a HEIC that no browser here opens is named`() throws
    {
        let big = stage.folder + "/big.png"
        // Red on the left, blue on the right, 8,000 by 5,000.
        try stage.run(
            "python3", "-c",
            """
            import struct, sys, zlib
            wide, high = 8000, 5000
            def chunk(name, data): return struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data))
            line = b'\\0' + b'\\xff\\0\\0' * (wide // 2) + b'\\0\\0\\xff' * (wide // 2)
            packer = zlib.compressobj(1)
            data = b''.join(packer.compress(line) for _ in range(high)) + packer.flush()
            open(sys.argv[1], 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', wide, high, 8, 2, 0, 0, 0)) + chunk(b'IDAT', data) + chunk(b'IEND', b''))
            open(sys.argv[1] + '.heic', 'wb').write(b'\\0\\0\\0\\x18ftypheic\\0\\0\\0\\0mif1heic' + bytes(4096))
            open(sys.argv[1] + '.txt', 'wb').write(b'no picture')
            """, big)
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=family]")
        try browser.click("[data-open='family.my-picture']")
        try browser.wait("the dialog") { try browser.sees("dialog input[type=file]") }
        try choose(browser, big)
        try browser.wait("the picture") { try browser.sees("dialog canvas.crop") }
        // What cannot be opened says so, and nothing is sent in its place.
        for (file, text) in [(".heic", "This is a HEIC picture"), (".txt", "cannot read this file as a picture")] {
            try choose(browser, big + file)
            try browser.wait(for: text, in: "dialog form > .wrong")
            #expect(try !browser.sees("dialog button[type=submit]"))
            #expect(try !browser.sees("dialog canvas.crop"))
        }
        try choose(browser, big)
        try browser.wait("the picture again") { try browser.sees("dialog canvas.crop") }
        #expect(try !browser.sees("dialog form > .wrong"))
        try browser.click("dialog button[type=submit]")
        try browser.wait("the dialog to close") { try !browser.sees("dialog") }
        try browser.wait("the face") { try browser.sees("kin-family .face img") }
        // The middle of it was taken: the border of the colours is in the middle of the face.
        let colours = try browser.run(
            """
            const image = document.querySelector('kin-family .face img')
            return image.decode().then(() => {
              const canvas = document.createElement('canvas')
              canvas.width = canvas.height = 100
              const context = canvas.getContext('2d')
              context.drawImage(image, 0, 0, 100, 100)
              return [20, 80].map(x => { const [red, , blue] = context.getImageData(x, 50, 1, 1).data; return red > 200 ? 'red' : blue > 200 ? 'blue' : 'other' })
            })
            """)
        #expect(colours == ["red", "blue"])
        #expect(try browser.log() == [])
    }

    @Test(arguments: ["en", "de"])
    func `what takes something away does not look like the way out, and stands apart from it`(language: String) throws {
        let door = try house.door(as: "ada")
        let list = try #require(try door.call("list.add", ["name": "Shop", "kind": "shopping"])["list"]?["id"]?.string)
        let browser = try Browser(stage, language: language)
        try browser.screen(width: 320, height: 640)
        try browser.signIn(house, "ada")
        try browser.run("location.hash = arguments[0]", .string("#/lists/\(list)"))
        try browser.click("#list-settings")
        try browser.wait("the dialog") { try browser.sees("dialog .danger") }
        for width in [320, 1280] {
            try browser.screen(width: width, height: 800)
            let found = try browser.run(
                """
                const [danger, cancel] = ["dialog .danger", "dialog .quiet:not(.danger)"].map(one => document.querySelector(one))
                const [one, other] = [danger, cancel].map(each => each.getBoundingClientRect())
                const apart = Math.max(one.left - other.right, other.left - one.right)
                return { isApart: apart >= 24 || one.top >= other.bottom || other.top >= one.bottom,
                  isAlike: ["color", "borderColor"].some(name => getComputedStyle(danger)[name] === getComputedStyle(cancel)[name]) }
                """)
            #expect(found["isApart"] == true && found["isAlike"] == false, "\(language), at \(width) px")
        }
        try browser.draw("danger-\(language)")
    }
}
