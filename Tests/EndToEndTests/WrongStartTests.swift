import Glibc
import KinModel
import Testing

/// What goes wrong in the first minutes: each says what happened and what to do next.
@Suite(.serialized) struct WrongStartTests {
    /// A page by its address, as a browser asks for it: the status and the text.
    private func page(_ stage: Stage, _ url: some StringProtocol) throws -> (status: String, text: String) {
        let path = url.split(separator: "#").first ?? ""
        let lines = try stage.run(
            "curl", "-s", "-H", "Accept: text/html", "-w", "\n%{http_code}\n", String(path)
        ).lines
        return (lines.last ?? "", lines.dropLast().joined(separator: "\n"))
    }

    private func link(in words: String) throws -> String {
        String(try #require(words.firstMatch(of: /https?:\/\/\S+\/setup\/\S+/), "\(words)").0)
    }

    @Test func `the set-up link opens as often as one likes until it has founded the family, and then says so`() throws
    {
        let stage = try Stage()
        let house = try House(stage)
        let link = try link(in: house.firstWords)
        for _ in 0..<2 {
            let page = try page(stage, link)
            #expect(page.status == "200" && page.text.contains("<form"), "\(page)")
        }
        try house.found()
        let page = try page(stage, link)
        #expect(page.status == "410" && page.text.contains("/signin"), "\(page)")
        let typed = try stage.run("kin", "found", "X", "--link", link, "--yes", exits: 5)
        #expect(typed.said.contains("founded already") && typed.said.contains("kin login"), "\(typed.said)")
    }

    @Test func `a set-up link of before a restart says where the new one is`() throws {
        let stage = try Stage()
        let house = try House(stage)
        let old = try link(in: house.firstWords)
        house.kill()
        try house.start()
        try stage.wait("the new link") { house.daemon.lines.contains { $0.contains("/setup/") } }
        let new = try link(in: house.daemon.lines.joined(separator: "\n"))
        #expect(new != old)
        let page = try page(stage, old)
        #expect(page.status == "410" && page.text.contains("kin found"), "\(page)")
        let typed = try stage.run("kin", "found", "X", "--link", old, "--yes", exits: 5)
        #expect(typed.said.contains("printed") && typed.said.contains("kin found"), "\(typed.said)")
        #expect(try self.page(stage, new).status == "200")
    }

    @Test func `a port that is taken is named, with what to do`() throws {
        let stage = try Stage()
        let house = try House(stage)
        let second = stage.start(House.command(stage.folder + "/second", stage.folder + "/second.sock", house.port))
        try stage.wait("the refusal") { second.status != nil }
        second.take()
        #expect(second.status == 1)
        #expect(
            second.said.contains(
                "Something already listens on 127.0.0.1:\(house.port); stop it or choose another address."),
            "\(second.said)")
        #expect(try page(stage, house.url + "/signin").status == "200", "the first is served on")
    }

    @Test func `without the program that opens pictures, the log says so at the start, and the doctor what to do`()
        throws
    {
        let stage = try Stage()
        let (alone, socket) = (stage.folder + "/alone", stage.folder + "/kinwire.sock")
        mkdir(alone, 0o700)
        try stage.run("cp", Stage.built + "/kinwired", alone + "/kinwired")
        let daemon = stage.start(
            [alone + "/kinwired"] + House.command(stage.folder + "/data", socket, 0).dropFirst())
        try stage.wait("the daemon") { daemon.said.contains("Listening on \(socket)") || daemon.status != nil }
        try stage.wait("the warning") { daemon.said.contains("missing: ") || daemon.status != nil }
        let sentence = "/alone/kinwire-darkroom, so pictures can't be taken. Install it there."
        #expect(daemon.said.contains(sentence), "\(daemon.said)")
        try stage.run(
            "kin", "found", "Lovelace", "--household", "Ockham", "--username", "ada", "--display-name", "Ada",
            "--password-stdin", input: House.password + "\n")
        let doctor = try stage.run("kin", "doctor", exits: 1)
        #expect(doctor.lines.contains { $0.hasPrefix("failed") && $0.contains(sentence) }, "\(doctor.lines)")
        // Once it is there, all is well, without another start.
        try stage.run("cp", Stage.built + "/kinwire-darkroom", alone + "/kinwire-darkroom")
        let again = try stage.run("kin", "doctor", exits: nil)
        #expect(!again.lines.contains { $0.contains("kinwire-darkroom") }, "\(again.lines)")
    }

    @Test func `a --url whose name leads nowhere is said at the start, and by the doctor`() throws {
        let stage = try Stage()
        let house = try House(stage, flags: ["--url", "https://kin.invalid:5469"])
        try stage.wait("the warning") { house.daemon.said.contains("address: ") || house.daemon.status != nil }
        #expect(house.daemon.said.contains("no machine called kin.invalid is found from here"), "\(house.daemon.said)")
        #expect(house.daemon.said.contains("start kinwired with another --url"))
        // The way to a family that does not go by the name.
        #expect(house.firstWords.contains("kin found"))
    }

