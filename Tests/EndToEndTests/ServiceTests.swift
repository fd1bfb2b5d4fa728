import Glibc
import KinCodec
import KinModel
import Testing

/// The daemon as a service: what it and its manager say to each other, its metrics, its version.
@Suite struct ServiceTests {
    /// A program in Python that plays the service manager: it makes the sockets and starts the daemon with them.
    private static let activation = """
        import os, socket, sys
        kinwired, data, folder = sys.argv[1:4]
        sockets = []
        for _ in range(2):
            s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(); sockets.append(s)
        u = socket.socket(socket.AF_UNIX); u.bind(folder + "/kinwire.sock"); u.listen(); sockets.append(u)
        print(*[s.getsockname()[1] for s in sockets[:2]], flush=True)
        kept = [os.dup(s.fileno()) for s in sockets]
        high = [os.dup2(fd, 40 + i) for i, fd in enumerate(kept)]
        for i, fd in enumerate(high): os.dup2(fd, 3 + i, inheritable=True)
        for fd in set(kept + high): os.close(fd) if fd > 5 else None
        os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="3", LISTEN_FDNAMES="a:b:c")
        os.execv(kinwired, [kinwired, "--data", data])
        """

    @Test func `sockets that the manager opened are served, the Unix socket among them, and left in place`() throws {
        let stage = try Stage()
        let daemon = stage.start([
            PythonClient.debian, "-c", Self.activation, Stage.built + "/kinwired", stage.folder + "/data", stage.folder,
        ])
        try stage.wait("the daemon") { daemon.said.contains("Listening on 127.0.0.1") && daemon.lines.count > 3 }
        let ports = try #require(daemon.lines.first).split(separator: " ").map { String($0) }
        #expect(ports.count == 2)
        for port in ports {
            #expect(daemon.said.contains("Listening on 127.0.0.1:\(port)."))
            #expect(try stage.run("curl", "-sf", "http://127.0.0.1:\(port)/healthz").lines == ["ok"])
        }
        let door = try LineClient(unix: stage.folder + "/kinwire.sock")
        #expect(try door.call("daemon.status", [:])["version"]?.string == KinwireVersion.text)
        daemon.signal(SIGTERM)
        try stage.wait("the end") { daemon.status != nil }
        #expect(daemon.status == 0)
        // The file is the manager's.
        #expect(access(stage.folder + "/kinwire.sock", F_OK) == 0)
    }

    /// The manager's end of sd_notify: prints what it hears, a line each.
    private static let manager = """
        import os, socket, sys
        s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.bind(sys.argv[1]); print("bound", flush=True)
        while True: print(s.recv(4096).decode(), flush=True)
        """

    @Test func `the manager hears that it is ready, that it lives, and that it ends`() throws {
        let stage = try Stage()
        let manager = stage.start([PythonClient.debian, "-c", Self.manager, stage.folder + "/notify"])
        try stage.wait("the manager") { manager.lines == ["bound"] }
        stage.environment["NOTIFY_SOCKET"] = stage.folder + "/notify"
        stage.environment["WATCHDOG_USEC"] = "200000"
        let house = try House(stage)
        // Idle, with nobody who asks anything: both threads still show that they live.
        try stage.wait("signs of life") { manager.lines.count { $0 == "WATCHDOG=1" } >= 5 }
        #expect(manager.lines[1] == "READY=1")
        house.daemon.signal(SIGTERM)
        try stage.wait("the end") { house.daemon.status != nil && manager.lines.contains("STOPPING=1") }
        #expect(house.daemon.said.contains("stopping: "))
    }

