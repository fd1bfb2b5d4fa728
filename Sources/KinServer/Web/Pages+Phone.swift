import KinCodec
import KinKeeper
import KinModel

/// `/phone`: what makes this phone one of the family's.
extension Pages {
    /// Who is looking, and what the page needs of them.
    struct Person {
        let token: String
        let id: Identifier?
        let displayName: String
        /// Empty for guests, who are not told usernames.
        let username: String
        let role: Role?
        var family = ""
        var sharing: JSON = [:]
        /// What members are called, told apart from others who look the same.
        var names = ShownNames()
        /// Until when the session waits, where it does.
        var waitsUntil: Instant?
        /// Sessions that wait for a word of this one.
        var waiting: [Waiting] = []

        struct Waiting {
            let session: String
            let member: String
            let name: String
            let device: String
            let maker: String
        }

        init(token: String, _ member: JSON?) {
            self.token = token
            id = member?["id"]?.identifier
            displayName = member?["displayName"]?.string ?? ""
            username = member?["username"]?.string ?? ""
            role = member?["role"]?.string.flatMap(Role.init)
        }
    }

    static func phone(_ visit: Visit) -> Step { phone(visit, device: nil) }

    private static func phone(_ visit: Visit, device problem: (typed: FormFields, rejection: Rejection)?) -> Step {
        guard visit.token != nil || visit.head.headers["Sec-Fetch-Site"] != "cross-site" else { return show(doorstep) }
        return withPerson(visit) { person in
            withNames(person) {
                withWaiting($0) {
                    withSharing($0) { person in
                        guard let problem else { return show(phonePage(person, visit, deviceForm(visit))) }
                        return page(deviceForm(visit), problem.typed, problem.rejection) {
                            phonePage(person, visit, $0)
                        }
                    }
                }
            }
        }
    }

    /// Browsers keep our cookie back when a link on another site was followed; it comes with the next click.
    private static let doorstep = Page(
        title: "This phone",
        content: "<p>You came from another site’s page.</p>\n\(Page.link("Go on", to: "/phone"))")

    /// Makes the app password and shows what sets the app up: OwnTracks, which shows others too, or one that only reports.
    static func setUpApp(_ typed: FormFields, _ visit: Visit, scope: Scope) -> Step {
        let again: (Rejection) -> Step = { rejection in
            scope == .report
                ? page(deviceForm(visit), typed, rejection, reporterFormPage) : phone(visit, device: (typed, rejection))
        }
        switch Form.params(deviceForm(visit).fields, typed) {
        case .failure(let missing): return again(Rejection(missing))
        case .success(var params):
            params["scope"] = .string(scope.rawValue)
            return withPerson(visit) { person in
                .ask("appPassword.create", params, .token(person.token)) { result in
                    switch result {
                    case .success(let made):
                        withSharing(person) { person in
                            show(
                                scope == .report
                                    ? reporterPage(person, visit.site, made) : ownTracksPage(person, visit.site, made))
                        }
                    case .failure(let rejection):
                        rejection.field == nil ? refused(rejection) : again(rejection)
                    }
                }
            }
        }
    }

    static func setSharing(_ typed: FormFields, _ visit: Visit) -> Step {
        guard let token = visit.token else { return .show(Page.redirect(to: "/signin")) }
        var params: JSON.Object = ["state": .string(typed["state"] ?? "")]
        if typed["state"] == "on", typed["confirms"] != nil { params["confirms"] = confirmed(typed) }
        return .ask("sharing.set", params, .token(token)) { result in
            switch result {
            case .success: .show(Page.redirect(to: "/phone#sharing"))
            case .failure(let rejection): refused(rejection)
            }
        }
    }

    // MARK: Asking

    /// Who the cookie belongs to and what their family is called; who is nobody is asked to sign in.
    static func withPerson(_ visit: Visit, _ then: @escaping (Person) -> Step) -> Step {
        guard let token = visit.token else { return .show(Page.redirect(to: "/signin")) }
        return askAsNobody("session.resume", ["token": .string(token)]) { result in
            switch result {
            case .failure(let rejection): refused(rejection)
            case .success(let json):
                .ask("family.show", [:], .token(token)) { result in
                    switch result {
                    case .failure(let rejection): return refused(rejection)
                    case .success(let shown):
                        var person = Person(token: token, json["member"])
                        person.waitsUntil = json["waitsUntil"]?.instant
                        person.family = shown["family"]?["name"]?.string ?? ""
                        return then(person)
                    }
                }
            }
        }
    }

    static func withSharing(_ person: Person, _ then: @escaping (Person) -> Step) -> Step {
        .ask("sharing.show", [:], .token(person.token)) { result in
            switch result {
            case .failure(let rejection): return refused(rejection)
            case .success(let json):
                var person = person
                person.sharing = json["sharing"] ?? [:]
                return then(person)
            }
        }
    }

    // MARK: The page

