import KinKeeper
import KinModel

/// Values for the parameters of any command: most of them make sense, some do not.
enum SharingArguments {
    /// Whether there are values for a parameter.
    static func isKnown(_ field: Field) -> Bool {
        switch plain(field.shape) {
        case .id, .time, .bool, .oneOf, .integer, .number, .username: true
        case .line, .text, .token, .secret:
            [
                "username", "displayName", "name", "device", "knownDevice", "icon", "note", "password", "old", "new",
                "code", "link",
                "secret", "after", "picture", "seen",
            ].contains(field.name)
        case .list, .either: ["rules", "confirms", "audience", "positions", "places"].contains(field.name)
        default: false
        }
    }

    static func plain(_ shape: Shape) -> Shape {
        switch shape {
        case .nullable(let shape), .named(_, let shape): plain(shape)
        default: shape
        }
    }
}

extension SharingWorld {
    /// Parameters for a command, as somebody may think of them.
    func arguments(_ method: Method, _ speaker: SharingSpeaker) -> JSON.Object {
        switch method.name {
        case "sharing.set": return sharingArguments(speaker)
        case "sharing.hold":
            var params: JSON.Object = ["member": .id(child()), "hold": .bool(!dice.once(in: 4))]
            if method.parameters.contains(where: { $0.name == "to" }), dice.once(in: 4) {
                params["to"] = .id(somebody())
            }
            return params
        case "member.relate":
            let field = dice.once(in: 6) ? "partnerOf" : "parentOf"
            var params: JSON.Object = ["member": .id(somebody()), field: .id(dice.once(in: 4) ? somebody() : child())]
            if dice.once(in: 2), let speaker = speaker.member { params["member"] = .id(speaker) }
            if dice.once(in: 3) { params["remove"] = true }
            return params
        case "position.report": return reportArguments()
        case "household.move" where dice.once(in: 2):
            guard let mover = speaker.member, !facts.households.isEmpty else { break }
            return ["member": .id(mover), "household": .id(dice.pick(facts.households))]
        case "household.remove":
            let empty = facts.households.filter { household in !facts.people.contains { $0.household == household } }
            guard let household = empty.randomElement(using: &dice) else { break }
            return ["household": .id(household)]
        case "session.trust":
            let waiting = book.keys.filter { SharingBook.isWaiting($0, at: clock) }
            guard let key = waiting.randomElement(using: &dice), dice.below(6) > 0 else { break }
            return given(method, speaker, ["session": .id(key.id)])
        case "sharing.admit", "place.admit":
            var params = given(method, speaker, [:])
            params["member"] = held(by: speaker).flatMap { dice.once(in: 2) ? .id($0) : nil }
            return params
        case "household.admit":
            let asked = book.moves.keys.sorted()
            guard !asked.isEmpty, dice.below(5) > 0 else { break }
            let mover = dice.pick(asked)
            var params = given(method, speaker, ["member": .id(mover)])
            if let household = book.moves[mover]?.keys.min(), dice.once(in: 2) { params["household"] = .id(household) }
            return params
        case "guestLink.open":
            // As a page asks first: of what it has seen already it is told less.
            var params = given(method, speaker, [:])
            for name in ["seen", "further"] { params[name] = nil }
            return params
        // What a link names is shown to whoever has it, and to nobody of the family.
        case "guestLink.create": return given(method, speaker, ["name": "A", "places": []])
        case "member.update":
            var params: JSON.Object = [
                "member": .id(speaker.member.flatMap { dice.once(in: 4) ? $0 : nil } ?? somebody())
            ]
            switch dice.below(4) {
            case 0: params["displayName"] = .string(newName("N"))
            case 1: params["username"] = .string(newName("u"))
            default: params["kind"] = dice.once(in: 2) ? "child" : "adult"
            }
            return params
        case "place.add", "place.update":
            var params = given(method, speaker, ["kind": "place"])
            for name in ["icon", "note"] { params[name] = nil }
            if let spot = Self.spots.randomElement(using: &dice) {
                if params["lat"] != nil || params["lon"] != nil || method.name == "place.add" {
                    params["lat"] = .double(spot.lat)
                    params["lon"] = .double(spot.lon)
                }
            }
            return params
        default: break
        }
        return given(method, speaker, [:])
    }

    /// Every parameter that must be there, and half of the others.
    private func given(_ method: Method, _ speaker: SharingSpeaker, _ known: JSON.Object) -> JSON.Object {
        var params = JSON.Object()
        for field in method.parameters {
            if let value = known[field.name] {
                params[field.name] = value
            } else if field.isRequired || dice.once(in: 2) {
                params[field.name] = value(field, method.name, speaker)
            }
        }
        return params
    }

