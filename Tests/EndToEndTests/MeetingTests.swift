import Glibc
import KinCodec
import KinModel
import Testing

/// A meeting from its proposal to who comes, by two sessions of `kin` and somebody else's client.
@Suite(.serialized) struct MeetingTests {
    private let stage: Stage
    private let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["bob", "carol"])
    }

    @Test func `a meeting is proposed, voted on, closed by its deadline, confirmed and attended`() throws {
        let noticed = try notifier()
        let ada = stage.start(["kin", "tail", "--as", "ada"])
        let bob = stage.start(["kin", "tail", "--notify", "--as", "bob"])
        let carol = try follower("carol")
        try marked([ada, bob], by: "announce", "--as", "ada", "Everybody there?")

        // The proposal says what it understood, and arrives everywhere.
        let proposed = try stage.run(
            "kin", "meet", "propose", "Sunday dinner", "tomorrow 18:00-20:00", "tomorrow", "20:30-22", "--with",
            "bob,carol", "--place", "Kitchen", "--as", "ada")
        #expect(proposed.lines.contains { $0.contains("Bob, Carol") }, "\(proposed.lines)")
        #expect(proposed.lines.contains { $0.hasPrefix("  2  ") && $0.contains("20:30–22:00") }, "\(proposed.lines)")
        try hear(bob, "Ada proposed Sunday dinner")
        try stage.wait("the notice") { !lines(of: noticed).isEmpty }

        // Votes by the number of the list, by words of the title; counted live.
        let list = try stage.run("kin", "meet", "--as", "bob")
        #expect(list.lines.contains { $0.contains("1  Sunday dinner") && $0.contains("0 of 2") }, "\(list.lines)")
        let voted = try stage.run("kin", "meet", "vote", "1", "1=yes", "2=maybe", "--as", "bob")
        #expect(voted.lines == ["You voted on Sunday dinner: 1 yes, 2 if need be. 1 of 2 have voted."])
        try stage.run("kin", "meet", "vote", "sunday-dinner", "1=yes", "--as", "carol")
        try hear(ada, "Carol voted yes for")
        try hear(ada, "2 of 2 · Sunday dinner")
        try hear(carol, #""type":"meeting.voted""#)
        // What is not named stays as it was.
        let changed = try stage.run("kin", "meet", "vote", "sunday-dinner", "2=no", "--as", "bob")
        #expect(changed.lines.first?.contains("1 yes, 2 no") == true, "\(changed.lines)")

        // One more time, suggested and accepted.
        try stage.run("kin", "meet", "suggest", "sunday", "tomorrow 12-14", "--as", "carol")
        try hear(ada, "Carol suggests")
        try stage.run("kin", "meet", "accept", "sunday", "b", "--as", "ada", exits: 2)
        try stage.run("kin", "meet", "accept", "sunday", "a", "--as", "ada")
        let grid = try stage.run("kin", "meet", "show", "sunday", "--as", "bob")
        #expect(grid.lines.contains { $0.contains("you Carol") }, "\(grid.lines)")
        #expect(grid.lines.contains { $0.contains("1  ") && $0.contains("2 · ·  ✓   ✓") }, "\(grid.lines)")
        #expect(grid.lines.contains { $0.contains("12:00–14:00") }, "\(grid.lines)")

        try deadline([ada, bob], carol)
        try decision(ada, bob, carol)
        try past(bob)
        for program in [ada, bob, carol] { program.kill() }
        // Bob was told of what Ada did, once for all that came together, and of nothing he did himself.
        let notices = lines(of: noticed)
        #expect(notices.count <= 2 && notices[0].contains("Sunday dinner"), "\(notices)")
        #expect(!notices.contains { $0.contains("Bob") }, "\(notices)")
    }

    /// Two seconds ahead; nobody has to be there for the vote to close.
    private func deadline(_ tails: [Program], _ python: Program) throws {
        try stage.run("kin", "meet", "update", "sunday", "--deadline", time(addingSeconds: 3), "--as", "ada")
        for tail in tails { try hear(tail, "The vote on Sunday dinner is closed") }
        try hear(python, #""type":"meeting.closed""#)
        let late = try stage.run("kin", "meet", "vote", "sunday", "1=no", "--as", "bob", exits: 5)
        #expect(late.said.hasPrefix("kin: "), "\(late.said)")
    }

    private func decision(_ ada: Program, _ bob: Program, _ carol: Program) throws {
        try stage.run("kin", "meet", "confirm", "sunday", "1", "--as", "bob", exits: 5)
        let confirmed = try stage.run("kin", "meet", "confirm", "sunday", "1", "--as", "ada")
        #expect(confirmed.lines.first?.contains("2 going") == true, "\(confirmed.lines)")
        try hear(bob, "Sunday dinner is on: ")
        try stage.run("kin", "meet", "attend", "sunday", "no", "--as", "carol")
        try hear(ada, "Carol is not going to Sunday dinner · 1 going")
        try hear(carol, #""type":"meeting.attended""#)
        let shown = try json(stage.run("kin", "meet", "show", "sunday", "--as", "carol", "--json"))
        #expect(shown["meeting"]?["state"] == "confirmed")
        #expect(shown["own"]?["attendance"] == "notGoing")
        let coming = try json(stage.run("kin", "meet", "list", "coming", "--as", "bob", "--json"))
        #expect(coming["meetings"]?.array?.count == 1, "\(coming.text)")

        // Bob's inbox has it all in one entry, and is empty when it is read.
        let inbox = try stage.run("kin", "inbox", "--as", "bob")
        #expect(inbox.lines.contains { $0.contains("Sunday dinner") }, "\(inbox.lines)")
        #expect(inbox.lines.contains { $0.contains("It is on") }, "\(inbox.lines)")
        #expect(inbox.lines.contains { $0.contains("Everybody there?") }, "\(inbox.lines)")
        #expect(try json(stage.run("kin", "inbox", "read", "--as", "bob", "--json"))["unread"] == 0)
        #expect(try stage.run("kin", "inbox", "--as", "bob").lines.count == 1)
    }

    private func past(_ bob: Program) throws {
        try stage.run("kin", "meet", "cancel", "sunday", "--reason", "The oven broke", "--as", "ada")
        try hear(bob, "Ada cancelled Sunday dinner: The oven broke")
        #expect(try stage.run("kin", "meet", "list", "past", "--as", "bob").lines.contains { $0.contains("cancelled") })
        try stage.run("kin", "meet", "clear", "--as", "bob")
        #expect(try !stage.run("kin", "meet", "list", "past", "--as", "bob").lines.contains { $0.contains("Sunday") })
    }

    @Test func `who says no is found and asked, and the meeting changes hands`() throws {
        let bob = stage.start(["kin", "tail", "--since", "1h", "--as", "bob"])
        try hear(bob, "joined")
        try stage.run("kin", "meet", "propose", "Film night", "tomorrow 20-22", "--with", "bob,carol", "--as", "ada")
        try stage.run("kin", "meet", "refuse", "film", "--reason", "Too late for me", "--as", "bob")
        #expect(
            try stage.run("kin", "meet", "nudge", "film", "--as", "ada").lines.first?.hasPrefix("1 invitee") == true)
        #expect(try stage.run("kin", "inbox", "--as", "carol").lines.contains { $0.contains("Film night") })
        // Bob finds what he refused, and why; and may think better of it.
        let list = try stage.run("kin", "meet", "--as", "bob")
        #expect(list.lines.contains { $0.contains("Film night") && $0.contains("without you") }, "\(list.lines)")
        let shown = try stage.run("kin", "meet", "show", "film", "--as", "carol")
        #expect(shown.lines.contains { $0.contains("Too late for me") }, "\(shown.lines)")
        try stage.run("kin", "meet", "suggest", "film", "tomorrow 17-19", "--as", "carol")
        #expect(
            try stage.run("kin", "meet", "decline", "film", "a", "--as", "ada").lines.first?.contains("declined")
                == true)
        try stage.run("kin", "meet", "vote", "film", "1=yes", "--as", "bob")
        try stage.run("kin", "meet", "hand-over", "film", "carol", "--as", "ada")
        try hear(bob, "Carol now hosts Film night")
        try stage.run("kin", "meet", "confirm", "film", "1", "--as", "carol")
        let coming = try json(stage.run("kin", "meet", "list", "coming", "--as", "bob", "--json"))
        #expect(coming["meetings"]?.array?.first?["own"]?["attendance"] == "going", "\(coming.text)")
    }

    @Test func `what is not understood or not allowed says so, in both languages`() throws {
        for (words, status) in [
            (["meet", "show", "nothing"], 5), (["meet", "show", "77"], 2), (["meet", "vote"], 2),
            (["meet", "propose", "X", "sometime"], 2),
            (["meet", "propose", "X", "tomorrow 18:00", "--deadline", "in 3 days 12:00"], 2),
            (["meet", "propose", "X", "6pm", "sat", "8pm"], 2), (["meet", "propose", "X", "5/6 18:00"], 2),
            (["meet", "propose", "X", "2020-01-01 18:00-19:00"], 2), (["meet", "attend", "x", "perhaps"], 2),
            (["inbox", "dismiss", "7"], 2), (["inbox", "mute", "everything"], 2), (["inbox", "quiet", "late"], 2),
            (["role", "bob", "king"], 2), (["role", "nobody"], 5), (["household", "paint"], 2),
            (["member", "remove", "bob"], 2), (["session", "link", "nobody"], 5), (["completion", "tcsh"], 2),
        ] as [([String], Int32)] {
            for language in ["en", "de"] {
                let program = stage.start(["kin"] + words + ["--as", "ada", "--lang", language])
                program.closeInput()
                try stage.wait("\(words) to end") { program.status != nil }
                program.take()
                #expect(program.status == status, "\(words): \(program.said)")
                #expect(program.said.hasPrefix("kin: "), "\(program.said)")
            }
        }
        // To nobody: with the command that invites.
        let alone = try stage.run("kin", "meet", "propose", "Chess", "6pm tomorrow", "tomorrow 9-10", "--as", "ada")
        #expect(alone.lines.contains { $0.contains("kin meet update chess --with") }, "\(alone.lines)")
        #expect(alone.lines.first { $0.hasPrefix("  1  ") }?.contains("09:00") == true, "sorted: \(alone.lines)")
        try stage.run("kin", "meet", "update", "chess", "--with", "bob", "--as", "ada")
        #expect(try stage.run("kin", "meet", "--as", "bob").lines.contains { $0.contains("Chess") })
        for words in [["--deadline", "in 3 days 12:00"], ["--deadline", "in 15 hours", "--yes"]] {
            let update = stage.start(["kin", "meet", "update", "chess", "--as", "ada"] + words)
            update.closeInput()
            try stage.wait("the update to end") { update.status != nil }
            update.take()
            #expect(update.status == (words.contains("--yes") ? 0 : 2), "\(update.said)")
        }
        // Without a name, who asks is told whom to ask.
        let refused = try stage.run("kin", "family", "rename", "Elm", "--as", "bob", "--lang", "de", exits: 5)
        #expect(refused.said.contains("Das darf nur ein Admin. Frag Ada"), "\(refused.said)")
        let german = try stage.run(
            "kin", "--lang", "de", "meet", "propose", "Kaffee", "übermorgen 15 bis 16 Uhr", "--public", "--as", "ada")
        #expect(german.lines.first == "Kaffee vorgeschlagen, an alle:", "\(german.lines)")
        stage.environment["LC_ALL"] = "de_AT.UTF-8"
        #expect(try stage.run("kin", "meet", "--as", "bob").lines.first == "Einladungen")
        stage.environment["LC_ALL"] = nil
    }

    @Test func `households, roles, members, sessions and rules are kept by kin, with an answer for scripts each`()
        throws
    {
        let households = try stage.run("kin", "household", "--as", "ada")
        #expect(households.lines.contains { $0.hasPrefix("Ockham") && $0.contains("3") }, "\(households.lines)")
        #expect(try json(stage.run("kin", "household", "--as", "ada", "--json"))["households"]?.array?.count == 1)
        try stage.run("kin", "household", "found", "The Elms", "--stay", "--as", "ada")
        try stage.run("kin", "household", "move", "bob", "the elms")
        try stage.run("kin", "household", "rename", "The Elms", "Elms", "--as", "ada")
        #expect(try stage.run("kin", "completion", "households", "--as", "ada").lines.sorted() == ["Elms", "Ockham"])
        #expect(try stage.run("kin", "completion", "members", "--as", "ada").lines.sorted() == ["ada", "bob", "carol"])
        #expect(try stage.run("kin", "role", "bob", "head", "--as", "ada").lines == ["Bob is now head."])
        #expect(
            try json(stage.run("kin", "role", "bob", "--as", "ada", "--json"))["roles"]?.array?.first?["role"] == "head"
        )
        try stage.run(
            "kin", "member", "add", "edith", "--display-name", "Grandma", "--household", "Elms", "--password-stdin",
            "--as", "ada", input: House.password + "\n")
        try stage.run("kin", "member", "rename", "edith", "Grandma Edith")
        #expect(try stage.run("kin", "members", "--as", "ada").lines.contains { $0.contains("Grandma Edith") })
        try stage.run("kin", "member", "remove", "edith", "--keep", "delete", "--as", "ada")
        #expect(try !stage.run("kin", "members", "--as", "ada").lines.contains { $0.contains("edith") })

        let link = try json(stage.run("kin", "session", "link", "bob", "--as", "ada", "--json"))
        #expect(link["link"]?.string?.contains("/signin/") == true, "\(link.text)")
        _ = try house.token("bob")
        #expect(try stage.run("kin", "session", "--as", "bob").lines.contains { $0.hasPrefix("test") })
        try stage.run("kin", "session", "revoke", "test", "--as", "bob")
        #expect(try !stage.run("kin", "session", "--as", "bob").lines.contains { $0.hasPrefix("test") })

        let muted = try json(stage.run("kin", "inbox", "mute", "VOTED", "nudged", "--as", "bob", "--json"))
        #expect(muted["rules"]?["mute"]?.array?.count == 2, "\(muted.text)")
        #expect(try stage.run("kin", "inbox", "unmute", "voted", "--as", "bob").lines.first == "Muted: nudged")
        let ringing = try stage.run("kin", "inbox", "ring", "POSTED", "liked", "--as", "bob").lines
        #expect(ringing.contains("Rings too, and does not only wait: posted, liked"), "\(ringing)")
        #expect(try !stage.run("kin", "inbox", "ring", "off", "--as", "bob").lines.contains { $0.contains("Rings") })
        #expect(try json(stage.run("kin", "inbox", "--as", "bob", "--json"))["entries"]?.array != nil)
    }

    // MARK: Tools

    private func json(_ program: Program) throws -> JSON {
        try JSON.parse(try #require(program.lines.first, "\(program.said)"), depthMax: 64)
    }

    private func hear(_ program: Program, _ text: String) throws {
        try stage.wait("\(program.name) to hear: \(text)") { program.lines.contains { $0.contains(text) } }
    }

    /// Tails begin now: something is said until each has heard it.
    private func marked(_ tails: [Program], by words: String...) throws {
        for tail in tails {
            var count = 0
            while !tail.lines.contains(where: { $0.contains(words.last ?? "") }) {
                count += 1
                try #require(count < 50, "a tail hears nothing")
                let program = stage.start(["kin"] + words)
                program.closeInput()
                try stage.wait("an announcement") { program.status != nil }
            }
        }
    }

    /// The page's client in Python, or our own where Python has no WebSockets.
    private func follower(_ username: String) throws -> Program {
        guard PythonClient.hasWebSockets(PythonClient.debian) else {
            return stage.start(["kin", "tail", "--json", "--since", "1h", "--as", username])
        }
        let command = try PythonClient.command(
            PythonClient.debian, house, as: username, folder: stage.folder + "/python")
        let program = stage.start(command, input: House.password + "\n")
        try hear(program, #""mode":"reset""#)
        return program
    }

    /// Stands for the desktop's notifier and writes down what it is told, a line each.
    private func notifier() throws -> String {
        let (folder, file) = (stage.folder + "/bin", stage.folder + "/noticed")
        mkdir(folder, 0o700)
        let script = "#!/bin/sh\nprintf '%s' \"$*\" | tr '\\n' ' ' >>'\(file)'\necho >>'\(file)'\n"
        try Array(script.utf8).write(file: folder + "/notify-send")
        chmod(folder + "/notify-send", 0o700)
        stage.environment["PATH"] = folder + ":" + (stage.environment["PATH"] ?? "")
        return file
    }

    private func lines(of file: String) -> [String] {
        guard access(file, R_OK) == 0, let bytes = try? [UInt8](file: file) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { String($0) }
    }

    private func time(addingSeconds seconds: Int64) -> String {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: (Int64(time.tv_sec) + seconds) * 1000).description
    }
}
