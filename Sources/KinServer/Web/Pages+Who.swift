import KinCodec
import KinKeeper
import KinMembers
import KinModel

/// `/sharing`: who sees how much of where the member is, links for people outside, and who looked.
extension Pages {
    static func who(_ visit: Visit) -> Step {
        withPerson(visit) { person in
            withSharing(person) { person in
                asking(person, "member.list") { list in
                    let members = (list["members"]?.array ?? []).compactMap { Member($0) }
                    let watched = Watched(nil, person.sharing, members, by: person.id)
                    return asking(person, "guestLink.list") { links in
                        looks(person, watched) { looks in
                            withChildren(person, members) { children in
                                show(whoPage(person, watched, children, links["guestLinks"]?.array ?? [], looks))
                            }
                        }
                    }
                }
            }
        }
    }

    /// Who looked, or why that is not told: a session that waits is not.
    static func looks(_ person: Person, _ watched: Watched, _ then: @escaping (HTML) -> Step) -> Step {
        var params: JSON.Object = ["limit": 50]
        if let child = watched.child { params["member"] = .id(child.id) }
        return .ask("sharing.looks", params, .token(person.token)) { result in
            switch result {
            case .success(let json): then(lookList(json["looks"]?.array ?? [], watched))
            case .failure(let rejection): then("<p>\(rejection.message)</p>")
            }
        }
    }

