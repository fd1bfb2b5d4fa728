import KinCrypto
import KinLoop
import KinModel
import KinQR

/// Pages that set up an app on a phone. Each link and code holds an app password and is shown once.
extension Pages {
    static func ownTracksPage(_ person: Person, _ site: Site, _ made: JSON) -> Page {
        let words = person.words
        let device = made["device"]?.string ?? ""
        let password = made["password"]?.string ?? ""
        // The password alone identifies the member; the app wants a name as well.
        let username = person.username.isEmpty ? "kin" : person.username
        let tid = trackerID(username)
        let url = site.canonicalURL + "/owntracks"
        let link = OwnTracks.setUpLink(url: url, username: username, password: password, device: device, tid: tid)
        let values = [
            ("mode", "HTTP"), ("url", url), ("username", username), ("password", password), ("device", device),
            ("tracker", tid),
        ]
        return Page(
            words: words, family: person.family, title: words.text("page.app.title"),
            content: """
                \(hereNote(person, site))<h2>OwnTracks</h2>
                \(words.paragraph("page.app.on-phone"))\
                \(Page.link(words.text("page.app.open", ["app": "OwnTracks"]), to: link))
                \(code(words, site, link, "OwnTracks", "page.app.scan"))\
                \(words.paragraph("page.app.cmd"))\
                <details><summary>\(words("page.app.or-type"))</summary>
                \(table(words, values))</details>
                <p class="note">\(words("page.app.once", ["device": HTML.written(device)]))</p>
                \(next(person))
                """)
    }

    /// The values to type into an app, by their names there.
    static func table(_ words: PageWords, _ values: [(name: String, value: String)]) -> HTML {
        let rows = values.map {
            "<dt>\(words("page.app.\($0.name)"))</dt><dd><code>\($0.value)</code></dd>\n" as HTML
        }
        return "<dl class=\"values\">\n\(rows)</dl>\n"
    }

    /// The page for apps that only report: their password shows nobody's position.
    static func reporterPage(_ person: Person, _ site: Site, _ made: JSON) -> Page {
        let words = person.words
        let device = made["device"]?.string ?? ""
        let password = made["password"]?.string ?? ""
        return Page(
            words: words, family: person.family, title: words.text("page.app.title"),
            content: """
                \(hereNote(person, site))\(traccar(words, site, password: password, device: device))\
                \(overland(words, site, password: password, device: device))\
                <p class="note">\(words("page.app.once-reporter", ["device": HTML.written(device)]))</p>
                \(next(person))
                """)
    }

    private static func traccar(_ words: PageWords, _ site: Site, password: String, device: String) -> HTML {
        let app = PhoneApp.traccar
        let values = [("server", site.canonicalURL + app.path), ("identifier", password)]
        return """
            <details><summary>\(words("page.app.with", ["app": "\(app.title)"]))</summary>
            \(app.code(site: site.canonicalURL, password: password, device: device).flatMap {
                code(words, site, $0, app.title, "page.app.scan-traccar")
            })\
            \(words.paragraph("page.app.type"))\(table(words, values))\
            \(app.link(site: site.canonicalURL, password: password, device: device).map {
                Page.link(words.text("page.app.open-traccar"), to: $0)
            })
            </details>

            """
    }

    private static func overland(_ words: PageWords, _ site: Site, password: String, device: String) -> HTML {
        let app = PhoneApp.overland
        let link = app.link(site: site.canonicalURL, password: password, device: device) ?? ""
        let values = [("endpoint", site.canonicalURL + app.path), ("token", password), ("device", device)]
        return """
            <details><summary>\(words("page.app.with", ["app": "\(app.title)"]))</summary>
            \(Page.link(words.text("page.app.open", ["app": app.title]), to: link))
            \(code(words, site, link, app.title, "page.app.scan"))\
            \(words.paragraph("page.app.type"))\(table(words, values))\
            </details>

            """
    }

    /// For a camera; nothing where the address would lead the phone to itself.
    static func code(_ words: PageWords, _ site: Site, _ text: String, _ app: String, _ how: String) -> HTML? {
        guard AddressReach(url: site.canonicalURL) != .thisMachine, let svg = QRCode(text)?.svg else { return nil }
        return """
            \(words.paragraph(how))\
            <p class="qr"><img src="data:image/svg+xml;base64,\(Base64.encode(Array(svg.utf8)))" width="320" height="320"
            alt="\(words.text("page.app.qr", ["app": app]))"></p>

            """
    }

    private static func next(_ person: Person) -> HTML {
        let words = person.words
        return person.sharing["state"]?.string == "on"
            ? "<p>\(words("page.app.on")) \(viewers(words, person.sharing, person.names))</p>\n\(Page.link(words.text("page.back-to-phone"), to: "/phone", isQuiet: true))"
            : "\(words.paragraph("page.app.off"))\(Page.link(words.text("page.app.see"), to: "/phone#sharing"))"
    }

    /// Two characters that stand on the app's map until its owner chooses others.
    private static func trackerID(_ username: String) -> String {
        String((username.filter { $0.isLetter || $0.isNumber } + "kw").prefix(2))
    }
}
