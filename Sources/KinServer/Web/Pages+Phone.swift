import KinCodec
import KinKeeper
import KinModel

/// `/phone`: what makes this device one of the family's.
extension Pages {
    /// The visitor, with what the page needs of them.
    struct Person {
        let token: String
        let words: PageWords
        let id: Identifier?
        let displayName: String
        /// Empty for guests, who are not told usernames.
        let username: String
        let role: Role?
        let isChild: Bool
        var family = ""
        var sharing: JSON = [:]
        /// The members' names as shown, told apart where they look the same.
        var names = ShownNames()
        /// A form of this page that was refused.
        var again: Again?
        /// Until when the session waits, if it does.
        var waitsUntil: Instant?
        /// Sessions that wait until this one vouches for them.
        var waiting: [Waiting] = []

        struct Waiting {
            let session: String
            let member: String
            let name: String
            let device: String
            let maker: String
        }

        init(token: String, _ member: JSON?, _ words: PageWords) {
            self.token = token
            self.words = words
            id = member?["id"]?.identifier
            displayName = member?["displayName"]?.string ?? ""
            username = member?["username"]?.string ?? ""
            role = member?["role"]?.string.flatMap(Role.init)
            isChild = member?["kind"]?.string == MemberKind.child.rawValue
        }
    }

    static func phone(_ visit: Visit) -> Step { phone(visit, device: nil) }

    private static func phone(_ visit: Visit, device problem: (typed: FormFields, rejection: Rejection)?) -> Step {
        guard visit.token != nil || visit.head.headers["Sec-Fetch-Site"] != "cross-site" else {
            return show(doorstep(visit.words))
        }
        return withPerson(visit) { person in
            withNames(person) {
                withWaiting($0) {
                    withSharing($0) { person in
                        withApps(person, .location, at: "/phone/owntracks", visit) { kept in
                            guard let problem else { return show(phonePage(person, visit, deviceForm(visit), kept)) }
                            return page(deviceForm(visit), problem.typed, problem.rejection) {
                                phonePage(person, visit, $0, kept)
                            }
                        }
                    }
                }
            }
        }
    }

    /// A page with a link to itself: a browser withholds our cookie when a link on another site was followed, and sends
    /// it with the next click.
    private static func doorstep(_ words: PageWords) -> Page {
        Page(
            words: words, title: words.text("page.phone.title"),
            content: "\(words.paragraph("page.phone.doorstep"))\(Page.link(words.text("page.go-on"), to: "/"))")
    }

    private static func withApps(
        _ person: Person, _ scope: Scope, at path: String, _ visit: Visit, _ then: @escaping (HTML?) -> Step
    ) -> Step {
        withKept(person, [.password], at: path, visit, counts: { $0["scope"]?.string == scope.rawValue }, then: then)
    }

