import Glibc
import KinClient
import KinModel
import KinWords
import Testing

@testable import kin

@Suite struct ArgumentsTests {
    private func read(_ texts: String...) throws -> Arguments {
        try Arguments(texts) { (name) throws(Problem) in try Command.named(orMeant: name).options }
    }

    @Test func `options stand anywhere, in either form, and two dashes end them`() throws {
        let arguments = try read("--json", "tail", "--since=10m", "--name", "kitchen", "--as", "ada")
        #expect(arguments.command == "tail")
        #expect(arguments.words.isEmpty)
        #expect(arguments.values == ["json": [""], "since": ["10m"], "name": ["kitchen"], "as": ["ada"]])
        #expect(try read("announce", "--", "--json", "-x").words == ["--json", "-x"])
        #expect(
            try read("call", "position.report", "lat=-1", "-5", "-0.5").words == [
                "position.report", "lat=-1", "-5", "-0.5",
            ])
        #expect(try read("tail", "--since", "--name").values == ["since": ["--name"]])
        #expect(try read("members", "-h").values == ["help": [""]])
    }

    @Test(arguments: [
        ["nonsense"], ["tail", "--nonsense"], ["tail", "-n"], ["tail", "--since"], ["tail", "--json=yes"],
        ["--since", "10m", "tail"], ["tail", "extra"], ["household", "found"], ["--lang", "tlh", "members"],
    ])
    func `what is not understood ends with the exit code for usage`(texts: [String]) {
        let nowhere = open("/dev/null", O_WRONLY)
        defer { close(nowhere) }
        #expect(Kin.run(texts, output: Output(out: nowhere, err: nowhere)) == .usage)
    }

    @Test func `every command explains itself, and no option stands twice`() {
        let names = Command.all.map(\.name)
        #expect(Set(names).count == names.count)
        for command in Command.all {
            let help = Help.text(of: command)
            for option in command.options { #expect(help.contains(option.shown)) }
            let options = (command.options + Option.everywhere).map(\.name)
            #expect(Set(options).count == options.count, "\(command.name)")
            #expect(command.usage.allSatisfy { $0.hasPrefix(command.name) })
            #expect(help.split(separator: "\n").allSatisfy { $0.count <= 120 }, "\(command.name)")
            #expect(Help.overview().contains("  \(command.name)"))
        }
        for code in ExitCode.allCases { #expect(Help.overview().contains("  \(code.rawValue)  \(code.meaning)")) }
    }

    @Test(
        arguments: [
            ("tial", "tail"), ("tal", "tail"), ("membres", "members"), ("shareing", "sharing"), ("backpu", "backup"),
            ("announc", "announce"), ("whoami", nil), ("x", nil), ("ls", nil), ("", nil),
        ] as [(String, String?)])
    func `a command that was mistyped is proposed`(typed: String, meant: String?) {
        #expect(Command.meant(by: typed)?.name == meant)
    }

    @Test(arguments: [
        ("", "", 0), ("tail", "tail", 0), ("tial", "tail", 1), ("tal", "tail", 1), ("taill", "tail", 1), ("", "abc", 3),
        ("kitten", "sitting", 3), ("ca", "abc", 3),
    ])
    func `the distance of two words counts letters put in, taken out, changed or swapped`(
        one: String, other: String, distance: Int
    ) { #expect(Distance.between(one, other) == distance && Distance.between(other, one) == distance) }

    @Test func `every command stands in one group of the help`() {
        #expect(CommandGroup.allCases.allSatisfy { !$0.commands.isEmpty })
        #expect(Set(Command.all.map(\.name)).count == Command.all.count)
        let areas = CommandArea.all.flatMap(\.commands).map(\.name)
        #expect(Set(areas).isSubset(of: Set(Command.all.map(\.name))))
    }

    @Test func `no command takes a password on the command line`() {
        for option in Command.all.flatMap(\.options) where option.name.contains("password") {
            #expect(option.name.hasSuffix("-file") || option.value == nil)
        }
    }

    @Test func `parameters are JSON where they read as JSON, else text`() throws {
        let params = try CallParams.read(
            ["a=5", "b=text", "c=true", "d=[1,2]", "e=\"5\"", "f:=null", "g=@5", "h=a=b", "i=", "j=0198"],
            base: #"{"a":1,"z":2}"#)
        #expect(
            params == [
                "a": 5, "z": 2, "b": "text", "c": true, "d": [1, 2], "e": "5", "f": nil, "g": "5", "h": "a=b", "i": "",
                "j": "0198",
            ])
        let bad: [([String], String?)] = [(["a"], nil), (["=5"], nil), (["a:=x"], nil), ([], "[1]"), ([], "{")]
        for (words, base) in bad {
            #expect(throws: Problem.self) { try CallParams.read(words, base: base) }
        }
    }

    @Test func `a refusal says what to do, and ends with its own exit code`() {
        #expect(Problem(Rejection(.forbidden, "No.")) == Problem(.refused, "No."))
        #expect(Problem(Rejection(.slowDown, "Later.", retryAfter: 90)).sentence == "Later. Try again in 1 min.")
        let stale = Problem(Rejection(.notSignedIn, "This token is no longer good. Sign in again.")).sentence
        #expect(stale.contains("kin logout") && stale.contains("--socket"), "\(stale)")
        let problem = Problem(Rejection(.notSignedIn, "Sign in first."))
        #expect(problem.exit == .notSignedIn)
        #expect(problem.sentence.contains("kin login"))
        #expect(Problem(.unreachable("Gone.")).exit == .notReachable)
        #expect(Problem(.badAddress("x")).exit == .usage)
        #expect(Problem(.closed(nil)).exit == .notReachable)
    }
}
