import KinCodec
import KinCrypto
import KinModel

/// One page: its title, its content, and how it is answered.
struct Page {
    let words: PageWords
    var status = 200
    /// The family's name, above the title.
    var family: String?
    let title: String
    var headers: HTTPHeaders = [:]
    /// Whether the pages' module runs there.
    var hasScript = true
    let content: HTML

    /// The whole response. No browser or cache may keep it: each page is made for one person.
    var answer: HTTPAnswer {
        var headers = headers
        headers.append("Content-Type", "text/html; charset=utf-8")
        headers.append("Content-Language", words.tag)
        headers.append("Vary", "Accept-Language")
        headers.append("Cache-Control", "no-store")
        headers.append(
            "Content-Security-Policy", hasScript ? Self.contentSecurityPolicy : Self.contentSecurityPolicyWithoutScript)
        return HTTPAnswer(status, headers, body: Array(document.markup.utf8))
    }

    /// The policy for a page. It may load its own style and its one module, and may ask the daemon. Nothing comes from
    /// elsewhere.
    static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        + "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

    /// The same of a page that runs no script at all.
    static let contentSecurityPolicyWithoutScript =
        "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; "
        + "base-uri 'none'"

    private var document: HTML {
        let script: HTML? = hasScript ? "<script type=\"module\" src=\"\(PageFile.script.path)\"></script>\n" : nil
        return """
            <!doctype html>
            <html lang="\(words.tag)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="format-detection" content="telephone=no">
            <meta name="robots" content="noindex, nofollow">
            <title>\(title) · \(family ?? "Kinwire")</title>
            <link rel="icon" href="\(Self.icon)">
            <link rel="stylesheet" href="\(PageFile.style.path)">
            \(script)</head>
            <body>
            <main>
            <p class="family">\(HTML.written(family ?? "Kinwire"))</p>
            <h1>\(title)</h1>
            \(content)
            </main>
            </body>
            </html>

            """
    }

    private static let icon =
        "data:image/svg+xml;base64,"
        + Base64.encode(
            Array(
                """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" \
                fill="#0b6b5d"/><path d="M5 3v10M5 9l6-6M7 7l4 6" fill="none" stroke="#fff" stroke-width="2" \
                stroke-linecap="round"/></svg>
                """.utf8))

    /// A page that says what is wrong, perhaps with a link to continue.
    static func sorry(
        _ words: PageWords, _ status: Int, _ title: String, _ content: HTML, headers: HTTPHeaders = [:]
    ) -> Page {
        Page(words: words, status: status, title: title, headers: headers, content: content)
    }

    /// A page for a refusal that no field of a form can put right. `back`: the page to continue with.
    static func sorry(_ words: PageWords, _ rejection: Rejection, back: String = "/phone") -> Page {
        sorry(
            words, rejection.kind.httpStatus, words.text("page.failed.title"),
            "<p class=\"wrong\" role=\"alert\">\(words.refusal(rejection))</p>\n\(link(words.text("page.go-on"), to: back))",
            headers: retryAfter(rejection))
    }

    /// When to come back, for programs that read headers.
    static func retryAfter(_ rejection: Rejection) -> HTTPHeaders {
        rejection.retryAfter.map { ["Retry-After": String($0)] } ?? [:]
    }

    /// A link that looks like a button. Its address is one of ours.
    static func link(_ text: String, to address: String, isQuiet: Bool = false) -> HTML {
        "<p><a class=\"button\(isQuiet ? " quiet" as HTML : nil)\" href=\"\(address)\">\(text)</a></p>"
    }

    /// Redirects to another page of ours, by GET (RFC 9110 §15.4.4).
    static func redirect(to address: String) -> HTTPAnswer {
        HTTPAnswer(303, ["Location": address, "Cache-Control": "no-store"])
    }
}

/// The pages' one style sheet and one module, in the binary.
struct PageFile {
    static let style = PageFile("style.css", PackageResources.style_css, "text/css; charset=utf-8")
    static let script = PageFile("pages.js", PackageResources.pages_js, "text/javascript; charset=utf-8")

    /// Its address changes with its content, so that browsers may keep it for ever.
    let path: String
    let answer: HTTPAnswer

    private init(_ name: String, _ bytes: [UInt8], _ type: String) {
        path = "/\(name)?v=" + Hex.encode(Array(Digest.sha256(bytes).prefix(6)))
        answer = HTTPAnswer(
            200, ["Content-Type": type, "Cache-Control": "public, max-age=31536000, immutable"], body: bytes)
    }
}
