import KinClient
import KinModel

/// One run of a command: what was given, where output goes, and the daemon it talks to.
final class Invocation {
    let command: Command
    /// Words after the command's name.
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
    /// The problem when what was typed is none of the ways to call the command.
    var misused: Problem { command.misused }

    /// Which daemon, and as whom.
    func door() throws(Problem) -> Door { try Door(self) }

    /// The one connection of this run.
    func talk() throws(Problem) -> Conversation {
        if let conversation { return conversation }
        return try talkAnew()
    }

    /// A new connection in its place: the one before may have been idle for hours.
    func talkAnew() throws(Problem) -> Conversation {
        let door = try door()
        let opened = try client { () throws(ClientFailure) in
            try Conversation.open(door.address, trust: door.trust, credential: door.credential)
        }
        conversation = opened
        return opened
    }

    /// Says that it is done: what the daemon answered for a script, a sentence for a person.
    func answer(_ result: JSON, _ sentence: String) {
        if wantsJSON { output.say(result) } else { output.say(sentence) }
    }

    /// Calls a method that only the machine may call: over its socket as nobody's, whoever is signed in here.
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
