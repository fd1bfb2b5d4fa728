import KinCodec
import KinModel

/// `/household`: what waits for an answer about who lives where and who is grown, and moving.
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

    /// An answer, a question or its withdrawal, by the button that was pressed.
    static func changeHousehold(_ typed: FormFields, _ visit: Visit) -> Step {
        guard let token = visit.token else { return .show(Page.redirect(to: "/signin")) }
        let person = Person(token: token, nil)
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
        let names = ShownNames(members)
        let me = members.first { $0.id == person.id }
        let home = households.first { $0.id == me?.household }
        let living = members.filter { $0.household == me?.household }.map { names[$0.id] ?? "" }
        let rows =
            (waiting["moves"]?.array ?? []).map { moveRow($0, names) }
            + (waiting["grown"]?.array ?? []).map { grownRow($0, names) }
        let all: HTML = rows.isEmpty ? "<p>Nothing.</p>" : "<ul class=\"waiting\">\n\(rows)</ul>"
        return Page(
            family: person.family, title: "Household",
            content: """
                <p>You live in <strong>\(HTML.written(home?.name ?? ""))</strong>: \(list(living)).</p>
                <h2>What waits for an answer</h2>
                \(all)
                \(moveForm(me, households))\(grownForm(me, waiting))
                \(Page.link("Back to this phone", to: "/phone"))
                """)
    }

    private static func moveRow(_ move: JSON, _ names: ShownNames) -> HTML {
        let subject = move["member"].flatMap { Member($0) }
        let member = HTML.written(subject.flatMap { names[$0.id] ?? $0.displayName } ?? "")
        let place = HTML.written(move["household"]?["name"]?.string ?? "")
        let household = move["household"]?["id"]?.string ?? ""
        let isAdmitted = move["admitted"]?.bool == true
        let by = move["by"]?.identifier.flatMap { names[$0] }
        let asker: HTML = by.map { HTML.written($0) } ?? member
        let text: HTML =
            isAdmitted
            ? "\(member) may move into \(place)"
            : asker.markup == member.markup
                ? "\(member) asks to move into \(place)" : "\(asker) asks that \(member) may move into \(place)"
        let id = subject?.id.description ?? ""
        var buttons: [HTML] = []
        if move["mayAnswer"]?.bool == true {
            if !isAdmitted { buttons.append(answer("Admit", "admit", id, household)) }
            buttons.append(answer(isAdmitted ? "Take it back" : "Refuse", "refuse", id, household, isQuiet: true))
        } else if move["mayMove"]?.bool == true {
            buttons.append(
                isAdmitted
                    ? answer("Move in", "move", id, household)
                    : answer("Withdraw", "move", id, subject?.household.description ?? "", isQuiet: true))
        }
        return "<li><p>\(text).\(until(move, " That ends"))</p>\n\(buttons)</li>\n"
    }

    private static func grownRow(_ wish: JSON, _ names: ShownNames) -> HTML {
        let subject = wish["member"].flatMap { Member($0) }
        let member = HTML.written(subject.flatMap { names[$0.id] ?? $0.displayName } ?? "")
        let id = subject?.id.description ?? ""
        let buttons: [HTML] =
            wish["mayAnswer"]?.bool == true
            ? [answer("Say so", "grown", id, ""), answer("Not yet", "notYet", id, "", isQuiet: true)] : []
        return """
            <li><p>\(member) asks to count as an adult.\(until(wish, " Without an answer it is so on"))</p>
            \(buttons)</li>

            """
    }

    private static func until(_ request: JSON, _ words: String) -> HTML? {
        request["ends"]?.instant.map { "\(words) <time datetime=\"\($0.description)\">\(minute($0))</time>." }
    }

    private static func answer(
        _ text: String, _ word: String, _ member: String, _ household: String, isQuiet: Bool = false
    ) -> HTML {
        """
        <form method="post" action="/household"><input type="hidden" name="member" value="\(member)">\
        <input type="hidden" name="household" value="\(household)">\
        <button\(isQuiet ? " class=\"quiet\"" as HTML : nil) name="do" value="\(word)">\(text)</button></form>

        """
    }

    /// Guests see no other household; children are moved by those who care for them.
    private static func moveForm(_ me: Member?, _ households: [Household]) -> HTML? {
        let others = households.filter { $0.id != me?.household }.sorted { $0.name < $1.name }
        guard let me, me.kind == .adult, !others.isEmpty else { return nil }
        let options: [HTML] = others.map {
            "<option value=\"\($0.id.description)\">\($0.name)</option>\n"
        }
        return """
            <h2>Move</h2>
            <p>The people of the household you move into are asked first.</p>
            <form method="post" action="/household">
            <input type="hidden" name="member" value="\(me.id.description)">
            <div class="field"><label for="household">Into</label>
            <select id="household" name="household">
            \(options)</select></div>
            <button name="do" value="move">Ask to move in</button>
            </form>

            """
    }

    private static func grownForm(_ me: Member?, _ waiting: JSON) -> HTML? {
        let isAsked = waiting["grown"]?.array?.contains { $0["member"]?["id"]?.identifier == me?.id } ?? false
        guard let me, me.kind == .child, !isAsked else { return nil }
        return """
            <h2>Are you grown?</h2>
            <p>You count as a child here: a parent can move you, and hold your location settings. Those who care for you are
            asked; if nobody answers for 30 days, you count as an adult.</p>
            <form method="post" action="/household">
            <button class="quiet" name="do" value="askGrown">Ask to count as an adult</button>
            </form>

            """
    }
}
