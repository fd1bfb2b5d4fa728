import Glibc
import Testing

/// What the daemon is told when it starts: flags and their twins in the environment.
@Suite struct FlagTests {
    @Test func `every flag has a twin in the environment, and the flag itself counts more`() throws {
        let stage = try Stage()
        stage.environment.merge([
            "KINWIRE_DATA": stage.folder + "/twin", "KINWIRE_LISTEN": "127.0.0.1:0,[::1]:0",
            "KINWIRE_UNIX": stage.folder + "/twin.sock",
            "KINWIRE_URL": "https://localhost:1,https://kin.example.org,https://kin.example.net:444",
            "KINWIRE_ALLOW_PLAIN": "192.0.2.0/24,2001:db8::/32", "KINWIRE_TRUST_PROXY": "127.0.0.1/32",
            "KINWIRE_CONNECTIONS_MAX": "20", "KINWIRE_METRICS": "127.0.0.1:0",
        ]) { $1 }
        let daemon = stage.start(["kinwired", "--unix", stage.folder + "/flag.sock"])
        try stage.wait("the daemon") { daemon.lines.contains { $0.contains("kin found") } || daemon.status != nil }
        #expect(daemon.said.contains("Listening on \(stage.folder)/flag.sock"), "\(daemon.said)")
        #expect(access(stage.folder + "/twin/kinwire.db", F_OK) == 0)
        #expect(daemon.said.contains("Listening on [::1]:"), "\(daemon.said)")
        let port = try #require(daemon.said.split(separator: "Listening on 127.0.0.1:").last?.prefix { $0.isNumber })
        // Links carry the first URL that another device can open.
        #expect(daemon.lines.contains { $0.contains("  https://kin.example.org/setup/") }, "\(daemon.lines)")
        for (host, status) in [
            ("kin.example.org", "200"), ("kin.example.net:444", "200"), ("localhost", "200"),
            ("kin.example.com", "421"),
        ] {
            let asked = try stage.run(
                "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}\n", "-H", "Host: \(host)",
                "http://127.0.0.1:\(port)/healthz")
            #expect(asked.lines == [status], "\(host)")
        }
        // The certificate names them.
        let shown = try stage.run(
            "sh", "-c",
            "openssl s_client -connect 127.0.0.1:\(port) </dev/null 2>/dev/null | openssl x509 -noout -ext subjectAltName"
        )
        for name in ["kin.example.org", "kin.example.net"] {
            #expect(shown.lines.contains { $0.contains("DNS:\(name)") }, "\(shown.lines)")
        }
        // And a proxy on this machine is believed.
        let proxied = try stage.run(
            "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}\n", "-H", "X-Forwarded-For: 192.0.2.7", "-H",
            "Host: kin.example.org", "http://127.0.0.1:\(port)/healthz")
        #expect(proxied.lines == ["200"])
        // Metrics are at an address of their own, and only there.
        let metrics = try #require(
            daemon.said.split(separator: "Metrics are at ").last?.prefix { $0 != "\n" }.dropLast())
        for (url, status) in [(String(metrics), "200"), ("http://127.0.0.1:\(port)/metrics", "401")] {
            let asked = try stage.run("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}\n", url)
            #expect(asked.lines == [status], "\(url)")
        }
    }

    @Test func `the folder of the Unix socket is made where there is none`() throws {
        let stage = try Stage()
        let socket = stage.folder + "/runtime/kinwire.sock"
        let daemon = stage.start(House.command(stage.folder + "/data", socket, 0))
        try stage.wait("the daemon") { daemon.said.contains("Listening on \(socket)") || daemon.status != nil }
        #expect(access(socket, F_OK) == 0, "\(daemon.said)")
    }

    @Test(.enabled(if: geteuid() == 0, "needs to be two users"))
    func `a folder of another user is no place for the Unix socket`() throws {
        let stage = try Stage()
        let (own, others) = (stage.folder + "/own", stage.folder + "/others")
        for (folder, user) in [(stage.folder, 0), (own, 65533), (others, 65532)] as [(String, uid_t)] {
            mkdir(folder, 0o755)
            #expect(chmod(folder, 0o755) == 0 && chown(folder, user, user) == 0)
        }
        // The clone may lie where only its owner comes.
        let program = stage.folder + "/kinwired"
        try stage.run("cp", Stage.built + "/kinwired", program)
        let daemon = stage.start(
            ["setpriv", "--reuid=65533", "--regid=65533", "--clear-groups", program]
                + House.command(own + "/data", others + "/kinwire.sock", 0).dropFirst())
        try stage.wait("the refusal") { daemon.status != nil }
        #expect(daemon.said.contains("\(others) is another user's; name another place with --unix."), "\(daemon.said)")
    }

    @Test func `where nobody else reaches it, its link opens here, and no code is drawn for a phone`() throws {
        let stage = try Stage()
        let daemon = stage.start(House.command(stage.folder + "/data", stage.folder + "/kinwire.sock", 0))
        try stage.wait("the link") { daemon.lines.contains { $0.contains("kin found") } || daemon.status != nil }
        let link = try #require(daemon.lines.first { $0.contains("/setup/") }).split(separator: " ").last ?? ""
        #expect(link.hasPrefix("http://127.0.0.1:") && !link.contains("#"), "\(link)")
        #expect(!daemon.said.contains("█") && !daemon.said.contains("\u{1B}"), "\(daemon.said)")
        let page = try stage.run("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}\n", String(link))
        #expect(page.lines == ["200"])
    }

    @Test(arguments: [
        ("listen", "nonsense"), ("listen", "127.0.0.1:99999"), ("url", "ftp://kin"), ("allow-plain", "here"),
        ("allow-plain", "10.0.0.0/33"), ("trust-proxy", "10.0.0.0/8/8"), ("trust-proxy", "10.0.0.0/8=via"),
        ("trust-proxy", "=proxy"), ("metrics", "nonsense"), ("connections-max", "0"),
        ("connections-max", "9223372036854775808"), ("tls-cert", "/chain.pem"), ("tls-key", "/key.pem"),
    ])
    func `what is wrong with a flag is one sentence, with its twin as well`(name: String, value: String) throws {
        let stage = try Stage()
        for isTwin in [false, true] {
            var words = ["kinwired", "--data", stage.folder + "/data", "--unix", stage.folder + "/s"]
            if isTwin {
                stage.environment["KINWIRE_" + name.uppercased().replacing("-", with: "_")] = value
            } else {
                words += ["--\(name)", value]
            }
            let daemon = stage.start(words, input: "")
            try stage.wait("the end") { daemon.status != nil }
            daemon.take()
            #expect(daemon.status == 2, "\(daemon.said)")
            #expect(daemon.said.hasPrefix("kinwired: ") && daemon.said.hasSuffix(".\n"), "\(daemon.said)")
            #expect(daemon.said.split(separator: "\n").count == 1)
            #expect(access(stage.folder + "/data", F_OK) != 0, "nothing was begun")
        }
    }

    @Test func `the help names every flag, and a flag that is none is refused`() throws {
        let stage = try Stage()
        let help = try stage.run("kinwired", "--help").lines.joined(separator: "\n")
        for flag in [
            "--data", "--listen", "--unix", "--url", "--allow-plain", "--trust-proxy", "--metrics", "--tls-cert",
            "--tls-key", "--web",
            "--connections-max", "--restore", "--verify-only",
        ] {
            #expect(help.contains("  \(flag) "), "\(flag)")
        }
        #expect(try stage.run("kinwired", "--port", "1", exits: 2).said.contains("--port"))
        #expect(try stage.run("kinwired", "--data", exits: 2).said.contains("--data needs a value"))
        #expect(try stage.run("kinwired", "data", exits: 2).said.contains("is no flag"))
    }

    /// Debian's libfaketime: it moves the environment before Swift has looked where the words of the command line are.
    static let preload: String? = {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob("/usr/lib/*/faketime/libfaketime.so.1", 0, nil, &found) == 0 else { return nil }
        return found.gl_pathv[0].map { String(cString: $0) }
    }()

    @Test(.enabled(if: preload != nil, "Debian's libfaketime is needed"))
    func `a program sees its flags with a library loaded before it as without`() throws {
        let stage = try Stage()
        let plain = ["kinwired", "kin", "kinwire-echo"].map { Stage.built + "/" + $0 }
        for program in plain {
            let without = try stage.run(program, "--no-such-flag", "", "ü", exits: nil)
            stage.environment["LD_PRELOAD"] = Self.preload
            let with = try stage.run(program, "--no-such-flag", "", "ü", exits: nil)
            stage.environment["LD_PRELOAD"] = nil
            #expect(with.status == without.status && with.status == 2, "\(program): \(with.said)")
            #expect(with.lines == without.lines && with.said == without.said, "\(program): \(with.said)")
        }
        // The daemon lies where its flags say: the test finds it there.
        stage.environment["LD_PRELOAD"] = Self.preload
        try House(stage).found()
    }
}
