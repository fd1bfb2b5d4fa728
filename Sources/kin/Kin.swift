import KinModel

/// The program: takes the command line apart, runs the command, says what went wrong.
enum Kin {
    static let version = KinwireVersion.text

    static func run(_ texts: [String], output: Output = .standard) -> ExitCode {
        do throws(Problem) {
            let arguments = try Arguments(texts) { name in Command.named(name)?.options }
            if arguments.values["no-color"] != nil { output.isColoured = false }
            if arguments.values["version"] != nil {
                output.say("kin \(version)")
                return .ok
            }
            guard let name = arguments.command, name != "help", let command = Command.named(name) else {
                output.say(Help.overview)
                return arguments.values["help"] != nil || arguments.command == "help" ? .ok : .usage
            }
            if arguments.values["help"] != nil {
                output.say(Help.text(of: command))
                return .ok
            }
            guard command.words.contains(arguments.words.count) else {
                throw .usage(
                    "This is not how kin \(name) is called. Usage: kin \(command.usage.joined(separator: ", kin ")).")
            }
            try command.run(Invocation(arguments, output: output))
            return .ok
        } catch {
            output.warn("kin: \(error.sentence)")
            return error.exit
        }
    }
}