    /// Makes the app password and shows how to set the app up: OwnTracks, which shows others too, or an app that only
    /// reports.
    static func setUpApp(_ typed: FormFields, _ visit: Visit, scope: Scope) -> Step {
        if let ended = endKept(typed, visit, back: scope == .report ? "/phone/reporter" : "/phone") { return ended }
        let again: (Rejection) -> Step = { rejection in
            scope == .report
                ? withPerson(visit) { person in
                    withApps(person, .report, at: "/phone/reporter", visit) { kept in
                        page(deviceForm(visit), typed, rejection) { reporterFormPage(person, $0, kept) }
                    }
                }
                : phone(visit, device: (typed, rejection))
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
                        rejection.field == nil ? refused(visit.words, rejection) : again(rejection)
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
            case .failure(let rejection): refused(visit.words, rejection)
            }
        }
    }

    // MARK: Asking

    /// Finds the cookie's member and the family's name; asks to sign in where there is no member.
    static func withPerson(_ visit: Visit, _ then: @escaping (Person) -> Step) -> Step {
        guard let token = visit.token else { return .show(Page.redirect(to: "/signin")) }
        return askAsNobody("session.resume", ["token": .string(token)]) { result in
            switch result {
            case .failure(let rejection): refused(visit.words, rejection)
            case .success(let json):
                .ask("family.show", [:], .token(token)) { result in
                    switch result {
                    case .failure(let rejection): return refused(visit.words, rejection)
                    case .success(let shown):
                        var person = Person(token: token, json["member"], visit.words)
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
            case .failure(let rejection): return refused(person.words, rejection)
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
            words: visit.words,
            fields: [
                FormField(
                    name: "device", label: visit.words.text("page.phone.device"), sort: .name,
                    missing: visit.words.text("page.phone.device-missing"), value: visit.deviceName)
            ], button: visit.words.text("page.phone.make-link"), action: "/phone/owntracks")
    }

    /// The same form for apps that only report, on a page of its own.
    static func reporter(_ visit: Visit) -> Step {
        withPerson(visit) { person in
            withApps(person, .report, at: "/phone/reporter", visit) { kept in
                show(reporterFormPage(person, deviceForm(visit), kept))
            }
        }
    }

    private static func reporterFormPage(_ person: Person, _ form: Form, _ kept: HTML?) -> Page {
        let words = person.words
        var form = form
        form.action = "/phone/reporter"
        return Page(
            words: words, family: person.family, title: words.text("page.phone.reporter.title"),
            content: """
                \(words.paragraph("page.phone.reporter.what"))\(form.html)
                \(kept)\(Page.link(words.text("page.back-to-phone"), to: "/phone", isQuiet: true))
                """)
    }

    private static func phonePage(_ person: Person, _ visit: Visit, _ form: Form, _ kept: HTML?) -> Page {
        let words = person.words
        return Page(
            words: words, family: person.family, title: words.text("page.phone.title"),
            content: """
                \(hereNote(person, visit.site))\(words.paragraph("page.phone.hello", ["name": HTML.written(person.displayName)]))\(waiting(person))\
                <ol class="steps">
                <li>\(words.heading("page.phone.show.title"))\(words.paragraph("page.phone.show"))\(form.html)
                \(visit.site.pinnedRoot.map { _ in words.paragraph("page.phone.untrusted") })\
                \(words.paragraph("page.phone.reporter"))\(kept)\(sharing(words, person.sharing, person.names))
                </li>
                <li>\(words.heading("page.ntfy.title"))\(words.paragraph("page.ntfy.what"))\
                \(Page.link(words.text("page.ntfy.set-up"), to: "/phone/ntfy"))</li>
                <li>\(words.heading("page.calendar.title"))\(words.paragraph("page.calendar.what"))\
                \(Page.link(words.text("page.calendar.set-up"), to: "/phone/calendar"))</li>
                \(visit.site.pinnedRoot.map { trust(words, $0, agent: visit.head.headers["User-Agent"] ?? "") })\
                \(person.isChild ? nil : computer(words, visit))\(person.isChild ? nil : commands(person, visit.site))\
                </ol>
                <nav class="ways"><a class="button quiet" href="/">\(words("page.phone.family"))</a>
                <a class="button quiet" href="/household">\(words("page.phone.household"))</a></nav>
                <form method="post" action="/signout"><button class="quiet">\(words("page.phone.sign-out"))</button></form>
                """)
    }

    /// The steps by which a phone trusts the root. Not for public certificates: phones trust those already.
    private static func trust(_ words: PageWords, _ rootSHA256: String, agent: String) -> HTML {
        func steps(_ system: String, isOpen: Bool) -> HTML {
            let steps = (1...3).map { "<li>\(words("page.trust.\(system)-\($0)"))</li>\n" as HTML }
            return """
                <details\(isOpen ? " open" as HTML : nil)><summary>\(words("page.trust.\(system)"))</summary>
                <ol>
                \(steps)</ol></details>

                """
        }
        let isApple = agent.hasBytes(of: "iPhone") || agent.hasBytes(of: "iPad")
        return """
            <li id="trust">\(words.heading("page.trust.title"))\(words.paragraph("page.trust"))\
            \(Page.link(words.text("page.trust.download"), to: "/ca.crt"))
            \(steps("apple", isOpen: isApple))\(steps("android", isOpen: agent.hasBytes(of: "Android")))\
            \(words.paragraph("page.trust.compare"))\
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
        let link = site.canonicalURL + (site.pinnedRoot.map { "#sha256=\($0)" } ?? "")
        let words = person.words
        var lines = [
            (command: "kin login \(link)", meaning: "login"), (command: "kin tail", meaning: "tail"),
            (command: "kin where", meaning: "where"),
        ]
        lines.append(("kin say \"\(words.text("page.commands.say-text"))\"", "say"))
        if person.role == .admin || person.role == .head { lines.append(("kin invite", "invite")) }
        let items: [HTML] = lines.map {
            "<li><code>\($0.command)</code> \(words("page.commands.\($0.meaning)"))</li>\n"
        }
        return """
            <li>\(folded(words.text("page.commands.title"), "<ul class=\"commands\">\n\(items)</ul>\n"))</li>

            """
    }
}
