import KinCodec
import KinModel

/// `/join/CODE`: an invite brings a new member into a household.
extension Pages {
    private static let fields = [
        FormField(
            name: "displayName", label: "Your name", sort: .name, hint: "As the family calls you.",
            missing: "Write what the family calls you."),
        .newUsername, .newPassword,
    ]

    /// Who joins as a child says so: it decides who holds the settings of where they are.
    private static let asChild = FormField(
        name: "asChild", label: "I join as a child", sort: .agreement,
        hint:
            "A parent, or who invited you, can hold your location settings and move you to another household. Are you an "
            + "adult? Ask for an invite as an adult.",
        missing: "This invite is for a child. Tick the box if you are one.")

    private static func form(_ invite: JSON) -> Form {
        Form(fields: isForChild(invite) ? fields + [asChild] : fields, button: "Join")
    }

    private static func isForChild(_ invite: JSON) -> Bool {
        invite["kind"]?.string == MemberKind.child.rawValue
    }

    /// A code that was read out has no link: it is typed here.
    static func joinByCode(_ visit: Visit) -> Step {
        let field = FormField(
            name: "code", label: "Invite code", sort: .code, hint: "Such as abcd-efgh-jkmn-pqrs-tuvw.",
            missing: "Type the code of your invite.")
        let code = field.read(visit.head.query["code"] ?? "")
        guard code.isEmpty else { return .show(Page.redirect(to: "/join/\(PercentEncoding.encode(code))")) }
        return show(
            Page(
                title: "Join a family",
                content: """
                    <form method="get" action="/join">
                    \(field.html(nil, wrong: nil))<button>Go on</button>
                    </form>
                    <p>No code? Ask an administrator of the family, or the head of your household, for an invite.</p>
                    """))
    }

    static func invited(_ code: String, _ visit: Visit) -> Step {
        withInvite(code) { invite in show(joinPage(invite, form(invite))) }
    }

    static func join(_ code: String, _ typed: FormFields, _ visit: Visit) -> Step {
        let again = { (refused: Rejection) in
            // The keeper's sentence is for programs too; here the box stands below it.
            let isUnticked = refused.field == asChild.name && typed[asChild.name] == nil
            let rejection =
                isUnticked
                ? Rejection(refused.kind, asChild.missing ?? refused.message, field: refused.field) : refused
            return withInvite(code) { invite in page(form(invite), typed, rejection) { joinPage(invite, $0) } }
        }
        // Whether it is needed, the invite says.
        let given = typed["asChild"] == nil ? fields : fields + [asChild]
        switch Form.params(given, typed) {
        case .failure(let missing): return again(Rejection(missing))
        case .success(var params):
            params["code"] = .string(code)
            params["device"] = .string(visit.deviceName)
            return askAsNobody("member.join", params) { result in
                switch result {
                case .success(let json): signedIn(json)
                case .failure(let rejection): again(rejection)
                }
            }
        }
    }

    /// Looks the invite up, for the page that says what it is for.
    private static func withInvite(_ code: String, _ then: @escaping (JSON) -> Step) -> Step {
        askAsNobody("invite.show", ["code": .string(code)]) { result in
            switch result {
            case .success(let invite): then(invite)
            case .failure(let rejection):
                rejection.kind == .notFound || rejection.field == "code" ? show(gonePage) : show(.sorry(rejection))
            }
        }
    }

    private static func joinPage(_ invite: JSON, _ form: Form) -> Page {
        let family = invite["family"]?.string ?? ""
        let household = HTML.written(invite["household"]?.string ?? "")
        let inviter = invite["inviter"]?.string.map { HTML.written($0) } ?? "An administrator"
        return Page(
            family: family, title: "Join the family",
            content: """
                <p>\(inviter) invites you to <strong>\(HTML.written(family))</strong>, into the household
                <strong>\(household)</strong>\(part(invite)).</p>
                \(form.html)
                <p>Are you in the family already? <a href="/signin">Sign in</a></p>
                """)
    }

    /// What the invite makes of a person, where that is worth saying.
    private static func part(_ invite: JSON) -> HTML {
        let child: HTML? = isForChild(invite) ? ", as a child" : nil
        let role: HTML =
            switch invite["role"]?.string.flatMap(Role.init) {
            case .admin: ", as an administrator: you may do everything but what is a member’s own affair"
            case .head: ", as its head: you bring people into it"
            case .guest: ", as a guest: you see this household and its people only"
            case .member, nil: ""
            }
        return "\(child)\(role)"
    }

    private static let gonePage = Page.sorry(
        410, "This invite is no longer good",
        """
        <p>Its code is unknown, used up or expired. Ask whoever invited you for a new one.</p>
        <p>If you have just joined with it, sign in.</p>
        \(Page.link("Sign in", to: "/signin"))
        """)
}
