import KinCodec
import KinModel

/// A rule by which more may be seen than before is asked about first; one by which less is seen is made at once.
extension Pages {
    /// What somebody sees by rules.
    private struct RuleExtent: Equatable {
        var precision = Precision.off
        var hasHistory = false

        init() {}

        init(_ json: JSON) {
            precision = json["precision"]?.string.flatMap { Precision(rawValue: $0) } ?? .off
            hasHistory = precision != .off && json["history"]?.bool == true
        }

        func exceeds(_ other: RuleExtent) -> Bool {
            precision > other.precision || hasHistory && !other.hasHistory
        }

        /// What two rules come to that both count.
        func least(_ other: RuleExtent) -> RuleExtent {
            var least = self
            least.precision = min(precision, other.precision)
            least.hasHistory = hasHistory && other.hasHistory
            return least
        }

        static func rule(_ viewer: JSON, in rules: [JSON]) -> RuleExtent? {
            rules.first { $0["viewer"] == viewer }.map { RuleExtent($0) }
        }

        static func everyone(_ rules: [JSON]) -> RuleExtent { rule("everyone", in: rules) ?? RuleExtent() }

        /// Of the household: of two rules that are about it, the least counts.
        static func household(_ rules: [JSON]) -> RuleExtent {
            let all = rule("everyone", in: rules)
            guard let own = rule("household", in: rules) else { return all ?? RuleExtent() }
            return all.map { own.least($0) } ?? own
        }
    }

    /// Whether somebody may see more by these rules than by those before. `viewer`: whom the rule is about that changes.
    /// `waiting`: who sees nothing yet by a rule for a group.
    static func widens(
        _ rules: [JSON], insteadOf before: [JSON], for viewer: JSON, seenBy: [JSON], waiting: [JSON]
    ) -> Bool {
        if let made = RuleExtent.rule(viewer, in: rules), made.precision != .off {
            let old = before.first { $0["viewer"] == viewer }
            // It would have ended by itself.
            if old?["until"] != nil { return true }
            // A changed rule for a group counts for whoever is in it by now.
            if made != old.map({ RuleExtent($0) }), waiting.contains(where: { $0["group"] == viewer }) { return true }
        }
        let groups = [RuleExtent.everyone(rules), RuleExtent.household(rules)]
        if groups[0].exceeds(RuleExtent.everyone(before)) || groups[1].exceeds(RuleExtent.household(before)) {
            return true
        }
        guard viewer != "everyone", viewer != "household" else { return false }
        let shown = seenBy.first { $0["id"] == viewer }.map { RuleExtent($0) }
        let now = RuleExtent.rule(viewer, in: before) ?? shown ?? RuleExtent()
        // Without a rule of one's own, one is of the one group or the other.
        let then = RuleExtent.rule(viewer, in: rules).map { [$0] } ?? groups
        return then.contains { $0.exceeds(now) }
    }

    /// Asks whether the rule that was typed is meant. `path`: the page it was typed on.
    static func surePage(
        _ words: PageWords, _ typed: FormFields, _ members: [Member], of child: Identifier?, path: String
    ) -> Page {
        let names = ShownNames(members)
        func name(_ id: Identifier?) -> HTML { HTML.written(id.flatMap { names[$0] } ?? words.text("page.somebody")) }
        let viewer = typed["viewer"] ?? ""
        let whom: HTML =
            switch viewer {
            case "everyone": words("page.who.everyone")
            case "household":
                child.map { words("page.who.household-of", ["name": name($0)]) } ?? words("page.who.household")
            default: name(Identifier(viewer))
            }
        let precision = typed["precision"] ?? ""
        let rule: JSON = ["precision": .string(precision), "history": .bool(typed["history"] != nil)]
        let said: HTML =
            precision == "none"
            ? "<li>\(words("page.who.sure.rest", ["name": whom]))</li>\n" : row(words, rule, whom: whom)
        let fields: [HTML] = ["viewer", "precision", "history"].compactMap { field in
            typed[field].map { "<input type=\"hidden\" name=\"\(field)\" value=\"\($0)\">\n" as HTML }
        }
        return Page(
            words: words, title: words.text("page.who.sure.title"),
            content: """
                \(words.paragraph("page.who.sure"))<ul>
                \(said)</ul>
                <form method="post" action="\(path)">
                \(fields)<button name="sure" value="yes">\(words("page.who.sure.yes"))</button>
                </form>
                \(Page.link(words.text("page.who.sure.no"), to: path, isQuiet: true))
                """)
    }
}
