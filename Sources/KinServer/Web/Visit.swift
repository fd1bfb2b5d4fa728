import KinCodec
import KinModel

/// One request for a page, as far as pages need it.
struct Visit {
    let head: HTTPRequestHead
    let body: [UInt8]
    let site: Site
    /// The names of our session cookie and of the device's cookie on this connection.
    let cookieName: String
    let deviceCookieName: String
    let now: Instant
    let words: PageWords
    /// The files with `kin` for other machines.
    var client: [String] = []

    init(
        head: HTTPRequestHead, body: [UInt8], site: Site, cookieName: String, deviceCookieName: String, now: Instant
    ) {
        self.head = head
        self.body = body
        self.site = site
        self.cookieName = cookieName
        self.deviceCookieName = deviceCookieName
        self.now = now
        words = PageWords(head, in: site.zone)
    }

    /// The browser's session token, not yet checked.
    var token: String? { head.headers.cookies(cookieName).first.flatMap { $0.isEmpty ? nil : $0 } }

    /// The secret by which the browser is recognised since its last sign-in.
    var knownDevice: String? { head.headers.knownDevice(in: deviceCookieName) }

    /// The session's name in the list of sessions: the kind of device, as far as the browser tells.
    var deviceName: String {
        let agent = head.headers["User-Agent"] ?? ""
        let kinds = [
            ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", words.text("page.device.android")),
            ("Macintosh", "Mac"),
            ("Windows", words.text("page.device.windows")), ("CrOS", "Chromebook"),
            ("Linux", words.text("page.device.linux")),
        ]
        return kinds.first { agent.hasBytes(of: $0.0) }?.1 ?? words.text("page.device.browser")
    }

    /// What was sent with a form, or the page that refuses it.
    var form: Result<FormFields, Refusal> {
        guard isFromOurPages else {
            return .failure(
                Refusal(
                    page: .sorry(
                        words, 403, words.text("page.foreign.title"),
                        "\(words("page.foreign"))\n\(Page.link(words.text("page.go-on"), to: "/phone"))")))
        }
        let type = head.headers["Content-Type"].flatMap { MediaType($0) }?.name
        guard type == "application/x-www-form-urlencoded" || type == nil && body.isEmpty else {
            return .failure(
                Refusal(
                    page: .sorry(words, 415, words.text("page.no-form.title"), words("page.no-form"))))
        }
        return .success(FormFields(urlEncoded: body))
    }

    /// Why a form was not taken.
    struct Refusal: Error { let page: Page }

    /// Whether one of our own pages sent the form. Another site, or another program on this machine under another port,
    /// must not act with this browser's cookie, nor sign it in as somebody else. A request that does not say where it
    /// comes from is refused.
    private var isFromOurPages: Bool {
        if head.isFromNamelessPage { return true }
        if let origin = head.headers["Origin"] { return isOurs(origin) }
        if let site = head.headers["Sec-Fetch-Site"] { return site == "same-origin" }
        return head.headers["Referer"].map { isOurs($0) } ?? false
    }

    /// Whether host and port are those of this request, or of one of our URLs where a proxy stands between.
    private func isOurs(_ url: String) -> Bool {
        let host = Site.host(ofURL: url)
        return !host.isEmpty && (host == head.host || site.hosts.contains(host))
    }
}
