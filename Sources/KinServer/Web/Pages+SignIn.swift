import KinCodec
import KinKeeper
import KinModel

/// `/signin`, `/signin/LINK` and `/signout`.
extension Pages {
    static let signInForm = Form(
        fields: [
            FormField(name: "username", label: "Username", sort: .username, missing: "Type your username."),
            FormField(name: "password", label: "Password", sort: .currentPassword, missing: "Type your password."),
        ], button: "Sign in")

    static func signInPage(_ form: Form) -> HTTPAnswer { signInPage(form).answer }

    private static func signInPage(_ form: Form) -> Page {
        Page(
            title: "Sign in",
            content: """
                \(form.html)
                <p>Do you have an invite? <a href="/join">Join the family</a></p>
                <p>Is the password forgotten? An administrator can make you a link that signs you in.</p>
                """)
    }

    static func signIn(_ typed: FormFields, _ visit: Visit) -> Step {
        switch Form.params(signInForm.fields, typed) {
        case .failure(let missing): return page(signInForm, typed, Rejection(missing), signInPage)
        case .success(var params):
            params["device"] = .string(visit.deviceName)
            if let known = visit.knownDevice { params["knownDevice"] = .string(known) }
            return askAsNobody("session.open", params) { result in
                switch result {
                case .success(let json): signedIn(json)
                case .failure(let rejection): page(signInForm, typed, rejection, signInPage)
                }
            }
        }
    }

    static func signOut(_ visit: Visit) -> Step {
        let isOut = Step.show(Page.redirect(to: "/signin"), cookie: .clear)
        guard let token = visit.token else { return isOut }
        return .ask("session.close", [:], .token(token)) { result in
            switch result {
            case .success: isOut
            case .failure(let rejection): refused(rejection)
            }
        }
    }

    // MARK: By a link

    static let signInLinkForm = Form(
        fields: [
            FormField(
                name: "password", label: "New password", sort: .newPassword,
                hint: "Leave it empty to keep the one you have. A new one signs you out everywhere else."),
            FormField(
                name: "keepAppPasswords", label: "Keep my phones and apps signed in", sort: .agreement,
                hint:
                    "Phones that report where you are go on with a new password only if this is ticked. Leave it empty if "
                    + "somebody else may have your old password or one of your phones."),
        ], button: "Sign in")

    static func signInLinkPage(_ form: Form) -> HTTPAnswer { signInLinkPage(form).answer }

    private static func signInLinkPage(_ form: Form) -> Page {
        Page(
            title: "Sign in here",
            content: """
                <p>This link signs you in once. If you forgot your password, choose a new one with it. If you were signed
                in before, you see nobody’s position here for 72 hours, or until you confirm it on another device.</p>
                \(form.html)
                """)
    }

    static func redeem(_ link: String, _ typed: FormFields, _ visit: Visit) -> Step {
        switch Form.params(signInLinkForm.fields, typed) {
        case .failure(let missing): return page(signInLinkForm, typed, Rejection(missing), signInLinkPage)
        case .success(var params):
            params["link"] = .string(link)
            params["device"] = .string(visit.deviceName)
            return askAsNobody("session.redeem", params) { result in
                switch result {
                case .success(let json): signedIn(json)
                case .failure(let rejection):
                    rejection.kind == .notFound || rejection.field == "link"
                        ? show(usedLinkPage) : page(signInLinkForm, typed, rejection, signInLinkPage)
                }
            }
        }
    }

    private static let usedLinkPage = Page.sorry(
        410, "This link is no longer good",
        """
        <p>It is unknown, used or expired: each works once, for a day. Ask an administrator for a new one.</p>
        \(Page.link("Sign in with your password", to: "/signin"))
        """)
}
