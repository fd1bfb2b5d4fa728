import KinCodec
import KinModel

/// Whether and to whom a member's position is shown, and the switch for that.
extension Pages {
    static func sharing(_ words: PageWords, _ sharing: JSON, _ shown: ShownNames) -> HTML {
        let form = "<form method=\"post\" action=\"/phone/sharing\">\(switchButton(words, sharing))</form>\n" as HTML
        return """
            <section id="sharing" class="sharing">
            <h3>\(heading(words, sharing))</h3>
            <p>\(viewers(words, sharing, shown))</p>
            \(hands(words, sharing, holder: sharing["heldBy"]?.identifier.flatMap { shown[$0] }.map { HTML.written($0) }))\
            \(canSwitch(sharing) ? form : nil)\(waitingCount(words, sharing))
            \(words.paragraph("page.sharing.alarms"))
            <p><a href="/sharing">\(words("page.sharing.more"))</a></p>
            </section>
            """
    }

    /// Says to a child who holds the child's settings.
    static func hands(_ words: PageWords, _ sharing: JSON, holder: HTML? = nil) -> HTML? {
        if sharing["heldBy"] != nil {
            return words.paragraph("page.sharing.held", ["holder": holder ?? words("page.sharing.an-adult")])
        }
        return sharing["parents"] == nil ? nil : words.paragraph("page.sharing.orphaned")
    }

    private static func canSwitch(_ sharing: JSON) -> Bool {
        sharing["heldBy"] == nil && (sharing["parents"] == nil || sharing["state"]?.string == "on")
    }

    private static func switchButton(_ words: PageWords, _ sharing: JSON) -> HTML {
        sharing["state"]?.string == "on"
            ? "<button class=\"quiet\" name=\"state\" value=\"off\">\(words("page.sharing.turn-off"))</button>"
            : """
            \(shownList(sharing))<button name="state" value="on">\(words("page.sharing.turn-on"))</button>
            """
    }

    /// The switch on the page of who sees the position, for those who may use it.
    static func switchForm(_ watched: Watched) -> HTML? {
        switch watched.hand {
        case .whole: watched.form(switchButton(watched.words, watched.sharing))
        case .narrowing, .off: watched.isOn ? watched.form(switchButton(watched.words, watched.sharing)) : nil
        case .none: nil
        }
    }

    /// The list that the page shows. Switching on confirms the members of it; a member who comes meanwhile waits.
    static func shownList(_ sharing: JSON) -> HTML? {
        let ids = (sharing["seenBy"]?.array ?? []).compactMap { $0["id"]?.string }
        return "<input type=\"hidden\" name=\"confirms\" value=\"\(ids.joined(separator: " "))\">"
    }

    /// The same list, as a form sends it back.
    static func confirmed(_ typed: FormFields) -> JSON {
        .array((typed["confirms"] ?? "").split(separator: " ").map { .string(String($0)) })
    }

    private static func waitingCount(_ words: PageWords, _ sharing: JSON) -> HTML? {
        let isAsked = sharing["waiting"]?.array?.isEmpty == false || sharing["waitingPlaces"]?.array?.isEmpty == false
        guard sharing["heldBy"] == nil, isAsked || sharing["confirmBy"] != nil else { return nil }
        return "<p><a href=\"/sharing#waiting\">\(words("page.sharing.waits"))</a></p>"
    }

    private static func heading(_ words: PageWords, _ sharing: JSON) -> HTML {
        guard sharing["state"]?.string == "on" else {
            return sharing["paused"]?.bool == true ? words("page.sharing.paused") : words("page.sharing.off")
        }
        guard let until = sharing["until"]?.instant else { return words("page.sharing.on") }
        return words("page.sharing.on-until", ["time": words.time(until)])
    }

    /// Who sees the position, by name.
    static func viewers(_ words: PageWords, _ sharing: JSON, _ shown: ShownNames) -> HTML {
        let isOn = sharing["state"]?.string == "on"
        let isHeld = sharing["heldBy"] != nil
        let names = (sharing["seenBy"]?.array ?? []).compactMap { viewer in
            viewer["id"]?.identifier.flatMap { shown[$0] } ?? viewer["displayName"]?.string
        }
        let isForEveryone =
            sharing["rules"]?.array?.contains { $0["viewer"] == "everyone" && $0["precision"] != "off" } ?? true
        var parts: [HTML]
        switch (isOn, names.isEmpty) {
        case (true, true): parts = [words("page.sharing.seen-by-nobody")]
        // Before anything was reported there is nothing to see, whoever may.
        case (true, false) where sharing["unreported"]?.bool == true: parts = [words("page.sharing.unreported")]
        case (true, false):
            parts = [words("page.sharing.seen", ["names": words.list(names), "n": .number(names.count)])]
        case (false, true):
            parts = [words(isHeld ? "page.sharing.would-nobody-held" : "page.sharing.would-nobody")]
        case (false, false):
            parts = [words(isHeld ? "page.sharing.would-held" : "page.sharing.would", ["names": words.list(names)])]
        }
        if isForEveryone, sharing["others"]?.bool == true {
            parts.append(words(isOn ? "page.sharing.others" : "page.sharing.others-would"))
        } else if isForEveryone {
            parts.append(words(isHeld ? "page.sharing.later-held" : "page.sharing.later"))
        }
        return HTML(stringLiteral: parts.map(\.markup).joined(separator: " "))
    }
}
