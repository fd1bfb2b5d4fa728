import KinCodec
import KinKeeper
import KinModel

/// `/sharing/CHILD`: who sees how much of a child's position. For the adult who holds the child's settings, for
/// parents, and for adults who may take them.
extension Pages {
    static func child(_ id: Identifier, _ visit: Visit, again: Again? = nil) -> Step {
        withPerson(visit) { person in
            var person = person
            person.again = again
            guard id != person.id else { return .show(Page.redirect(to: "/sharing")) }
            return asking(person, "sharing.show", ["member": .id(id)], back: "/sharing") { [person] shown in
                asking(person, "member.list") { list in
                    let members = (list["members"]?.array ?? []).compactMap { Member($0) }
                    guard let child = members.first(where: { $0.id == id }) else {
                        return .show(Page.redirect(to: "/sharing"))
                    }
                    let watched = Watched(child, shown["sharing"] ?? [:], members, by: person)
                    return withLinks(person, watched) { links in
                        guard watched.hand == .whole else {
                            return showAgain(childPage(person, watched, links, nil), again)
                        }
                        return looks(person, watched) { showAgain(childPage(person, watched, links, $0), again) }
                    }
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

    private static func childPage(
        _ person: Person, _ watched: Watched, _ links: OwnLinks?, _ looks: HTML?
    ) -> Page {
        let words = watched.words
        let looked: HTML? = looks.map {
            "<section class=\"card\">\(words.heading("page.who.looks.title"))\($0)</section>\n"
        }
        let name = watched.child.flatMap { watched.names[$0.id] } ?? ""
        return Page(
            words: words, family: person.family, title: words.text("page.child.title", ["name": name]),
            content: """
                <section class="card"><p>\(childState(watched))</p>
                \(holder(watched))\
                \(switchForm(watched))</section>
                \(questions(watched))\(waitingPlaces(watched))\
                <section class="card">\(words.heading("page.who.seen.title"))\
                \(people(watched))\(ruleList(watched))\
                \(folded(words.text("page.who.rule.title"), ruleForm(watched), isOpen: watched.again != nil))</section>
                \(links.flatMap { childLinks(watched, $0) })\(otherHolder(watched))\(looked)\
                \(Page.link(words.text("page.child.back"), to: "/sharing"))
                """)
    }

    private static func childState(_ watched: Watched) -> HTML {
        let words = watched.words
        guard watched.isOn else {
            return watched.sharing["paused"]?.bool == true
                ? words("page.child.paused", watched.named) : words("page.child.off", watched.named)
        }
        guard let until = watched.sharing["until"]?.instant else { return words("page.child.on") }
        return words("page.child.on-until", ["time": words.time(until)])
    }

    // MARK: Whose the settings are

    private static func holder(_ watched: Watched) -> HTML {
        let words = watched.words
        let holder = watched.sharing["heldBy"]?.identifier
        let mayHold = watched.me.map { watched.mayHold.contains($0) } == true
        if let holder, holder == watched.me { return heldByMe(watched) }
        if let holder {
            let more: HTML? = watched.hand == .narrowing ? " \(words("page.child.narrowing"))" : nil
            return "<p>\(words("page.child.held", ["holder": watched.name(holder)]))\(more)</p>\n"
        }
        let take: HTML? =
            !mayHold
            ? nil
            : watched.form(
                "<button class=\"quiet\" name=\"hold\" value=\"take\">\(words("page.child.hold"))</button>")
        guard let parents = watched.sharing["parents"]?.array else {
            let more: HTML? = mayHold ? " \(words("page.child.may-hold", watched.named))" : nil
            return "<p>\(words("page.child.own-hands", watched.named))\(more)</p>\n\(take)"
        }
        let names = words.list(parents.map { watched.name($0.identifier) }, "several.or")
        return "\(words.paragraph("page.child.orphaned", ["names": names]))\(take)\n"
    }

    private static func heldByMe(_ watched: Watched) -> HTML {
        let words = watched.words
        let again: HTML? = watched.sharing["heldUntil"]?.instant.map { until in
            let form = watched.form("<button name=\"hold\" value=\"take\">\(words("page.child.hold-on"))</button>")
            return "\(words.paragraph("page.child.held-until", ["time": words.time(until)]))\(form)\n"
        }
        return "\(words.paragraph("page.child.held-by-me", watched.named))\(again)"
    }

    private static func otherHolder(_ watched: Watched) -> HTML? {
        guard watched.hand == .whole, watched.child != nil else { return nil }
        let words = watched.words
        let others = watched.mayHold.filter { $0 != watched.me }
        let options: [HTML] = others.map { option($0.description, watched.names[$0] ?? "") }
        let over: HTML? =
            others.isEmpty
            ? nil
            : watched.form(
                """
                <div class="field"><label for="to">\(words("page.child.over-to"))</label><select id="to" name="to">
                \(options)</select></div>
                <button class="quiet" name="hold" value="over">\(words("page.child.over-button"))</button>
                """)
        let give = watched.form(
            """
            <button class="quiet" name="hold" value="give">\(words("page.child.give", watched.named))</button>
            """)
        return """
            \(words.heading("page.child.over.title"))\(words.paragraph("page.child.over", watched.named))\(over)\(give)
            """
    }

    // MARK: From the own page

    /// The children whose settings the visitor holds, narrows or may take, each with the answer of `sharing.show`.
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
            // A visitor who may not see a child's settings gets a refusal, and no link is shown.
            if case .success(let shown) = result {
                found.append(Watched(child, shown["sharing"] ?? [:], members, by: person))
            }
            return withChildren(left.dropFirst(), found, person, members, then)
        }
    }

    static func childList(_ words: PageWords, _ children: [Watched]) -> HTML? {
        guard !children.isEmpty else { return nil }
        let rows: [HTML] = children.map { child in
            "<li><a href=\"\(child.path)\">\(child.subject)</a>: \(brief(child))</li>\n"
        }
        return "\(words.heading("page.children.title"))<ul>\n\(rows)</ul>\n"
    }

    private static func brief(_ child: Watched) -> HTML {
        let words = child.words
        let state = words(child.isOn ? "page.children.on" : "page.children.off")
        let holder = child.sharing["heldBy"]?.identifier
        let hands =
            if let holder {
                holder == child.me
                    ? words("page.children.held-by-me") : words("page.children.held", ["holder": child.name(holder)])
            } else {
                words(child.sharing["parents"] == nil ? "page.children.own-hands" : "page.children.orphaned")
            }
        let isAsked =
            child.hand == .whole
            ? child.isAsked : child.me.map { child.mayHold.contains($0) } == true && child.sharing["parents"] != nil
        let asked: HTML = isAsked ? ". <strong>\(words("page.children.asked"))</strong>" : ""
        return words("page.children.row", ["state": state, "hands": hands, "asked": asked])
    }
}

extension Pages.Watched {
    /// Whether something waits for an answer of the member who decides.
    var isAsked: Bool {
        sharing["waiting"]?.array?.isEmpty == false || sharing["waitingPlaces"]?.array?.isEmpty == false
            || sharing["confirmBy"] != nil || sharing["heldUntil"] != nil
    }
}