    @Test(.enabled(if: geteuid() == 0 && access("/usr/bin/unshare", X_OK) == 0, "needs root and unshare"))
    func `under sudo the one signed in is who called it`() throws {
        let stage = try Stage()
        let house = try House(stage)
        // Somebody with a home of their own, who is known to this command alone.
        let (caller, home) = (47_110 as uid_t, stage.folder + "/caller")
        chmod(stage.folder, 0o755)
        mkdir(home, 0o700)
        chown(home, caller, caller)
        let users = stage.folder + "/passwd"
        try [UInt8]("root:x:0:0::/root:/bin/sh\ncaller:x:\(caller):\(caller)::\(home):/bin/sh\n".utf8).write(
            file: users)
        stage.environment["SUDO_UID"] = "\(caller)"
        let found = try stage.run(
            "unshare", "--mount", "sh", "-c", "mount --bind \(users) /etc/passwd && exec \"$0\" \"$@\"",
            Stage.built + "/kin", "found", "Lovelace", "--household", "Ockham", "--username", "ada",
            "--password-stdin", input: House.password + "\n")
        let kept = home + "/.config/kinwire/login.json"
        var entry = stat()
        try #require(stat(kept, &entry) == 0, "\(found.said) \(found.lines)")
        #expect(entry.st_uid == caller && entry.st_mode & 0o077 == 0)
        // By the address that others use: whoever called sudo may not open the socket.
        let text = try stage.run("cat", kept).lines.joined()
        #expect(text.contains(house.url), "\(text)")
        // What comes next needs neither sudo nor --as.
        let next = found.lines.filter { $0.contains("kin ") && $0.hasPrefix("  ") }
        #expect(next.count == 2 && next.allSatisfy { !$0.contains("sudo") && !$0.contains("--as") }, "\(found.lines)")
        #expect(access(stage.folder + "/.config/kinwire/login.json", F_OK) != 0, "root keeps no sign-in")
    }

    @Test(.enabled(if: OwnNetwork.canBe, "needs root, unshare and ip"))
    func `with no network at all the family is founded on its own machine, by a link that opens there`() throws {
        let stage = try Stage()
        let socket = stage.folder + "/kinwire.sock"
        let lone = stage.start([
            "unshare", "--net", "sh", "-c",
            """
            ip link set lo up
            "$0" --data "$1" --unix "$2" --listen :0 & daemon=$!
            read -r _
            curl -s -o /dev/null -w 'status %{http_code}\\n' "$(grep -o 'http://[^ ]*setup[^ ]*' "$3")"
            kill $daemon; wait $daemon
            """,
            Stage.built + "/kinwired", stage.folder + "/data", socket, stage.folder + "/words",
        ])
        try stage.wait("the link") { lone.lines.contains { $0.contains("kin found") } || lone.status != nil }
        let words = lone.lines.joined(separator: "\n")
        let link = try link(in: words)
        #expect(link.hasPrefix("http://127.0.0.1:") && !words.contains("█"), "\(words)")
        try [UInt8](words.utf8).write(file: stage.folder + "/words")
        // The socket is no matter of networks.
        try stage.run(
            "kin", "found", "Lovelace", "--household", "Ockham", "--username", "ada", "--password-stdin",
            "--socket", socket, input: House.password + "\n")
        let invited = try stage.run("kin", "invite", "--socket", socket, "--as", "ada").lines.joined(separator: " ")
        #expect(invited.contains("http://127.0.0.1:") && invited.contains("This address works on this machine only"))
        let phone = try stage.run("kin", "phone", "add", "x", "--socket", socket, "--as", "ada").lines
            .joined(separator: " ")
        #expect(phone.contains("This address works on this machine only"), "\(phone)")
        lone.write("\n")
        try stage.wait("the page") { lone.status != nil }
        lone.take()
        #expect(lone.lines.contains("status 410"), "the link says that it has founded: \(lone.lines)")
    }

    @Test func `in a language that there is not, kin speaks English, and the doctor says why`() throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        stage.environment["LC_ALL"] = "tlh_KX.UTF-8"
        #expect(try stage.run("kin", "members", "--as", "ada").lines.first == "The family Lovelace")
        let told = try stage.run("kin", "doctor", "--as", "ada", exits: nil).lines.joined(separator: " ")
        #expect(told.contains("kin does not speak the language of tlh_KX.UTF-8"), "\(told)")
        stage.environment["LC_ALL"] = "de_AT.UTF-8"
        #expect(try stage.run("kin", "members", "--as", "ada").lines.first == "Die Familie Lovelace")
    }

    @Test func `what kin asks of a daemon that has never heard of it says which of the two to bring up to date`() throws
    {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        let asked = try stage.run("kin", "call", "meeting.sing", "--as", "ada", exits: 5)
        #expect(asked.said.contains("There is no method meeting.sing") && asked.said.contains("update the daemon"))
        stage.environment["LANG"] = "de_DE.UTF-8"
        let nobody = try stage.run("kin", "members", "--socket", stage.folder + "/none.sock", exits: 4)
        #expect(nobody.said.contains("ist nicht zu erreichen: Diese Datei gibt es nicht"), "\(nobody.said)")
    }
}
