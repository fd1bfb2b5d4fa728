import KinModel
import Testing

/// Documents on the family's page, in Debian's Chromium against the real daemon.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageDocumentTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["carol"])
    }

    /// Drops a file that is no picture.
    private static let drop = """
        const [selector, name] = arguments
        const data = new DataTransfer()
        data.items.add(new File(["<script>window.ran = true</script>"], name, { type: "text/html" }))
        document.querySelector(selector).dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }))
        """

    /// Chooses a picture as a document.
    private static let choose = """
        const [selector, name] = arguments
        const data = new DataTransfer()
        data.items.add(new File(["no picture at all"], name, { type: "image/png" }))
        const input = document.querySelector(selector)
        input.files = data.files
        input.dispatchEvent(new Event("change"))
        """

    @Test func `a document is dropped by one, and saved by another under its name`() throws {
        let (ada, carol) = (try Browser(stage), try Browser(stage))
        for (browser, name) in [(ada, "ada"), (carol, "carol")] {
            try browser.signIn(house, name)
            try browser.click("[data-tab=pictures]")
            try browser.wait(for: "There are no pictures here yet", in: "kin-gallery")
        }
        try ada.run(Self.drop, "kin-gallery", "Grüße.html")
        try carol.wait(for: "Grüße.html (34 B)", in: "#pictures .picture.document")
        try ada.wait("nothing to be on its way") { try !ada.sees(".tray") }
        #expect(try carol.violations(try #require(PageTests.axe)) == [])
        try carol.draw("document-gallery")
        try carol.click("#pictures .picture.document")
        try carol.wait(for: "Kept as it is", in: "dialog.viewer .words")
        let link = "const link = document.querySelector('dialog.viewer a.button'); "
        #expect(try carol.run(link + "return link.textContent").string == "Download")
        #expect(try carol.run(link + "return getComputedStyle(link).color").string == "rgb(238, 238, 238)")
        let fetched = """
            \(link)
            const answer = await fetch(link.href)
            return answer.headers.get("Content-Disposition") + " " + await answer.text()
            """
        #expect(
            try carol.run(fetched).string
                == "attachment; filename=\"Gr__e.html\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.html <script>window.ran = true</script>"
        )
        try carol.draw("document-viewer")
        try carol.click("dialog.viewer .close")
        // What is chosen as a document is one, whatever it is.
        try ada.run(Self.choose, "#document-files", "scan.png")
        try carol.wait("the other one") {
            try carol.run("return document.querySelectorAll('#pictures .picture.document').length").int == 2
        }
        #expect(try carol.log() == [] && ada.log() == [])
    }

    @Test func `a document hangs in a post`() throws {
        let ada = try Browser(stage)
        try ada.signIn(house, "ada")
        _ = try ada.run("location.hash = '#/posts'")
        try ada.wait("the form") { try ada.sees("#post-text") }
        try ada.run(Self.choose, "#post-document-files", "Plan.pdf")
        try ada.wait(for: "Plan.pdf (17 B)", in: ".hung")
        try ada.click("#send-post")
        try ada.wait(for: "Plan.pdf (17 B)", in: "#posts .picture.document")
        try ada.draw("document-post")
        #expect(try ada.log() == [])
    }

    @Test func `what is for oneself alone stays so in an album that others see`() throws {
        let door = try house.door(as: "ada")
        _ = try door.call(
            "picture.addDocument",
            ["document": "Y29udGVudA==", "name": "a.txt", "album": "Summer", "audience": "everyone"])
        let ada = try Browser(stage)
        try ada.signIn(house, "ada")
        try ada.click("[data-tab=pictures]")
        try ada.wait(for: "a.txt", in: "#pictures .picture.document")
        let choice = """
            const album = [...document.querySelectorAll("kin-gallery select")]
              .find(one => [...one.options].some(option => option.value === "Summer"))
            if (!album) return false
            const who = document.querySelector("#picture-audience")
            for (const [select, value] of [[album, "Summer"], [who, "me"]]) {
              select.value = value
              select.dispatchEvent(new Event("change"))
            }
            return true
            """
        try ada.wait("the album") { try ada.run(choice).bool == true }
        try ada.run(Self.choose, "#document-files", "diary.png")
        try ada.wait("it to be there") {
            try ada.run("return document.querySelector('#pictures').textContent").string?.contains("diary.png") == true
        }
        let pictures = try door.call("picture.list", [:])["pictures"]?.array ?? []
        let diary = try #require(pictures.first { $0["document"]?["name"] == "diary.png" })
        #expect(diary["album"] == "Summer" && diary["audience"] == [])
        #expect(try house.snapshot("carol").pictures.values.map { $0.document?.name } == ["a.txt"])
        #expect(try ada.log() == [])
    }

    @Test func `how much room one's files take stands where they are sent, and an admin says how much there is`() throws
    {
        let (ada, carol) = (try Browser(stage), try Browser(stage))
        for (browser, name) in [(ada, "ada"), (carol, "carol")] {
            try browser.signIn(house, name)
            try browser.click("[data-tab=pictures]")
            // A small screen shows it where one asks who is to see what is sent.
            try browser.run("document.querySelector('#how-added').open = true")
            try browser.wait(for: "Your files take 0 B of 8 GiB", in: "#room-for-files")
        }
        #expect(try !carol.sees("#set-room"))
        try ada.click("#set-room")
        try ada.wait("the form") { try ada.sees("#room-member") }
        if let axe = PageTests.axe { #expect(try ada.violations(axe) == []) }
        try ada.type("2", into: "#room-member")
        try ada.click("dialog button[type=submit]")
        try ada.wait(for: "of 2 GiB", in: "#room-for-files")
        let room = try house.door(as: "carol").call("quota.show", [:])
        #expect(room["member"]?.int == 2 << 30 && room["family"]?.int == 64 << 30)
        #expect(try ada.log() == [] && carol.log() == [])
    }
}
