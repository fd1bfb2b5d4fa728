import KinCodec
import KinKeeper
import KinModel

/// `/phone/calendar`: the family's calendars and contacts in a device's own apps. An iPhone, an iPad or a Mac takes a
/// profile at an address that is good once; DAVx⁵ takes a link; other programs take what is typed into them.
extension Pages {
    /// Which apps are set up.
    enum CalendarApps: String {
        case apple, other, feed
    }

    static func calendarApps(_ visit: Visit) -> Step {
        withPerson(visit) { person in
            withCalendarApps(person, visit) { kept in show(calendarFormPage(person, visit, kept, again: nil)) }
        }
    }

    private static func withCalendarApps(_ person: Person, _ visit: Visit, _ then: @escaping (HTML?) -> Step) -> Step {
        withKept(
            person, [.password, .feed], at: "/phone/calendar/other", visit,
            counts: { $0["scope"]?.string ?? Scope.calendar.rawValue == Scope.calendar.rawValue }, then: then)
    }

    static func setUpCalendar(_ apps: CalendarApps, _ typed: FormFields, _ visit: Visit) -> Step {
        if let ended = endKept(typed, visit, back: "/phone/calendar") { return ended }
        let form = calendarForm(visit, apps)
        let again: (Rejection) -> Step = { rejection in
            withPerson(visit) { person in
                withCalendarApps(person, visit) { kept in
                    page(form, typed, rejection) { calendarFormPage(person, visit, kept, again: (apps, $0)) }
                }
            }
        }
        switch Form.params(form.fields, typed) {
        case .failure(let missing): return again(Rejection(missing))
        case .success(let typed):
            let device = typed["device"] ?? ""
            let (method, params): (String, JSON.Object) =
                switch apps {
                case .apple: ("appPassword.offer", ["device": device, "scope": "calendar"])
                case .other: ("appPassword.create", ["device": device, "scope": "calendar"])
                case .feed: ("calendar.addFeed", ["name": device])
                }
            return withPerson(visit) { person in
                .ask(method, params, .token(person.token)) { result in
                    switch result {
                    case .success(let made):
                        switch apps {
                        case .apple: show(profilePage(person, visit.site, made))
                        case .other: show(davPage(person, visit.site, made))
                        case .feed: show(feedPage(person, visit.site, made))
                        }
                    case .failure(let rejection):
                        rejection.field == nil ? refused(visit.words, rejection) : again(rejection)
                    }
                }
            }
        }
    }

    // MARK: Forms

    private static func calendarForm(_ visit: Visit, _ apps: CalendarApps) -> Form {
        var form = deviceForm(visit)
        form.action = "/phone/calendar/\(apps.rawValue)"
        form.button = visit.words.text("page.calendar.\(apps.rawValue).do")
        return form
    }

    private static func calendarFormPage(
        _ person: Person, _ visit: Visit, _ kept: HTML?, again: (apps: CalendarApps, form: Form)?
    ) -> Page {
        let words = person.words
        let agent = visit.head.headers["User-Agent"] ?? ""
        let isApple = ["iPhone", "iPad", "Macintosh"].contains { agent.hasBytes(of: $0) }
        func part(_ apps: CalendarApps, isOpen: Bool) -> HTML {
            let form = again?.apps == apps ? again?.form ?? calendarForm(visit, apps) : calendarForm(visit, apps)
            return """
                <details\(isOpen || again?.apps == apps ? " open" as HTML : nil)>\
                <summary>\(words("page.calendar.\(apps.rawValue)"))</summary>
                \(words.paragraph("page.calendar.\(apps.rawValue).what"))\(form.html)</details>

                """
        }
        return Page(
            words: words, family: person.family, title: words.text("page.calendar.title"),
            content: """
                \(words.paragraph("page.calendar.what"))\
                \(part(.apple, isOpen: isApple && again == nil))\(part(.other, isOpen: !isApple && again == nil))\
                \(part(.feed, isOpen: false))\(kept)\
                \(Page.link(words.text("page.back-to-phone"), to: "/phone", isQuiet: true))
                """)
    }

