import KinCodec
import KinKeeper
import KinModel

/// `/signin`, `/signin/LINK` and `/signout`.
extension Pages {
    static func signInForm(_ words: PageWords) -> Form {
        Form(
            words: words,
            fields: [
                FormField(
                    name: "username", label: words.text("page.field.username"), sort: .username,
                    missing: words.text("page.field.username-missing")),
                FormField(
                    name: "password", label: words.text("page.field.password"), sort: .currentPassword,
                    missing: words.text("page.field.password-missing")),
                sharedField(words),
            ], button: words.text("page.sign-in"))
    }

    /// The box for a computer that others use as well.
    private static func sharedField(_ words: PageWords) -> FormField {
        FormField(
            name: "shared", label: words.text("page.signin.shared"), sort: .agreement,
            hint: words.text("page.signin.shared-hint"))
    }

    /// `hasEnded`: the browser's sign-in ended elsewhere, and nobody here asked for that.
    static func signInPage(_ words: PageWords, _ form: Form, hasEnded: Bool = false) -> Page {
        let why: HTML = hasEnded ? words.paragraph("page.signin.ended") : ""
        return Page(
            words: words, title: words.text("page.signin.title"),
            content: """
                \(why)\(form.html)
                \(words.paragraph("page.signin.invite"))\(words.paragraph("page.signin.forgotten"))
                """)
    }

    static func signIn(_ typed: FormFields, _ visit: Visit) -> Step {
        let form = signInForm(visit.words)
        func again(_ rejection: Rejection) -> Step { page(form, typed, rejection) { signInPage(visit.words, $0) } }
        switch Form.params(form.fields, typed) {
        case .failure(let missing): return again(Rejection(missing))
        case .success(var params):
            params["device"] = .string(visit.deviceName)
            if let known = visit.knownDevice { params["knownDevice"] = .string(known) }
            let isShared = params["shared"] != nil
            params["shared"] = nil
            return askAsNobody("session.open", params) { result in
                switch result {
                case .success(let json): signedIn(json, isShared: isShared)
                case .failure(let rejection): again(rejection)
                }
            }
        }
    }

    static func signOut(_ visit: Visit) -> Step {
        guard let token = visit.token else { return out(to: "/signin") }
        return .ask("session.close", [:], .token(token)) { result in
            switch result {
            case .success: out(to: "/signin")
            // It had ended already, as where it was revoked: the family's page comes here with it.
            case .failure(let rejection) where rejection.kind == .notSignedIn: out(to: "/signin?ended=1")
            case .failure(let rejection): refused(visit.words, rejection)
            }
        }
    }

    /// Signs out, and has the browser drop what the family's page has stored (W3C Clear Site Data).
    private static func out(to address: String) -> Step {
        var answer = Page.redirect(to: address)
        answer.headers.append("Clear-Site-Data", "\"cache\", \"storage\"")
        return .show(answer, cookie: .clear)
    }

    // MARK: By a link

    static func signInLinkForm(_ words: PageWords) -> Form {
        Form(
            words: words,
            fields: [
                FormField(
                    name: "password", label: words.text("page.signin.link.password"), sort: .newPassword,
                    hint: words.text("page.signin.link.password-hint")),
                FormField(
                    name: "keepAppPasswords", label: words.text("page.signin.link.keep"), sort: .agreement,
                    hint: words.text("page.signin.link.keep-hint")),
            ], button: words.text("page.sign-in"))
    }

    static func signInLinkPage(_ words: PageWords, _ form: Form) -> Page {
        Page(
            words: words, title: words.text("page.signin.link.title"),
            content: "\(words.paragraph("page.signin.link"))\(form.html)\n")
    }

    static func redeem(_ link: String, _ typed: FormFields, _ visit: Visit) -> Step {
        let form = signInLinkForm(visit.words)
        func again(_ rejection: Rejection) -> Step { page(form, typed, rejection) { signInLinkPage(visit.words, $0) } }
        switch Form.params(form.fields, typed) {
        case .failure(let missing): return again(Rejection(missing))
        case .success(var params):
            params["link"] = .string(link)
            params["device"] = .string(visit.deviceName)
            return askAsNobody("session.redeem", params) { result in
                switch result {
                case .success(let json): signedIn(json)
                case .failure(let rejection):
                    rejection.kind == .notFound || rejection.field == "link"
                        ? show(usedLinkPage(visit.words)) : again(rejection)
                }
            }
        }
    }

    private static func usedLinkPage(_ words: PageWords) -> Page {
        .sorry(
            words, 410, words.text("page.signin.used.title"),
            "\(words.paragraph("page.signin.used"))\(Page.link(words.text("page.signin.by-password"), to: "/signin"))")
    }
}
