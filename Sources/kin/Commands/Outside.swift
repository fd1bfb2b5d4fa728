import KinModel
import KinWords

extension Command {
    static let outside = Command(
        name: "outside", usage: ["outside", "outside allow HOST [--plain]", "outside forbid HOST"],
        options: [.flag("plain")], words: 0...2,
        run: { (call) throws(Problem) in
            switch (call.words.first ?? "", call.words.count) {
            case ("", 0): say(try call.call("outside.list"), call)
            case ("allow", 2):
                say(
                    try call.call(
                        "outside.allow", ["place": .string(call.words[1]), "plain": .bool(call.has("plain"))]), call)
            case ("forbid", 2): say(try call.call("outside.forbid", ["place": .string(call.words[1])]), call)
            default: throw call.misused
            }
        })

    private static func say(_ result: JSON, _ call: Invocation) {
        if call.wantsJSON { return call.output.say(result) }
        let places = result["places"]?.array ?? []
        guard !places.isEmpty else { return call.output.say(phrase("outside.none")) }
        for place in places {
            let name = Plain.line(place["place"]?.string ?? "")
            call.output.say(
                place["plain"]?.bool == true ? phrase("outside.plain", ["place": name]) : name)
        }
    }
}
