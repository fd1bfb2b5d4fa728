import KinModel

/// Open questions about a member's sharing: members who came under a rule for a group, and rules to be confirmed.
extension Pages {
    static func questions(_ watched: Watched) -> HTML? {
        guard watched.hand == .whole else { return nil }
        let waiting = watched.sharing["waiting"]?.array ?? []
        let declined = watched.sharing["declined"]?.array ?? []
        let until = watched.isOn ? watched.sharing["confirmBy"]?.instant : nil
        guard !waiting.isEmpty || !declined.isEmpty || until != nil else { return nil }
        return """
            <section id="waiting">\(watched.words.heading("page.waiting.title"))\(until.map { confirmation(watched, until: $0) })\(waiting.map { question($0, watched) })\
            \(declined.map { refused($0, watched) })</section>

            """
    }

    private static func confirmation(_ watched: Watched, until: Instant) -> HTML {
        let words = watched.words
        let said =
            watched.child == nil
            ? words.paragraph("page.waiting.confirm", ["time": words.time(until)])
            : words.paragraph("page.waiting.confirm-of", ["name": watched.subject, "time": words.time(until)])
        return watched.form(
            """
            \(said)\(shownList(watched.sharing))
            <button name="confirm" value="yes">\(words("page.waiting.go-on"))</button>
            """)
    }

    private static func question(_ viewer: JSON, _ watched: Watched) -> HTML {
        let words = watched.words
        let id = viewer["id"]?.string ?? ""
        let key =
            switch (viewer["group"]?.string == "household", watched.child == nil) {
            case (true, true): "page.waiting.household"
            case (true, false): "page.waiting.household-of"
            case (false, true): "page.waiting.everyone"
            case (false, false): "page.waiting.everyone-of"
            }
        let history: HTML = viewer["history"]?.bool == true ? words("page.who.with-history") : ""
        let what: HTML = "\(words.sees(viewer["precision"]?.string ?? ""))"
        return watched.form(
            """
            \(words.paragraph(key, ["viewer": watched.name(viewer), "what": what, "history": history]))\
            <button name="admit" value="\(id)">\(words("page.waiting.show"))</button>
            <button class="quiet" name="refuse" value="\(id)">\(words("page.waiting.don-t"))</button>
            """)
    }

    private static func refused(_ viewer: JSON, _ watched: Watched) -> HTML {
        let (words, id) = (watched.words, viewer["id"]?.string ?? "")
        return watched.form(
            """
            \(words.paragraph("page.waiting.refused", ["viewer": watched.name(viewer)]))\
            <button class="quiet" name="admit" value="\(id)">\(words("page.waiting.show-after-all"))</button>
            """)
    }
}
