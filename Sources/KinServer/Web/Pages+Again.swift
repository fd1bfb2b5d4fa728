import KinCodec
import KinModel

/// Forms of `/sharing` that were refused: they are shown again with what was chosen, and why.
extension Pages {
    struct Again {
        let typed: FormFields
        let rejection: Rejection

        /// Whether it was the form for a new link; else it was the one for a rule.
        var isLink: Bool { typed["hours"] != nil }
        func has(_ name: String, _ value: String) -> Bool { typed.values(name).contains(value) }
    }

    /// Above a form: why it was refused.
    static func refusal(_ words: PageWords, _ again: Again?) -> HTML? {
        again.map { "<p class=\"wrong\" role=\"alert\">\(words.refusal($0.rejection))</p>\n" }
    }

    /// Marks a choice that was ticked before.
    static func ticked(_ again: Again?, _ name: String, _ value: String) -> HTML? {
        again?.has(name, value) == true ? " checked" : nil
    }

    /// Shows the page with the form, with the status of the refusal.
    static func showAgain(_ page: Page, _ again: Again?) -> Step {
        guard let again else { return show(page) }
        var page = page
        page.status = again.rejection.kind.httpStatus
        page.headers = Page.retryAfter(again.rejection)
        return show(page)
    }
}
