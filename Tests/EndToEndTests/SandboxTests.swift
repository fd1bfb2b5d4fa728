import Glibc
import KinCodec
import KinModel
import Testing

/// The sandbox of a unit, without systemd.
enum Sandbox {
    static let python = "/usr/bin/python3"
    /// Followed by the unit, the folder that may be written, and the command.
    static let words = [python, Stage.fixtures + "/sandbox.py"]

    static var canBeEntered: Bool {
        Program(
            ["bwrap", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--unshare-user", "true"],
            environment: ["PATH": "/usr/bin:/bin"]
        ).waited() == 0
    }
}

/// The daemon in the sandbox of its unit, as far as that can be had without systemd (`Fixtures/sandbox.py`): its system
/// calls, address families, memory rules, a read-only system and no capabilities.
@Suite(.enabled(if: Sandbox.canBeEntered, "user namespaces and bubblewrap are needed"))
struct SandboxTests {
    @Test(arguments: ["kinwired.service", "kinwired@.service", "kinwire-backup.service"])
    func `the sandbox forbids what it should`(unit: String) throws {
        let stage = try Stage()
        let open = stage.folder + "/open"
        mkdir(open, 0o700)
        let attempts = """
            import ctypes, mmap, os, socket
            def refused(what, deed):
                try: deed()
                except OSError: return
                print(what)
            refused("write elsewhere", lambda: open("\(stage.folder)/elsewhere", "w"))
            refused("packets", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
            refused("vsock", lambda: socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM))
            refused("written and executed memory", lambda: mmap.mmap(-1, 4096, prot=7))
            refused("set-user-id", lambda: (open("\(open)/x", "w"), os.chmod("\(open)/x", 0o4755)))
            refused("another owner", lambda: os.chown("\(open)/x", 1, 1))
            libc = ctypes.CDLL(None, use_errno=True)
            if libc.unshare(0x10000000) == 0: print("a user namespace")
            if libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0: print("a mount")
            if libc.ptrace(16, os.getppid(), 0, 0) == 0: print("another process")
            """
        let said = stage.start(
            Sandbox.words + [Stage.root + "/deploy/" + unit, open, Sandbox.python, "-c", attempts], input: "")
        try stage.wait("the attempts") { said.status != nil }
        said.take()
        #expect(said.status == 0 && said.lines.isEmpty, "\(said.lines) \(said.said)")
    }

    @Test func `everything a family does works inside it`() throws {
        let stage = try Stage()
        let open = stage.folder + "/open"
        mkdir(open, 0o700)
        let socket = open + "/kinwire.sock"
        stage.environment["KINWIRE_SOCKET"] = socket
        let daemon = stage.start(
            Sandbox.words + [Stage.root + "/deploy/kinwired.service", open, Stage.built + "/kinwired"]
                + House.command(open + "/data", socket, 0).dropFirst())
        try stage.wait("the daemon") { daemon.said.contains("Listening on \(socket)") || daemon.status != nil }
        #expect(daemon.status == nil, "\(daemon.said)")

        let password = stage.folder + "/password"
        try Array(House.password.utf8).write(file: password)
        try stage.run(
            "kin", "found", "Lovelace", "--household", "Ockham", "--username", "ada", "--display-name", "Ada",
            "--password-file", password)
        // A library opened late, threads of its own, memory rules.
        let me = try LineClient(unix: socket).call("member.list", [:])["members"]?.array?.first?["id"] ?? .null
        let ada = try LineClient(unix: socket)
        _ = try ada.call("session.as", ["username": "ada"])
        let shown = try ada.call("member.setPicture", ["member": me, "picture": .string(UpkeepTests.picture)])
        #expect(shown["member"]?["picture"]?.string != nil)
        // The network: TLS with a certificate made inside.
        let port = daemon.said.split(separator: "127.0.0.1:").last?.prefix { $0.isNumber } ?? ""
        let health = try stage.run(
            "curl", "-sk", "-o", "/dev/null", "-w", "%{http_code}\n", "https://127.0.0.1:\(port)/healthz")
        #expect(health.lines == ["200"])
        try stage.run("kin", "announce", "Hello from a small room.", "--as", "ada")
        try stage.run("kin", "import", Stage.fixtures + "/around-visnjan-with-car.gpx", "--at-once", "--as", "ada")
        try stage.run("kin", "doctor", "--as", "ada")
        let archive = stage.folder + "/family.kinwire"
        try stage.run("kin", "backup", archive)
        try stage.run("kin", "restore", archive, "--verify")
        daemon.signal(SIGTERM)
        try stage.wait("the daemon to end") { daemon.status != nil }
    }

    @Test func `the timer's command works inside its own and keeps only as many as wanted`() throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        let backups = stage.folder + "/backups"
        mkdir(backups, 0o700)
        try Array("an old one".utf8).write(file: backups + "/family-2020-01-01T030000Z.kinwire")
        try Array("somebody's".utf8).write(file: backups + "/family-of-ours.kinwire")
        stage.environment["KINWIRE_BACKUPS"] = backups
        stage.environment["KINWIRE_BACKUPS_KEPT"] = "1"
        stage.environment["PATH"] = Stage.built + ":" + (stage.environment["PATH"] ?? "")
        // It writes two folders; here both lie in the stage's.
        let backup = stage.start(
            Sandbox.words + [
                Stage.root + "/deploy/kinwire-backup.service", stage.folder, Stage.root + "/deploy/kinwire-backup",
            ],
            input: "")
        try stage.wait("the backup") { backup.status != nil }
        backup.take()
        #expect(backup.status == 0, "\(backup.said)")
        let left = try stage.run("ls", backups).lines.sorted()
        #expect(left.count == 2 && left.last == "family-of-ours.kinwire", "\(left)")
        let newest = try #require(left.first)
        try stage.run("kin", "restore", backups + "/" + newest, "--verify")
    }
}
