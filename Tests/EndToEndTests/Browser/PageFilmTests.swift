import KinModel
import Testing

/// Films on the family's page, in Debian's Chromium against the real daemon. The page records one itself.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageFilmTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["carol"])
    }

    /// Records what a canvas shows for some frames as MP4, and drops it.
    private static let record = """
        const [selector] = arguments
        const canvas = document.createElement("canvas"), pen = canvas.getContext("2d")
        Object.assign(canvas, { width: 320, height: 240 })
        const stream = canvas.captureStream(30), parts = []
        const recorder = new MediaRecorder(stream, { mimeType: "video/mp4" })
        const over = new Promise(resolve => { recorder.onstop = resolve })
        recorder.ondataavailable = event => parts.push(event.data)
        recorder.start()
        for (let frame = 0; frame < 40; frame++) {
          pen.fillStyle = `hsl(${frame * 9} 70% 50%)`
          pen.fillRect(0, 0, 320, 240)
          await new Promise(resolve => requestAnimationFrame(resolve))
        }
        recorder.stop()
        await over
        const data = new DataTransfer()
        data.items.add(new File(parts, "walk.mp4", { type: "video/mp4" }))
        document.querySelector(selector).dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }))
        """

    private func canRecord(_ browser: Browser) throws -> Bool {
        try browser.run("return MediaRecorder.isTypeSupported('video/mp4')").bool ?? false
    }

    @Test func `a film is dropped by one, marked as one, and played by another`() throws {
        let (ada, carol) = (try Browser(stage), try Browser(stage))
        for (browser, name) in [(ada, "ada"), (carol, "carol")] {
            try browser.signIn(house, name)
            try browser.click("[data-tab=pictures]")
            try browser.wait(for: "There are no pictures here yet", in: "kin-gallery")
        }
        guard try canRecord(ada) else { return }
        try ada.run(Self.record, "kin-gallery")
        try carol.wait("a film to be seen") { try carol.sees("#pictures .picture.film img") }
        try ada.wait("nothing to be on its way") { try !ada.sees(".tray") }
        #expect(try carol.violations(try #require(PageTests.axe)) == [])
        try carol.draw("film-gallery")
        try carol.click("#pictures .picture.film")
        try carol.wait("it to be there") { try carol.sees("dialog.viewer video") }
        try carol.run("const film = document.querySelector('dialog.viewer video'); film.muted = true; film.play()")
        try carol.wait("it to play") {
            try carol.run("const film = document.querySelector('dialog.viewer video'); return film.currentTime > 0")
                .bool ?? false
        }
        try carol.draw("film-viewer")
        // Its poster is what stands in it, and not a plain one.
        let color = """
            const image = new Image()
            image.src = document.querySelector("dialog.viewer video").poster
            await image.decode()
            const canvas = document.createElement("canvas"), pen = canvas.getContext("2d")
            pen.drawImage(image, 0, 0)
            const [red, green, blue] = pen.getImageData(50, 50, 1, 1).data
            return Math.max(red, green, blue) - Math.min(red, green, blue)
            """
        #expect(try carol.run(color).int ?? 0 > 60)
        try carol.click("dialog.viewer .close")
        #expect(try !carol.sees("dialog") && carol.log() == [])
    }

    @Test func `a film in a post plays there, and one that is none is refused in words`() throws {
        let ada = try Browser(stage)
        try ada.signIn(house, "ada")
        guard try canRecord(ada) else { return }
        _ = try ada.run("location.hash = '#/posts'")
        try ada.wait("the form") { try ada.sees("#post-text") }
        try ada.run(Self.record, "#post-text")
        try ada.wait("the film to hang") { try ada.sees(".hung img") }
        try ada.click("#send-post")
        try ada.wait("the post with its film") { try ada.sees("#posts .picture.film img") }
        try ada.click("[data-tab=pictures]")
        let wrong = """
            const data = new DataTransfer()
            data.items.add(new File(["<html>"], "walk.mp4", { type: "video/mp4" }))
            document.querySelector("kin-gallery").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }))
            """
        try ada.wait("the gallery") { try ada.sees("kin-gallery") }
        try ada.run(wrong)
        try ada.wait(for: "Choose a film in MP4", in: ".tray")
        #expect(try !ada.sees("#pictures .picture:not(.film)"), "its poster is gone, too")
    }

    @Test func `two films that this browser cannot open are two, and neither takes the other along`() throws {
        let ada = try Browser(stage)
        try ada.signIn(house, "ada")
        try ada.click("[data-tab=pictures]")
        try ada.wait(for: "There are no pictures here yet", in: "kin-gallery")
        // A film by its boxes, with a track of pictures in which there is none.
        let films = """
            const box = (type, ...parts) => {
              const inner = parts.flat(), size = inner.length + 8
              return [size >> 24, size >> 16, size >> 8, size].map(one => one & 255).concat([...type].map(one => one.charCodeAt(0)), inner)
            }
            const text = words => [...words].map(one => one.charCodeAt(0)), zeros = new Array(8).fill(0)
            const film = data => new Uint8Array([
              ...box("ftyp", text("mp42")),
              ...box("moov", box("mvhd", zeros, zeros, zeros), box("trak", box("mdia", box("hdlr", zeros, text("vide"))))),
              ...box("mdat", text(data))])
            for (const name of ["first", "second"]) {
              const data = new DataTransfer()
              data.items.add(new File([film(name)], `${name}.mp4`, { type: "video/mp4" }))
              document.querySelector("kin-gallery").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }))
            }
            """
        try ada.run(films)
        let count = "return document.querySelectorAll('#pictures .picture.film').length"
        try ada.wait("both to be there") { try ada.run(count).int == 2 }
        try ada.wait("nothing to be on its way") { try !ada.sees(".tray") }
        let pictures = try house.door(as: "ada").call("picture.list", [:])["pictures"]?.array ?? []
        #expect(pictures.count == 2)
        #expect(pictures.allSatisfy { $0["film"] == "video/mp4" && $0["audience"] == "everyone" })
    }
}
