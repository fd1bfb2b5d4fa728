import KinModel
import KinWords

/// Turns a child into an adult: `kin member grown`.
enum Grown {
    /// Lets a child ask for it.
    static func ask(_ call: Invocation) throws(Problem) {
        let result = try call.call("member.askGrown")
        let until = result["ends"]?.instant.map { LocalTime.short($0, now: LocalTime.now) } ?? "?"
        call.answer(result, phrase("member.grown-asked", ["time": until]))
    }

    static func answer(_ call: Invocation) throws(Problem) {
        let people = try People(call)
        let member = try people.member(call.words[1])
        let isGrown: Bool
        switch call.words[2].lowercased() {
        case "yes", "ja": isGrown = true
        case "no", "nein": isGrown = false
        default: throw call.misused
        }
        let result = try call.call("member.answerGrown", ["member": .id(member.id), "grown": .bool(isGrown)])
        call.answer(
            result, phrase(isGrown ? "member.grown" : "member.not-grown", ["name": people.names.member(member.id)]))
    }
}
