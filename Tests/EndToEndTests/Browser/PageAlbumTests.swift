import KinCodec
import KinModel
import Testing

/// Albums and collages on the family's page, in Debian's Chromium against the real daemon.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageAlbumTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["carol"])
    }

    private func count(_ selector: String, _ browser: Browser) throws -> Int64 {
        try browser.run("return document.querySelectorAll(arguments[0]).length", .string(selector)).int ?? -1
    }

    private func choose(_ value: String, in selector: String, _ browser: Browser) throws {
        let chosen = try browser.run(
            """
            const choice = document.querySelector(arguments[0])
            choice.value = arguments[1]
            choice.dispatchEvent(new Event("change"))
            return choice.value
            """, .string(selector), .string(value))
        #expect(chosen.string == value, "\(selector) has no \(value)")
    }

    @Test func `an album is shared as a whole, and so is what comes into it later`() throws {
        let (ada, carol) = (try Browser(stage), try Browser(stage))
        for (browser, name) in [(ada, "ada"), (carol, "carol")] {
            try browser.signIn(house, name)
            try browser.click("[data-tab=pictures]")
            try browser.wait(for: "There are no pictures here yet", in: "kin-gallery")
        }
        try ada.drop(pictures: 2, into: "kin-gallery")
        try carol.wait("both to be seen") { try count("#pictures img", carol) == 2 }
        let door = try house.door(as: "ada")
        for picture in try house.snapshot("ada").pictures.keys {
            _ = try door.call("picture.update", ["picture": .id(picture), "album": "Italy"])
        }
        try ada.run("location.reload()")
        try ada.wait("the album to be offered") {
            try ada.run("return !!document.querySelector('kin-gallery option[value=Italy]')").bool == true
        }
        #expect(try !ada.sees("#share-album"), "no album is chosen")
        try ada.run(
            """
            const choice = document.querySelector("kin-gallery option[value=Italy]").parentNode
            choice.value = "Italy"
            choice.dispatchEvent(new Event("change"))
            """)
        try ada.wait("the way to share it") { try ada.sees("#share-album") }
        func chosen() throws -> String? {
            try ada.run("return document.querySelector('#picture-audience').selectedOptions[0].textContent").string
        }
        try ada.wait("it to be said who sees it") { try chosen() == "As this album: Everybody but guests" }
        try ada.click("#share-album")
        try ada.wait("the form") { try ada.sees("#album-audience") }
        if let axe = PageTests.axe { #expect(try ada.violations(axe) == []) }
        try choose("me", in: "#album-audience", ada)
        try ada.click("dialog button[type=submit]")
        try carol.wait("both to go") { try count("#pictures img", carol) == 0 }
        // What is sent into the album is shared as the album is, and otherwise only where one says so.
        try ada.wait("it to be said who sees it") { try chosen() == "As this album: Nobody but me" }
        try ada.drop(pictures: 1, from: 3, into: "kin-gallery")
        try ada.wait("the third") { try house.snapshot("ada").pictures.count == 3 }
        #expect(try Set(house.snapshot("ada").pictures.values.map(\.album)) == ["Italy"])
        #expect(try house.snapshot("carol").pictures.isEmpty)
        try choose("everyone", in: "#picture-audience", ada)
        try ada.drop(pictures: 1, from: 4, into: "kin-gallery")
        try carol.wait("that one alone") { try count("#pictures img", carol) == 1 }
        #expect(try chosen() == "Everybody but guests", "what one chose stays chosen")
        try ada.click("#share-album")
        try ada.wait("the form") { try ada.sees("#album-audience") }
        try choose("everyone", in: "#album-audience", ada)
        try ada.click("dialog button[type=submit]")
        try carol.wait("all of it to be seen") { try count("#pictures img", carol) == 4 }
        #expect(try ada.log() == [] && carol.log() == [])
    }

    @Test func `albums are counted as they change, and each is for whom it is, whichever was chosen before`() throws {
        let door = try house.door(as: "ada")
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=pictures]")
        try browser.wait(for: "There are no pictures here yet", in: "kin-gallery")
        try browser.drop(pictures: 2, into: "kin-gallery")
        try browser.wait("both to be there") { try count("#pictures img", browser) == 2 }
        let pictures = try house.snapshot("ada").pictures.keys.sorted().map { JSON.id($0) }
        let (first, last) = (try #require(pictures.first), try #require(pictures.last))
        let albums = """
            return [...document.querySelectorAll("kin-gallery select[aria-label=Album] option")].slice(1)
              .map(one => one.textContent).sort()
            """
        // What stands in a post is no picture of the gallery's that others would follow.
        _ = try door.call("post.add", ["pictures": [["picture": first]], "audience": "everyone"])
        _ = try door.call("picture.update", ["picture": first, "album": "Summer"])
        try browser.wait("the first") { try browser.run(albums) == ["Summer (1)"] }
        _ = try door.call("picture.update", ["picture": last, "album": "Autumn", "audience": []])
        try browser.wait("both") { try browser.run(albums) == ["Autumn (1)", "Summer (1)"] }
        let album = "kin-gallery select[aria-label=Album]"
        func chosen() throws -> String? {
            try browser.run("return document.querySelector('#picture-audience').selectedOptions[0].textContent").string
        }
        try choose("Summer", in: album, browser)
        try browser.wait("the first alone") { try count("#pictures img", browser) == 1 }
        #expect(try chosen() == "Everybody but guests")
        try choose("Autumn", in: album, browser)
        try browser.wait("the other one") { try chosen() == "As this album: Nobody but me" }
        try choose("Summer", in: album, browser)
        try browser.wait("the first again") { try chosen() == "Everybody but guests" }
        try browser.click("#share-album")
        try browser.wait("the form") { try browser.sees("#album-audience") }
        try choose("me", in: "#album-audience", browser)
        try browser.click("dialog button[type=submit]")
        try browser.wait("it to be shared so") { try chosen() == "As this album: Nobody but me" }
        #expect(try browser.log() == [])
    }

    @Test func `what was dropped is for whom it was dropped, whatever is chosen while it is on its way`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=pictures]")
        try browser.wait(for: "There are no pictures here yet", in: "kin-gallery")
        try choose("me", in: "#picture-audience", browser)
        // The first one waits on its way, and the second one behind it.
        try browser.run(
            """
            const real = window.fetch
            window.fetch = async (address, how) => {
              if (how?.method === "PATCH" && !window.mayGo) await new Promise(resolve => { window.goOn = resolve })
              return real(address, how)
            }
            """)
        try browser.drop(pictures: 2, into: "kin-gallery")
        try browser.wait("the first to be on its way") { try browser.run("return !!window.goOn").bool == true }
        try choose("everyone", in: "#picture-audience", browser)
        try browser.run("window.mayGo = true; window.goOn()")
        try browser.wait("both") { try count("#pictures img", browser) == 2 }
        #expect(try house.snapshot("ada").pictures.count == 2 && house.snapshot("carol").pictures.isEmpty)
        #expect(try browser.log() == [])
    }

    @Test func `a collage stands as its maker wants it, and is seen by whom its maker chooses`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=pictures]")
        try browser.drop(pictures: 3, into: "kin-gallery")
        try browser.wait("three to be there") { try count("#pictures img", browser) == 3 }
        try browser.click("#collage")
        try browser.wait("what can be chosen") { try count(".choosing .picture", browser) == 3 }
        for number in 1...3 { try browser.click(".choosing .picture:nth-child(\(number))") }
        try choose("column", in: "#collage-layout", browser)
        try choose("everyone", in: "#collage-audience", browser)
        try browser.click("#make-collage")
        try browser.wait("it to be seen by others") { try house.snapshot("carol").pictures.count == 4 }
        let made = try #require(try house.snapshot("carol").pictures.values.max { $0.id < $1.id })
        #expect(made.width == 640 && made.height == 1920)
        #expect(try browser.log() == [])
    }
}
