import KinModel

extension Command {
    static let whereabouts = Command(
        name: "where", usage: ["where [MEMBER]"], words: 0...1,
        run: { (call) throws(Problem) in
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
            var table = Table("name", "where", "when", "battery")
            for position in positions.sorted(by: { $0.at > $1.at }) {
                table.add(
                    names.member(position.member), Sentence.place(position), Words.age(position.at, now: now),
                    position.battery.map { "\(Sentence.whole($0)) %" } ?? "")
            }
            table.print(to: call.output)
        })
}
