import KinCodec
import KinKeeper
import KinModel

/// `/sharing/CHILD`: who sees how much of where a child is, for the adult who holds the child's settings, for parents, and
/// for who may hold them.
extension Pages {
    static func child(_ id: Identifier, _ visit: Visit) -> Step {
        withPerson(visit) { person in
            guard id != person.id else { return .show(Page.redirect(to: "/sharing")) }
            return asking(person, "sharing.show", ["member": .id(id)], back: "/sharing") { shown in
                asking(person, "member.list") { list in
                    let members = (list["members"]?.array ?? []).compactMap { Member($0) }
                    guard let child = members.first(where: { $0.id == id }) else {
                        return .show(Page.redirect(to: "/sharing"))
                    }
                    let watched = Watched(child, shown["sharing"] ?? [:], members, by: person.id)
                    guard watched.hand == .whole else { return show(childPage(person, watched, nil)) }
                    return looks(person, watched) { show(childPage(person, watched, $0)) }
                }
            }
        }
    }

    /// Takes a child's settings, hands them over or gives them to the child.
    static func hold(_ typed: FormFields, _ person: Person, of child: Identifier, then: @escaping (JSON) -> Step)
        -> Step
    {
        var params: JSON.Object = ["member": .id(child), "hold": .bool(typed["hold"] != "give")]
        if typed["hold"] == "over" { params["to"] = .string(typed["to"] ?? "") }
        return asking(person, "sharing.hold", params, back: "/sharing/\(child)", then: then)
    }

    private static func childPage(_ person: Person, _ watched: Watched, _ looks: HTML?) -> Page {
        let looked: HTML? = looks.map { "<h2>Who looked, in the last 90 days</h2>\n\($0)\n" }
        let name = watched.child.flatMap { watched.names[$0.id] } ?? ""
        return Page(
            family: person.family, title: "Who sees where \(name) is",
            content: """
                <p>\(childState(watched))</p>
                \(holder(watched))\
                \(switchForm(watched))\
                \(questions(watched))\(waitingPlaces(watched))\
                <h2>Who sees how much</h2>
                \(people(watched))\(ruleList(watched))\(ruleForm(watched))\
                \(handOver(watched))\(looked)\
                \(Page.link("Back to your own sharing", to: "/sharing"))
                """)
    }

    private static func childState(_ watched: Watched) -> HTML {
        guard watched.isOn else {
            return watched.sharing["paused"]?.bool == true
                ? "Sharing is paused: nobody sees where \(watched.subject) is until it is turned on again."
                : "Sharing is off: nobody sees where \(watched.subject) is."
        }
        guard let until = watched.sharing["until"]?.instant else { return "Sharing is on." }
        return "Sharing is on until <time datetime=\"\(until.description)\">\(minute(until))</time>."
    }

    // MARK: Whose the settings are

    private static func holder(_ watched: Watched) -> HTML {
        let holder = watched.sharing["heldBy"]?.identifier
        let mayHold = watched.me.map { watched.mayHold.contains($0) } == true
        if let holder, holder == watched.me { return "\(heldByMe(watched))" }
        if let holder {
            let more: HTML? =
                watched.hand == .narrowing
                ? " As a parent you can turn sharing off, or make the rules show less; nothing here shows anybody more."
                : nil
            return "<p>\(watched.name(holder)) holds these settings.\(more)</p>\n"
        }
        let take: HTML? =
            !mayHold
            ? nil
            : watched.form("<button class=\"quiet\" name=\"hold\" value=\"take\">Hold these settings</button>")
        guard let parents = watched.sharing["parents"]?.array else {
            let more: HTML? =
                mayHold ? " You can hold them instead; \(watched.subject) is told so, and then only looks." : nil
            return "<p>These settings are in \(watched.subject)’s own hands.\(more)</p>\n\(take)"
        }
        let names = list(parents.map { watched.name($0.identifier) }, "or")
        return """
            <p>Whoever held these settings is gone, and sharing is paused. \(names) can hold them now.</p>
            \(take)
            """
    }

