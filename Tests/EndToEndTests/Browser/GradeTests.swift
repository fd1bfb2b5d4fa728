import KinCodec
import KinModel
import Testing

/// The page over https at an address that is not loopback: with the warning passed by hand, and with the family's root
/// trusted. Names and certificates are the daemon's own.
@Suite(
    .serialized,
    .enabled(if: Browser.isWholeThere && OwnNetwork.canBe, "Chromium is not installed, or this is not root"))
struct GradeTests {
    let stage: Stage
    let network: OwnNetwork
    let daemon: Program
    private var url: String { "https://\(OwnNetwork.address):5469" }
    private var socket: String { stage.folder + "/kinwire.sock" }

    init() throws {
        stage = try Stage()
        network = try OwnNetwork(stage)
        let daemon = stage.start(
            network.prefix + [
                Stage.built + "/kinwired", "--data", stage.folder + "/data", "--listen", "\(OwnNetwork.address):5469",
                "--unix", stage.folder + "/kinwire.sock", "--url", "https://\(OwnNetwork.address):5469",
            ])
        self.daemon = daemon
        try stage.wait("the daemon") { daemon.said.contains("kinwire.sock") || daemon.status != nil }
        try #require(daemon.status == nil, "\(daemon.said)")
        _ = try door().call(
            "family.found",
            [
                "name": "Lovelace", "household": "Ockham", "username": "ada", "password": .string(House.password),
                "displayName": "Ada",
            ])
    }

    private func door(as username: String? = nil) throws -> LineClient {
        let client = try LineClient(unix: socket)
        if let username { _ = try client.call("session.as", ["username": .string(username)]) }
        return client
    }

    /// The browser warns; who passes the warning does it by hand.
    private func passWarning(_ browser: Browser) throws {
        try browser.open(url + "/signin")
        try browser.click("#details-button")
        try browser.click("#proceed-link")
        try browser.wait("the sign-in") { try browser.sees("input[name=username]") }
    }

    /// Puts a root where a person installs it: into the browser's store of certificates.
    private func trust(_ root: String) throws {
        let store = "sql:\(stage.folder)/.pki/nssdb"
        try stage.run("mkdir", "-p", stage.folder + "/.pki/nssdb")
        try stage.run("certutil", "-d", store, "-N", "--empty-password")
        try stage.run("certutil", "-d", store, "-A", "-t", "C,,", "-n", "kinwire", "-i", root)
    }

    private func signIn(_ browser: Browser) throws {
        try browser.type("ada", into: "input[name=username]")
        try browser.type(House.password, into: "input[name=password]")
        try browser.click("form button:not([type])")
        try browser.wait("the family's page") { try browser.sees(".tabs") }
        // Nothing is asked of the daemon before it is reached.
        try browser.wait("the page to be live") { try browser.sees("#show-me") && !browser.sees(".line") }
    }

    /// Shows where the browser is, and sees it arrive.
    private func showMe(_ browser: Browser) throws {
        try browser.tell("Browser.grantPermissions", ["permissions": ["geolocation"]])
        try browser.stand(lat: 45.28, lon: 13.72)
        try browser.click("#show-me")
        try browser.click("dialog button[type=submit]")
        let door = try door(as: "ada")
        try browser.wait("the position") {
            try door.call("position.latest", [:])["positions"]?.array?.first?["lat"]?.double == 45.28
        }
    }

    private func grade(_ browser: Browser) throws -> String? {
        try browser.click("[data-tab=family]")
        try browser.click("[data-open=\"family.this-browser\"]")
        try browser.wait("the grade") { try browser.sees("dialog [data-grade]") }
        return try browser.run("return document.querySelector('dialog [data-grade]').dataset.grade").string
    }

