import KinModel
import KinWords

/// The program: it takes the command line apart, runs the command, and reports what went wrong.
enum Kin {
    static let version = KinwireVersion.text

    static func run(_ texts: [String], output: Output = .standard) -> ExitCode {
        AreaWords.check()
        return Language.$current.withValue(language(of: texts)) { obey(texts, output) }
    }

    /// The language is needed before the command line is taken apart, because that can fail with a sentence.
    private static func language(of texts: [String]) -> Language {
        for (index, text) in texts.enumerated() where text.hasPrefix("--lang") {
            let value = text.hasPrefix("--lang=") ? String(text.dropFirst(7)) : texts.dropFirst(index + 1).first
            if let language = value.flatMap({ Language(name: $0) }) { return language }
        }
        return Language()
    }

    private static func obey(_ texts: [String], _ output: Output) -> ExitCode {
        do throws(Problem) {
            let arguments = try Arguments(texts) { (name) throws(Problem) in
                name == "help" ? [] : try Command.named(orMeant: name).options
            }
            if arguments.values["no-color"] != nil { output.isColoured = false }
            if let name = arguments.values["lang"]?.last, Language(name: name) == nil {
                throw .usage(phrase("usage.no-language", ["name": Plain.line(name)]))
            }
            if arguments.values["version"] != nil {
                output.say("kin \(version)")
                return .ok
            }
            let isHelp = arguments.command == "help"
            // `kin help tail` is `kin tail --help`.
            guard let name = isHelp ? arguments.words.first : arguments.command else {
                output.say(Help.overview(width: output.width ?? Help.width))
                return arguments.values["help"] != nil || isHelp ? .ok : .usage
            }
            let command = try Command.named(orMeant: name)
            if isHelp || arguments.values["help"] != nil {
                output.say(Help.text(of: command, width: output.width ?? Help.width))
                return .ok
            }
            guard command.words.contains(arguments.words.count) else {
                throw command.misused
            }
            try command.run(Invocation(command, arguments, output: output))
            return .ok
        } catch {
            output.warn("kin: \(error.sentence)")
            return error.exit
        }
    }
}
