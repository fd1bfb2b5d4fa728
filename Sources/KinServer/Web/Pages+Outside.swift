import KinCodec
import KinModel

/// The pages of links for people outside the family.
extension Pages {
    /// The visitor's browser must not tell other servers the address, which is a secret, and nobody is to list it.
    static let secretAddress: HTTPHeaders = [
        "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex, nofollow, noarchive",
    ]

    /// A page at such an address.
    static func linkPage(
        _ words: PageWords, _ status: Int = 200, title: String, hasScript: Bool, _ content: HTML,
        headers: HTTPHeaders = [:]
    ) -> Page {
        var headers = headers
        for header in secretAddress.fields { headers.append(header.name, header.value) }
        return Page(
            words: words, status: status, title: title, headers: headers, hasScript: hasScript, content: content)
    }

    /// What a link shows; or `gone`, a title and a paragraph, where it is over or never was.
    static func answer(
        _ result: Result<JSON, Rejection>, _ words: PageWords, gone: (title: String, text: HTML), hasScript: Bool,
        _ page: (JSON) -> Page
    ) -> Step {
        switch result {
        case .success(let shown): show(page(shown))
        case .failure(let rejection) where rejection.kind == .notFound || rejection.kind == .params:
            show(linkPage(words, 404, title: gone.title, hasScript: hasScript, gone.text))
        case .failure(let rejection):
            show(
                linkPage(
                    words, rejection.kind.httpStatus, title: words.text("page.failed.title"), hasScript: hasScript,
                    "<p class=\"wrong\" role=\"alert\">\(words.refusal(rejection))</p>",
                    headers: Page.retryAfter(rejection)))
        }
    }
}
