import Glibc
import KinLoop
import KinWords

/// Input that a person types at the terminal, or that a script gives.
enum Input {
    static var isTerminal: Bool { Terminal.isTerminal(0) }

    /// The option's value, or the answer to a question at the terminal.
    static func text(_ call: Invocation, _ option: String, ask question: String) throws(Problem) -> String {
        if let given = call.value(option) { return given }
        guard isTerminal else {
            throw .usage(phrase("input.option-missing", ["option": option]))
        }
        return try line(call, "\(question):")
    }

    /// The answer to a question on the terminal.
    static func line(_ call: Invocation, _ question: String) throws(Problem) -> String {
        call.output.draw(question + " ")
        guard let line = readLine(), !line.isEmpty else { throw .usage(phrase("input.nothing")) }
        return line
    }

    /// The username that a new member wants. It is explained before it is typed.
    static func username(_ call: Invocation) throws(Problem) -> String {
        if call.value("username") == nil, isTerminal { call.output.draw(phrase("found.username-is") + "\n") }
        return try text(call, "username", ask: phrase("ask.username"))
    }

    /// The display name of a new member: the option's, or the answer to a question, or else the username.
    static func displayName(_ call: Invocation, _ username: String) throws(Problem) -> String {
        if let given = call.value("display-name") { return given }
        return try askedName(call, username)
    }

    static func askedName(_ call: Invocation, _ username: String) throws(Problem) -> String {
        guard isTerminal else { return username }
        call.output.draw(phrase("found.ask-name", ["username": username]) + " ")
        return readLine().flatMap { $0.isEmpty ? nil : $0 } ?? username
    }

    /// A new password from the terminal, typed twice.
    static func newPassword() throws(Problem) -> String {
        guard let first = Terminal.readPassword(prompt: phrase("input.new-password") + ": "), !first.isEmpty else {
            throw .usage(phrase("input.password-empty"))
        }
        guard Terminal.readPassword(prompt: phrase("input.again") + " ") == first else {
            throw .usage(phrase("input.passwords-differ"))
        }
        return first
    }

    /// A password from `--password-file`, from `--password-stdin`, or from the terminal, without echo and twice if it
    /// is new. It never comes from the command line, which every process on the machine can read.
    static func password(_ call: Invocation, _ name: String = "password", isNew: Bool) throws(Problem) -> String {
        if let path = call.value("\(name)-file") {
            do throws(LoopFailure) {
                return firstLine(String(decoding: try Files.read(path, max: 4096), as: UTF8.self))
            } catch {
                throw .failed(
                    phrase("file.unreadable-because", ["path": path, "reason": Reader.here.failure(error.sentence)]))
            }
        }
        if call.has("\(name)-stdin") {
            guard let line = readLine() else { throw .usage(phrase("input.no-password")) }
            return line
        }
        guard isTerminal else {
            throw .usage(phrase("input.password-missing", ["name": name]))
        }
        if isNew { return try newPassword() }
        guard let password = Terminal.readPassword(prompt: phrase("input.password") + ": "), !password.isEmpty else {
            throw .usage(phrase("input.password-empty"))
        }
        return password
    }

    /// Asks for yes or no. It is no if nobody can be asked.
    static func confirms(_ call: Invocation, _ question: String) -> Bool {
        if call.has("yes") { return true }
        guard isTerminal else { return false }
        call.output.draw(phrase("input.yes-no", ["question": question]) + " ")
        return ["yes", "y", "ja", "j"].contains(readLine()?.lowercased() ?? "")
    }

    /// The problem if nothing was confirmed. If nobody could be asked, it names the option that confirms.
    static func kept(_ sentence: String) -> Problem {
        Problem(.refused, isTerminal ? sentence : sentence + " " + phrase("input.say-yes"))
    }

    private static func firstLine(_ text: String) -> String {
        String(text.prefix { !$0.isNewline })
    }
}

extension Option {
    static let password: [Option] = [
        .value("password-file", "FILE"),
        .flag("password-stdin"),
    ]
}
