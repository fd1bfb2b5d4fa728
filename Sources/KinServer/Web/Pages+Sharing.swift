import KinCodec
import KinModel

/// Whether a member's position is shown, to whom, and the switch.
extension Pages {
    static func sharing(_ sharing: JSON, _ shown: ShownNames) -> HTML {
        let isOn = sharing["state"]?.string == "on"
        let isHeld = sharing["heldBy"] != nil
        let form = "<form method=\"post\" action=\"/phone/sharing\">\(switchButton(sharing))</form>\n" as HTML
        return """
            <section id="sharing" class="sharing">
            <h3>\(heading(sharing))</h3>
            <p>\(viewers(sharing, shown, isOn: isOn, isHeld: isHeld))</p>
            \(hands(sharing))\(canSwitch(sharing) ? form : nil)\(waitingCount(sharing))
            <p><a href="/sharing">Who sees how much, children, links for guests, and who looked</a></p>
            </section>
            """
    }

    /// Whose hands a child's settings are in, for the child.
    static func hands(_ sharing: JSON, holder: HTML = "An adult of your household") -> HTML? {
        if sharing["heldBy"] != nil {
            return "<p>\(holder) holds these settings: ask them to change something.</p>\n"
        }
        guard sharing["parents"] != nil else { return nil }
        return "<p>Whoever held these settings is gone. A parent says who holds them now.</p>\n"
    }

    private static func canSwitch(_ sharing: JSON) -> Bool {
        sharing["heldBy"] == nil && (sharing["parents"] == nil || sharing["state"]?.string == "on")
    }

    private static func switchButton(_ sharing: JSON) -> HTML {
        sharing["state"]?.string == "on"
            ? "<button class=\"quiet\" name=\"state\" value=\"off\">Turn sharing off</button>"
            : "\(shownList(sharing))<button name=\"state\" value=\"on\">Turn sharing on</button>"
    }

    /// The switch on the page of who sees it, for those who may use it.
    static func switchForm(_ watched: Watched) -> HTML? {
        switch watched.hand {
        case .whole: watched.form(switchButton(watched.sharing))
        case .narrowing, .off: watched.isOn ? watched.form(switchButton(watched.sharing)) : nil
        case .none: nil
        }
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
        let isAsked = sharing["waiting"]?.array?.isEmpty == false || sharing["waitingPlaces"]?.array?.isEmpty == false
        guard sharing["heldBy"] == nil, isAsked || sharing["confirmBy"] != nil else { return nil }
        return "<p><a href=\"/sharing#waiting\">Something waits for your answer</a></p>"
    }

    private static func heading(_ sharing: JSON) -> HTML {
        guard sharing["state"]?.string == "on" else {
            return sharing["paused"]?.bool == true
                ? "Sharing is paused, by a restore or because who held it is gone: nobody sees where you are"
                : "Sharing is off: nobody sees where you are"
        }
        guard let until = sharing["until"]?.instant else { return "Sharing is on" }
        return "Sharing is on until <time datetime=\"\(until.description)\">\(minute(until))</time>"
    }

    private static func viewers(_ sharing: JSON, _ shown: ShownNames, isOn: Bool, isHeld: Bool) -> HTML {
        let names = (sharing["seenBy"]?.array ?? []).compactMap { viewer in
            viewer["id"]?.identifier.flatMap { shown[$0] } ?? viewer["displayName"]?.string
        }
        let isForEveryone =
            sharing["rules"]?.array?.contains { $0["viewer"] == "everyone" && $0["precision"] != "off" } ?? true
        let later: HTML? =
            !isForEveryone
            ? nil
            : sharing["others"]?.bool == true
                ? " Members of other households, whom you don’t see as a guest, \(isOn ? "see" : "would see") it as well."
                : " Whoever comes later sees nothing until \(isHeld ? "who holds these settings agrees" : "you agree"); guests don’t."
        guard !names.isEmpty else {
            return isOn
                ? "Nobody else is here to see it.\(later)"
                : "If \(isHeld ? "it is turned" : "you turn it") on, nobody else is here to see it yet.\(later)"
        }
        return isOn
            ? "\(list(names)) \(names.count == 1 ? "sees" : "see") where you are.\(later)"
            : "If \(isHeld ? "it is turned" : "you turn it") on, \(list(names)) will see where you are.\(later)"
    }

    static func list(_ names: [String]) -> HTML { list(names.map { HTML.written($0) }, "and") }

    /// `Ada, Ben or Cleo`.
    static func list(_ names: [HTML], _ last: String) -> HTML {
        let parts = names.enumerated().map { index, name in
            let before: HTML = index == 0 ? "" : index == names.count - 1 ? " \(last) " : ", "
            return "\(before)<strong>\(name)</strong>" as HTML
        }
        return "\(parts)"
    }

    /// `2026-11-20 18:04 UTC`.
    static func minute(_ instant: Instant) -> String {
        let text = Array(instant.description)
        return String(text[..<10]) + " " + String(text[11..<16]) + " UTC"
    }
}
