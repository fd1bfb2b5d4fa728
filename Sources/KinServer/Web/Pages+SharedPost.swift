import KinCodec
import KinModel
import KinWords

/// The page of a link to a post, for people outside the family: that post alone.
///
/// Opening the address shows nothing: messengers fetch it for a preview. The answer to GET is the same for every address,
/// valid or not. The page's button asks by POST. The only script is the daemon's own: it writes times as the visitor's device
/// has them.
extension Pages {
    /// The page before anything is asked.
    static func sharedPostDoor(_ words: PageWords) -> HTTPAnswer {
        linkPage(
            words, title: words.text("page.shared.title"), hasScript: false,
            """
            <div class="card">
            \(words.paragraph("page.shared.door"))\
            <form method="post"><button name="look" value="yes">\(words("page.shared.look"))</button></form>
            </div>
            """
        ).answer
    }

    static func sharedPost(_ secret: String, _ visit: Visit) -> Step {
        askAsNobody("post.shared", ["secret": .string(secret)]) { result in
            let gone = (visit.words.text("page.shared.gone.title"), visit.words.paragraph("page.shared.gone"))
            return answer(result, visit.words, gone: gone, hasScript: false) { page(of: $0, secret, visit) }
        }
    }

    private static func page(of post: JSON, _ secret: String, _ visit: Visit) -> Page {
        let words = visit.words
        let lines = (post["text"]?.string ?? "").split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let text: [HTML] = lines.enumerated().map { index, line in
            let gap: HTML? = index == 0 ? nil : "<br>"
            return "\(gap)\(HTML.written(String(line)))"
        }
        let link: HTML? = post["link"]?.string.flatMap { address in
            let isPage = ["http://", "https://"].contains { address.lowercased().hasPrefix($0) }
            return isPage
                ? "<p><a href=\"\(address)\" target=\"_blank\" rel=\"noreferrer noopener\">\(address)</a></p>" : nil
        }
        let pictures: [HTML] = (post["pictures"]?.array ?? []).enumerated().map { index, picture in
            let caption = picture["caption"]?.string
            let place = "/shared/\(secret)/\(index + 1)"
            let under: HTML? = caption.map { "<figcaption>\(HTML.written($0))</figcaption>" }
            return """
                <figure><a href="\(place)/large"><img src="\(place)/middle" alt="\(caption ?? "")" \
                width="\(HTML.number(picture["width"]?.int ?? 1))" height="\(HTML.number(picture["height"]?.int ?? 1))"></a>\
                \(under)</figure>

                """
        }
        let when: HTML = post["at"]?.instant.map { words.time($0) } ?? ""
        let edited: HTML? = post["edited"] == nil ? nil : " · \(words("page.shared.edited"))"
        let end: HTML? = post["until"]?.instant.map {
            "<p class=\"note\">\(words("page.shared.ends", ["time": words.time($0)]))</p>\n"
        }
        return linkPage(
            words, title: words.text("page.shared.of", ["name": Unseen.cleaned(post["author"]?.string ?? "")]),
            hasScript: true,
            """
            <article class="card shared">
            <p class="hint">\(when)\(edited)</p>
            <p>\(text)</p>
            \(link)\(pictures)</article>
            \(end)<p class="hint" data-zone="\(words.text("page.shared.zone-here"))">\
            \(words("page.shared.zone", ["zone": HTML.written(words.abbreviation(at: visit.now))]))</p>
            """)
    }
}
