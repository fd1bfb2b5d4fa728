import KinModel

extension Command {
    static let whereabouts = Command(
        name: "where", usage: ["where [MEMBER]", "where MEMBER --ask"], options: [.flag("ask")], words: 0...1,
        run: { (call) throws(Problem) in
            if call.has("ask") { return try ask(call) }
            let result = try call.call("position.latest")
            var positions = (result["positions"]?.array ?? []).compactMap(Position.init)
            let people = try People(call)
            if let text = call.words.first {
                let member = try people.member(text)
                positions.removeAll { $0.member != member.id }
                if positions.isEmpty, !call.wantsJSON {
                    throw Problem(.refused, phrase("where.hidden", ["name": Plain.line(member.displayName)]))
                }
            }
            if call.wantsJSON { return call.output.say(["positions": .array(positions.map(\.json))]) }
            guard !positions.isEmpty else {
                return call.output.say(phrase("where.none"))
            }
            let names = people.names
            let now = LocalTime.now
            var table = Table("name", "where", "when", "motion", "battery")
            for position in positions.sorted(by: { $0.at > $1.at }) {
                table.add(
                    names.member(position.member), Sentence.place(position), Words.age(position.at, now: now),
                    Sentence.motion(position.motion, now: now),
                    Sentence.charge(position.battery, position.charging))
            }
            table.print(to: call.output)
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