    // MARK: What comes of them

    private static func profilePage(_ person: Person, _ site: Site, _ made: JSON) -> Page {
        let words = person.words
        let address = "\(site.canonicalURL)/profile/\(made["secret"]?.string ?? "").mobileconfig"
        let steps = (1...3).map { "<li>\(words("page.calendar.apple-\($0)"))</li>\n" as HTML }
        return Page(
            words: words, family: person.family, title: words.text("page.calendar.title"),
            content: """
                \(hereNote(person, site))<ol class="steps">
                \(site.pinnedRoot.map { _ in "<li>\(words("page.calendar.trust"))</li>\n" as HTML })\
                <li>\(words("page.calendar.apple-get"))\
                \(Page.link(words.text("page.calendar.apple-load"), to: address))
                \(code(words, site, address, "iOS", "page.calendar.apple-scan"))</li>
                \(steps)</ol>
                <p class="note">\(words("page.calendar.apple-once"))</p>
                \(Page.link(words.text("page.back-to-phone"), to: "/phone", isQuiet: true))
                """)
    }

    private static func davPage(_ person: Person, _ site: Site, _ made: JSON) -> Page {
        let words = person.words
        let password = made["password"]?.string ?? ""
        let username = person.username.isEmpty ? "kin" : person.username
        let url = site.canonicalURL + "/dav/"
        let link = davLink(url: url, username: username, password: password)
        let values = [("server-address", url), ("user-name", username), ("app-password", password)]
        return Page(
            words: words, family: person.family, title: words.text("page.calendar.title"),
            content: """
                \(hereNote(person, site))\
                \(site.pinnedRoot.map { _ in words.paragraph("page.calendar.trust") })\
                <h2>DAVx⁵</h2>
                \(words.paragraph("page.calendar.davx5"))\
                \(Page.link(words.text("page.app.open", ["app": "DAVx⁵"]), to: link))
                \(code(words, site, link, "DAVx⁵", "page.app.scan"))\
                \(words.heading("page.calendar.programs"))\(words.paragraph("page.calendar.thunderbird"))\
                \(words.paragraph("page.calendar.programs-type"))\(table(words, values))\
                <p class="note">\(words("page.calendar.once", ["device": HTML.written(made["device"]?.string ?? "")]))</p>
                \(Page.link(words.text("page.back-to-phone"), to: "/phone", isQuiet: true))
                """)
    }

    /// The link from which DAVx⁵ makes an account (its manual, "Integration"): `davx5://` stands for `https://`,
    /// `caldav://` for plain `http://`.
    private static func davLink(url: String, username: String, password: String) -> String {
        let scheme = url.hasPrefix("http:") ? "caldav" : "davx5"
        let rest = url.split(separator: "/", maxSplits: 1).last.map { $0.drop { $0 == "/" } } ?? ""
        return "\(scheme)://\(username):\(password)@\(rest)"
    }

    private static func feedPage(_ person: Person, _ site: Site, _ made: JSON) -> Page {
        let words = person.words
        let address = "\(site.canonicalURL)/feed/\(made["secret"]?.string ?? "").ics"
        let webcal = "webcal" + address.drop { $0 != ":" }
        // Some programs read a webcal address without encryption, and what is seen so ends.
        let note: HTML? =
            address.hasPrefix("https:") ? "<p class=\"note\">\(words("page.calendar.feed-webcal-note"))</p>" : nil
        return Page(
            words: words, family: person.family, title: words.text("page.calendar.title"),
            content: """
                \(hereNote(person, site))\(words.paragraph("page.calendar.feed-give"))\(once(words, address))\
                \(Page.link(words.text("page.calendar.feed-webcal"), to: webcal, isQuiet: true))\(note)
                <p class="note">\(words("page.calendar.feed-reach"))</p>
                <p class="note">\(words("page.calendar.feed-once"))</p>
                \(Page.link(words.text("page.back-to-phone"), to: "/phone", isQuiet: true))
                """)
    }
}
