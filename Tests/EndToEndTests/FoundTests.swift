import Glibc
import KinModel
import Testing

/// The first minutes, as somebody types them who has read nothing.
@Suite(.serialized, .enabled(if: access("/usr/bin/script", X_OK) == 0, "script is needed, of Debian's bsdutils"))
struct FoundTests {
    /// `kin` at a terminal, which answers each question when it is asked; all that was shown.
    /// `asked`: before a question is answered.
    private func typed(
        _ stage: Stage, _ command: String, _ answers: [(question: String, answer: String)],
        asked: (String) throws -> Void = { _ in }
    ) throws -> [String] {
        let program = stage.start(["/usr/bin/script", "-qefc", command, "/dev/null"])
        for (question, answer) in answers {
            try stage.wait("the question \(question)") {
                program.unended.contains(question) && program.unended.hasSuffix(" ") || program.status != nil
            }
            try asked(question)
            program.write(answer + "\n")
            // Answered when the line has ended.
            try stage.wait("the answer to \(question)") { !program.unended.contains(question) || program.status != nil }
        }
        try stage.wait("the end of \(command)") { program.status != nil }
        program.take()
        #expect(program.status == 0, "\(program.lines)")
        return program.lines.map { $0.replacing("\r", with: "") }
    }

    @Test func `what is printed can be typed as it stands, and only what was wrong is asked anew`() throws {
        let stage = try Stage()
        let house = try House(stage)
        stage.environment["KINWIRE_SOCKET"] = nil
        let command = try #require(house.firstWords.split(separator: "\n").first { $0.contains("kin found") })
        let lines = try typed(
            stage, command.trimmingPrefix(while: \.isWhitespace).description,
            [
                ("family", "Lovelace"), ("household", "Ockham"), ("username", "Ada L"), ("[Ada L]", "Ada"),
                ("password", "short"), ("more", "short"), ("username", "ada"), ("password", House.password),
                ("more", House.password),
            ])
        let shown = lines.joined(separator: "\n")
        #expect(shown.contains("username must be 1 to 32") && shown.contains("too weak"), "\(shown)")
        #expect(shown.contains("What you sign in with") || shown.contains("You sign in with a username"))
        #expect(shown.contains("The family Lovelace is founded"))
        // The three steps: a page that opens, and two commands.
        let page = try #require(lines.first { $0.contains("http") && $0.hasSuffix("/") }, "\(shown)")
        let url = try #require(page.split(separator: " ").last.map { String($0) })
        #expect(try stage.run("curl", "-sfL", url).lines.joined().contains("<html"))
        for name in ["phone add", "invite"] {
            let line = try #require(lines.first { $0.contains("kin \(name)") }, "\(shown)")
            let start = try #require(line.firstRange(of: "/")).lowerBound
            try stage.run("sh", "-c", String(line[start...]))
        }
        // Ada is signed in here; nobody has to say --as.
        #expect(try stage.run("kin", "members").lines.contains { $0.contains("ada") && $0.contains("admin") })
        let again = try stage.run("kin", "found", "--socket", house.socket, exits: 5)
        #expect(again.said.contains("founded already"), "\(again.said)")
    }

    @Test func `what was typed slowly counts, although the connection ended meanwhile`() throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        let made = try house.door(as: "ada").call("invite.create", [:])
        let code = try #require(made["code"]?.string)
        // Whoever types for half a minute is hung up on; here the daemon is gone and back while the question stands.
        let lines = try typed(
            stage, "\(Stage.built)/kin join \(code) --url \(house.url)",
            [("username", "zoe"), ("[zoe]", "Zoë"), ("password", House.password), ("more", House.password)]
        ) { question in
            if question == "username" {
                house.kill()
                try house.start()
            }
        }
        let shown = lines.joined(separator: "\n")
        #expect(shown.contains("Welcome, Zoë."), "\(shown)")
        #expect(shown.contains("You sign in with a username"))
        // What comes next can be typed as it stands.
        let next = try #require(lines.first { $0.contains("kin meet") }, "\(shown)")
        let start = try #require(next.firstRange(of: "/")).lowerBound
        try stage.run("sh", "-c", String(next[start...]))
    }

    @Test func `who joins under a name that is taken is asked for another name, and for nothing else`() throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        let made = try house.door(as: "ada").call("invite.create", [:])
        let code = try #require(made["code"]?.string)
        let lines = try typed(
            stage, "\(Stage.built)/kin join \(code) --url \(house.url)",
            [
                ("username", "ada"), ("[ada]", "Ada the second"), ("password", House.password),
                ("more", House.password), ("username", "ada2"),
            ])
        let shown = lines.joined(separator: "\n")
        #expect(shown.contains("Welcome, Ada the second.") && shown.contains("ada"), "\(shown)")
        let members = try stage.run("kin", "members").lines
        #expect(members.contains { $0.contains("Ada the second") && $0.contains("ada2") }, "\(members)")
    }

    @Test func `before there is a family, everything says so`() throws {
        let stage = try Stage()
        let house = try House(stage)
        let code = "4ba7-7v5j-q3aa-kfke-55z6"
        for refused in [
            try stage.run("kin", "login", house.url, exits: 5),
            try stage.run("kin", "join", code, "--url", house.url, exits: 5),
        ] { #expect(refused.said.contains("No family lives there yet"), "\(refused.said)") }
        #expect(try stage.run("kin", "status").lines.contains { $0.hasPrefix("! Family") && $0.contains("kin found") })
        for page in ["/", "/signin", "/join"] {
            let shown = try stage.run("curl", "-sL", house.url + page).lines.joined()
            #expect(shown.contains("No family lives here yet"), "\(page)")
        }
    }

    @Test func `KINWIRE_AS is the twin of --as, and --as has the last word`() throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        try house.join("bob")
        stage.environment["KINWIRE_AS"] = "bob"
        #expect(try stage.run("kin", "session").lines.isEmpty == false)
        try stage.run("kin", "announce", "x", exits: 5)
        try stage.run("kin", "announce", "x", "--as", "ada")
    }

    @Test func `the doctor finds a name of --url that leads nowhere`() throws {
        let stage = try Stage()
        let house = try House(stage, flags: ["--url", "https://kin.invalid:5469"])
        try house.found()
        let found = try stage.run("kin", "doctor", exits: 1)
        #expect(found.lines.contains { $0.hasPrefix("failed") && $0.contains("kin.invalid") }, "\(found.lines)")
    }
}
