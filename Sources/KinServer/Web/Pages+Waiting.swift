import KinModel

/// What of a member's sharing waits for an answer: who came under a rule for a group, and what is to be confirmed.
extension Pages {
    static func questions(_ watched: Watched) -> HTML? {
        guard watched.hand == .whole else { return nil }
        let waiting = watched.sharing["waiting"]?.array ?? []
        let declined = watched.sharing["declined"]?.array ?? []
        let until = watched.isOn ? watched.sharing["confirmBy"]?.instant : nil
        guard !waiting.isEmpty || !declined.isEmpty || until != nil else { return nil }
        return """
            <section id="waiting"><h2>What waits for your answer</h2>
            \(until.map { confirmation(watched, until: $0) })\(waiting.map { question($0, watched) })\
            \(declined.map { refused($0, watched) })</section>

            """
    }

    private static func confirmation(_ watched: Watched, until: Instant) -> HTML {
        watched.form(
            """
            <p>Whoever sees \(watched.subject) by a rule for a group does so until \
            <time datetime="\(until.description)">\(minute(until))</time>. The list below says who that is.</p>\
            \(shownList(watched.sharing))
            <button name="confirm" value="yes">They go on seeing it</button>
            """)
    }

    private static func question(_ viewer: JSON, _ watched: Watched) -> HTML {
        let id = viewer["id"]?.string ?? ""
        let whose = watched.child == nil ? "your" : "the"
        let rule =
            viewer["group"]?.string == "household" ? "\(whose) rule for the household" : "\(whose) rule for everyone"
        let history: HTML? = viewer["history"]?.bool == true ? ", with the history" : nil
        return watched.form(
            """
            <p><strong>\(watched.name(viewer))</strong> came later and sees nothing by \(rule), which would show: \
            \(words(viewer["precision"]?.string ?? ""))\(history).</p>
            <button name="admit" value="\(id)">Show it</button>
            <button class="quiet" name="refuse" value="\(id)">Don’t</button>
            """)
    }

    private static func refused(_ viewer: JSON, _ watched: Watched) -> HTML {
        watched.form(
            """
            <p>\(watched.name(viewer)) was refused.</p>
            <button class="quiet" name="admit" value="\(viewer["id"]?.string ?? "")">Show it after all</button>
            """)
    }
}