    @Test func `Prometheus' own parser reads the metrics`() throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        try stage.run(
            "curl", "-sf", "-o", stage.folder + "/metrics", "--unix-socket", house.socket, "http://kin/metrics")
        let checked = try stage.run(
            PythonClient.debian, "-c",
            """
            import sys
            from prometheus_client.parser import text_string_to_metric_families
            families = list(text_string_to_metric_families(open(sys.argv[1]).read()))
            assert all(f.documentation and f.type != "unknown" and f.samples for f in families)
            found = {s.name: s.value for f in families for s in f.samples}
            assert found["process_resident_memory_bytes"] > 1e6 and found["process_open_fds"] > 5, found
            assert found["kinwire_database_bytes"] > 0 and found["kinwire_disk_free_bytes"] > 0, found
            assert found["kinwire_certificate_expiry_timestamp_seconds"] > found["process_start_time_seconds"] > 1.6e9
            assert found["kinwire_fsyncs_total"] > 0 and found["kinwire_commit_seconds_count"] > 0, found
            print(len(families))
            """, stage.folder + "/metrics")
        #expect((checked.lines.first.flatMap { Int($0) } ?? 0) > 35)
        // Where Prometheus' own tool is installed, it has its say.
        guard let promtool = Self.promtool else { return }
        let linted = stage.start(
            ["sh", "-c", "\(promtool) check metrics < \(stage.folder)/metrics"])
        try stage.wait("promtool") { linted.status != nil }
        #expect(linted.status == 0, "\(linted.said) \(linted.lines)")
    }

    private static let promtool: String? = ["/usr/bin/promtool", "/usr/local/bin/promtool"].first { (path: String) in
        access(path, X_OK) == 0
    }

    @Test func `both programs say the same version`() throws {
        let stage = try Stage()
        #expect(try stage.run("kinwired", "--version").lines == ["kinwired \(KinwireVersion.text)"])
        #expect(try stage.run("kin", "--version").lines == ["kin \(KinwireVersion.text)"])
    }

    /// The archive for other distributions begins kin through the loader that lies beside it.
    @Test func `a program that the loader begins reads its own words, not the loader's`() throws {
        let stage = try Stage()
        let program = Stage.built + "/kin"
        let loader = try #require(stage.run("sh", "-c", "ldd \(program) | grep -o '/[^ ]*/ld-linux[^ ]*'").lines.first)
        for name in [["--argv0", "kin"], []] {
            let program = stage.start([loader] + name + ["--library-path", "", program, "--version"])
            program.closeInput()
            try stage.wait("kin to end") { program.status != nil }
            program.take()
            #expect(program.lines == ["kin \(KinwireVersion.text)"])
        }
    }

    @Test func `lines have the time where no journal puts it there, and are objects with --log json`() throws {
        for isJSON in [false, true] {
            let stage = try Stage()
            stage.environment["KINWIRE_LOG"] = isJSON ? "json" : "text"
            let house = try House(stage)
            try house.found()
            try stage.wait("the line") { house.daemon.said.contains("founded by ada") }
            for line in house.daemon.said.split(separator: "\n") {
                guard isJSON else {
                    let words = line.split(separator: " ")
                    #expect(words.first.flatMap { Instant(String($0)) } != nil && words[1] == "kinwired:", "\(line)")
                    continue
                }
                let json = try JSON.parse(Array(line.utf8), depthMax: 4)
                #expect(json["at"]?.instant != nil && json["level"]?.string == "info", "\(line)")
                #expect(json["text"]?.string?.isEmpty == false)
            }
            let founded = "The family was founded by ada."
            #expect(
                house.daemon.said.contains(
                    isJSON ? "\"event\":\"founded\",\"text\":\"\(founded)\"" : "founded: \(founded)"))
        }
    }

    @Test func `it says that it serves a family only where there is one`() throws {
        let stage = try Stage()
        let house = try House(stage)
        #expect(house.daemon.said.contains("waits for a family") && !house.daemon.said.contains("serves the family"))
        try house.found()
        house.kill()
        try house.start()
        #expect(house.daemon.said.contains("serves the family") && !house.daemon.said.contains("waits for a family"))
    }

    @Test func `a line has the journal's priority when the journal listens, and only then`() throws {
        let stage = try Stage()
        stage.environment["JOURNAL_STREAM"] = "1:2"
        let elsewhere = try stage.run("kinwired", "--nonsense", exits: 2)
        #expect(elsewhere.said.hasPrefix("kinwired: "))
        // A file plays the journal: it is what JOURNAL_STREAM names.
        let script = """
            import os, subprocess, sys
            log = open(sys.argv[2], "w")
            found = os.fstat(log.fileno())
            environment = dict(os.environ, JOURNAL_STREAM=f"{found.st_dev}:{found.st_ino}")
            subprocess.run([sys.argv[1], "--nonsense"], stderr=log, env=environment)
            print(open(sys.argv[2]).read())
            """
        let journal = try stage.run(
            PythonClient.debian, "-c", script, Stage.built + "/kinwired", stage.folder + "/journal")
        #expect(journal.lines.first?.hasPrefix("<3>") ?? false, "\(journal.lines)")
    }
}
