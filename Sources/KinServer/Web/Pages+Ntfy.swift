import KinCodec
import KinKeeper
import KinModel

/// `/phone/ntfy`: has a phone ring by ntfy's app. The link holds the device's topic and is shown once.
extension Pages {
    static func ntfy(_ visit: Visit) -> Step {
        withPerson(visit) { person in
            withNtfyPhones(person, visit) { kept in show(ntfyFormPage(person, ntfyForm(visit), kept)) }
        }
    }

    private static func withNtfyPhones(_ person: Person, _ visit: Visit, _ then: @escaping (HTML?) -> Step) -> Step {
        withKept(person, [.phone], at: "/phone/ntfy", visit, counts: { $0["app"]?.string == "ntfy" }, then: then)
    }

    /// Adds the device, and shows how the app subscribes.
    static func setUpNtfy(_ typed: FormFields, _ visit: Visit) -> Step {
        if let ended = endKept(typed, visit, back: "/phone/ntfy") { return ended }
        let form = ntfyForm(visit)
        let again: (Rejection) -> Step = { rejection in
            withPerson(visit) { person in
                withNtfyPhones(person, visit) { kept in
                    page(form, typed, rejection) { ntfyFormPage(person, $0, kept) }
                }
            }
        }
        switch Form.params(form.fields, typed) {
        case .failure(let missing): return again(Rejection(missing))
        case .success(let typed):
            let params: JSON.Object = ["name": typed["device"] ?? "", "app": "ntfy"]
            return withPerson(visit) { person in
                .ask("notice.add", params, .token(person.token)) { result in
                    switch result {
                    case .success(let made): show(ntfyPage(person, visit.site, made))
                    case .failure(let rejection):
                        rejection.field == nil ? refused(visit.words, rejection) : again(rejection)
                    }
                }
            }
        }
    }

    private static func ntfyForm(_ visit: Visit) -> Form {
        var form = deviceForm(visit)
        form.action = "/phone/ntfy"
        return form
    }

    private static func ntfyFormPage(_ person: Person, _ form: Form, _ kept: HTML?) -> Page {
        let words = person.words
        return Page(
            words: words, family: person.family, title: words.text("page.ntfy.title"),
            content: """
                \(words.paragraph("page.ntfy.what"))\(form.html)
                \(kept)\(Page.link(words.text("page.back-to-phone"), to: "/phone", isQuiet: true))
                """)
    }

    private static func ntfyPage(_ person: Person, _ site: Site, _ made: JSON) -> Page {
        let words = person.words
        let topic = made["topic"]?.string ?? ""
        let link = ntfyLink(topic, site)
        return Page(
            words: words, family: person.family, title: words.text("page.ntfy.title"),
            content: """
                \(hereNote(person, site))<ol class="steps">
                <li>\(words("page.ntfy.install"))</li>
                \(site.pinnedRoot.map { _ in "<li>\(words("page.ntfy.trust"))</li>\n" as HTML })\
                <li>\(words("page.ntfy.subscribe"))\(Page.link(words.text("page.app.open", ["app": "ntfy"]), to: link))
                \(code(words, site, link, "ntfy", "page.ntfy.scan"))</li>
                </ol>
                <details><summary>\(words("page.ntfy.or-type"))</summary>
                \(table(words, [("ntfy-server", site.canonicalURL), ("ntfy-topic", topic)]))</details>
                <p class="note">\(words("page.ntfy.once"))</p>
                \(Page.link(words.text("page.back-to-phone"), to: "/phone", isQuiet: true))
                """)
    }

    /// The link by which ntfy's app subscribes (docs.ntfy.sh/subscribe/phone, "ntfy:// links").
    private static func ntfyLink(_ topic: String, _ site: Site) -> String {
        let url = site.canonicalURL
        let host = url.split(separator: "/").last ?? ""
        return "ntfy://\(host)/\(topic)?display=Kinwire" + (url.hasPrefix("http:") ? "&secure=false" : "")
    }
}
