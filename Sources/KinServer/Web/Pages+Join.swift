import KinCodec
import KinModel

/// `/join/CODE`: an invite brings a new member into a household.
extension Pages {
    private static func fields(_ words: PageWords) -> [FormField] {
        [.displayName(words), .newUsername(words), .newPassword(words)]
    }

    /// The fields that were typed before the code turned out to be wrong. They go with the next code.
    private static let kept = ["displayName", "username"]

    /// The box for joining as a child. It decides who holds the settings of the child's position.
    private static func asChild(_ words: PageWords) -> FormField {
        FormField(
            name: "asChild", label: words.text("page.join.child"), sort: .agreement,
            hint: words.text("page.join.child-hint"), missing: words.text("page.join.child-missing"))
    }

    private static func form(_ words: PageWords, _ invite: JSON) -> Form {
        Form(
            words: words,
            fields: isForChild(invite) ? fields(words) + [asChild(words)] : fields(words),
            button: words.text("page.join.button"))
    }

    private static func isForChild(_ invite: JSON) -> Bool {
        invite["kind"]?.string == MemberKind.child.rawValue
    }

    /// The page for a code that was read out, which comes without a link.
    static func joinByCode(_ visit: Visit) -> Step {
        let words = visit.words
        let code = codeField(words).read(visit.head.query["code"] ?? "")
        guard code.isEmpty else {
            let typed = kept.compactMap { name in
                visit.head.query[name].flatMap { $0.isEmpty ? nil : "\(name)=\(PercentEncoding.encode($0))" }
            }
            let query = typed.isEmpty ? "" : "?" + typed.joined(separator: "&")
            return .show(Page.redirect(to: "/join/\(PercentEncoding.encode(code))\(query)"))
        }
        return show(
            Page(
                words: words, title: words.text("page.join.code.title"),
                content: "\(codeForm(words, nil) { _ in nil })\n\(words.paragraph("page.join.no-code"))"))
    }

    private static func codeField(_ words: PageWords) -> FormField {
        FormField(
            name: "code", label: words.text("page.join.code"), sort: .code, hint: words.text("page.join.code-hint"),
            missing: words.text("page.join.code-missing"))
    }

    private static func codeForm(_ words: PageWords, _ code: String?, _ typed: (String) -> String?) -> HTML {
        let rest: [HTML] = kept.compactMap { name in
            typed(name).flatMap {
                $0.isEmpty ? nil : "<input type=\"hidden\" name=\"\(name)\" value=\"\($0)\">\n"
            }
        }
        return """
            <form method="get" action="/join">
            \(codeField(words).html(words, code, wrong: nil))\(rest)<button>\(words.text("page.go-on"))</button>
            </form>
            """
    }

    static func invited(_ code: String, _ visit: Visit) -> Step {
        let query = visit.head.query
        return withInvite(code, visit.words, typed: { query[$0] }) { invite in
            var form = form(visit.words, invite)
            form.fields = form.fields.map { field in
                var field = field
                if kept.contains(field.name), let typed = query[field.name] { field.value = typed }
                return field
            }
            return show(joinPage(visit.words, invite, form))
        }
    }

    static func join(_ code: String, _ typed: FormFields, _ visit: Visit) -> Step {
        let words = visit.words
        let (asChild, fields) = (asChild(words), fields(words))
        let again = { (refused: Rejection) in
            // The keeper's sentence is also for programs; here the box stands below it.
            let isUnticked = refused.field == asChild.name && typed[asChild.name] == nil
            let rejection =
                isUnticked
                ? Rejection(refused.kind, asChild.missing ?? refused.message, field: refused.field) : refused
            return withInvite(code, words, typed: { typed[$0] }) { invite in
                page(form(words, invite), typed, rejection) { joinPage(words, invite, $0) }
            }
        }
        // The invite says whether the box is needed.
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
    private static func withInvite(
        _ code: String, _ words: PageWords, typed: @escaping (String) -> String?, _ then: @escaping (JSON) -> Step
    ) -> Step {
        askAsNobody("invite.show", ["code": .string(code)]) { result in
            switch result {
            case .success(let invite): then(invite)
            case .failure(let rejection):
                rejection.kind == .notFound || rejection.field == "code"
                    ? show(gonePage(words, code, typed)) : show(.sorry(words, rejection))
            }
        }
    }

    private static func joinPage(_ words: PageWords, _ invite: JSON, _ form: Form) -> Page {
        let family = invite["family"]?.string ?? ""
        let isNamed = family.lowercased().hasPrefix(words.text("page.join.family-word"))
        let said = words.paragraph(
            "page.join",
            [
                "inviter": invite["inviter"]?.string.map { HTML.written($0) } ?? words("page.join.by-admin"),
                "family": words(
                    isNamed ? "page.join.family-named" : "page.join.family", ["family": HTML.written(family)]),
                "household": HTML.written(invite["household"]?.string ?? ""),
                "part": part(words, invite),
            ])
        return Page(
            words: words, family: family, title: words.text("page.join.title"),
            content: "\(said)\(form.html)\n\(words.paragraph("page.join.member-already"))")
    }

    /// The role or kind that the invite gives, where that is worth saying.
    private static func part(_ words: PageWords, _ invite: JSON) -> HTML {
        let child: HTML? = isForChild(invite) ? words("page.join.part-child") : nil
        let role: HTML? =
            switch invite["role"]?.string.flatMap(Role.init) {
            case .admin: words("page.join.part-admin")
            case .head: words("page.join.part-head")
            case .guest: words("page.join.part-guest")
            case .member, nil: nil
            }
        return "\(child)\(role)"
    }

    /// A code that somebody read out may be mistyped: it can be put right here.
    private static func gonePage(_ words: PageWords, _ code: String, _ typed: (String) -> String?) -> Page {
        .sorry(
            words, 410, words.text("page.join.gone.title"),
            "\(words("page.join.gone"))\n\(codeForm(words, code, typed))\n\(Page.link(words.text("page.sign-in"), to: "/signin", isQuiet: true))"
        )
    }
}