    private static func heldByMe(_ watched: Watched) -> HTML {
        let again: HTML? = watched.sharing["heldUntil"]?.instant.map { until in
            let form = watched.form("<button name=\"hold\" value=\"take\">I go on holding them</button>")
            return """
                <p>They are yours from before there were rules for who may hold them. That ends on \
                <time datetime="\(until.description)">\(minute(until))</time> unless you say that it goes on.</p>
                \(form)
                """
        }
        return """
            <p>You hold these settings. \(watched.subject) sees them here too, and is told what you change.</p>
            \(again)
            """
    }

    private static func handOver(_ watched: Watched) -> HTML? {
        guard watched.hand == .whole, watched.child != nil else { return nil }
        let others = watched.mayHold.filter { $0 != watched.me }
        let options: [HTML] = others.map { option($0.description, watched.names[$0] ?? "") }
        let over: HTML? =
            others.isEmpty
            ? nil
            : watched.form(
                """
                <div class="field"><label for="to">To</label><select id="to" name="to">
                \(options)</select></div>
                <button class="quiet" name="hold" value="over">Hand them over</button>
                """)
        return """
            <h2>Into other hands</h2>
            <p>Whoever holds these settings next goes on with them as they are; \(watched.subject) is told.</p>
            \(over)\(watched.form(
                "<button class=\"quiet\" name=\"hold\" value=\"give\">Give them to \(watched.subject)</button>"))
            """
    }

    // MARK: From the own page

    /// The children whose settings the one who looks holds, narrows or may hold, each with what `sharing.show` says.
    static func withChildren(
        _ person: Person, _ members: [Member], _ then: @escaping ([Watched]) -> Step
    ) -> Step {
        let own = members.first { $0.id == person.id }
        guard let own, own.kind == .adult, own.role != .guest else { return then([]) }
        let children = members.filter { child in
            child.kind == .child && (child.household == own.household || child.parents.contains(own.id))
        }
        return withChildren(children[...], [], person, members, then)
    }

    private static func withChildren(
        _ left: ArraySlice<Member>, _ found: [Watched], _ person: Person, _ members: [Member],
        _ then: @escaping ([Watched]) -> Step
    ) -> Step {
        guard let child = left.first else { return then(found) }
        return .ask("sharing.show", ["member": .id(child.id)], .token(person.token)) { result in
            var found = found
            // Whoever may not see a child's settings is answered that, and there is nothing to link to.
            if case .success(let shown) = result {
                found.append(Watched(child, shown["sharing"] ?? [:], members, by: person.id))
            }
            return withChildren(left.dropFirst(), found, person, members, then)
        }
    }

    static func childList(_ children: [Watched]) -> HTML? {
        guard !children.isEmpty else { return nil }
        let rows: [HTML] = children.map { child in
            "<li><a href=\"\(child.path)\">\(child.subject)</a>: \(brief(child))</li>\n"
        }
        return "<h2>Children</h2>\n<ul>\n\(rows)</ul>\n"
    }

    private static func brief(_ child: Watched) -> HTML {
        let state: HTML = child.isOn ? "sharing is on" : "sharing is off"
        let holder = child.sharing["heldBy"]?.identifier
        let hands: HTML =
            holder == nil
            ? child.sharing["parents"] == nil ? "in their own hands" : "whoever held the settings is gone"
            : holder == child.me ? "you hold the settings" : "\(child.name(holder)) holds the settings"
        let isAsked =
            child.hand == .whole
            ? child.isAsked : child.me.map { child.mayHold.contains($0) } == true && child.sharing["parents"] != nil
        let asked: HTML? = isAsked ? ". <strong>Something waits for your answer</strong>" : nil
        return "\(state), \(hands)\(asked)."
    }
}

extension Pages.Watched {
    /// Whether something waits for an answer of whoever decides.
    var isAsked: Bool {
        sharing["waiting"]?.array?.isEmpty == false || sharing["waitingPlaces"]?.array?.isEmpty == false
            || sharing["confirmBy"] != nil || sharing["heldUntil"] != nil
    }
}