    @Test func `past the warning the page is live and has the position, and says what the browser keeps back`() throws {
        let browser = try Browser(stage, in: network)
        try passWarning(browser)
        try signIn(browser)
        try showMe(browser)
        #expect(try grade(browser) == "warned")
        #expect(try browser.text("dialog").contains("passed by hand"))
        #expect(
            try browser.run("return document.querySelector('dialog a.button').getAttribute('href')").string
                == "/phone#trust")
        #expect(
            try browser.run("return navigator.serviceWorker.getRegistrations().then(all => all.length)").int == 0)
        // The map is there as well.
        try browser.pressEscape()
        try browser.click("[data-tab=map]")
        let hasMap = try browser.run("return document.querySelector('meta[name=leaflet]').content").string != ""
        try browser.wait("oneself on the map") { try browser.sees(hasMap ? ".dot" : "kin-map .people li") }
    }

    @Test func `past the warning, where WebSockets are refused, all goes over HTTP`() throws {
        let browser = try Browser(stage, in: network)
        try browser.beforehand(
            "window.WebSocket = class { constructor() { setTimeout(() => this.onclose?.({})) } close() {} }")
        try passWarning(browser)
        try signIn(browser)
        try showMe(browser)
        // What is done elsewhere is heard, and what is done here arrives.
        let door = try door(as: "ada")
        _ = try door.call("place.add", ["name": "School", "lat": 45.29, "lon": 13.72, "radius": 100])
        try browser.wait(for: "south of School", in: "kin-home .people")
        try browser.type("We come", into: "#say")
        try browser.click(".say button")
        try browser.wait("it to be said") {
            try door.call("activity.own", ["limit": 8]).text.contains("We come")
        }
    }

    @Test func `with the family's root trusted the page starts without the daemon as well`() throws {
        try trust(stage.folder + "/data/authority/root.crt")
        let browser = try Browser(stage, in: network)
        try browser.open(url + "/signin")
        try signIn(browser)
        try showMe(browser)
        #expect(try grade(browser) == "trusted")
        try browser.pressEscape()
        try browser.wait("the service worker") {
            try browser.run("return navigator.serviceWorker.ready.then(one => !!one.active)").bool ?? false
        }
        // Installable, by what Chromium itself finds in manifest, icons and worker.
        let errors = try browser.tell("Page.getInstallabilityErrors")["installabilityErrors"]?.array ?? []
        #expect(errors.compactMap { $0["errorId"]?.string }.allSatisfy { $0 == "in-incognito" }, "\(errors)")
        // The worker keeps the shell as it is opened through it.
        try browser.open(url + "/")
        try browser.wait("the shell to be kept") {
            try browser.run("return caches.match('/', { ignoreVary: true }).then(one => !!one)").bool ?? false
        }
        daemon.kill()
        try browser.open(url + "/")
        try browser.wait(for: "not reached", in: "header")
        try browser.wait(for: "Lovelace", in: "header")
    }

    @Test func `with a certificate that browsers trust anyway, as by --tls-cert, the page has everything as well`()
        throws
    {
        // An authority that the browser knows and that is not the family's, and its certificate for the daemon.
        let folder = stage.folder
        try stage.run(
            "sh", "-c",
            """
            set -e
            cd \(folder)
            ec='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
            openssl req -x509 $ec -days 90 -subj /CN=Public -keyout public.key -out public.pem
            openssl req $ec -subj /CN=kin -keyout own.key -out own.csr
            printf 'subjectAltName=IP:\(OwnNetwork.address)\nextendedKeyUsage=serverAuth\n' >own.ext
            openssl x509 -req -in own.csr -CA public.pem -CAkey public.key -CAcreateserial -days 90 -extfile own.ext -out own.pem
            """)
        try trust(folder + "/public.pem")
        let address = "\(OwnNetwork.address):5470"
        let other = stage.start(
            network.prefix + [
                Stage.built + "/kinwired", "--data", folder + "/other", "--listen", address, "--unix",
                folder + "/other.sock", "--url", "https://" + address, "--tls-cert", folder + "/own.pem", "--tls-key",
                folder + "/own.key",
            ])
        try stage.wait("the other daemon") { other.said.contains("other.sock") || other.status != nil }
        try #require(other.status == nil, "\(other.said)")
        _ = try LineClient(unix: folder + "/other.sock").call(
            "family.found",
            [
                "name": "Lovelace", "household": "Ockham", "username": "ada", "password": .string(House.password),
                "displayName": "Ada",
            ])
        let browser = try Browser(stage, in: network)
        try browser.open("https://\(address)/signin")
        try signIn(browser)
        #expect(try grade(browser) == "trusted")
        try browser.pressEscape()
        try browser.wait("the service worker") {
            try browser.run("return navigator.serviceWorker.ready.then(one => !!one.active)").bool ?? false
        }
        // There is nothing to trust by hand.
        try browser.open("https://\(address)/phone")
        #expect(try !browser.sees("a[href='/ca.crt']"))
    }
}
