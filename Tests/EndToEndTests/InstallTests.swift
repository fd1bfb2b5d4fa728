import Glibc
import KinModel
import Testing

/// `deploy/install` with `--destdir`, on the built programs: nothing of this machine is touched.
@Suite struct InstallTests {
    static let units = "usr/local/lib/systemd/system"

    let stage: Stage
    let root: String
    init() throws {
        stage = try Stage()
        root = stage.folder + "/root"
    }

    @discardableResult
    func install(_ more: String..., exits code: Int32 = 0) throws -> Program {
        let program = stage.start(
            [Stage.root + "/deploy/install", "--from", Stage.built, "--destdir", root] + more, input: "")
        program.closeInput()
        try stage.wait("deploy/install to end") { program.status != nil }
        program.take()
        #expect(program.status == code, "\(more): \(program.said)")
        return program
    }

    func has(_ path: String) -> Bool { access("\(root)/\(path)", F_OK) == 0 }

    /// Everything below the root with its inode, which a file keeps until it is replaced.
    func inodes() throws -> [String] {
        try stage.run("find", root, "-type", "f", "-printf", "%P %i\n").lines.sorted()
    }

    /// The installed units with the programs where they really lie, for systemd to look at.
    func unitsInPlace() throws -> [String] {
        let folder = stage.folder + "/units"
        mkdir(folder, 0o755)
        let names = [
            "kinwired.service", "kinwired@.service", "kinwired.socket", "kinwire-backup.service",
            "kinwire-backup.timer",
        ]
        for name in names {
            let text = String(decoding: try [UInt8](file: "\(root)/\(Self.units)/\(name)"), as: UTF8.self)
            let moved = text.split(separator: "=/usr/local/", omittingEmptySubsequences: false)
                .joined(separator: "=\(root)/usr/local/")
            try Array(moved.utf8).write(file: "\(folder)/\(name)")
        }
        return names.map { "\(folder)/\($0)" }
    }

    @Test func `everything is put in its place and systemd finds nothing wrong with the units`() throws {
        try install()
        for path in [
            "usr/local/bin/kin", "usr/local/bin/kinwired", "usr/local/lib/kinwire/kinwire-backup",
            "usr/local/lib/kinwire/kinwire-darkroom",
            "usr/local/lib/sysusers.d/kinwire.conf", "usr/local/lib/tmpfiles.d/kinwire.conf",
            "usr/local/share/man/man1/kin.1", "usr/local/share/man/man8/kinwired.8",
            "usr/local/share/bash-completion/completions/kin", "usr/local/share/zsh/site-functions/_kin",
            "usr/local/share/fish/vendor_completions.d/kin.fish", "etc/kinwire/kinwired.env",
            "etc/avahi/services/kinwire.service", "usr/local/share/doc/kinwire/ThreatModel.md",
        ] {
            #expect(has(path), "\(path)")
        }
        #expect(!has("var"), "no data and no user are made")
        let units = try unitsInPlace()
        let said = try stage.run("sh", "-c", "systemd-analyze verify --man=no \(units.joined(separator: " ")) 2>&1")
        #expect(said.lines.isEmpty, "\(said.lines)")
        for unit in units where unit.hasSuffix(".service") {
            // The daemon asks whether something sets the clock, which ProtectClock= would forbid.
            try stage.run(
                "systemd-analyze", "security", "--offline=true", "--threshold=16", "--no-pager",
                unit)
        }
    }

    @Test func `the daemon's unit bounds memory and threads, with room for the most work there is at once`() throws {
        let text = String(decoding: try [UInt8](file: Stage.root + "/deploy/kinwired.service"), as: UTF8.self)
        let lines = text.split(separator: "\n")
        #expect(lines.contains("MemoryMax=1G") && lines.contains("TasksMax=32"))
    }

    @Test func `the two units of the daemon are the same but for their names`() throws {
        func settings(_ name: String) throws -> [String] {
            let text = String(decoding: try [UInt8](file: Stage.root + "/deploy/" + name), as: UTF8.self)
            let dull = ["#", "Description=", "EnvironmentFile=", "StateDirectory=", "RuntimeDirectory="]
            return text.split(separator: "\n").map { String($0) }
                .filter { line in !dull.contains { line.hasPrefix($0) } }
        }
        #expect(try settings("kinwired.service") == settings("kinwired@.service"))
    }

