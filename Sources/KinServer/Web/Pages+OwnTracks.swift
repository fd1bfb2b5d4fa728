import KinCrypto
import KinModel
import KinQR

/// What sets up the app on a phone, whichever it is: each link and code holds an app password and is shown once.
extension Pages {
    static func ownTracksPage(_ person: Person, _ site: Site, _ made: JSON) -> Page {
        let device = made["device"]?.string ?? ""
        let password = made["password"]?.string ?? ""
        // The password alone says who it is; the app wants a name beside it.
        let username = person.username.isEmpty ? "kin" : person.username
        let tid = trackerID(username)
        let url = site.canonicalURL + "/owntracks"
        let link = OwnTracks.setUpLink(url: url, username: username, password: password, device: device, tid: tid)
        let values: [(name: String, value: String)] = [
            ("Mode", "HTTP"), ("URL", url), ("Username", username), ("Password", password), ("Device ID", device),
            ("Tracker ID", tid),
        ]
        let rows = values.map { "<dt>\($0.name)</dt><dd><code>\($0.value)</code></dd>\n" as HTML }
        return Page(
            family: person.family, title: "Set up the app",
            content: """
                <h2>OwnTracks</h2>
                <p>On the phone itself, with OwnTracks installed:</p>
                \(Page.link("Open in OwnTracks", to: link))
                \(code(link, "OwnTracks", "Or scan this with that phone’s camera:"))\
                <details><summary>Or type it into OwnTracks</summary>
                <dl class="values">
                \(rows)</dl></details>
                <p class="note">This is shown once. The password is good for sending positions from
                \(HTML.written(device)) and for seeing on its map whose position you see; for nothing else. If it is lost,
                make another.</p>
                \(next(person.sharing))
                """)
    }

    /// For the apps that only report: their password shows nobody's position.
    static func reporterPage(_ person: Person, _ site: Site, _ made: JSON) -> Page {
        let device = made["device"]?.string ?? ""
        let password = made["password"]?.string ?? ""
        return Page(
            family: person.family, title: "Set up the app",
            content: """
                \(traccar(site, password: password, device: device))\
                \(overland(site, password: password, device: device))\
                <p class="note">This is shown once. The password is good for sending positions from
                \(HTML.written(device)), and for nothing else: it shows nobody’s. If it is lost, make another.</p>
                \(next(person.sharing))
                """)
    }

    private static func traccar(_ site: Site, password: String, device: String) -> HTML {
        let app = PhoneApp.traccar
        return """
            <details><summary>With Traccar Client</summary>
            \(app.code(site: site.canonicalURL, password: password, device: device).flatMap {
                code($0, app.title, "In Traccar Client open the settings and their scanner, and scan this:")
            })\
            <p>Or type it in:</p>
            <dl class="values">
            <dt>Server URL</dt><dd><code>\(site.canonicalURL + app.path)</code></dd>
            <dt>Device identifier</dt><dd><code>\(password)</code></dd>
            </dl>
            \(app.link(site: site.canonicalURL, password: password, device: device).map {
                Page.link("Open in Traccar Client (versions 9 up to 2026)", to: $0)
            })
            </details>

            """
    }

    private static func overland(_ site: Site, password: String, device: String) -> HTML {
        let app = PhoneApp.overland
        let link = app.link(site: site.canonicalURL, password: password, device: device) ?? ""
        return """
            <details><summary>With Overland</summary>
            \(Page.link("Open in Overland", to: link))
            \(code(link, app.title, "Or scan this with that phone’s camera:"))\
            <p>Or type it in:</p>
            <dl class="values">
            <dt>Receiver endpoint</dt><dd><code>\(site.canonicalURL + app.path)</code></dd>
            <dt>Access token</dt><dd><code>\(password)</code></dd>
            <dt>Device ID</dt><dd><code>\(device)</code></dd>
            </dl>
            </details>

            """
    }

    private static func code(_ text: String, _ app: String, _ how: String) -> HTML? {
        guard let svg = QRCode(text)?.svg else { return nil }
        return """
            <p>\(how)</p>
            <p class="qr"><img src="data:image/svg+xml;base64,\(Base64.encode(Array(svg.utf8)))" width="320" height="320"
            alt="QR code that sets \(app) up"></p>

            """
    }

    private static func next(_ sharing: JSON) -> HTML {
        sharing["state"]?.string == "on"
            ? "<p>Sharing is on: your family sees where you are.</p>\n\(Page.link("Back to this phone", to: "/phone"))"
            : """
            <p>Nobody sees where you are until you turn sharing on.</p>
            \(Page.link("See who would, and turn it on", to: "/phone#sharing"))
            """
    }

    /// Two characters that stand on the app's map until its owner chooses others.
    private static func trackerID(_ username: String) -> String {
        String((username.filter { $0.isLetter || $0.isNumber } + "kw").prefix(2))
    }
}
