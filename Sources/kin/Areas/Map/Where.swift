import KinModel
import KinWords

extension Command {
    static let whereabouts = Command(
        name: "where", usage: ["where [MEMBER]", "where MEMBER --ask"], options: [.flag("ask")], words: 0...1,
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
            var table = Table("name", "where", "when", "motion", "battery")
            let newestFirst = positions.sorted { ($0["at"]?.instant ?? now) > ($1["at"]?.instant ?? now) }
            for seen in newestFirst {
                let position = Position(seen)
                let place = position.map { Reader.here.place($0) } ?? Presence(seen).map { Reader.here.place($0) }
                table.add(
                    names.member(seen["member"]?.identifier), place ?? "",
                    seen["at"]?.instant.map { Words.age($0, now: now) } ?? "",
                    Reader.here.motion(position?.motion, now: now),
                    Reader.here.charge(position?.battery, position?.charging))
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
