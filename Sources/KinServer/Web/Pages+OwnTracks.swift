import KinCrypto
import KinModel
import KinQR

/// The link that sets OwnTracks up: it holds an app password and is shown once.
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
            family: person.family, title: "Set up OwnTracks",
            content: """
                <p>On the phone itself, with OwnTracks installed:</p>
                \(Page.link("Open in OwnTracks", to: link))
                \(code(link))\
                <details><summary>Or type it into OwnTracks</summary>
                <dl class="values">
                \(rows)</dl></details>
                <p class="note">This is shown once. The password is good for sending positions from
                \(HTML.written(device)), and for nothing else. If it is lost, make another.</p>
                \(next(person.sharing))
                """)
    }

    private static func code(_ link: String) -> HTML? {
        guard let svg = QRCode(link)?.svg else { return nil }
        return """
            <p>Or scan this with that phone’s camera:</p>
            <p class="qr"><img src="data:image/svg+xml;base64,\(Base64.encode(Array(svg.utf8)))" width="320" height="320"
            alt="QR code of the link that sets OwnTracks up"></p>

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
