import KinCodec
import KinModel

/// Whether a member's position is shown, to whom, and the switch.
extension Pages {
    static func sharing(_ sharing: JSON) -> HTML {
        let isOn = sharing["state"]?.string == "on"
        let button: HTML =
            isOn
            ? "<button class=\"quiet\" name=\"state\" value=\"off\">Turn sharing off</button>"
            : "<button name=\"state\" value=\"on\">Turn sharing on</button>"
        return """
            <section id="sharing" class="sharing">
            <h3>\(heading(sharing))</h3>
            <p>\(viewers(sharing, isOn: isOn))</p>
            <form method="post" action="/phone/sharing">\(shownList(sharing))\(button)</form>
            \(waitingCount(sharing))
            <p><a href="/sharing">Who sees how much, links for guests, and who looked</a></p>
            </section>
            """
    }

    /// The list that the page shows: switching on is for those of it, and whoever comes meanwhile waits.
    static func shownList(_ sharing: JSON) -> HTML? {
        let ids = (sharing["seenBy"]?.array ?? []).compactMap { $0["id"]?.string }
        return "<input type=\"hidden\" name=\"confirms\" value=\"\(ids.joined(separator: " "))\">"
    }

    /// The same, as it comes back from a form.
    static func confirmed(_ typed: FormFields) -> JSON {
        .array((typed["confirms"] ?? "").split(separator: " ").map { .string(String($0)) })
    }

    private static func waitingCount(_ sharing: JSON) -> HTML? {
        let count = sharing["waiting"]?.array?.count ?? 0
        guard count > 0 || sharing["confirmBy"] != nil else { return nil }
        return "<p><a href=\"/sharing#waiting\">Somebody waits for your answer, or something is to be confirmed</a></p>"
    }

    private static func heading(_ sharing: JSON) -> HTML {
        guard sharing["state"]?.string == "on" else {
            return sharing["paused"]?.bool == true
                ? "Sharing is paused: the family was restored from a backup, and you have to say again"
                : "Sharing is off: nobody sees where you are"
        }
        guard let until = sharing["until"]?.instant else { return "Sharing is on" }
        return "Sharing is on until <time datetime=\"\(until.description)\">\(minute(until))</time>"
    }

    private static func viewers(_ sharing: JSON, isOn: Bool) -> HTML {
        let names = (sharing["seenBy"]?.array ?? []).compactMap { $0["displayName"]?.string }
        let isForEveryone =
            sharing["rules"]?.array?.contains { $0["viewer"] == "everyone" && $0["precision"] != "off" } ?? true
        let later: HTML? =
            !isForEveryone
            ? nil
            : sharing["others"]?.bool == true
                ? " Members of other households, whom you don’t see as a guest, \(isOn ? "see" : "would see") it as well."
                : " Whoever comes later sees nothing until you agree; guests don’t at all."
        guard !names.isEmpty else {
            return isOn
                ? "Nobody else is here to see it.\(later)"
                : "If you turn it on, nobody else is here to see it yet.\(later)"
        }
        return isOn
            ? "\(list(names)) \(names.count == 1 ? "sees" : "see") where you are.\(later)"
            : "If you turn it on, \(list(names)) will see where you are.\(later)"
    }

    static func list(_ names: [String]) -> HTML {
        let parts = names.enumerated().map { index, name in
            let before: HTML = index == 0 ? "" : index == names.count - 1 ? " and " : ", "
            return "\(before)<strong>\(HTML.written(name))</strong>" as HTML
        }
        return "\(parts)"
    }

    /// `2026-11-20 18:04 UTC`.
    static func minute(_ instant: Instant) -> String {
        let text = Array(instant.description)
        return String(text[..<10]) + " " + String(text[11..<16]) + " UTC"
    }
}