    static func deviceForm(_ visit: Visit) -> Form {
        Form(
            fields: [
                FormField(
                    name: "device", label: "What to call this phone", sort: .name,
                    missing: "Give this phone a name, such as Ada’s phone.", value: visit.deviceName)
            ], button: "Make the link", action: "/phone/owntracks")
    }

    /// The same for the apps that only report, on a page of its own.
    static func reporterFormPage(_ form: Form) -> Page {
        var form = form
        form.action = "/phone/reporter"
        return Page(
            title: "Traccar Client or Overland",
            content: """
                <p>These apps send your position here and show nobody’s. Install one from your phone’s store.</p>
                \(form.html)
                \(Page.link("Back to this phone", to: "/phone"))
                """)
    }

    private static func phonePage(_ person: Person, _ visit: Visit, _ form: Form) -> Page {
        Page(
            family: person.family, title: "This phone",
            content: """
                <p>Hello \(HTML.written(person.displayName)). This makes your phone one of the family’s.</p>
                \(waiting(person))\
                <ol class="steps">
                \(visit.site.rootSHA256.map { trust($0, agent: visit.head.headers["User-Agent"] ?? "") })\
                <li><h2>Show where you are</h2>
                <p>The free app OwnTracks sends your position here, to nobody else; Traccar Client and Overland can do it
                too. Install one from your phone’s store, then make the link that sets it up. On OwnTracks’ map whoever
                holds the phone sees those whom you see.</p>
                \(form.html)
                <p><a href="/phone/reporter">With Traccar Client or Overland instead</a>, which only report</p>
                \(sharing(person.sharing, person.names))
                </li>
                \(commands(person, visit.site))\
                </ol>
                <p><a href="/household">Household: who asks to move, and moving</a></p>
                <form method="post" action="/signout"><button class="quiet">Sign out</button></form>
                """)
    }

    /// Not for public certificates: phones trust those already.
    private static func trust(_ rootSHA256: String, agent: String) -> HTML {
        let isApple = agent.hasBytes(of: "iPhone") || agent.hasBytes(of: "iPad")
        let isAndroid = agent.hasBytes(of: "Android")
        return """
            <li><h2>Trust your family’s machine</h2>
            <p>Your browser warned you because no company vouches for this machine. The family’s own root certificate
            does. It is good for this machine’s names and home network addresses, and for nothing else.</p>
            \(Page.link("Download the root certificate", to: "/ca.crt"))
            <details\(isApple ? " open" as HTML : nil)><summary>On iPhone and iPad</summary>
            <ol>
            <li>Download it with Safari and allow it.</li>
            <li>Settings → General → VPN &amp; Device Management: tap the downloaded profile and install it.</li>
            <li>Settings → General → About → Certificate Trust Settings: turn on full trust for it.</li>
            </ol></details>
            <details\(isAndroid ? " open" as HTML : nil)><summary>On Android</summary>
            <ol>
            <li>Download it.</li>
            <li>Settings → Security → More security settings → Encryption &amp; credentials → Install a certificate →
            CA certificate. (Names differ a little; searching the settings for “CA certificate” finds it.)</li>
            <li>Choose the file you downloaded.</li>
            </ol></details>
            <p>Before you trust it, compare its SHA‑256 fingerprint with the one at the end of your invite link, after
            <code>#sha256=</code>, or with what <code>kin login</code> shows at home:</p>
            <p class="fingerprint">\(fingerprint(rootSHA256).map { "<span>\($0)</span> " })</p>
            </li>

            """
    }

    /// Four lines of eight pairs each, as certificate viewers and `kin` write them.
    static func fingerprint(_ hex: String) -> [String] {
        let digits = Array(hex.uppercased())
        let pairs = stride(from: 0, to: digits.count, by: 2).map { String(digits[$0..<min($0 + 2, digits.count)]) }
        return stride(from: 0, to: pairs.count, by: 8).map {
            pairs[$0..<min($0 + 8, pairs.count)].joined(separator: ":")
        }
    }

    private static func commands(_ person: Person, _ site: Site) -> HTML {
        let link = site.canonicalURL + (site.rootSHA256.map { "#sha256=\($0)" } ?? "")
        var lines: [(command: String, meaning: String)] = [
            ("kin login \(link)", "signs in from a terminal, once."),
            ("kin tail", "shows what happens, as it happens."),
            ("kin where", "says where everybody is who shares it."),
        ]
        if person.role == .admin {
            lines.append(("kin announce \"Soup is ready\"", "tells everybody."))
        }
        if person.role == .admin || person.role == .head {
            lines.append(("kin invite", "makes a link for the next one to join."))
        }
        let items: [HTML] = lines.map { "<li><code>\($0.command)</code> \($0.meaning)</li>\n" }
        return """
            <li><h2>What works from here</h2>
            <ul class="commands">
            \(items)</ul>
            </li>

            """
    }
}
