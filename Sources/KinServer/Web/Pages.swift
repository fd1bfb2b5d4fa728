import KinCodec
import KinKeeper
import KinModel

/// Plain server-rendered pages, which work without script: founding, joining, signing in, and "This device".
///
/// They are pure: a visit becomes a step, and the keeper's answer becomes the next step. GET and HEAD change nothing,
/// since mail scanners and previews open links.
enum Pages {
    /// The next step of a page.
    enum Step {
        /// Show this.
        case show(HTTPAnswer, cookie: CookieChange = .none)
        /// Ask the keeper, then go on.
        case ask(String, JSON.Object, Credential, then: Continuation)
    }

    /// A change of the browser's session cookie.
    enum CookieChange: Equatable {
        case none
        /// A session's token, and the secret by which the device is recognised at its next sign-in.
        case set(String, device: String?, isShared: Bool = false)
        case clear
    }

    /// The step of a page after the keeper's answer.
    typealias Continuation = (Result<JSON, Rejection>) -> Step

    /// The page that a request is for; `nil` when it is for none.
    static func place(_ head: HTTPRequestHead) -> Place? {
        switch (head.path.first, head.path.count) {
        // Phone apps post to whatever path was typed, so the bare address is a page only for GET and HEAD.
        case (nil, _): head.method == .get || head.method == .head ? .root : nil
        case ("style.css", 1): .file(.style)
        case ("pages.js", 1): .file(.script)
        case ("setup", 2): .setUp(head.path[1])
        case ("join", 1): .joinByCode
        case ("join", 2): head.path[1].isEmpty ? .joinByCode : .join(head.path[1])
        case ("signin", 1): .signIn
        case ("signin", 2): head.path[1].isEmpty ? .signIn : .signInLink(head.path[1])
        case ("signout", 1): .signOut
        case ("where", 2) where !head.path[1].isEmpty: .whereabouts(head.path[1])
        case ("shared", 2) where !head.path[1].isEmpty: .sharedPost(head.path[1])
        case ("sharing", 1): .who
        case ("sharing", 2): Identifier(head.path[1]).map { .child($0) }
        case ("household", 1): .household
        case ("wall", 1): .wall
        case ("wall", 2) where !head.path[1].isEmpty: .wallLink(head.path[1])
        case ("phone", 1): .phone
        case ("phone", 2) where head.path[1] == "owntracks": .ownTracks
        case ("phone", 2) where head.path[1] == "sharing": .sharing
        case ("phone", 2) where head.path[1] == "trust": .trust
        case ("phone", 2) where head.path[1] == "reporter": .reporter
        case ("phone", 2) where head.path[1] == "ntfy": .ntfy
        case ("phone", 2) where head.path[1] == "calendar": .calendar
        case ("phone", 3) where head.path[1] == "calendar":
            CalendarApps(rawValue: head.path[2]).map { .calendarApps($0) }
        default: nil
        }
    }

    /// An address that is a page.
    enum Place {
        case root, file(PageFile)
        case setUp(String), joinByCode, join(String), signIn, signInLink(String), signOut
        case phone, ownTracks, sharing, trust, reporter, ntfy, calendar
        case calendarApps(CalendarApps)
        case whereabouts(String), sharedPost(String), who, child(Identifier)
        case household
        case wall, wallLink(String)
    }

    /// The first step for a request.
    static func step(_ place: Place, _ visit: Visit) -> Step {
        let verb = visit.head.method
        let looks = verb == .get || verb == .head
        let posts = verb == .post
        switch place {
        case .root where looks: return .show(Page.redirect(to: "/phone"))
        case .file(let file) where looks: return .show(file.answer)
        case .setUp(let link) where looks: return setUp(link, visit)
        case .setUp(let link) where posts: return posted(visit) { found(link, $0, visit) }
        case .joinByCode where looks: return ofFamily(visit) { joinByCode(visit) }
        case .join(let code) where looks: return invited(code, visit)
        case .join(let code) where posts: return posted(visit) { join(code, $0, visit) }
        case .signIn where looks:
            let hasEnded = visit.head.query["ended"] != nil
            return ofFamily(visit) {
                .show(signInPage(visit.words, signInForm(visit.words), hasEnded: hasEnded).answer)
            }
        case .signIn where posts: return posted(visit) { typed in ofFamily(visit) { signIn(typed, visit) } }
        case .signInLink where looks: return .show(signInLinkPage(visit.words, signInLinkForm(visit.words)).answer)
        case .signInLink(let link) where posts: return posted(visit) { redeem(link, $0, visit) }
        case .signOut where posts: return posted(visit) { _ in signOut(visit) }
        case .whereabouts where looks: return .show(whereaboutsDoor(visit.words))
        case .whereabouts(let secret) where posts: return posted(visit) { whereabouts(secret, $0, visit) }
        case .sharedPost where looks: return .show(sharedPostDoor(visit.words))
        case .sharedPost(let secret) where posts: return posted(visit) { _ in sharedPost(secret, visit) }
        case .phone where looks: return phone(visit)
        case .who where looks: return who(visit)
        case .who where posts: return posted(visit) { changeWho($0, visit) }
        case .child(let id) where looks: return child(id, visit)
        case .child(let id) where posts: return posted(visit) { changeWho($0, visit, of: id) }
        case .household where looks: return household(visit)
        case .household where posts: return posted(visit) { changeHousehold($0, visit) }
        case .wall where looks: return show(unpairedPage(visit.words))
        case .wallLink where looks: return show(pairPage(visit.words))
        case .wallLink(let link) where posts: return posted(visit) { _ in pair(link, visit) }
        // A visitor who comes back to an address that only takes forms wants the page of the form.
        case .ownTracks where looks, .sharing where looks, .trust where looks: return .show(Page.redirect(to: "/phone"))
        case .ownTracks where posts: return posted(visit) { setUpApp($0, visit, scope: .location) }
        case .reporter where looks: return reporter(visit)
        case .reporter where posts: return posted(visit) { setUpApp($0, visit, scope: .report) }
        case .ntfy where looks: return ntfy(visit)
        case .ntfy where posts: return posted(visit) { setUpNtfy($0, visit) }
        case .calendar where looks: return calendarApps(visit)
        case .calendarApps where looks: return .show(Page.redirect(to: "/phone/calendar"))
        case .calendarApps(let apps) where posts: return posted(visit) { setUpCalendar(apps, $0, visit) }
        case .trust where posts: return posted(visit) { trust($0, visit) }
        case .sharing where posts: return posted(visit) { setSharing($0, visit) }
        default: return .show(otherVerbs(of: place, verb))
        }
    }

