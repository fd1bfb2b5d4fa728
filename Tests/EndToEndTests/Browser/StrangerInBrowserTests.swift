import KinCodec
import KinCrypto
import KinModel
import Testing

/// A stranger's way by what screens say, from the invite's code to a dot that moves on grandma's tablet: over https at an
/// address that is not loopback, the certificate's warning passed by hand, nothing installed.
@Suite(
    .serialized,
    .enabled(if: Browser.isWholeThere && OwnNetwork.canBe, "Chromium is not installed, or this is not root"))
struct StrangerInBrowserTests {
    @Test func `from the code that is scanned to the dot that moves`() throws {
        let stage = try Stage()
        let network = try OwnNetwork(stage)
        let url = "https://\(OwnNetwork.address):5469"
        let daemon = stage.start(
            network.prefix + [
                Stage.built + "/kinwired", "--data", stage.folder + "/data", "--listen", "\(OwnNetwork.address):5469",
                "--unix", stage.folder + "/kinwire.sock", "--url", url,
            ])
        try stage.wait("the daemon") { daemon.said.contains("kinwire.sock") || daemon.status != nil }
        try #require(daemon.status == nil, "\(daemon.said)")
        let socket = stage.folder + "/kinwire.sock"
        _ = try LineClient(unix: socket).call(
            "family.found",
            [
                "name": "Lovelace", "household": "Ockham", "username": "grandma", "password": .string(House.password),
                "displayName": "Grandma",
            ])
        // Grandma's tablet has the page open, at the map.
        let grandma = try Browser(stage, width: 1280, height: 800, in: network)
        try passWarning(grandma, url + "/signin")
        try grandma.type("grandma", into: "input[name=username]")
        try grandma.type(House.password, into: "input[name=password]")
        try grandma.click("form button:not([type])")
        try grandma.wait("the family's page") { try grandma.sees("#show-me") && !grandma.sees(".line") }
        // She makes the invitation, which shows its code; what a camera reads in it is the link beneath.
        try grandma.click("[data-tab=family]")
        try grandma.click("#invite")
        try grandma.click("dialog button[type=submit]")
        try grandma.wait("the code to scan") { try grandma.sees("dialog .qr") }
        let written = try grandma.text("dialog .link")
        let scanned = try grandma.code(in: "dialog .qr", stage)
        // Where nobody reads codes, the way begins at the link that stands beneath it.
        let link = scanned ?? written
        #expect(link == written && link.hasPrefix(url + "/join/"))
        try grandma.pressEscape()
        try grandma.click("[data-tab=map]")

        let phone = try Browser(stage, in: network)
        // The person allows the position when the browser asks: headless, it cannot be asked.
        try phone.tell("Browser.grantPermissions", ["permissions": ["geolocation"]])
        try phone.stand(lat: 45.28, lon: 13.72)
        var steps: [(String, Double)] = []
        let start = Stage.seconds
        func done(_ step: String) { steps.append((step, Stage.seconds - start)) }
        try passWarning(phone, link)
        try phone.wait("the invitation") { try phone.sees("input[name=displayName]") }
        #expect(try phone.text("body").contains("Lovelace"))
        done("the invitation is there, the warning passed")
        try phone.type("Bob", into: "input[name=displayName]")
        try phone.type("bob", into: "input[name=username]")
        try phone.type(House.password, into: "input[name=password]")
        try phone.click("form button:not([type])")
        try phone.wait("the family's page") { try phone.sees("#show-me") && !phone.sees(".line") }
        done("joined, and at the family's page")
        try phone.click("#show-me")
        try phone.wait(for: "Grandma", in: "dialog")
        try phone.click("dialog button[type=submit]")
        try grandma.wait(for: "Bob", in: ".people")
        done("Bob is in grandma's list")
        let hasMap = try grandma.run("return document.querySelector('meta[name=leaflet]').content").string != ""
        let bob = hasMap ? ".dot" : ".people .place"
        func place() throws -> JSON {
            try grandma.run(
                """
                const one = document.querySelector(arguments[0])
                return one?.closest('.leaflet-marker-icon')?.style.transform ?? one?.textContent ?? null
                """, .string(bob))
        }
        try grandma.wait("Bob's dot") { try place() != .null }
        let before = try place()
        done("the dot is on grandma's map")
        try phone.stand(lat: 45.2804, lon: 13.72)
        try grandma.wait("Bob's dot to move") { try place() != before }
        done("it moved")
        for (step, seconds) in steps { print("after \((seconds * 10).rounded() / 10) s: \(step)") }
        print("the goal is 30 s, with a person's hands; here a program types")
        // Nothing was installed, and the warning stands.
        #expect(try phone.run("return navigator.serviceWorker.getRegistrations().then(all => all.length)") == 0)
        #expect(try phone.log().filter { !$0.contains("ERR_CERT") && !$0.contains("SSL") } == [])
        // Who wants it to go on in the pocket: the page draws a code for the app, with the family's address and a password.
        try phone.open(url + "/phone")
        try phone.click("form[action='/phone/owntracks'] button")
        try phone.wait("the app's code") { try phone.sees(".qr img") }
        if let text = try phone.code(in: ".qr img", stage) {
            let lead = "owntracks:///config?inline="
            try #require(text.hasPrefix(lead), "\(text)")
            let inner = try JSON.parse(try #require(Base64.decode(String(text.dropFirst(lead.count)))))
            #expect(inner["url"]?.string == url + "/owntracks" && inner["username"] == "bob", "\(inner.text)")
            #expect(inner["password"]?.string?.isEmpty == false)
        }
    }

    /// The browser warns; who passes the warning does it by hand.
    private func passWarning(_ browser: Browser, _ url: String) throws {
        try browser.open(url)
        try browser.click("#details-button")
        try browser.click("#proceed-link")
    }
}
