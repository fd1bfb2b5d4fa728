import KinModel
import KinWords

extension Command {
    static let whereabouts = Command(
        name: "where", usage: ["where [MEMBER] [--numbers]", "where MEMBER --ask"],
        options: [.flag("ask"), .flag("numbers")], words: 0...1,
        run: { (call) throws(Problem) in
            if call.has("ask") { return try ask(call) }
            let result: JSON
            do throws(Problem) { result = try call.call("position.latest") } catch {
                if error.exit == .refused, let sentence = try CommandArea.forewarning(call) {
                    throw Problem(.refused, sentence)
                }
                throw error
            }
            var positions = result["positions"]?.array ?? []
            var unreported = (result["unreported"]?.array ?? []).compactMap(\.identifier)
            let people = try People(call)
            var names = people.names
            if let text = call.words.first {
                let member = try people.member(text)
                positions.removeAll { $0["member"]?.identifier != member.id }
                unreported.removeAll { $0 != member.id }
                if positions.isEmpty, !call.wantsJSON {
                    throw Problem(.refused, Unseen(call, member, unreported, people).sentence(names))
                }
            }
            if call.wantsJSON {
                let shown = Set(positions.compactMap { $0["member"]?.identifier })
                let stays = (result["stays"]?.array ?? []).filter {
                    $0["member"]?.identifier.map(shown.contains) ?? false
                }
                return call.output.say([
                    "positions": .array(positions), "stays": .array(stays),
                    "unreported": .array(unreported.map { .id($0) }),
                ])
            }
            defer {
                for id in unreported { call.output.say(phrase("where.unreported", ["name": names.member(id)])) }
                if call.words.isEmpty, Unseen.isOff(call, nil) { call.output.say(phrase("where.own-off")) }
            }
            guard !positions.isEmpty else {
                if unreported.isEmpty { call.output.say(phrase("where.none")) }
                return
            }
            if call.has("numbers") {
                names[KnownPlaces.self].isInNumbers = true
            } else {
                for place in try call.call("place.list")["places"]?.array ?? [] { Place(place).map { names.learn($0) } }
                names[KnownPlaces.self].learn(stays: result)
                for position in positions.compactMap(Position.init) {
                    Towns.learn(position, &names) { method, params in try? call.call(method, params) }
                }
            }
            WhereScreen(positions, names: names, inNumbers: call.has("numbers"), now: LocalTime.now)
                .print(to: call.output)
        })

    /// Asks a member's phone, which answers with its next post.
    private static func ask(_ call: Invocation) throws(Problem) {
        guard let text = call.words.first else { throw .usage(phrase("where.ask-whom")) }
        let member = try People(call).member(text)
        let result = try call.call("position.ask", ["member": .id(member.id)])
        if call.wantsJSON { return call.output.say(result) }
        let name = Plain.line(member.displayName)
        guard let contact = result["contact"]?.instant else {
            return call.output.say(phrase("where.asked-unheard", ["name": name]))
        }
        let age = Words.age(contact, now: LocalTime.now)
        let asked = result["rides"]?.bool == true
        call.output.say(
            asked
                ? phrase("where.asked", ["name": name, "age": age])
                : phrase("where.told", ["name": name, "age": age]))
    }
}

/// The nearest town of a position outside all places. It takes one look-up for each square of a twentieth of a degree.
enum Towns {
    /// Asks for all positions at the beginning. Afterwards the events have them, and only towns are asked for.
    static func ask(_ event: Event?, _ names: inout Names, _ asking: CommandArea.Asking) {
        guard let event else {
            guard !names[KnownPlaces.self].isInNumbers, let answer = asking("position.latest", [:]) else { return }
            return names[KnownPlaces.self].learn(stays: answer)
        }
        guard let seen = event[Position.seen], case .position(let position) = seen else { return }
        learn(position, &names, asking)
    }

    static func learn(_ position: Position, _ names: inout Names, _ asking: CommandArea.Asking) {
        guard names[KnownPlaces.self].wantsTown(position) else { return }
        let answer = asking(
            "place.near", ["lat": .double(position.lat), "lon": .double(position.lon), "limit": 1])
        names[KnownPlaces.self].learn(town: answer, lat: position.lat, lon: position.lon)
    }
}

/// The reason why a member's position is not shown. The reasons differ.
struct Unseen {
    enum Why: CaseIterable {
        /// The member shows a position, but none has come.
        case unreported
        /// No position of the caller's own has come.
        case ownUnreported
        /// Sharing is off. This is told only of a child whose settings the caller may see. Of other members nobody is
        /// told whether sharing is off, or only not open to the caller.
        case off
        /// The member does not share with the caller.
        case notWithYou
    }

    let member: Identifier
    let why: Why

    init(_ member: Identifier, _ why: Why) { (self.member, self.why) = (member, why) }

    init(_ call: Invocation, _ member: Member, _ unreported: [Identifier], _ people: People) {
        self.member = member.id
        if unreported.contains(member.id) {
            why = .unreported
        } else if !member.username.isEmpty, member.username == people.username {
            why = .ownUnreported
        } else {
            why = member.kind == .child && Self.isOff(call, member.id) ? .off : .notWithYou
        }
    }

    func sentence(_ names: Names) -> String {
        switch why {
        case .unreported: phrase("where.unreported", ["name": names.member(member)])
        case .ownUnreported: phrase("where.own-unreported")
        case .off: phrase("where.child-off", ["name": names.member(member)])
        case .notWithYou: phrase("where.not-with-you", ["name": names.member(member)])
        }
    }

    /// Whether sharing is off, for the caller or for a child whose settings the caller may see.
    static func isOff(_ call: Invocation, _ child: Identifier?) -> Bool {
        let shown = try? call.call("sharing.show", .object(leavingOut: ["member": child.map { .id($0) }]))
        return shown?["sharing"]?["state"] == "off"
    }
}
