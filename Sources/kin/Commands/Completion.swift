import KinModel
import KinWords

extension Command {
    private static let lookups = CommandArea.all.flatMap(\.lookups)

    static let completion = Command(
        name: "completion",
        usage: ["completion bash|zsh|fish", "completion " + lookups.map(\.word).joined(separator: "|")],
        words: 1...1,
        run: { (call) throws(Problem) in
            let offers = Offers()
            switch call.words[0] {
            case "bash": call.output.say(offers.bash)
            case "zsh": call.output.say(offers.zsh)
            case "fish": call.output.say(offers.fish)
            case let word:
                guard let lookup = lookups.first(where: { $0.word == word }) else { throw call.misused }
                // The scripts expect one name in each line.
                let names = try lookup.names(call).map { Plain.line($0) }
                if call.wantsJSON { return call.output.say(.array(names.map { .string($0) })) }
                for name in names { call.output.say(name) }
            }
        })
}