    @Test func `run again it replaces nothing, and settings stay as they were written`() throws {
        try install()
        let before = try inodes()
        try install()
        #expect(try inodes() == before)
        let settings = root + "/etc/kinwire/kinwired.env"
        try Array("KINWIRE_URL=https://kin.example.org\n".utf8).write(file: settings)
        try Array("another daemon".utf8).write(file: root + "/usr/local/bin/kinwired")
        try install()
        #expect(try [UInt8](file: settings) == Array("KINWIRE_URL=https://kin.example.org\n".utf8))
        try stage.run("cmp", Stage.built + "/kinwired", root + "/usr/local/bin/kinwired")
    }

    @Test func `a trial's family moves in whole, and only when its daemon has ended`() throws {
        let house = try House(stage, data: "trial")
        try house.found()
        let before = try house.snapshot("ada")
        let refused = try install("--trial", house.data, exits: 1)
        #expect(refused.said.contains("A trial runs on \(house.data)"), "\(refused.said)")
        #expect(!has("usr"), "nothing is half done")
        house.daemon.signal(SIGTERM)
        try stage.wait("the daemon to end") { house.daemon.status != nil }
        // What a power cut in the middle of an earlier copy left.
        try stage.run("mkdir", "-p", root + "/var/lib/kinwire.moving/blobs")

        try install("--trial", house.data)
        #expect(access(house.data, F_OK) != 0, "moved, not copied")
        #expect(!has("var/lib/kinwire.moving"))
        let moved = try House(stage, data: "root/var/lib/kinwire", isNew: false)
        let after = try moved.snapshot("ada")
        #expect(after.family == before.family)
        #expect(after.members == before.members)
    }

    @Test func `a family that lives there is never overwritten`() throws {
        let there = root + "/var/lib/kinwire"
        try stage.run("mkdir", "-p", there, stage.folder + "/trial")
        try Array("the family that lives there".utf8).write(file: there + "/kinwire.db")
        try Array("a trial's".utf8).write(file: stage.folder + "/trial/kinwire.db")
        let said = try install("--trial", stage.folder + "/trial").lines.joined()
        #expect(said.contains("stays where it is"), "\(said)")
        #expect(try [UInt8](file: there + "/kinwire.db") == Array("the family that lives there".utf8))
        #expect(try [UInt8](file: stage.folder + "/trial/kinwire.db") == Array("a trial's".utf8))
    }

    @Test func `uninstalling leaves the family and what was written into settings`() throws {
        try install()
        try stage.run("mkdir", "-p", root + "/var/lib/kinwire")
        try Array("the family".utf8).write(file: root + "/var/lib/kinwire/kinwire.db")
        try Array("KINWIRE_URL=https://kin.example.org\n".utf8).write(file: root + "/etc/kinwire/kinwired.env")
        try install("--uninstall")
        let left = try stage.run("find", root, "-type", "f", "-printf", "%P\n").lines.sorted()
        #expect(left == ["etc/kinwire/kinwired.env", "var/lib/kinwire/kinwire.db"])
    }

    @Test func `a wrong word is answered in one sentence and changes nothing`() throws {
        #expect(try install("--prefux", "/usr", exits: 1).said.contains("There is no option --prefux"))
        #expect(try install("--prefix", "/opt/kin", exits: 1).said.contains("--prefix is /usr/local"))
        #expect(try install("--from", stage.folder, exits: 1).said.contains("holds no kin that runs"))
        #expect(!has("usr"))
    }

    @Test func `the package has the daemon's version`() throws {
        let changelog = String(decoding: try [UInt8](file: Stage.root + "/deploy/debian/changelog"), as: UTF8.self)
        let version = try #require(try stage.run("kinwired", "--version").lines.first?.split(separator: " ").last)
        #expect(changelog.hasPrefix("kinwire (\(version))"))
    }
}
