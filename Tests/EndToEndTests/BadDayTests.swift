import Glibc
import KinCodec
import KinModel
import Testing

@Suite(.serialized) struct BadDayTests {
    @Test func `a second daemon on the same directory says so and leaves the first alone`() throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        let second = try fail(stage, House.command(house.data, stage.folder + "/second.sock", 0))
        #expect(second.contains(house.data), "\(second)")
        #expect(try house.door(as: "ada").call("family.show", [:])["family"]?["name"] == "Lovelace")
    }

    @Test(.enabled(if: geteuid() != 0 || Self.canBecomeWeak, "root writes everywhere"))
    func `a directory that cannot be written is named`() throws {
        let stage = try Stage()
        let data = stage.folder + "/data"
        mkdir(data, 0o500)
        let said = try fail(stage, Self.weak + House.command(data, stage.folder + "/kinwire.sock", 0))
        #expect(said.contains(data) && said.contains("cannot be written"), "\(said)")
        chmod(data, 0o700)
    }

    @Test func `a database of a newer version is not touched`() throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        house.daemon.signal(SIGTERM)
        try stage.wait("the daemon to end") { house.daemon.status != nil }
        let path = house.data + "/kinwire.db"
        try stage.run(
            PythonClient.debian, "-c",
            """
            import sqlite3
            family = sqlite3.connect("\(path)")
            family.execute("INSERT INTO migrations (number, name, at) VALUES (999, 'from the future', 0)")
            family.commit()
            """)
        let before = try [UInt8](file: path)
        let said = try fail(stage, House.command(house.data, house.socket, 0))
        #expect(said.contains("newer Kinwire") && said.contains("999"), "\(said)")
        #expect(try [UInt8](file: path) == before)
    }

    @Test func `a file that is no database is not touched`() throws {
        let stage = try Stage()
        let data = stage.folder + "/data"
        mkdir(data, 0o700)
        let letter = Array(String(repeating: "Dear family, this is no database. ", count: 200).utf8)
        try letter.write(file: data + "/kinwire.db")
        let said = try fail(stage, House.command(data, stage.folder + "/kinwire.sock", 0))
        #expect(said.contains("database"), "\(said)")
        #expect(try [UInt8](file: data + "/kinwire.db") == letter)
    }

    @Test func `SIGTERM tells followers to come back and is a good end`() throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        let door = try house.door(as: "ada")
        _ = try door.call("live.follow", ["since": .null])
        house.daemon.signal(SIGTERM)
        var last: JSON?
        while let message = try? door.next() { last = message }
        #expect(last?["method"] == "closing", "\(last?.text ?? "nothing")")
        #expect(last?["params"]?["code"] == 1012)
        #expect(last?["params"]?["retryAfter"]?.double != nil)
        try stage.wait("the daemon to end") { house.daemon.status != nil }
        #expect(house.daemon.status == 0)
        #expect(access(house.socket, F_OK) != 0, "the Unix socket is tidied away")
    }

    @Test func `after a kill the Unix socket is replaced and cursors are good`() throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        let cursor = try house.door(as: "ada").call("live.follow", ["since": .null])["cursor"] ?? .null
        house.kill()
        #expect(access(house.socket, F_OK) == 0, "a kill leaves it behind")
        try house.start()
        let door = try house.door(as: "ada")
        #expect(try door.call("live.follow", ["since": cursor])["mode"] == "live")
        _ = try door.call("activity.announce", ["text": "We are back."])
        #expect(door.notifications.last?["params"]?["data"]?["text"] == "We are back.")
    }

    @Test(.enabled(if: Self.canMount, "only root may mount a small disk"))
    func `on a full disk the daemon lives, sharing goes off, and room brings everything back`() throws {
        let stage = try Stage()
        let disk = stage.folder + "/disk"
        mkdir(disk, 0o700)
        try stage.run("mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", disk)
        defer { _ = Program(["umount", "-l", disk], environment: stage.environment).waited() }
        let house = try House(stage, data: "disk/data")
        try house.found()
        let ada = try house.door(as: "ada")
        _ = try ada.call("sharing.set", ["state": "on"])
        try stage.run("sh", "-c", "cat /dev/zero > \(disk)/filler", exits: nil)

        // The WAL has room of its own for a while; then the answer is `unavailable`, and stays so.
        let text = JSON.string(String(repeating: "so much to say ", count: 250))
        var refusal: LineClient.Refusal?
        for _ in 0..<4000 where refusal == nil {
            do { _ = try ada.call("activity.announce", ["text": text]) } catch let error as LineClient.Refusal {
                refusal = error
            }
        }
        #expect(refusal?.code == 1503, "\(refusal?.description ?? "never full")")
        #expect(try ada.call("family.show", [:])["family"]?["name"] == "Lovelace", "reading goes on")
        _ = try ada.call("sharing.set", ["state": "off"])
        #expect(try ada.call("sharing.show", [:])["sharing"]?["state"] == "off")
        #expect(house.daemon.status == nil)
        try stage.wait("the daemon to say why") { house.daemon.said.contains("disk is full") }

        unlink(disk + "/filler")
        // Room is looked for after each turn: the first command may still be refused, a later one not.
        let isTold = (0..<3).contains { _ in
            (try? ada.call("activity.announce", ["text": "There is room again."])) != nil
        }
        #expect(isTold)
        house.kill()
        try house.start()
        #expect(try house.door(as: "ada").call("sharing.show", [:])["sharing"]?["state"] == "off")
    }

    @Test(
        .enabled(if: Self.canMount, "only root may mount a small disk"),
        arguments: ["stopped", "killed", "full before"])
    func `on a full disk the daemon starts, to read and to delete`(how: String) throws {
        let stage = try Stage()
        let disk = stage.folder + "/disk"
        mkdir(disk, 0o700)
        try stage.run("mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", disk)
        defer { _ = Program(["umount", "-l", disk], environment: stage.environment).waited() }
        let house = try House(stage, data: "disk/data")
        try house.found()
        let invite = try house.door(as: "ada").call("invite.create", [:])["invite"]?["id"] ?? .null
        _ = try house.door(as: "ada").call("sharing.set", ["state": "on"])
        let fill = { _ = try stage.run("sh", "-c", "cat /dev/zero > \(disk)/filler\(Stage.seconds)", exits: nil) }
        if how == "full before" {
            // It gave up its room while it ran, and others took that.
            try fill()
            let door = try house.door(as: "ada")
            let text = JSON.string(String(repeating: "so much to say ", count: 250))
            for _ in 0..<4000 { guard (try? door.call("activity.announce", ["text": text])) != nil else { break } }
        }
        if how == "stopped" {
            house.daemon.signal(SIGTERM)
            try stage.wait("the daemon to end") { house.daemon.status != nil }
        }
        house.kill()
        try fill()
        try house.start()

        let ada = try house.door(as: "ada")
        #expect(try ada.call("family.show", [:])["family"]?["name"] == "Lovelace")
        #expect(try ada.call("live.follow", ["since": .null])["mode"] == "reset")
        var refusal: LineClient.Refusal?
        // The write-ahead log may have room of its own for a while.
        let more = JSON.string(String(repeating: "so much to say ", count: 250))
        for _ in 0..<4000 where refusal == nil {
            do { _ = try ada.call("activity.announce", ["text": more]) } catch let error as LineClient.Refusal {
                refusal = error
            }
        }
        #expect(refusal?.code == 1503, "ordinary commands wait for room")
        _ = try ada.call("invite.revoke", ["invite": invite])
        #expect(try ada.call("invite.list", [:])["invites"]?.array?.isEmpty == true)
        _ = try ada.call("sharing.set", ["state": "off"])
        #expect(try ada.call("sharing.show", [:])["sharing"]?["state"] == "off")
        try stage.wait("the daemon to say why") { house.daemon.said.contains("disk is full") }
        #expect(house.daemon.status == nil)

        try stage.run("sh", "-c", "rm \(disk)/filler*")
        let isTold = (0..<3).contains { _ in
            (try? ada.call("activity.announce", ["text": "There is room again."])) != nil
        }
        #expect(isTold)
        let cursor = ada.notifications.last?["params"]?["cursor"] ?? .null
        house.kill()
        try house.start()
        let again = try house.door(as: "ada")
        #expect(try again.call("sharing.show", [:])["sharing"]?["state"] == "off")
        #expect(try again.call("live.follow", ["since": cursor])["mode"] == "live", "cursors of that start stay good")
    }

    @Test(.enabled(if: Self.canMount, "only root may mount a disk"))
    func `a read-only file system is named`() throws {
        let stage = try Stage()
        let disk = stage.folder + "/disk"
        mkdir(disk, 0o700)
        try stage.run("mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", disk)
        defer { _ = Program(["umount", "-l", disk], environment: stage.environment).waited() }
        let house = try House(stage, data: "disk/data")
        try house.found()
        house.daemon.signal(SIGTERM)
        try stage.wait("the daemon to end") { house.daemon.status != nil }
        try stage.run("mount", "-o", "remount,ro", disk)
        for data in [house.data, disk + "/new"] {
            let said = try fail(stage, House.command(data, house.socket, 0))
            #expect(said.contains("read-only") && said.contains(data), "\(said)")
            #expect(said.split(separator: "\n").count == 1, "\(said)")
        }
    }

    @Test(arguments: ["removed", "put aside"])
    func `a data directory that vanishes ends the daemon with a sentence`(how: String) throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        let door = try house.door(as: "ada")
        try stage.run("sh", "-c", how == "removed" ? "rm -r \(house.data)" : "mv \(house.data) \(house.data)-aside")
        // Nothing is said to be safe that is in no file with a name.
        #expect(throws: (any Error).self) { try door.call("activity.announce", ["text": "Into the void."]) }
        try stage.wait("the daemon to end") { house.daemon.status != nil }
        house.daemon.take()
        #expect(house.daemon.status == 1)
        #expect(house.daemon.said.contains(house.data) && house.daemon.said.contains("gone"), "\(house.daemon.said)")
    }

    /// Runs a daemon that cannot start; what it said.
    private func fail(_ stage: Stage, _ command: [String]) throws -> String {
        let daemon = stage.start(command.map { $0 == "kinwired" ? Stage.built + "/kinwired" : $0 })
        try stage.wait("the daemon to give up") { daemon.status != nil }
        daemon.take()
        #expect(daemon.status == 1, "\(daemon.said)")
        return daemon.said
    }

    // Root without its powers: the same user, for whom permissions count.
    private static var weak: [String] {
        geteuid() == 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] : []
    }

    static var canBecomeWeak: Bool {
        Program(weak + ["true"], environment: ["PATH": "/usr/bin:/bin"]).waited() == 0
    }

    static var canMount: Bool {
        guard geteuid() == 0 else { return false }
        let script = #"d=$(mktemp -d) && mount -t tmpfs -o size=1m tmpfs "$d"; s=$?; umount "$d"; rmdir "$d"; exit $s"#
        return Program(["sh", "-c", script], environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]).waited() == 0
    }
}