    private static func otherVerbs(of place: Place, _ verb: HTTPMethod) -> HTTPAnswer {
        let verbs =
            switch place {
            case .root, .file, .joinByCode, .phone, .wall, .calendar: "GET, HEAD, OPTIONS"
            case .signOut: "POST, OPTIONS"
            default: "GET, HEAD, POST, OPTIONS"
            }
        if verb == .options { return HTTPAnswer(204, ["Allow": verbs]) }
        return .problem(405, "This address takes \(verbs).", headers: ["Allow": verbs, "Cache-Control": "no-store"])
    }

    private static func posted(_ visit: Visit, _ take: (FormFields) -> Step) -> Step {
        switch visit.form {
        case .success(let fields): take(fields)
        case .failure(let refusal): .show(refusal.page.answer)
        }
    }

    /// For a browser at an address where nothing is. Programs, which ask for no page, get a problem.
    static func unknown(_ head: HTTPRequestHead, _ site: Site) -> HTTPAnswer? {
        guard head.method == .get || head.method == .head, head.path.first != "api",
            head.headers.values("Accept").contains(where: { $0.hasBytes(of: "text/html") })
        else { return nil }
        let words = PageWords(head, in: site.zone)
        return Page.sorry(
            words, 404, words.text("page.unknown.title"),
            "\(words.paragraph("page.unknown"))\(Page.link(words.text("page.home"), to: "/"))"
        ).answer
    }

    /// Links from a page beside the family's: to that page, and to the page of this device.
    static func wayBack(_ words: PageWords) -> HTML {
        """
        <nav class="ways"><a class="button quiet" href="/">\(words("page.phone.family"))</a>
        <a class="button quiet" href="/phone">\(words("page.back-to-phone"))</a></nav>
        """
    }

    // MARK: For all pages

    /// Shows a page.
    static func show(_ page: Page) -> Step { .show(page.answer) }

    /// Asks the keeper without a credential: an old cookie of another member has no effect.
    static func askAsNobody(_ method: String, _ params: JSON.Object, then: @escaping Continuation) -> Step {
        .ask(method, params, .none, then: then)
    }

    /// The browser is signed in now, and goes to the family's page.
    static func signedIn(_ result: JSON, isShared: Bool = false) -> Step {
        guard let token = result["token"]?.string else { return .show(Page.redirect(to: "/signin")) }
        return .show(
            Page.redirect(to: "/"), cookie: .set(token, device: result["knownDevice"]?.string, isShared: isShared))
    }

    /// The step after a refusal that no form can put right: sign in again, or read why.
    static func refused(_ words: PageWords, _ rejection: Rejection, back: String = "/phone") -> Step {
        rejection.kind == .notSignedIn
            ? .show(Page.redirect(to: "/signin"), cookie: .clear) : show(.sorry(words, rejection, back: back))
    }

    /// A form's page after a refusal, with what was typed, and the sentence beside the field it is about.
    static func page(
        _ form: Form, _ typed: FormFields, _ rejection: Rejection, _ page: (Form) -> Page
    ) -> Step {
        var form = form
        form.typed = typed
        form.problem = Form.problem(form.words, rejection, in: form.fields)
        var answer = page(form)
        // A 401 needs a challenge (RFC 9110 §15.5.2), and a challenge would make browsers ask by themselves.
        answer.status = rejection.kind == .notSignedIn ? 422 : rejection.kind.httpStatus
        answer.headers = Page.retryAfter(rejection)
        return show(answer)
    }
}

extension Rejection {
    /// A field was left empty.
    init(_ missing: Form.Missing) { self.init(.invalid, missing.problem.sentence, field: missing.problem.field) }
}
