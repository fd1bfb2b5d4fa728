import KinModel

/// What of the own sharing waits for an answer: who came under a rule for a group, and what is to be confirmed.
extension Pages {
    static func questions(_ sharing: JSON) -> HTML? {
        let waiting = sharing["waiting"]?.array ?? []
        let declined = sharing["declined"]?.array ?? []
        let until = sharing["confirmBy"]?.instant
        guard !waiting.isEmpty || !declined.isEmpty || until != nil else { return nil }
        return """
            <section id="waiting"><h2>What waits for your answer</h2>
            \(until.map { confirmation(sharing, until: $0) })\(waiting.map { question($0) })\(refused(declined))</section>

            """
    }

    private static func confirmation(_ sharing: JSON, until: Instant) -> HTML {
        let isOn = sharing["state"]?.string == "on"
        let shown = shownList(sharing)
        guard isOn else { return "" }
        return """
            <form method="post" action="/sharing"><p>Whoever sees you by a rule for a group does so until \
            <time datetime="\(until.description)">\(minute(until))</time>. The list below says who that is.</p>\(shown)
            <button name="confirm" value="yes">They go on seeing it</button></form>

            """
    }

    private static func question(_ viewer: JSON) -> HTML {
        let id = viewer["id"]?.string ?? ""
        let rule: HTML =
            viewer["group"]?.string == "household" ? "your rule for the household" : "your rule for everyone"
        let history: HTML? = viewer["history"]?.bool == true ? ", with the history" : nil
        return """
            <form method="post" action="/sharing"><p><strong>\(HTML.written(viewer["displayName"]?.string ?? ""))</strong> \
            came later and sees nothing by \(rule), which would show: \
            \(words(viewer["precision"]?.string ?? ""))\(history).</p>
            <button name="admit" value="\(id)">Show it</button>
            <button class="quiet" name="refuse" value="\(id)">Don’t</button></form>

            """
    }

    private static func refused(_ declined: [JSON]) -> HTML {
        let rows = declined.map { viewer in
            """
            <form method="post" action="/sharing"><p>\(HTML.written(viewer["displayName"]?.string ?? "")) was refused.</p>
            <button class="quiet" name="admit" value="\(viewer["id"]?.string ?? "")">Show it after all</button></form>

            """ as HTML
        }
        return "\(rows)"
    }
}
