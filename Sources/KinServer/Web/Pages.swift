import KinFamily
import KinModel

/// Plain server-rendered pages, without script: founding, joining, signing in by a link, and "this phone".
enum Pages {
    /// What a page does next.
    enum Step {
        /// Show this; with a token the browser is signed in by cookie.
        case show(HTTPAnswer, signInToken: String? = nil)
        /// Ask the keeper, then go on.
        case ask(String, JSON.Object, Credential?, Continuation)
    }

    /// Where a page goes on when the keeper has answered.
    enum Continuation {
        case none
    }

    static let contentSecurityPolicy = "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

    static func isPage(_ path: [String]) -> Bool { false }

    static func step(_ exchange: HTTPExchange, _ site: Site, cookieName: String) -> Step {
        .show(.problem(404, "There is no such page."))
    }

    static func resume(
        _ continuation: Continuation, _ result: Result<JSON, Rejection>, _ exchange: HTTPExchange, _ site: Site
    ) -> Step {
        .show(.problem(404, "There is no such page."))
    }
}
