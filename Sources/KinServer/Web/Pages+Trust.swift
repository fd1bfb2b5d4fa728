import KinCodec
import KinKeeper
import KinModel

/// On "This device": that this session waits, and which sessions the visitor may vouch for.
extension Pages {
    /// Adds the members' names, for a page that shows them.
    static func withNames(_ person: Person, _ then: @escaping (Person) -> Step) -> Step {
        .ask("member.list", [:], .token(person.token)) { result in
            var person = person
            if case .success(let json) = result {
                person.names = ShownNames((json["members"]?.array ?? []).compactMap { Member($0) })
            }
            return then(person)
        }
    }

    static func withWaiting(_ person: Person, _ then: @escaping (Person) -> Step) -> Step {
        .ask("session.waiting", [:], .token(person.token)) { result in
            guard case .success(let json) = result, let all = json["sessions"]?.array, !all.isEmpty else {
                return then(person)
            }
            var person = person
            let names = person.names
            person.waiting = all.map { one in
                Person.Waiting(
                    session: one["session"]?.string ?? "", member: one["member"]?.string ?? "",
                    name: one["member"]?.identifier.flatMap { names[$0] } ?? "",
                    device: one["device"]?.string ?? "",
                    maker: one["openedBy"]?.identifier.flatMap { names[$0] }
                        ?? person.words.text("page.phone.the-machine"))
            }
            return then(person)
        }
    }

    /// The visitor vouches for a session.
    static func trust(_ typed: FormFields, _ visit: Visit) -> Step {
        guard let token = visit.token else { return .show(Page.redirect(to: "/signin")) }
        let params: JSON.Object = [
            "session": .string(typed["session"] ?? ""), "member": .string(typed["member"] ?? ""),
        ]
        return .ask("session.trust", params, .token(token)) { result in
            switch result {
            case .success: .show(Page.redirect(to: "/phone"))
            case .failure(let rejection): refused(visit.words, rejection)
            }
        }
    }

    static func waiting(_ person: Person) -> HTML {
        let words = person.words
        let own: HTML? = person.waitsUntil.map { until in
            "<p class=\"note\">\(words("page.phone.waits", ["time": words.time(until)]))</p>\n"
        }
        let others: [HTML] = person.waiting.map { one in
            let asked = words.paragraph(
                "page.phone.waiting", ["name": "\(one.name)", "device": "\(one.device)", "maker": "\(one.maker)"])
            return """
                <form method="post" action="/phone/trust">
                \(asked)\
                <input type="hidden" name="session" value="\(one.session)">
                <input type="hidden" name="member" value="\(one.member)">
                <button>\(words("page.phone.confirm"))</button></form>

                """
        }
        return "\(own)\(others)"
    }
}
