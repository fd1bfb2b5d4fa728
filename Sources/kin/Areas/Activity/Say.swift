import KinModel
import KinWords

extension Command {
    static let say = Command(
        name: "say",
        usage: [
            "say TEXT… [--to WHO,…]", "say < FILE", "say --list", "say --correct NUMBER TEXT…",
            "say --withdraw NUMBER",
        ],
        options: [
            .value("to", "WHO"), .flag("list"), .value("correct", "NUMBER"), .value("withdraw", "NUMBER"),
        ], words: 0...1000,
        run: { (call) throws(Problem) in
            switch (call.has("list"), call.value("correct"), call.value("withdraw"), call.has("to")) {
            case (false, nil, nil, _): try Sayings.say(call)
            case (true, nil, nil, false) where call.words.isEmpty: try Sayings.list(call)
            case (false, let number?, nil, false): try Sayings.correct(call, number)
            case (false, nil, let number?, false) where call.words.isEmpty: try Sayings.withdraw(call, number)
            default: throw call.misused
            }
        })
}

/// Messages that the caller says to others, and the list of those said before.
enum Sayings {
    static func say(_ call: Invocation) throws(Problem) {
        let text = try Command.spoken(call, missing: "say.missing")
        var to: JSON?
        if call.has("to") {
            let people = try People(call)
            var named: [JSON] = []
            for name in call.values("to").joined(separator: ",").split(separator: ",") {
                named.append(.id(try hearer(name.drop { $0 == " " }, people)))
            }
            to = .array(named)
        }
        let result = try call.call("activity.say", .object(leavingOut: ["text": .string(text), "to": to]))
        let told = result["saying"]?["told"]?.int ?? 0
        call.answer(result, told == 0 ? phrase("say.nobody") : phrase("say.done", ["n": told]))
    }

    /// The household with a name, or else the member.
    private static func hearer(_ name: some StringProtocol, _ people: People) throws(Problem) -> Identifier {
        let name = String(name)
        let households = people.households.filter { $0.name.lowercased() == name.lowercased() }
        let isMember = people.members.contains {
            $0.username == name || $0.displayName.lowercased() == name.lowercased() || $0.id.description == name
        }
        if isMember { return try people.member(name).id }
        guard !households.isEmpty || people.households.contains(where: { $0.id.description == name }) else {
            throw Problem(.refused, phrase("say.nobody-called", ["name": Plain.line(name)]))
        }
        return try people.household(name).id
    }

    static func list(_ call: Invocation) throws(Problem) {
        let result = try call.call("activity.own", ["limit": 50])
        if call.wantsJSON { return call.output.say(result) }
        let sayings = result["sayings"]?.array ?? []
        guard !sayings.isEmpty else { return call.output.say(phrase("say.none")) }
        LastList(call, "said")?.keep(sayings.compactMap { $0["id"]?.identifier })
        let screen = SayingsScreen(sayings, try People(call), now: LocalTime.now)
        call.output.say(screen.lines(call.output.width ?? Help.width))
    }

    static func correct(_ call: Invocation, _ number: String) throws(Problem) {
        let text = try Command.spoken(call, missing: "say.missing")
        let result = try call.call("activity.correct", ["id": .id(try saying(call, number)), "text": .string(text)])
        call.answer(result, phrase("say.corrected", ["n": result["saying"]?["told"]?.int ?? 0]))
    }

    static func withdraw(_ call: Invocation, _ number: String) throws(Problem) {
        let result = try call.call("activity.withdraw", ["id": .id(try saying(call, number))])
        call.answer(result, phrase("say.withdrawn"))
    }

    /// The saying with this number in the last list, or with this id.
    private static func saying(_ call: Invocation, _ text: String) throws(Problem) -> Identifier {
        if let id = Identifier(text) { return id }
        let last = LastList(call, "said")?.ids ?? []
        guard let number = Int(text), last.indices.contains(number - 1) else {
            throw .usage(phrase("say.no-number", ["number": Plain.line(text)]))
        }
        return last[number - 1]
    }
}

/// A screen of the caller's sayings: the time, the hearers and the whole text.
struct SayingsScreen {
    let sayings: [JSON]
    let people: People
    let now: Instant

    init(_ sayings: [JSON], _ people: People, now: Instant) {
        (self.sayings, self.people, self.now) = (sayings, people, now)
    }

    func lines(_ width: Int) -> [String] {
        let digits = "\(sayings.count)".count
        return sayings.enumerated().flatMap { index, saying in
            let number = String(repeating: " ", count: digits - "\(index + 1)".count) + "\(index + 1)  "
            let head = Plain.wrapped(number + facts(saying).joined(separator: " · "), width, indent: number.count)
            let indent = String(repeating: " ", count: number.count)
            let text = Plain.wrapped(
                indent + Plain.line(saying["text"]?.string ?? ""), width, indent: number.count)
            return (head + "\n" + text).split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        }
    }

    private func facts(_ saying: JSON) -> [String] {
        var facts = [saying["at"]?.instant.map { LocalTime.near($0, now: now) } ?? "?"]
        if saying["official"]?.bool == true {
            facts.append(phrase("say.official"))
        } else if let to = saying["to"]?.array {
            let named = to.compactMap(\.identifier).map { id in
                people.households.first { $0.id == id }.map { Plain.line($0.name) } ?? people.names.member(id)
            }
            facts.append(phrase("say.to", ["names": named.joined(separator: ", ")]))
        } else {
            facts.append(phrase("say.everyone"))
        }
        if let time = saying["corrected"]?.instant {
            facts.append(phrase("say.marked", ["time": LocalTime.near(time, now: now)]))
        }
        return facts
    }
}