    /// A switch, a rule, an answer, a new link, or one that ends: by the form that was sent. `child`: whose settings are
    /// meant, where they are not the own.
    static func changeWho(_ typed: FormFields, _ visit: Visit, of child: Identifier? = nil) -> Step {
        guard let token = visit.token else { return .show(Page.redirect(to: "/signin")) }
        let person = Person(token: token, nil)
        let path = child.map { "/sharing/\($0)" } ?? "/sharing"
        func done(_: JSON) -> Step { .show(Page.redirect(to: path)) }
        func act(_ method: String, _ params: JSON.Object) -> Step {
            var params = params
            if let child { params["member"] = .id(child) }
            return asking(person, method, params, back: path, then: done)
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
        if let child {
            if typed["hold"] != nil { return hold(typed, person, of: child, then: done) }
        } else if let link = typed["revoke"] {
            return act("guestLink.revoke", ["guestLink": .string(link)])
        } else if let hours = typed["hours"].flatMap({ Int64($0) }), (1...744).contains(hours) {
            let until = visit.now.adding(seconds: hours * 3600)
            let params: JSON.Object = [
                "precision": .string(typed["precision"] ?? ""), "until": .time(until),
            ]
            return asking(person, "guestLink.create", params, back: path) { made in show(linkPage(made, visit.site)) }
        }
        let whose: JSON.Object = child.map { ["member": .id($0)] } ?? [:]
        return asking(person, "sharing.show", whose, back: path) { shown in
            let viewer = JSON.string(typed["viewer"] ?? "")
            let others = (shown["sharing"]?["rules"]?.array ?? []).filter { $0["viewer"] != viewer }
            let rule: JSON = [
                "viewer": viewer, "precision": .string(typed["precision"] ?? ""),
                "history": .bool(typed["history"] != nil),
            ]
            return act("sharing.set", ["rules": .array(others + (typed["precision"] == "none" ? [] : [rule]))])
        }
    }

    static func asking(
        _ person: Person, _ method: String, _ params: JSON.Object = [:], back: String = "/phone",
        then: @escaping (JSON) -> Step
    ) -> Step {
        .ask(method, params, .token(person.token)) { result in
            switch result {
            case .success(let json): then(json)
            case .failure(let rejection): refused(rejection, back: back)
            }
        }
    }

    // MARK: The page

    private static func whoPage(
        _ person: Person, _ watched: Watched, _ children: [Watched], _ links: [JSON], _ looks: HTML
    ) -> Page {
        let state: HTML = watched.isOn ? "Sharing is on." : "Sharing is off: nobody sees it now."
        let linkPart: HTML? =
            watched.hand == .whole
            ? "<h2>Links for people outside the family</h2>\n\(links.map { linkRow($0) })\(linkForm)\n" : nil
        return Page(
            family: person.family, title: "Who sees where you are",
            content: """
                <p>\(state)</p>
                \(hands(watched.sharing, holder: watched.name(watched.sharing["heldBy"]?.identifier)))\(switchForm(watched))\
                \(questions(watched))\(waitingPlaces(watched))\
                <h2>Who sees how much</h2>
                \(people(watched))\(ruleList(watched))\(ruleForm(watched))\
                \(childList(children))\(linkPart)\
                <h2>Who looked, in the last 90 days</h2>
                \(looks)
                \(Page.link("Back to this phone", to: "/phone"))
                """)
    }

    static func people(_ watched: Watched) -> HTML {
        let seenBy = watched.sharing["seenBy"]?.array ?? []
        let intro: HTML? = watched.isOn ? nil : "<p>When sharing is turned on, these see it:</p>\n"
        let others: HTML? =
            watched.sharing["others"]?.bool != true
            ? nil : "<p>Members of other households, whom you don’t see as a guest, are among those, too.</p>\n"
        guard !seenBy.isEmpty else { return "\(intro)\(others ?? "<p>Nobody.</p>\n")" }
        let rows = seenBy.map { viewer in
            let until: HTML? = viewer["until"]?.instant.map { " until \(minute($0))" }
            let history: HTML? = viewer["history"]?.bool == true ? ", with the history" : nil
            return """
                <li>\(watched.name(viewer)): \(words(viewer["precision"]?.string ?? ""))\(history)\(until)</li>

                """ as HTML
        }
        return "\(intro)<ul>\n\(rows)</ul>\n\(others)"
    }

    /// What somebody sees, in words.
    static func words(_ precision: String) -> String {
        switch Precision(rawValue: precision) {
        case .exact: "exactly"
        case .coarse: "to about a kilometre"
        case .place: "the name of the place"
        case .home: "whether at home"
        case .off, nil: "nothing"
        }
    }

    /// The rules behind that list, in the order in which they decide.
    static func ruleList(_ watched: Watched) -> HTML {
        func rank(_ rule: JSON) -> Int { rule["viewer"] == "everyone" ? 2 : rule["viewer"] == "household" ? 1 : 0 }
        let rules = (watched.sharing["rules"]?.array ?? []).sorted { rank($0) < rank($1) }
        guard !rules.isEmpty else { return "<h3>The rules</h3>\n<p>There are none.</p>\n" }
        let rows: [HTML] = rules.map { rule in
            let whom: HTML =
                switch rank(rule) {
                case 0: watched.name(rule["viewer"]?.identifier)
                case 1: household(watched)
                default: "Everyone in the family"
                }
            let until: HTML? = rule["until"]?.instant.map { " until \(minute($0))" }
            let history: HTML? = rule["history"]?.bool == true ? ", with the history" : nil
            return "<li>\(whom): \(words(rule["precision"]?.string ?? ""))\(history)\(until)</li>\n"
        }
        return """
            <h3>The rules</h3>
            <p>Of the rules that are about somebody, the first one decides. A guest sees only by a rule with the guest’s name.</p>
            <ul>
            \(rows)</ul>

            """
    }

    private static func household(_ watched: Watched) -> HTML {
        watched.child == nil ? "Your household" : "The household of \(watched.subject)"
    }

    static func ruleForm(_ watched: Watched) -> HTML? {
        guard watched.hand == .whole || watched.hand == .narrowing else { return nil }
        let subject = watched.child?.id ?? watched.me
        let members: [HTML] = watched.members.filter { $0.id != subject }.map { member in
            let guest = member.role == .guest ? " (guest)" : ""
            return option(member.id.description, (watched.names[member.id] ?? "") + guest)
        }
        let whose = watched.child.map { "Household of \(watched.names[$0.id] ?? "")" } ?? "My household"
        let past: HTML = watched.child == nil ? "where I was" : "where \(watched.subject) was"
        return watched.form(
            """
            <div class="field"><label for="viewer">Who</label>
            <select id="viewer" name="viewer" required>
            \(option("", "choose"))\(option("everyone", "Everyone in the family"))\(option("household", whose))\(members)</select></div>
            <div class="field"><label for="precision">sees</label>
            <select id="precision" name="precision" required>
            \(option("", "choose"))\(Precision.allCases.reversed().map { option($0.rawValue, words($0.rawValue)) })\
            \(option("none", "what the other rules say"))</select></div>
            <p><label><input type="checkbox" name="history" value="yes"> and \(past), too</label></p>
            <button\(watched.hand == .narrowing ? " class=\"quiet\"" as HTML : nil)>Make this rule</button>
            """)
    }

    static func option(_ value: String, _ text: String) -> HTML {
        "<option value=\"\(value)\">\(Unseen.cleaned(text))</option>\n"
    }

    private static let linkForm: HTML = """
        <form method="post" action="/sharing">
        <div class="field"><label for="hours">A link that is good for</label>
        <select id="hours" name="hours">
        \(option("1", "an hour"))\(option("4", "four hours"))\(option("24", "a day"))\(option("168", "a week"))</select></div>
        <div class="field"><label for="sees">shows where I am</label>
        <select id="sees" name="precision">
        \(option("exact", "exactly"))\(option("coarse", "to about a kilometre"))</select></div>
        <button>Make the link</button>
        </form>
        """

    private static func linkRow(_ link: JSON) -> HTML {
        let until: HTML? = link["until"]?.instant.map { "until \(minute($0))" }
        return """
            <form method="post" action="/sharing"><p>A link that shows where you are \
            \(words(link["precision"]?.string ?? "")), \(until).</p>
            <button class="quiet" name="revoke" value="\(link["id"]?.string ?? "")">End it</button></form>

            """
    }

    private static func linkPage(_ made: JSON, _ site: Site) -> Page {
        let link = "\(site.canonicalURL)/where/\(made["secret"]?.string ?? "")"
        return Page(
            title: "Your link",
            content: """
                <p>Whoever has it sees where you are while sharing is on. It is shown once.</p>
                <p><code>\(link)</code></p>
                \(Page.link("Done", to: "/sharing"))
                """)
    }

    private static func lookList(_ looks: [JSON], _ watched: Watched) -> HTML {
        guard !looks.isEmpty else { return "<p>Nobody.</p>" }
        let rows = looks.map { look in
            let isLink = look["how"]?.string == "link"
            let somebody = isLink ? "Somebody with a link" : "Somebody"
            let machine: HTML? = look["atMachine"]?.bool == true ? " at the machine itself" : nil
            let last: HTML? = look["last"]?.instant.map { ", \(minute($0))" }
            return """
                <li>\(watched.name(look["viewer"]?.identifier, or: look["displayName"]?.string ?? somebody))\(machine): \
                \(way(look["how"]?.string ?? ""))\(last), \(look["count"]?.int.map { String($0) } ?? "")×</li>

                """ as HTML
        }
        return "<ul>\n\(rows)</ul>"
    }

    private static func way(_ how: String) -> String {
        switch how {
        case "live": "live"
        case "history": "the history"
        case "phone": "on a phone"
        case "link": "by a link"
        case "export": "as a file"
        default: how
        }
    }
}
