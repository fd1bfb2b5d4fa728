import KinCodec
import KinKeeper
import KinModel

/// `/sharing`: who sees how much of where the member is, links for people outside, and who looked.
extension Pages {
    static func who(_ visit: Visit) -> Step {
        withPerson(visit) { person in
            withSharing(person) { person in
                asking(person, "guestLink.list") { links in
                    asking(person, "sharing.looks", ["limit": 50]) { looks in
                        show(whoPage(person, links["guestLinks"]?.array ?? [], looks["looks"]?.array ?? []))
                    }
                }
            }
        }
    }

    /// A rule, a new link, or one that ends: by the form that was sent.
    static func changeWho(_ typed: FormFields, _ visit: Visit) -> Step {
        guard let token = visit.token else { return .show(Page.redirect(to: "/signin")) }
        let person = Person(token: token, nil)
        func done(_: JSON) -> Step { .show(Page.redirect(to: "/sharing")) }
        for (name, admit) in [("admit", true), ("refuse", false)] {
            guard let viewer = typed[name] else { continue }
            return asking(person, "sharing.admit", ["viewer": .string(viewer), "admit": .bool(admit)], then: done)
        }
        if typed["confirm"] != nil {
            return asking(person, "sharing.set", ["state": "on", "confirms": confirmed(typed)], then: done)
        }
        for (field, admits) in [("admitPlace", true), ("refusePlace", false)] {
            guard let place = typed[field] else { continue }
            return asking(person, "place.admit", ["place": .string(place), "admit": .bool(admits)], then: done)
        }
        if let link = typed["revoke"] {
            return asking(person, "guestLink.revoke", ["guestLink": .string(link)], then: done)
        }
        if let hours = typed["hours"].flatMap({ Int64($0) }), (1...744).contains(hours) {
            let until = visit.now.adding(seconds: hours * 3600)
            let params: JSON.Object = [
                "precision": .string(typed["precision"] ?? ""), "until": .time(until),
            ]
            return asking(person, "guestLink.create", params) { made in show(linkPage(made, visit.site)) }
        }
        return asking(person, "sharing.show") { shown in
            let viewer = JSON.string(typed["viewer"] ?? "")
            let rule: JSON = [
                "viewer": viewer, "precision": .string(typed["precision"] ?? ""),
                "history": .bool(typed["history"] != nil),
            ]
            let others = (shown["sharing"]?["rules"]?.array ?? []).filter { $0["viewer"] != viewer }
            return asking(person, "sharing.set", ["rules": .array(others + [rule])], then: done)
        }
    }

    static func asking(
        _ person: Person, _ method: String, _ params: JSON.Object = [:], then: @escaping (JSON) -> Step
    ) -> Step {
        .ask(method, params, .token(person.token)) { result in
            switch result {
            case .success(let json): then(json)
            case .failure(let rejection): refused(rejection)
            }
        }
    }

    // MARK: The page

    private static func whoPage(_ person: Person, _ links: [JSON], _ looks: [JSON]) -> Page {
        let sharing = person.sharing
        let state: HTML = sharing["state"]?.string == "on" ? "Sharing is on." : "Sharing is off: nobody sees it now."
        return Page(
            family: person.family, title: "Who sees where you are",
            content: """
                <p>\(state) \(held(sharing))</p>
                \(questions(sharing))\
                <h2>Who sees how much</h2>
                \(people(sharing["seenBy"]?.array ?? []))
                \(ruleForm(sharing))
                \(waitingPlaces(sharing))
                <h2>Links for people outside the family</h2>
                \(links.map { linkRow($0) })\(linkForm)
                <h2>Who looked, in the last 90 days</h2>
                \(lookList(looks))
                \(Page.link("Back to this phone", to: "/phone"))
                """)
    }

    private static func held(_ sharing: JSON) -> HTML? {
        sharing["heldBy"] == nil ? nil : "An adult of your household holds these settings."
    }

    private static func people(_ seenBy: [JSON]) -> HTML {
        guard !seenBy.isEmpty else { return "<p>Nobody.</p>" }
        let rows = seenBy.map { viewer in
            let until: HTML? = viewer["until"]?.instant.map { " until \(minute($0))" }
            let history: HTML? = viewer["history"]?.bool == true ? ", with the history" : nil
            return """
                <li>\(HTML.written(viewer["displayName"]?.string ?? "")): \
                \(words(viewer["precision"]?.string ?? ""))\(history)\(until)</li>

                """ as HTML
        }
        return "<ul>\n\(rows)</ul>"
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

    private static func ruleForm(_ sharing: JSON) -> HTML {
        let members = (sharing["seenBy"]?.array ?? []).map { viewer in
            option(viewer["id"]?.string ?? "", viewer["displayName"]?.string ?? "")
        }
        return """
            <form method="post" action="/sharing">
            <div class="field"><label for="viewer">Who</label>
            <select id="viewer" name="viewer">
            \(option("everyone", "Everyone in the family"))\(option("household", "My household"))\(members)</select></div>
            <div class="field"><label for="precision">sees</label>
            <select id="precision" name="precision">
            \(Precision.allCases.reversed().map { option($0.rawValue, words($0.rawValue)) })</select></div>
            <p><label><input type="checkbox" name="history" value="yes"> and where I was, too</label></p>
            <button>Say so</button>
            </form>
            """
    }

    private static func option(_ value: String, _ text: String) -> HTML {
        "<option value=\"\(value)\">\(text)</option>\n"
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

    private static func lookList(_ looks: [JSON]) -> HTML {
        guard !looks.isEmpty else { return "<p>Nobody.</p>" }
        let rows = looks.map { look in
            let isLink = look["how"]?.string == "link"
            let somebody = isLink ? "Somebody with a link" : "Somebody"
            let machine: HTML? = look["atMachine"]?.bool == true ? " at the machine itself" : nil
            let last: HTML? = look["last"]?.instant.map { ", \(minute($0))" }
            return """
                <li>\(HTML.written(look["displayName"]?.string ?? somebody))\(machine): \
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
