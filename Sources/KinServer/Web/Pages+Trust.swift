import KinCodec
import KinKeeper
import KinModel

/// On "this phone": that this session waits, and which sessions wait for a word of whoever looks.
extension Pages {
    /// What members are called, for a page that names them.
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
                    maker: one["openedBy"]?.identifier.flatMap { names[$0] } ?? "the machine’s administrator")
            }
            return then(person)
        }
    }

    /// A session was found good by whoever looks at the page.
    static func trust(_ typed: FormFields, _ visit: Visit) -> Step {
        guard let token = visit.token else { return .show(Page.redirect(to: "/signin")) }
        let params: JSON.Object = [
            "session": .string(typed["session"] ?? ""), "member": .string(typed["member"] ?? ""),
        ]
        return .ask("session.trust", params, .token(token)) { result in
            switch result {
            case .success: .show(Page.redirect(to: "/phone"))
            case .failure(let rejection): refused(rejection)
            }
        }
    }

    static func waiting(_ person: Person) -> HTML {
        let own: HTML? = person.waitsUntil.map { until in
            """
            <p class="note">Somebody else made the link or the password that opened this session. It shows nobody’s
            position until <time datetime="\(until.description)">\(minute(until))</time>, or until you confirm it on a
            device where you were signed in before, or another adult of your household does. Everything else works.</p>

            """
        }
        let others: [HTML] = person.waiting.map { one in
            """
            <form method="post" action="/phone/trust">
            <p>\(one.name) signed in on \(one.device) with a link or a password that \(one.maker) made. The session shows
            nobody’s position yet. Was it \(one.name)?</p>
            <input type="hidden" name="session" value="\(one.session)">
            <input type="hidden" name="member" value="\(one.member)">
            <button>Yes, confirm it</button></form>

            """
        }
        return "\(own)\(others)"
    }
}
