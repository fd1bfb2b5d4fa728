import KinCodec
import KinModel

/// `/household`: open questions about who lives where and who is an adult, and moving.
extension Pages {
    static func household(_ visit: Visit) -> Step {
        withPerson(visit) { person in
            asking(person, "member.requests") { waiting in
                asking(person, "family.show") { family in
                    asking(person, "member.list") { members in
                        let members = (members["members"]?.array ?? []).compactMap { Member($0) }
                        let households = (family["households"]?.array ?? []).compactMap { Household($0) }
                        return show(householdPage(person, waiting, households, members))
                    }
                }
            }
        }
    }

    /// Carries out an answer, a question or its withdrawal, by the button that was pressed.
    static func changeHousehold(_ typed: FormFields, _ visit: Visit) -> Step {
        guard let token = visit.token else { return .show(Page.redirect(to: "/signin")) }
        let person = Person(token: token, nil, visit.words)
        let member = JSON.string(typed["member"] ?? "")
        let household = JSON.string(typed["household"] ?? "")
        func done(_: JSON) -> Step { .show(Page.redirect(to: "/household")) }
        switch typed["do"] {
        case "admit", "refuse":
            let params: JSON.Object = [
                "member": member, "household": household, "admit": .bool(typed["do"] == "admit"),
            ]
            return asking(person, "household.admit", params, then: done)
        case "grown", "notYet":
            let params: JSON.Object = ["member": member, "grown": .bool(typed["do"] == "grown")]
            return asking(person, "member.answerGrown", params, then: done)
        case "askGrown": return asking(person, "member.askGrown", then: done)
        default:
            return asking(person, "household.move", ["member": member, "household": household], then: done)
        }
    }

    // MARK: The page

    private static func householdPage(
        _ person: Person, _ waiting: JSON, _ households: [Household], _ members: [Member]
    ) -> Page {
        let words = person.words
        let names = ShownNames(members)
        let me = members.first { $0.id == person.id }
        let home = households.first { $0.id == me?.household }
        let lives = HTML.written(home?.name ?? "")
        let living = members.filter { $0.household == me?.household }.map { names[$0.id] ?? "" }
        let rows =
            (waiting["moves"]?.array ?? []).map { moveRow(words, $0, names) }
            + (waiting["grown"]?.array ?? []).map { grownRow(words, $0, names) }
        let all: HTML =
            rows.isEmpty ? words.paragraph("page.household.nothing") : "<ul class=\"waiting\">\n\(rows)</ul>"
        return Page(
            words: words, family: person.family, title: words.text("page.household.title"),
            content: """
                <section class="card">\(words.paragraph("page.household", ["household": lives, "names": words.list(living)]))</section>
                <section class="card">\(words.heading("page.household.waits.title"))\
                \(all)</section>
                \(moveForm(words, me, households))\(grownForm(words, me, waiting))
                \(wayBack(words))
                """)
    }

    private static func moveRow(_ words: PageWords, _ move: JSON, _ names: ShownNames) -> HTML {
        let subject = move["member"].flatMap { Member($0) }
        let member = HTML.written(subject.flatMap { names[$0.id] ?? $0.displayName } ?? "")
        let place = HTML.written(move["household"]?["name"]?.string ?? "")
        let household = move["household"]?["id"]?.string ?? ""
        let isAdmitted = move["admitted"]?.bool == true
        let by = move["by"]?.identifier.flatMap { names[$0] }
        let asker: HTML = by.map { HTML.written($0) } ?? member
        let text =
            isAdmitted
            ? words("page.household.admitted", ["member": member, "household": place])
            : asker == member
                ? words("page.household.asks", ["member": member, "household": place])
                : words("page.household.asks-by", ["asker": asker, "member": member, "household": place])
        let id = subject?.id.description ?? ""
        var buttons: [HTML] = []
        if move["mayAnswer"]?.bool == true {
            if !isAdmitted { buttons.append(answer(words("page.household.admit"), "admit", id, household)) }
            let refuse = words(isAdmitted ? "page.household.take-back" : "page.household.refuse")
            buttons.append(answer(refuse, "refuse", id, household, isQuiet: true))
        } else if move["mayMove"]?.bool == true {
            buttons.append(
                isAdmitted
                    ? answer(words("page.household.move-in"), "move", id, household)
                    : answer(
                        words("page.household.withdraw"), "move", id, subject?.household.description ?? "",
                        isQuiet: true))
        }
        return "<li><p>\(text)\(until(words, move, "page.household.ends"))</p>\n\(buttons)</li>\n"
    }

    private static func grownRow(_ words: PageWords, _ wish: JSON, _ names: ShownNames) -> HTML {
        let subject = wish["member"].flatMap { Member($0) }
        let member = HTML.written(subject.flatMap { names[$0.id] ?? $0.displayName } ?? "")
        let id = subject?.id.description ?? ""
        let buttons: [HTML] =
            wish["mayAnswer"]?.bool == true
            ? [
                answer(words("page.household.grown-yes"), "grown", id, ""),
                answer(words("page.household.grown-no"), "notYet", id, "", isQuiet: true),
            ] : []
        let asks = words("page.household.grown-asks", ["member": member])
        return "<li><p>\(asks)\(until(words, wish, "page.household.grown-ends"))</p>\n\(buttons)</li>\n"
    }

    private static func until(_ words: PageWords, _ request: JSON, _ key: String) -> HTML? {
        request["ends"]?.instant.map { " \(words(key, ["time": words.time($0)]))" }
    }

    private static func answer(
        _ text: HTML, _ word: String, _ member: String, _ household: String, isQuiet: Bool = false
    ) -> HTML {
        """
        <form method="post" action="/household"><input type="hidden" name="member" value="\(member)">\
        <input type="hidden" name="household" value="\(household)">\
        <button\(isQuiet ? " class=\"quiet\"" as HTML : nil) name="do" value="\(word)">\(text)</button></form>

        """
    }

    /// The form to move. Guests see no other household; children are moved by those who care for them.
    private static func moveForm(_ words: PageWords, _ me: Member?, _ households: [Household]) -> HTML? {
        let others = households.filter { $0.id != me?.household }.sorted { $0.name < $1.name }
        guard let me, me.kind == .adult, !others.isEmpty else { return nil }
        let options: [HTML] = others.map {
            "<option value=\"\($0.id.description)\">\($0.name)</option>\n"
        }
        return """
            <section class="card">\(words.heading("page.household.move.title"))\(words.paragraph("page.household.move"))\
            <form method="post" action="/household">
            <input type="hidden" name="member" value="\(me.id.description)">
            <div class="field"><label for="household">\(words("page.household.move-into"))</label>
            <select id="household" name="household">
            \(options)</select></div>
            <button class="quiet" name="do" value="move">\(words("page.household.move-button"))</button>
            </form></section>

            """
    }

    private static func grownForm(_ words: PageWords, _ me: Member?, _ waiting: JSON) -> HTML? {
        let isAsked = waiting["grown"]?.array?.contains { $0["member"]?["id"]?.identifier == me?.id } ?? false
        guard let me, me.kind == .child, !isAsked else { return nil }
        return """
            <section class="card">\(words.heading("page.household.grown.title"))\(words.paragraph("page.household.grown"))\
            <form method="post" action="/household">
            <button class="quiet" name="do" value="askGrown">\(words("page.household.grown-button"))</button>
            </form></section>

            """
    }
}
