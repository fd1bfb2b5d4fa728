import KinCodec
import KinModel

/// On `/sharing`: links for people outside the family.
extension Pages {
    /// The member's own links, and the places that a link may name.
    struct OwnLinks {
        let all: [JSON]
        let places: [JSON]

        /// Places where one can be, by name.
        var nameable: [(id: String, name: String)] {
            places.filter { $0["radius"] != nil && $0["kind"]?.string ?? "place" == "place" }
                .map { ($0["id"]?.string ?? "", $0["name"]?.string ?? "") }
        }
    }

    static func linkCard(_ person: Person, _ links: OwnLinks) -> HTML {
        let words = person.words
        return """
            <section class="card" id="links">\(words.heading("page.who.links.title"))\
            \(links.all.map { linkRow(words, $0, links, path: "/sharing") })\
            \(folded(words.text("page.who.links.new"), linkForm(person, links), isOpen: person.again?.isLink == true))</section>

            """
    }

    /// The links of a child, where there are any, and the places of the visitor.
    static func withLinks(_ person: Person, _ watched: Watched, _ then: @escaping (OwnLinks?) -> Step) -> Step {
        guard let child = watched.child, watched.sharing["links"]?.int ?? 0 > 0 else { return then(nil) }
        return asking(person, "guestLink.list", ["member": .id(child.id)], back: watched.path) { links in
            asking(person, "place.list") { places in
                then(OwnLinks(all: links["guestLinks"]?.array ?? [], places: places["places"]?.array ?? []))
            }
        }
    }

    /// A child's links for people outside the family. The child's parents can end them and make none.
    static func childLinks(_ watched: Watched, _ links: OwnLinks) -> HTML? {
        guard !links.all.isEmpty else { return nil }
        let words = watched.words
        return """
            <section class="card" id="links">\(words.heading("page.who.links.title"))\
            \(words.paragraph("page.child.links", watched.named))\
            \(links.all.map { linkRow(words, $0, links, path: watched.path, of: watched) })</section>

            """
    }

    /// A section that is used now and then, folded under its title.
    static func folded(_ title: String, _ content: HTML?, isOpen: Bool = false) -> HTML? {
        content.map {
            "<details\(isOpen ? " open" as HTML : nil)><summary>\(title)</summary>\n\($0)</details>\n"
        }
    }

    private static func linkForm(_ person: Person, _ links: OwnLinks) -> HTML {
        let words = person.words
        let again = person.again.flatMap { $0.isLink ? $0 : nil }
        func chosen(_ name: String, _ value: String, _ text: String) -> HTML {
            option(value, text, isChosen: again?.has(name, value) == true)
        }
        let spans = [("1", "hour"), ("4", "hours"), ("24", "day"), ("168", "week")]
        let grades = ["exact", "coarse"].map { chosen("precision", $0, words.sees($0)) }
        let boxes: [HTML] = links.nameable.map { place in
            """
            <p><label><input type="checkbox" name="place" value="\(place.id)"\(ticked(again, "place", place.id))> \
            \(HTML.written(place.name))</label></p>

            """
        }
        let places: HTML? =
            boxes.isEmpty
            ? nil
            : """
            <fieldset><legend>\(words("page.who.links.places"))</legend>
            <p class="hint">\(words("page.who.links.places-hint"))</p>
            \(boxes)</fieldset>

            """
        return """
            <form method="post" action="/sharing">
            \(refusal(words, again))<div class="field"><label for="hours">\(words("page.who.links.for"))</label>
            <select id="hours" name="hours">
            \(spans.map { chosen("hours", $0.0, words.text("page.who.links.\($0.1)")) })</select></div>
            <div class="field"><label for="sees">\(words("page.who.links.shows"))</label>
            <select id="sees" name="precision">
            \(grades)</select></div>
            <div class="field"><label for="called">\(words("page.who.links.name"))</label>
            <p class="hint" id="called-hint">\(words("page.who.links.name-hint"))</p>
            <input id="called" name="name" type="text" dir="auto" maxlength="64" autocomplete="off" \
            aria-describedby="called-hint" value="\(Unseen.cleaned(again?.typed["name"] ?? person.displayName))"></div>
            \(places)<button>\(words("page.who.links.make"))</button>
            </form>
            """
    }

    private static func linkRow(
        _ words: PageWords, _ link: JSON, _ links: OwnLinks, path: String, of child: Watched? = nil
    ) -> HTML {
        let (one, called, naming) =
            child == nil
            ? ("page.who.links.one", "page.who.links.called", "page.who.links.naming")
            : ("page.child.links.one", "page.child.links.called", "page.child.links.naming")
        let subject = child?.subject ?? ""
        let until = link["until"]?.instant.map { words("page.who.until", ["time": words.time($0)]) }
        let what: HTML = "\(words.sees(link["precision"]?.string ?? ""))"
        let named = link["name"]?.string.map {
            words.paragraph(called, ["name": HTML.written($0), "child": subject])
        }
        let ids = Set((link["places"]?.array ?? []).compactMap(\.string))
        let names = links.nameable.filter { ids.contains($0.id) }.map(\.name)
        let places: HTML? =
            names.isEmpty
            ? nil : words.paragraph(naming, ["places": words.list(names), "child": subject])
        return """
            <form method="post" action="\(path)">\
            \(words.paragraph(one, ["what": what, "until": until ?? "", "child": subject]))\(named)\(places)\
            <button class="quiet" name="revoke" value="\(link["id"]?.string ?? "")">\
            \(words("page.who.links.end"))</button></form>

            """
    }

    static func linkPage(_ person: Person, _ made: JSON, _ site: Site) -> Page {
        let words = person.words
        let link = "\(site.canonicalURL)/where/\(made["secret"]?.string ?? "")"
        return Page(
            words: words, family: person.family, title: words.text("page.who.link.title"),
            content: """
                <section class="card">\(words.paragraph("page.who.link"))\(once(words, link))\(reachNote(words, site))</section>
                \(Page.link(words.text("page.done"), to: "/sharing"))
                """)
    }
}