    private func value(_ field: Field, _ method: String, _ speaker: SharingSpeaker) -> JSON? {
        switch SharingArguments.plain(field.shape) {
        case .id: return .id(identifier(field.name, speaker))
        case .time: return .time(clock.adding(seconds: Int64(dice.below(40) - 10) * 21_600))
        case .bool: return .bool(!dice.once(in: 3))
        case .oneOf(let words): return .string(dice.pick(words))
        case .integer(let range): return .int(min(range.lowerBound + Int64(dice.below(30)), range.upperBound))
        case .number(let range): return .double(range.lowerBound + Double(dice.below(300)))
        case .username: return .string(username(method))
        default: break
        }
        switch field.name {
        case "displayName", "name": return .string(newName("N"))
        case "device", "knownDevice": return "a phone"
        case "password", "new": return .string(password(method))
        case "old": return speaker.member.flatMap { book.passwords[$0] }.map { .string($0.text) } ?? "none"
        case "code": return .string(book.codes.randomElement(using: &dice) ?? "none")
        case "link": return .string(book.signInLinks.last?.secret ?? "none")
        case "secret": return .string(book.links.randomElement(using: &dice)?.secret ?? "none")
        case "audience":
            switch dice.below(3) {
            case 0: return "everyone"
            case 1: return "household"
            default: return .array((0..<dice.below(4)).map { _ in .id(somebody()) })
            }
        case "places":
            // One of the family's, seen or not.
            return .array(facts.places.first.map { [.id($0.id)] } ?? [])
        default: return nil
        }
    }

    private func username(_ method: String) -> String {
        guard ["session.open", "password.reset"].contains(method) else { return newName("u") }
        return dice.pick(facts.people).names[0]
    }

    /// Whoever signs in knows the password; whoever sets one takes a new one.
    private func password(_ method: String) -> String { newName("secret") }

    private func identifier(_ name: String, _ speaker: SharingSpeaker) -> Identifier {
        if dice.once(in: 40) { return Identifier(high: dice.next(), low: dice.next()) }
        switch name {
        case "household": return facts.households.randomElement(using: &dice) ?? somebody()
        case "place": return facts.places.randomElement(using: &dice)?.id ?? somebody()
        case "session", "appPassword", "guestLink":
            let keys = book.keys.filter { $0.isAppPassword == (name == "appPassword") }.map { ($0.id, $0.member) }
            let all = name == "guestLink" ? book.links.map { ($0.id, $0.member) } : keys
            let own = all.filter { $0.1 == speaker.member }
            return (own.isEmpty || dice.once(in: 3) ? all : own).randomElement(using: &dice)?.0 ?? somebody()
        case "invite": return book.invites.randomElement(using: &dice) ?? somebody()
        default:
            if name == "member", let own = speaker.member, dice.once(in: 3) { return own }
            return somebody()
        }
    }

    func somebody() -> Identifier { dice.pick(facts.people).id }

    /// A child whose settings somebody holds.
    private func held(by speaker: SharingSpeaker) -> Identifier? {
        guard let holder = speaker.member else { return nil }
        return facts.people.first { facts.holders[$0.id] == holder }?.id
    }

    private func child() -> Identifier {
        facts.people.filter { $0.kind == .child }.randomElement(using: &dice)?.id ?? somebody()
    }

    func newName(_ beginning: String) -> String {
        names += 1
        return "\(beginning)\(names)"
    }

    // MARK: Sharing

    private func sharingArguments(_ speaker: SharingSpeaker) -> JSON.Object {
        var params = JSON.Object()
        if dice.below(4) > 0 {
            params["state"] = dice.below(5) > 0 ? "on" : "off"
            if params["state"] == "on", dice.once(in: 5) { params["until"] = .time(later()) }
        }
        if params["state"] == nil || dice.once(in: 2) { params["rules"] = rules() }
        if dice.once(in: 12) { params["historyDays"] = .int(Int64(dice.below(31))) }
        if let child = held(by: speaker), dice.once(in: 2) {
            params["member"] = .id(child)
        } else if dice.once(in: 8) {
            params["member"] = .id(somebody())
        }
        return params
    }

    func rules() -> JSON {
        var viewers: [JSON] = []
        if dice.below(3) > 0 { viewers.append("everyone") }
        if dice.below(3) > 0 { viewers.append("household") }
        for _ in 0..<dice.below(3) {
            let viewer = JSON.id(somebody())
            if !viewers.contains(viewer) { viewers.append(viewer) }
        }
        return .array(
            viewers.map { viewer in
                .object(leavingOut: [
                    "viewer": viewer,
                    "precision": .string(dice.pick(["off", "home", "place", "place", "coarse", "exact", "exact"])),
                    "until": dice.once(in: 4) ? .time(later()) : nil, "history": dice.once(in: 3) ? true : nil,
                ])
            })
    }

    private func later() -> Instant { clock.adding(seconds: 1800 + Int64(dice.below(100)) * 3600) }

    // MARK: Where people are

    /// Corners where everybody may be, two kilometres apart.
    static let spots: [(lat: Double, lon: Double)] = (0..<5).map { number in
        let away = Double(number) * 0.02
        return (lat: 45 + away, lon: 14 + away)
    }

    /// Somebody stays somewhere for some minutes.
    func reportArguments() -> JSON.Object {
        let spot = dice.pick(Self.spots)
        let points: [JSON] = (0..<6).map { index in
            [
                "lat": .double(spot.lat + Double(dice.below(9)) * 1e-5), "lon": .double(spot.lon),
                "at": .time(clock.adding(seconds: Int64(index - 5) * 60)), "accuracy": 10,
            ]
        }
        return ["positions": .array(points)]
    }
}
