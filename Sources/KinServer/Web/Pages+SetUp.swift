import KinCodec
import KinModel

/// `/setup/CODE`: the link printed at the first start founds the family, once.
extension Pages {
    private static let form = Form(
        fields: [
            FormField(
                name: "name", label: "The family’s name", sort: .name, hint: "What the family calls itself.",
                missing: "Write what the family is called."),
            FormField(
                name: "household", label: "Your household’s name", sort: .name,
                hint: "Those who live under your roof; others can be added later.",
                missing: "Write what your household is called."),
            FormField(
                name: "displayName", label: "Your name", sort: .name, hint: "As the family calls you.",
                missing: "Write what the family calls you."),
            .newUsername, .newPassword,
        ], button: "Found the family")

    static func setUp(_ link: String, _ visit: Visit) -> Step {
        askAsNobody("setUp.show", ["link": .string(link)]) { result in
            switch result {
            case .success(let json):
                switch json["state"]?.string {
                case "good": show(setUpPage(form))
                case "founded": show(foundedPage)
                default: show(oldLinkPage)
                }
            case .failure(let rejection): rejection.field == "link" ? show(oldLinkPage) : show(.sorry(rejection))
            }
        }
    }

    static func found(_ link: String, _ typed: FormFields, _ visit: Visit) -> Step {
        switch Form.params(form.fields, typed) {
        case .failure(let missing): return page(form, typed, Rejection(missing), setUpPage)
        case .success(var params):
            params["link"] = .string(link)
            params["device"] = .string(visit.deviceName)
            return askAsNobody("family.found", params) { result in
                switch result {
                case .success(let json): signedIn(json)
                case .failure(let rejection):
                    switch (rejection.kind, rejection.field) {
                    case (.conflict, nil): show(foundedPage)
                    case (.forbidden, _), (_, "link"): show(oldLinkPage)
                    default: page(form, typed, rejection, setUpPage)
                    }
                }
            }
        }
    }

    private static func setUpPage(_ form: Form) -> Page {
        Page(
            title: "Found your family",
            content: """
                <p>This machine keeps your family’s things and shows each change to everyone at once. You become its
                first administrator.</p>
                \(form.html)
                """)
    }

    private static let foundedPage = Page.sorry(
        410, "Your family is founded already",
        """
        <p>This link worked once and is used up.</p>
        <p>If you founded the family, sign in. If you want to join it, ask an administrator for an invite.</p>
        \(Page.link("Sign in", to: "/signin"))
        """)

    private static let oldLinkPage = Page.sorry(
        410, "This link is no longer good",
        """
        <p>The daemon makes a new set-up link at each start until the family is founded.</p>
        <p>Open the one it printed last (<code>journalctl -u kinwire</code> shows it), or type <code>kin found</code> on
        the machine itself.</p>
        """)
}

extension FormField {
    /// The name a new member signs in with.
    static let newUsername = FormField(
        name: "username", label: "Username", sort: .username,
        hint: "To sign in with: small letters without accents, digits, dot, underscore or hyphen.",
        missing: "Choose a username.")

    /// A new member's password.
    static let newPassword = FormField(
        name: "password", label: "Password", sort: .newPassword,
        hint: "Three or four unrelated words are good, and easy to remember.", missing: "Choose a password.")
}
