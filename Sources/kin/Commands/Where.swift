import KinModel

extension Command {
    static let whereabouts = Command(
        name: "where", usage: ["where [MEMBER]"], words: 0...1,
        run: { (call) throws(Problem) in
            let result = try call.call("position.latest")
            var positions = result["positions"]?.array ?? []
            let people = try People(call)
            if let text = call.words.first {
                let member = try people.member(text)
                positions.removeAll { $0["member"]?.identifier != member.id }
                if positions.isEmpty, !call.wantsJSON {
                    throw Problem(.refused, phrase("where.hidden", ["name": Plain.line(member.displayName)]))
                }
            }
            if call.wantsJSON { return call.output.say(["positions": .array(positions)]) }
            guard !positions.isEmpty else {
                return call.output.say(phrase("where.none"))
            }
            let names = people.names
            let now = LocalTime.now
            var table = Table("name", "where", "when", "battery")
            let newestFirst = positions.sorted { ($0["at"]?.instant ?? now) > ($1["at"]?.instant ?? now) }
            for seen in newestFirst {
                let position = Position(seen)
                let place = position.map { Sentence.place($0) } ?? Presence(seen).map { Sentence.place($0) }
                table.add(
                    names.member(seen["member"]?.identifier), place ?? "",
                    seen["at"]?.instant.map { Words.age($0, now: now) } ?? "",
                    position?.battery.map { "\(Sentence.whole($0)) %" } ?? "")
            }
            table.print(to: call.output)
        })
}
