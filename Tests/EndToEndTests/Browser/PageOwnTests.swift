import Glibc
import KinModel
import Testing

/// What somebody sets, looks up and looks back at on the page: the order of the tabs, the own picture, contacts, and
/// meetings that are over.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageOwnTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage)
        try house.found()
        try house.join("bob")
    }

    @Test func `the screens stand in the member's own order, on every device, and others keep theirs`() throws {
        let (phone, tablet) = (try Browser(stage), try Browser(stage, width: 1280, height: 800))
        for browser in [phone, tablet] { try browser.signIn(house, "ada") }
        func order(_ browser: Browser) throws -> [String] {
            let all = try browser.run(
                "return [...document.querySelectorAll('.tabs [data-tab]')].map(one => one.dataset.tab)")
            return all.array?.compactMap(\.string) ?? []
        }
        try tablet.wait("the screens") { try order(tablet).prefix(3) == ["home", "chat", "map"] }
        try phone.click("[data-tab=family]")
        try phone.click("[data-open='family.my-settings']")
        try phone.click("dialog [aria-label='Move Map up']")
        for _ in 1...2 { try phone.click("dialog [aria-label='Move Calendar up']") }
        try phone.click("dialog button[type=submit]")
        let wanted = ["home", "map", "calendar", "chat", "meetings"]
        for browser in [phone, tablet] {
            try browser.wait("the new order") { try Array(order(browser).prefix(5)) == wanted }
        }
        // A phone has what comes first in its bar, and the rest behind one button.
        let bar = try phone.run(
            "return [...document.querySelectorAll('.tabs > [data-tab]')].map(one => one.dataset.tab)")
        #expect(bar.array?.compactMap(\.string) == wanted)
        let own = try house.door(as: "ada").call("settings.show", [:])["settings"]?["tabs"]?.array ?? []
        #expect(own.compactMap(\.string).prefix(4) == ["map", "calendar", "chat", "meetings"])
        #expect(try house.door(as: "bob").call("settings.show", [:])["settings"]?["tabs"] == nil)
        #expect(try phone.log() == [] && tablet.log() == [])
    }

    @Test func `one's picture is cut where one moves it to, by keys, and is seen by others at once`() throws {
        let file = stage.folder + "/two.png"
        // Red on the left, blue on the right, 400 by 200.
        try stage.run(
            "python3", "-c",
            """
            import struct, sys, zlib
            wide, high = 400, 200
            def chunk(name, data): return struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data))
            line = b'\\0' + b'\\xff\\0\\0' * (wide // 2) + b'\\0\\0\\xff' * (wide // 2)
            open(sys.argv[1], 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', wide, high, 8, 2, 0, 0, 0)) + chunk(b'IDAT', zlib.compress(line * high)) + chunk(b'IEND', b''))
            """, file)
        let (ada, bob) = (try Browser(stage), try Browser(stage))
        try ada.signIn(house, "ada")
        try bob.signIn(house, "bob")
        try bob.click("[data-tab=family]")
        try ada.click("[data-tab=family]")
        try ada.click("[data-open='family.my-picture']")
        try ada.wait("the dialog") { try ada.sees("dialog input[type=file]") }
        try ada.choose(file, in: "dialog input[type=file]")
        try ada.wait("the picture") { try ada.sees("dialog canvas.crop") }
        // Twice as near, and then as far to the right as its blue half.
        try ada.run(
            """
            const zoom = document.querySelector("dialog input[type=range]")
            zoom.value = "2"
            zoom.dispatchEvent(new Event("input"))
            document.querySelector("dialog canvas.crop").focus()
            """)
        for _ in 1...14 { try ada.press("ArrowRight", code: 39) }
        if let axe = PageTests.axe { #expect(try ada.violations(axe) == []) }
        try ada.click("dialog button[type=submit]")
        try ada.wait("the dialog to close") { try !ada.sees("dialog") }
        try bob.wait("Ada's face") { try bob.sees("kin-family .face img") }
        let colours = try bob.run(
            """
            const image = document.querySelector("kin-family .face img")
            return image.decode().then(() => {
              const canvas = document.createElement("canvas")
              canvas.width = canvas.height = 100
              const context = canvas.getContext("2d")
              context.drawImage(image, 0, 0, 100, 100)
              return [10, 50, 90].map(x => { const [red, , blue] = context.getImageData(x, 50, 1, 1).data; return blue > 200 && red < 50 })
            })
            """)
        #expect(colours == [true, true, true])
        #expect(try ada.log() == [] && bob.log() == [])
    }

    @Test func `an admin adds a contact, everybody finds it by any of its words, and it is changed and taken away`()
        throws
    {
        let (ada, bob) = (try Browser(stage, width: 320, height: 640), try Browser(stage))
        for (browser, name) in [(ada, "ada"), (bob, "bob")] {
            try browser.signIn(house, name)
            try browser.click("[data-tab=family]")
            try browser.click("[data-open='family.contacts']")
            try browser.wait(for: "There are no contacts yet", in: "dialog")
        }
        #expect(try !bob.sees("#add-contact"))
        try ada.click("#add-contact")
        try ada.type("Rosa", into: "#contact-firstName")
        try ada.type("Lind", into: "#contact-lastName")
        try ada.type("work: +49 30 5550123", into: "#contact-phones")
        if let axe = PageTests.axe { #expect(try ada.violations(axe) == []) }
        #expect(
            try ada.run("const one = document.querySelector('dialog'); return one.scrollWidth - one.clientWidth") == 0)
        try ada.draw("contact-form")
        try ada.click("dialog button[type=submit]")
        try ada.wait(for: "Rosa Lind", in: "#contacts")
        try bob.type("0123", into: "dialog input[type=search]")
        try bob.wait(for: "Rosa Lind", in: "#contacts")
        #expect(try bob.run("return document.querySelector('#contacts a').getAttribute('href')") == "tel:+49305550123")
        #expect(try bob.text("#contacts").contains("work") && !bob.sees("#contacts button"))
        func held() throws -> [JSON] {
            try house.door(as: "bob").call("contact.list", [:])["contacts"]?.array ?? []
        }
        try ada.click("#contacts button")
        try ada.wait("what it has") {
            try ada.run("return document.querySelector('#contact-phones')?.value") == "work: +49 30 5550123"
        }
        try ada.type("Practice", into: "#contact-company")
        try ada.click("dialog button[type=submit]")
        try ada.wait(for: "Practice", in: "#contacts")
        let changed = try #require(try held().first)
        #expect(
            changed["company"] == "Practice" && changed["phones"] == [["value": "+49 30 5550123", "label": "work"]])
        // Taken away it can be had back for a while; leaving the page does it.
        for isKept in [true, false] {
            try ada.click("#contacts button")
            try ada.click("dialog form button.danger")
            try ada.wait("it to be out of sight") { try ada.sees("#contacts ~ .empty") && !ada.sees("#contacts li") }
            guard isKept else { break }
            try ada.click("#told button")
            try ada.wait(for: "Rosa Lind", in: "#contacts")
        }
        #expect(try held().count == 1)
        try ada.open(house.url + "/phone")
        try ada.wait("it to be gone") { try held().isEmpty }
        #expect(try bob.log() == [])
    }

    @Test func `what one hosts, what waits for one's vote, and what is over stand apart`() throws {
        let members = try house.door(as: "ada").call("member.list", [:])["members"]?.array ?? []
        func propose(_ title: JSON, by host: String, to invitee: String) throws -> JSON {
            let id = try #require(members.first { $0["username"]?.string == invitee }?["id"])
            let made = try house.door(as: host).call(
                "meeting.propose",
                [
                    "title": title, "kind": "group", "zone": "UTC", "invitees": [id],
                    "slots": [["start": "2036-11-23T17:00:00Z", "end": "2036-11-23T19:00:00Z"]],
                ])
            return try #require(made["meeting"]?["id"])
        }
        _ = try propose("Breakfast", by: "ada", to: "bob")
        _ = try propose("Sunday dinner", by: "bob", to: "ada")
        let over = try propose("Picnic", by: "bob", to: "ada")
        _ = try house.door(as: "bob").call("meeting.cancel", ["meeting": over])
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=meetings]")
        try browser.wait(for: "Sunday dinner", in: "[data-part=to-vote]")
        #expect(try browser.text("[data-part=hosting]").contains("Breakfast"))
        #expect(try !browser.text("kin-meetings").contains("Picnic"))
        try browser.run(
            "[...document.querySelectorAll('kin-meetings button')].find(one => one.textContent === 'Show past meetings').click()"
        )
        try browser.wait(for: "Picnic", in: "kin-meetings")
        #expect(try browser.text("kin-meetings").contains("cancelled"))
        // Voted on, it waits for others.
        try browser.click("[data-part=to-vote] .slots li:first-child .answer.yes")
        try browser.wait(for: "Sunday dinner", in: "[data-part=answered]")
        if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
        #expect(try browser.log() == [])
    }

    @Test func `contacts beyond the first page are asked for`() throws {
        let door = try house.door(as: "ada")
        for name in ["Rosa", "Ines", "Vera"] { _ = try door.call("contact.add", ["firstName": .string(name)]) }
        let browser = try Browser(stage)
        // A page has two contacts instead of fifty.
        try browser.beforehand(
            """
            const Real = window.WebSocket
            window.WebSocket = class extends Real {
              send(text) { super.send(text.replace('"method":"contact.list","params":{"limit":50', '"method":"contact.list","params":{"limit":2')) }
            }
            """)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=family]")
        try browser.click("[data-open='family.contacts']")
        let count = "return document.querySelectorAll('#contacts li').length"
        try browser.wait("the first two") { try browser.run(count) == 2 }
        try browser.click("#more-contacts")
        try browser.wait("all of them") { try browser.run(count) == 3 }
        #expect(try !browser.sees("#more-contacts"))
    }
}
