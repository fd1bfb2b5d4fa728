import KinClient
import KinModel

/// One run of a command: its words and options, its output, and its connection to the daemon.
final class Invocation {
    let command: Command
    /// The words after the command's name.
    let words: [String]
    private let values: [String: [String]]
    let output: Output
    private var conversation: Conversation?

    init(_ command: Command, _ arguments: Arguments, output: Output) {
        self.command = command
        words = arguments.words
        values = arguments.values
        self.output = output
    }

    func has(_ flag: String) -> Bool { values[flag] != nil }
    func value(_ name: String) -> String? { values[name]?.last }
    func values(_ name: String) -> [String] { values[name] ?? [] }
    var wantsJSON: Bool { has("json") }
    /// The problem for words that fit none of the ways to call the command.
    var misused: Problem { command.misused }

    /// The daemon, and the member in whose name.
    func door() throws(Problem) -> Door { try Door(self) }

    /// The one connection of this run.
    func talk() throws(Problem) -> Conversation {
        if let conversation { return conversation }
        return try talkAnew()
    }

    /// Opens a new connection in the place of the one before, which may have been idle for hours.
    func talkAnew() throws(Problem) -> Conversation {
        let door = try door()
        let opened = try client { () throws(ClientFailure) in
            try Conversation.open(door.address, trust: door.trust, credential: door.credential)
        }
        conversation = opened
        return opened
    }

    /// Reports that it is done: the daemon's answer for a script, a sentence for a person.
    func answer(_ result: JSON, _ sentence: String) {
        if wantsJSON { output.say(result) } else { output.say(sentence) }
    }

    /// Calls a method that only the machine may call: over the machine's socket and in nobody's name, whoever is signed
    /// in.
    func callAtMachine(_ method: String, _ params: JSON, timeoutMilliseconds: Int = 60_000) throws(Problem) -> JSON {
        let door = try door()
        guard door.isUnix, door.login != nil else {
            return try call(method, params, timeoutMilliseconds: timeoutMilliseconds)
        }
        return try client { () throws(ClientFailure) in
            try Conversation.open(door.address, trust: door.trust, credential: .none).call(
                method, params, timeoutMilliseconds: timeoutMilliseconds)
        }
    }

    /// Calls a method of the daemon.
    func call(_ method: String, _ params: JSON = [:], timeoutMilliseconds: Int = 60_000) throws(Problem) -> JSON {
        let conversation = try talk()
        return try client { () throws(ClientFailure) in
            try conversation.call(method, params, timeoutMilliseconds: timeoutMilliseconds)
        }
    }
}
