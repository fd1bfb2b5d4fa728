import KinModel
import KinWords

/// Moves to another household: questions, admissions and refusals.
enum Moving {
    static func move(_ call: Invocation) throws(Problem) {
        let people = try People(call)
        let member = try people.member(call.words[1])
        let household: Household
        do throws(Problem) { household = try people.household(call.words[2]) } catch {
            // A guest sees only one household, and knows another by its admission.
            let moves = try call.call("member.requests")["moves"]?.array ?? []
            let named = moves.compactMap { $0["household"].flatMap(Household.init) }.first {
                $0.name == call.words[2] || $0.id.description == call.words[2]
            }
            guard let named else { throw error }
            household = named
        }
        let isHome = household.id == member.household
        let result = try call.call("household.move", ["member": .id(member.id), "household": .id(household.id)])
        let key =
            isHome
            ? "household.stays" : result["asked"]?.bool == true ? "household.move-asked" : "household.moved"
        call.answer(
            result,
            phrase(key, ["member": people.names.member(member.id), "household": Plain.line(household.name)]))
    }

    static func admit(_ call: Invocation, _ isAdmitted: Bool) throws(Problem) {
        let people = try People(call)
        let member = try people.member(call.words[1])
        let household: Identifier
        if call.words.count > 2 {
            household = try people.household(call.words[2]).id
        } else {
            // The household that the member asks to move into, if there is exactly one; otherwise the caller's own.
            let asked = (try call.call("member.requests")["moves"]?.array ?? []).filter {
                $0["member"]?["id"]?.identifier == member.id && $0["mayAnswer"]?.bool == true
            }.compactMap { $0["household"]?["id"]?.identifier }
            if asked.count == 1 {
                household = asked[0]
            } else if let own = try own(call, people) {
                household = own
            } else {
                throw .usage(phrase("member.which-household"))
            }
        }
        let result = try call.call(
            "household.admit",
            ["member": .id(member.id), "household": .id(household), "admit": .bool(isAdmitted)])
        let key =
            !isAdmitted
            ? "household.refused" : result["moved"]?.bool == true ? "household.moved" : "household.admitted"
        call.answer(
            result,
            phrase(key, ["member": people.names.member(member.id), "household": people.names.household(household)]))
    }

    private static func own(_ call: Invocation, _ people: People) throws(Problem) -> Identifier? {
        guard let username = try call.door().username else { return nil }
        return people.members.first { $0.username == username }?.household
    }

    /// Shows the questions that wait for an answer.
    static func requests(_ call: Invocation) throws(Problem) {
        let result = try call.call("member.requests")
        if call.wantsJSON { return call.output.say(result) }
        let names = try People(call).names
        var lines: [String] = []
        for move in result["moves"]?.array ?? [] {
            guard let member = move["member"]?["id"]?.identifier else { continue }
            lines.append(entry(text(move, member, names), move))
        }
        for wish in result["grown"]?.array ?? [] {
            let member = names.member(wish["member"]?["id"]?.identifier)
            lines.append(entry(phrase("household.waits-grown", ["member": member]), wish))
        }
        guard !lines.isEmpty else { return call.output.say(phrase("household.waits-nothing")) }
        for line in lines { call.output.say(line) }
    }

    private static func text(_ move: JSON, _ member: Identifier, _ names: Names) -> String {
        let by = move["by"]?.identifier ?? member
        let (who, place) = (names.member(member), Plain.line(move["household"]?["name"]?.string ?? ""))
        if move["admitted"]?.bool == true {
            return phrase("household.waits-admitted", ["member": who, "household": place])
        }
        return by == member
            ? phrase("household.waits-move", ["member": who, "household": place])
            : phrase("household.waits-move-by", ["by": names.member(by), "member": who, "household": place])
    }

    /// Moves that wait for the caller's answer, each with the command to type.
    static func answerable(_ call: Invocation, _ people: People) throws(Problem) -> [String] {
        answerable(try call.call("member.requests"), people)
    }

    static func answerable(_ requests: JSON, _ people: People) -> [String] {
        (requests["moves"]?.array ?? []).compactMap { move in
            guard move["mayAnswer"]?.bool == true, move["admitted"]?.bool != true,
                let member = move["member"]?["id"]?.identifier
            else { return nil }
            let username = people.members.first { $0.id == member }?.username ?? ""
            let typed = Plain.line(username.isEmpty ? phrase("word.MEMBER") : username)
            return phrase("household.answer", ["text": text(move, member, people.names), "member": typed])
        }
    }

    private static func entry(_ text: String, _ request: JSON) -> String {
        let until = request["ends"]?.instant.map { LocalTime.short($0, now: LocalTime.now) } ?? "?"
        let isMine = request["mayAnswer"]?.bool == true && request["admitted"]?.bool != true
        return phrase(isMine ? "household.waits-you" : "household.waits", ["text": text, "time": until])
    }
}
