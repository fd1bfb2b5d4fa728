import KinCodec
import KinKeeper
import KinModel

/// `/sharing`: who sees how much of the member's position, links for people outside, and who looked.
extension Pages {
    static func who(_ visit: Visit, again: Again? = nil) -> Step {
        withPerson(visit) { person in
            var person = person
            person.again = again
            return withSharing(person) { person in
                asking(person, "member.list") { list in
                    let members = (list["members"]?.array ?? []).compactMap { Member($0) }
                    let watched = Watched(nil, person.sharing, members, by: person)
                    return asking(person, "guestLink.list") { links in
                        asking(person, "place.list") { places in
                            looks(person, watched) { looks in
                                withChildren(person, members) { children in
                                    let links = OwnLinks(
                                        all: links["guestLinks"]?.array ?? [], places: places["places"]?.array ?? [])
                                    return showAgain(whoPage(person, watched, children, links, looks), again)
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The list of looks; or, for a waiting session, why they are not told.
    static func looks(_ person: Person, _ watched: Watched, _ then: @escaping (HTML) -> Step) -> Step {
        var params: JSON.Object = ["limit": 50]
        if let child = watched.child { params["member"] = .id(child.id) }
        return .ask("sharing.looks", params, .token(person.token)) { result in
            switch result {
            case .success(let json): then(lookList(json["looks"]?.array ?? [], watched))
            case .failure(let rejection): then("<p>\(person.words.refusal(rejection))</p>")
            }
        }
    }

    /// Carries out the form that was sent: a switch, a rule, an answer, a new link, or the end of one. `child`: whose
    /// settings are meant, where they are not the visitor's own.
    static func changeWho(_ typed: FormFields, _ visit: Visit, of child: Identifier? = nil) -> Step {
        guard let token = visit.token else { return .show(Page.redirect(to: "/signin")) }
        let person = Person(token: token, nil, visit.words)
        let path = child.map { "/sharing/\($0)" } ?? "/sharing"
        func done(_: JSON) -> Step { .show(Page.redirect(to: path)) }
        /// Shows the form again with what was chosen, whatever was wrong.
        func again(_ rejection: Rejection) -> Step {
            guard rejection.kind != .notSignedIn else { return refused(visit.words, rejection) }
            let again = Again(typed: typed, rejection: rejection)
            return child.map { Self.child($0, visit, again: again) } ?? who(visit, again: again)
        }
        func act(_ method: String, _ params: JSON.Object, refused: ((Rejection) -> Step)? = nil) -> Step {
            var params = params
            if let child { params["member"] = .id(child) }
            return asking(person, method, params, back: path, refused: refused, then: done)
        }
        for (name, admit) in [("admit", true), ("refuse", false)] {
            guard let viewer = typed[name] else { continue }
            return act("sharing.admit", ["viewer": .string(viewer), "admit": .bool(admit)])
        }
        if typed["confirm"] != nil || typed["state"] == "on" {
            return act("sharing.set", ["state": "on", "confirms": confirmed(typed)])
        }
        if typed["state"] == "off" { return act("sharing.set", ["state": "off"]) }
        for (field, admits) in [("admitPlace", true), ("refusePlace", false)] {
            guard let place = typed[field] else { continue }
            return act("place.admit", ["place": .string(place), "admit": .bool(admits)])
        }
        if let link = typed["revoke"] {
            return asking(person, "guestLink.revoke", ["guestLink": .string(link)], back: path, then: done)
        }
        if let child {
            if typed["hold"] != nil { return hold(typed, person, of: child, then: done) }
        } else if let hours = typed["hours"].flatMap({ Int64($0) }), (1...744).contains(hours) {
            let until = visit.now.adding(seconds: hours * 3600)
            var params: JSON.Object = [
                "precision": .string(typed["precision"] ?? ""), "until": .time(until),
            ]
            let name = (typed["name"] ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
            if !name.isEmpty { params["name"] = .string(name) }
            let places = typed.values("place")
            if !places.isEmpty { params["places"] = .array(places.map { .string($0) }) }
            return asking(person, "guestLink.create", params, refused: again) { made in
                withPerson(visit) { person in show(linkPage(person, made, visit.site)) }
            }
        }
        let whose: JSON.Object = child.map { ["member": .id($0)] } ?? [:]
        return asking(person, "sharing.show", whose, back: path) { shown in
            let viewer = JSON.string(typed["viewer"] ?? "")
            let before = shown["sharing"]?["rules"]?.array ?? []
            let others = before.filter { $0["viewer"] != viewer }
            let rule: JSON = [
                "viewer": viewer, "precision": .string(typed["precision"] ?? ""),
                "history": .bool(typed["history"] != nil),
            ]
            let rules = others + (typed["precision"] == "none" ? [] : [rule])
            let seenBy = shown["sharing"]?["seenBy"]?.array ?? []
            let waiting = shown["sharing"]?["waiting"]?.array ?? []
            let shows = widens(rules, insteadOf: before, for: viewer, seenBy: seenBy, waiting: waiting)
            guard typed["sure"] != nil || !shows else {
                return asking(person, "member.list", back: path) { list in
                    let members = (list["members"]?.array ?? []).compactMap { Member($0) }
                    return show(surePage(visit.words, typed, members, of: child, path: path))
                }
            }
            return act("sharing.set", ["rules": .array(rules)], refused: again)
        }
    }

    static func asking(
        _ person: Person, _ method: String, _ params: JSON.Object = [:], back: String = "/phone",
        refused again: ((Rejection) -> Step)? = nil, then: @escaping (JSON) -> Step
    ) -> Step {
        .ask(method, params, .token(person.token)) { result in
            switch result {
            case .success(let json): then(json)
            case .failure(let rejection): again?(rejection) ?? refused(person.words, rejection, back: back)
            }
        }
    }

    // MARK: The page

    private static func whoPage(
        _ person: Person, _ watched: Watched, _ children: [Watched], _ links: OwnLinks, _ looks: HTML
    ) -> Page {
        let words = watched.words
        let linkPart: HTML? = watched.hand == .whole ? linkCard(person, links) : nil
        let holder = watched.name(watched.sharing["heldBy"]?.identifier)
        return Page(
            words: words, family: person.family, title: words.text("page.who.title"),
            content: """
                <section class="card">
                \(words.paragraph(watched.isOn ? "page.who.on" : "page.who.off"))\
                \(watched.sharing["unreported"]?.bool == true ? words.paragraph("page.sharing.unreported") : nil)\
                \(hands(words, watched.sharing, holder: holder))\(switchForm(watched))</section>
                \(questions(watched))\(waitingPlaces(watched))\
                <section class="card">\(words.heading("page.who.seen.title"))\
                \(people(watched))\(ruleList(watched))\
                \(folded(words.text("page.who.rule.title"), ruleForm(watched), isOpen: watched.again != nil))\
                \(words.paragraph("page.sharing.alarms"))</section>
                \(childList(words, children))\(linkPart)\
                <section class="card">\(words.heading("page.who.looks.title"))\
                \(looks)</section>
                \(wayBack(words))
                """)
    }

    static func people(_ watched: Watched) -> HTML {
        let words = watched.words
        let seenBy = watched.sharing["seenBy"]?.array ?? []
        let intro: HTML? = watched.isOn ? nil : words.paragraph("page.who.would")
        let others: HTML? = watched.sharing["others"]?.bool != true ? nil : words.paragraph("page.who.others")
        let rest = (watched.sharing["notSeenBy"]?.array ?? []).map {
            row(words, $0, whom: watched.name($0), why(watched, $0))
        }
        let unseen: HTML? = rest.isEmpty ? nil : "<ul>\n\(rest)</ul>\n"
        guard !seenBy.isEmpty else { return "\(intro)\(others ?? words.paragraph("page.who.nobody"))\(unseen)" }
        let seen = seenBy.map { row(words, $0, whom: watched.name($0), why(watched, $0)) }
        return "\(intro)<ul>\n\(seen)</ul>\n\(others)\(unseen)"
    }

    /// Why somebody sees what they see, or nothing: the rule that decides, or the answer that is missing.
    private static func why(_ watched: Watched, _ person: JSON) -> HTML? {
        guard let rules = person["rules"]?.array else { return nil }
        let words = watched.words
        func isIn(_ list: String) -> Bool {
            watched.sharing[list]?.array?.contains { $0["id"] == person["id"] } ?? false
        }
        let isOff = (person["precision"] ?? "off") == "off"
        // A rule for a member needs no answer.
        if isOff, !rules.contains(where: { $0.identifier != nil }) {
            if isIn("waiting") { return words("page.who.because.waits") }
            if isIn("declined") { return words("page.who.because.declined") }
        }
        guard let first = rules.first else { return words("page.who.because.none") }
        let isOwn = watched.child == nil
        switch (first.string, rules.count) {
        case ("household", 2):
            return isOwn ? words("page.who.because.both") : words("page.who.because.both-of", watched.named)
        case ("household", _):
            return isOwn ? words("page.who.because.household") : words("page.who.because.household-of", watched.named)
        case ("everyone", _): return words("page.who.because.everyone")
        default: return words("page.who.because.member", ["name": watched.name(first.identifier)])
        }
    }

    /// Who sees what, with or without the history, and until when, and why.
    static func row(_ words: PageWords, _ json: JSON, whom: HTML, _ why: HTML? = nil) -> HTML {
        let until: HTML? = json["until"]?.instant.map { " \(words("page.who.until", ["time": words.time($0)]))" }
        let history: HTML = json["history"]?.bool == true ? words("page.who.with-history") : ""
        let what: HTML = "\(words.sees(json["precision"]?.string ?? ""))"
        let said = words("page.who.row", ["name": whom, "what": what, "history": history, "until": until ?? ""])
        let because: HTML? = why.map { " <small>\($0)</small>" }
        return "<li>\(said)\(because)</li>\n"
    }

    /// The rules behind that list, in the order in which they decide.
    static func ruleList(_ watched: Watched) -> HTML {
        func rank(_ rule: JSON) -> Int { rule["viewer"] == "everyone" ? 2 : rule["viewer"] == "household" ? 1 : 0 }
        let rules = (watched.sharing["rules"]?.array ?? []).sorted { rank($0) < rank($1) }
        let words = watched.words
        let title: HTML = "<h3>\(words("page.who.rules.title"))</h3>\n"
        guard !rules.isEmpty else { return "\(title)\(words.paragraph("page.who.no-rules"))" }
        let rows: [HTML] = rules.map { rule in
            switch rank(rule) {
            case 0: row(words, rule, whom: watched.name(rule["viewer"]?.identifier))
            case 1:
                row(
                    words, rule,
                    whom: watched.child == nil
                        ? words("page.who.household") : words("page.who.household-of", watched.named))
            default: row(words, rule, whom: words("page.who.everyone"))
            }
        }
        return "\(title)\(words.paragraph("page.who.rules"))<ul>\n\(rows)</ul>\n"
    }

    static func ruleForm(_ watched: Watched) -> HTML? {
        guard watched.hand == .whole || watched.hand == .narrowing else { return nil }
        let words = watched.words
        let subject = watched.child?.id ?? watched.me
        func chosen(_ name: String, _ value: String, _ text: String) -> HTML {
            option(value, text, isChosen: watched.again?.has(name, value) == true)
        }
        let members: [HTML] = watched.members.filter { $0.id != subject }.map { member in
            let name = watched.names[member.id] ?? ""
            let isGuest = member.role == .guest
            return chosen(
                "viewer", member.id.description, isGuest ? words.text("page.who.rule.guest", ["name": name]) : name)
        }
        let whose =
            watched.child.map { words.text("page.who.rule.household-of", ["name": watched.names[$0.id] ?? ""]) }
            ?? words.text("page.who.rule.household")
        let past =
            watched.child == nil
            ? words("page.who.rule.history") : words("page.who.rule.history-of", watched.named)
        let choose = option("", words.text("page.who.rule.choose"))
        return watched.form(
            """
            \(refusal(words, watched.again))<div class="field"><label for="viewer">\(words("page.who.rule.who"))</label>
            <select id="viewer" name="viewer" required>
            \(choose)\(chosen("viewer", "everyone", words.text("page.who.everyone")))\
            \(chosen("viewer", "household", whose))\(members)</select></div>
            <div class="field"><label for="precision">\(words("page.who.rule.sees"))</label>
            <select id="precision" name="precision" required>
            \(choose)\(Precision.allCases.reversed().map { chosen("precision", $0.rawValue, words.sees($0.rawValue)) })\
            \(chosen("precision", "none", words.text("page.who.rule.none")))</select></div>
            <p><label><input type="checkbox" name="history" value="yes"\(ticked(watched.again, "history", "yes"))> \
            \(past)</label></p>
            <button\(watched.hand == .narrowing ? " class=\"quiet\"" as HTML : nil)>\(words("page.who.rule.make"))</button>
            """)
    }

    static func option(_ value: String, _ text: String, isChosen: Bool = false) -> HTML {
        "<option value=\"\(value)\"\(isChosen ? " selected" as HTML : nil)>\(Unseen.cleaned(text))</option>\n"
    }

    private static func lookList(_ looks: [JSON], _ watched: Watched) -> HTML {
        let words = watched.words
        guard !looks.isEmpty else { return words.paragraph("page.who.nobody") }
        let rows: [HTML] = looks.map { look in
            let isLink = look["how"]?.string == "link"
            let somebody = words.text(isLink ? "page.who.looks.by-link" : "page.who.looks.somebody")
            let machine: HTML? = look["atMachine"]?.bool == true ? " \(words("page.who.looks.machine"))" : nil
            let last: HTML? = look["last"]?.instant.map { ", \(words.time($0))" }
            let said = words(
                "page.who.looks.row",
                [
                    "name": watched.name(look["viewer"]?.identifier, or: look["displayName"]?.string ?? somebody),
                    "machine": machine ?? "", "how": "\(way(words, look["how"]?.string ?? ""))", "last": last ?? "",
                    "count": look["count"]?.int.map { .number($0) } ?? "",
                ])
            return "<li>\(said)</li>\n"
        }
        return "<ul>\n\(rows)</ul>"
    }

    private static func way(_ words: PageWords, _ how: String) -> String {
        switch how {
        case "live": words.text("page.who.looks.live")
        case "history": words.text("page.who.looks.history")
        case "phone": words.text("page.who.looks.phone")
        case "link": words.text("page.who.looks.link")
        case "export": words.text("page.who.looks.export")
        default: how
        }
    }
}
