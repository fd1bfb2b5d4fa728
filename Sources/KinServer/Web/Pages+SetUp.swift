import KinCodec
import KinModel

/// `/setup/CODE`: the link printed at the first start founds the family, once.
extension Pages {
    private static func form(_ words: PageWords) -> Form {
        Form(
            words: words,
            fields: [
                FormField(
                    name: "name", label: words.text("page.setup.family"), sort: .name,
                    hint: words.text("page.setup.family-hint"), missing: words.text("page.setup.family-missing")),
                FormField(
                    name: "household", label: words.text("page.setup.household"), sort: .name,
                    hint: words.text("page.setup.household-hint"), missing: words.text("page.setup.household-missing")),
                .displayName(words), .newUsername(words), .newPassword(words),
            ], button: words.text("page.setup.button"))
    }

    static func setUp(_ link: String, _ visit: Visit) -> Step {
        askAsNobody("setUp.show", ["link": .string(link)]) { result in
            switch result {
            case .success(let json):
                switch json["state"]?.string {
                case "good": show(setUpPage(visit.words, form(visit.words)))
                case "founded": show(foundedPage(visit.words))
                default: show(oldLinkPage(visit.words))
                }
            case .failure(let rejection):
                rejection.field == "link" ? show(oldLinkPage(visit.words)) : show(.sorry(visit.words, rejection))
            }
        }
    }

    /// A page that needs a family. Where there is none yet, it says so, and how to found it.
    static func ofFamily(_ visit: Visit, _ page: @escaping () -> Step) -> Step {
        askAsNobody("setUp.show", ["link": "none"]) { result in
            guard case .success(let json) = result, json["state"]?.string == "old" else { return page() }
            let words = visit.words
            return show(
                Page(words: words, title: words.text("page.setup.none.title"), content: words("page.setup.none")))
        }
    }

    static func found(_ link: String, _ typed: FormFields, _ visit: Visit) -> Step {
        let words = visit.words
        let form = form(words)
        func again(_ rejection: Rejection) -> Step { page(form, typed, rejection) { setUpPage(words, $0) } }
        switch Form.params(form.fields, typed) {
        case .failure(let missing): return again(Rejection(missing))
        case .success(var params):
            params["link"] = .string(link)
            params["device"] = .string(visit.deviceName)
            return askAsNobody("family.found", params) { result in
                switch result {
                case .success(let json): signedIn(json)
                case .failure(let rejection):
                    switch (rejection.kind, rejection.field) {
                    case (.conflict, nil): show(foundedPage(words))
                    case (.forbidden, _), (_, "link"): show(oldLinkPage(words))
                    default: again(rejection)
                    }
                }
            }
        }
    }

    private static func setUpPage(_ words: PageWords, _ form: Form) -> Page {
        Page(words: words, title: words.text("page.setup.title"), content: "\(words("page.setup"))\n\(form.html)\n")
    }

    private static func foundedPage(_ words: PageWords) -> Page {
        .sorry(
            words, 410, words.text("page.setup.founded.title"),
            "\(words("page.setup.founded"))\n\(Page.link(words.text("page.sign-in"), to: "/signin"))")
    }

    private static func oldLinkPage(_ words: PageWords) -> Page {
        .sorry(words, 410, words.text("page.setup.old.title"), words("page.setup.old"))
    }
}

extension FormField {
    /// The field for the name that others read.
    static func displayName(_ words: PageWords) -> FormField {
        FormField(
            name: "displayName", label: words.text("page.field.name"), sort: .name,
            hint: words.text("page.field.name-hint"), missing: words.text("page.field.name-missing"))
    }

    /// The field for the name that a new member signs in with.
    static func newUsername(_ words: PageWords) -> FormField {
        FormField(
            name: "username", label: words.text("page.field.username"), sort: .username,
            hint: words.text("page.field.username-hint"), missing: words.text("page.field.username-choose"))
    }

    /// The field for a new member's password.
    static func newPassword(_ words: PageWords) -> FormField {
        FormField(
            name: "password", label: words.text("page.field.password"), sort: .newPassword,
            hint: words.text("page.field.password-hint"), missing: words.text("page.field.password-choose"))
    }
}
