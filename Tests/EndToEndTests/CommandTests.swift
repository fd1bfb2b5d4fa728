import Glibc
import KinCodec
import KinModel
import Testing

@Suite(.serialized) struct CommandTests {
    @Test func `an invite at the machine needs a household only where there are several, and the list says for whom`()
        throws
    {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        try stage.run("kin", "invite", "--role", "guest", "--kind", "child")
        let listed = try stage.run("kin", "invite", "list").lines
        #expect(listed.contains { $0.contains("guest") && $0.contains("child") }, "\(listed)")
        try stage.run("kin", "household", "found", "Ealing", "--stay", "--as", "ada")
        let asked = try stage.run("kin", "invite", "--role", "guest", exits: 2)
        #expect(asked.said.contains("--household NAME; there are: Ealing, Ockham."), "\(asked.said)")
        try stage.run("kin", "invite", "--household", "Ealing")
        // Who lives somewhere means that.
        let own = try stage.run("kin", "invite", "--as", "ada", "--json").lines.joined()
        #expect(own.contains("\"code\""), "\(own)")
    }

    @Test func `a family lives by kin alone, and a backup brings it back`() throws {
        let stage = try Stage()
        let house = try House(stage)
        let password = House.password + "\n"
        let secure = "https://127.0.0.1:\(house.port)"
        let pin = try house.fingerprint

        // Founding and inviting, at the machine.
        try stage.run(
            "kin", "found", "Lovelace", "--household", "Ockham", "--username", "ada", "--password-stdin",
            input: password)
        try stage.run(
            "kin", "found", "Byron", "--household", "X", "--username", "eve", "--password-stdin", input: password,
            exits: 5)
        let invite = try json(stage.run("kin", "invite", "--as", "ada", "--json"))
        let code = try #require(invite["code"]?.string)
        // Nobody but this machine reaches the daemon: nothing is encrypted there, so there is nothing to pin.
        #expect(invite["link"]?.string == "http://127.0.0.1:\(house.port)/join/\(code)", "\(invite.text)")

        // Bob joins over TLS with the root pinned: its fingerprint must be the right one.
        stage.environment["HOME"] = stage.folder + "/bob"
        mkdir(stage.folder + "/bob", 0o700)
        func join(_ rest: [String], exits status: Int32) throws {
            let program = stage.start(
                ["kin", "join", code, "--url", secure, "--username", "bob", "--password-stdin"] + rest, input: password)
            program.closeInput()
            try stage.wait("bob to join") { program.status != nil }
            program.take()
            #expect(program.status == status, "\(program.said)")
        }
        try join([], exits: 4)
        try join(["--fingerprint", String(repeating: "0", count: 64)], exits: 4)
        try join(["--fingerprint", pin], exits: 0)
        #expect(try stage.run("kin", "members").lines.contains { $0.contains("bob") && $0.contains("member") })
        try stage.run("kin", "announce", "I am only a member.", exits: 5)
        try stage.run("kin", "logout")
        try stage.run("kin", "logout", exits: 3)
        try stage.run("kin", "members", "--url", secure, exits: 4)
        try stage.run("kin", "members", "--url", house.url, exits: 3)
        try stage.run(
            "kin", "login", secure, "--username", "bob", "--password-stdin", "--fingerprint", pin, input: "wrong\n",
            exits: 3)
        try stage.run(
            "kin", "login", secure, "--username", "bob", "--password-stdin", "--fingerprint", pin, input: password)
        try everydayLife(stage, house)
        try backup(stage, house, pin)
    }

    private func json(_ program: Program) throws -> JSON {
        let line = try #require(program.lines.first, "\(program.said)")
        return try JSON.parse(line, depthMax: 64)
    }

    /// Bob is signed in over TLS.
    private func everydayLife(_ stage: Stage, _ house: House) throws {
        #expect(try stage.run("kin", "sharing").lines.joined().contains("nobody sees where you are"))
        // Nobody is there to be asked.
        let unasked = try stage.run("kin", "sharing", "on", exits: 2)
        #expect(unasked.said.contains("kin sharing on --yes"), "\(unasked.said)")
        #expect(try json(stage.run("kin", "sharing", "--json"))["sharing"]?["state"] == "off")
        try stage.run("kin", "sharing", "on", "--yes")
        let phone = try json(stage.run("kin", "phone", "add", "pixel", "--json"))
        #expect(phone["link"]?.string?.hasPrefix("owntracks:///config?inline=") == true)
        try stage.run("kin", "call", "position.report", "lat=45.27", "lon=13.72", "at=\(now())", "accuracy=8")
        let whereabouts = try stage.run("kin", "where", "--as", "ada")
        #expect(whereabouts.lines.contains { $0.contains("bob") }, "\(whereabouts.lines)")
        let unseen = try stage.run("kin", "where", "ada", exits: 5)
        #expect(unseen.said.contains("does not share with you"), "\(unseen.said)")
        let asked = try json(stage.run("kin", "where", "bob", "--ask", "--as", "ada", "--json"))
        #expect(asked["rides"] == false && asked["last"] != nil, "\(asked.text)")
        let car = try json(stage.run("kin", "phone", "add", "car", "--app", "traccar", "--json"))
        #expect(car["code"]?.string?.contains("/osmand?id=") == true, "\(car.text)")
        #expect(try json(stage.run("kin", "phone", "status", "--json"))["phones"] == [])
        #expect(try stage.run("kin", "export", "--from", "1h").lines.count { $0.hasPrefix("<trkpt ") } == 1)
        #expect(try json(stage.run("kin", "where", "--json"))["positions"]?.array?.count == 1)
        try house.join("nia")
        #expect(try stage.run("kin", "sharing").lines.contains { $0.contains("kin sharing admit nia") })
        try stage.run("kin", "sharing", "refuse", "nia")
        #expect(
            try stage.run("kin", "sharing").lines.contains {
                $0.hasPrefix("Refused") && $0.lowercased().contains("nia")
            })
        try stage.run("kin", "sharing", "admit", "nia")
        #expect(try stage.run("kin", "where", "--as", "nia").lines.contains { $0.contains("bob") })
        let coarse = try stage.run("kin", "share", "ada", "coarse", "--until", "2h", "--history")
        #expect(
            coarse.lines.joined().contains("about a kilometre, with the history")
                && coarse.lines.joined().contains("before: exactly"), "\(coarse.lines)")
        let still = try stage.run("kin", "sharing", "household", "exact")
        #expect(still.lines.contains { $0.contains("still sees: about a kilometre") }, "\(still.lines)")
        let both = try stage.run("kin", "sharing", "ada")
        #expect(both.lines.joined().contains("sees of you: about a kilometre"), "\(both.lines)")
        let own = try stage.run("kin", "sharing", "bob", "--as", "ada")
        #expect(own.lines.joined().contains("about a kilometre"), "\(own.lines)")
        try stage.run("kin", "sharing", "remove", "household")
        #expect(try stage.run("kin", "share").lines.contains { $0.contains("about a kilometre") })
        #expect(try stage.run("kin", "where", "--numbers", "--as", "ada").lines.contains { $0.contains("about 45.27") })
        #expect(try stage.run("kin", "share", "looks").lines.contains { $0.contains("Kinwire’s own computer") })
        let link = try json(stage.run("kin", "share", "link", "coarse", "--until", "2h", "--json"))
        #expect(link["link"]?.string?.contains("/where/") == true)
        let id = try #require(link["guestLink"]?["id"]?.string)
        #expect(try stage.run("kin", "share", "links").lines.contains { $0.contains(id) })
        try stage.run("kin", "share", "revoke", id)
        try stage.run("kin", "share", "ada", "exact")
        #expect(try json(stage.run("kin", "call", "family.show"))["family"]?["name"] == "Lovelace")
        try stage.run("kin", "call", "no.such", exits: 5)
        try stage.run("kin", "nonsense", exits: 2)
        try stage.run("kin", "import", "/does/not/exist.gpx", exits: 1)
        try stage.run("kin", "members", "--url", "http://127.0.0.1:1", exits: 4)
        try stage.run("kin", "import", Stage.fixtures + "/around-visnjan-with-car.gpx", "--at-once")
        try takeOut(stage, house)
        try stage.run("kin", "announce", "Supper", "at", "seven", "--as", "ada")

        // A reader that goes away, as `kin tail | head -1` does: no complaint.
        let tail = stage.start(["kin", "tail", "--since", "1h"])
        try stage.wait("a line of the past") { !tail.lines.isEmpty }
        tail.closeOutput()
        try stage.run("kin", "announce", "Is anybody there?", "--as", "ada")
        try stage.wait("tail to end") { tail.status != nil }
        tail.take()
        #expect(tail.status == 0)
        #expect(tail.said == "")

        // What is said first is the first snapshot; the second run folds onto it.
        try stage.run("kin", "doctor", "--as", "ada")
        try stage.run("kin", "announce", "And another thing.", "--as", "ada")
        let doctor = try stage.run("kin", "doctor", "--as", "ada")
        #expect(doctor.lines.contains { $0.contains("exactly what the daemon shows") }, "\(doctor.lines)")
        #expect(!doctor.lines.contains { $0.hasPrefix("failed") }, "\(doctor.lines)")
    }

    /// Bob's history goes out as files, which others read.
    private func takeOut(_ stage: Stage, _ house: House) throws {
        let (gpx, geo) = (stage.folder + "/bob.gpx", stage.folder + "/bob.geojson")
        let count = try #require(json(stage.run("kin", "export", gpx, "--json"))["points"]?.int)
        #expect(count > 1)
        try stage.run("kin", "export", gpx, exits: 1)
        try stage.run("kin", "export", "--gpx", "--geojson", exits: 2)
        try stage.run("kin", "export", geo)
        let reading = """
            import json, sys
            features = json.load(open(sys.argv[1]))["features"]
            lines = [f for f in features if f["geometry"]["type"] == "LineString"]
            assert all(len(f["geometry"]["coordinates"]) == len(f["properties"]["coordTimes"]) > 1 for f in lines)
            times = {t for f in lines for t in f["properties"]["coordTimes"]}
            print(len(times) + sum(f["geometry"]["type"] == "Point" for f in features))
            """
        #expect(try stage.run(PythonClient.debian, "-c", reading, geo).lines == ["\(count)"])
        // The same over the Unix socket, where it is a look at Bob; and it goes in again.
        let text = String(decoding: try [UInt8](file: gpx), as: UTF8.self)
        let there = try stage.run("kin", "export", "--as", "bob", "--socket", house.socket).lines
        #expect(there == text.split(separator: "\n").map { String($0) })
        #expect(try stage.run("kin", "share", "looks").lines.contains { $0.contains("as a file") })
        let back = try json(stage.run("kin", "import", gpx, "--at-once", "--keep-times", "--json"))
        #expect(back["taken"]?.int == count && back["leftOut"] == 0)
        // Whom Bob shows no history gets none, and no file stays behind.
        try stage.run("kin", "export", geo + "2", "--member", "bob", "--as", "ada", exits: 5)
        #expect(access(geo + "2", F_OK) != 0)
    }

    private func backup(_ stage: Stage, _ house: House, _ pin: String) throws {
        let file = stage.folder + "/family.kinwire"
        let socket = house.socket
        let before = try house.snapshot("ada")
        try stage.run("kin", "backup", file, "--socket", socket)
        try stage.run("kin", "backup", file, "--socket", socket, exits: 1)
        try stage.run("kin", "restore", file, "--verify")
        var bytes = try [UInt8](file: file)
        bytes[bytes.count / 2] ^= 0xFF
        try bytes.write(file: file + ".damaged")
        try stage.run("kin", "restore", file + ".damaged", "--verify", exits: 1)
        try stage.run("kin", "restore", file + ".damaged", "--data", stage.folder + "/damaged", exits: 1)
        try stage.run("kin", "restore", file, "--data", house.data, exits: 1)
        house.daemon.signal(SIGTERM)
        try stage.wait("the daemon to end") { house.daemon.status != nil }
        try stage.run("kin", "restore", file, "--data", stage.folder + "/restored")
        // What is in no backup stays where it is: the map beneath.
        mkdir(stage.folder + "/restored/maps", 0o700)
        try Array("tiles".utf8).write(file: stage.folder + "/restored/maps/home.mbtiles")
        try stage.run("kin", "restore", file, "--data", stage.folder + "/restored")
        #expect(try [UInt8](file: stage.folder + "/restored/maps/home.mbtiles") == Array("tiles".utf8))

        let again = try House(stage, data: "restored", isNew: false)
        let after = try again.snapshot("ada")
        #expect(after.family == before.family)
        #expect(after.members == before.members)
        #expect(after.positions.isEmpty, "nobody's position is shown until they confirm it")
        #expect(try stage.run("kin", "sharing", "--as", "bob").lines.joined().contains("paused"))
        // Bob's sign-in of before is no longer good.
        let sessions = try json(stage.run("kin", "session", "list", "--as", "bob", "--json"))
        #expect(sessions["sessions"]?.array?.isEmpty == true, "\(sessions.text)")
        let phones = try json(stage.run("kin", "phone", "list", "--as", "bob", "--json"))
        #expect(phones["appPasswords"]?.array?.isEmpty == true, "\(phones.text)")
        try stage.run("kin", "sharing", "on", "--yes", "--as", "bob")
        #expect(try !stage.run("kin", "sharing", "--as", "bob").lines.joined().contains("paused"))
        try stage.run("kin", "doctor", "--socket", socket)
    }

    private func now() -> String {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000).description
    }
}

extension [UInt8] {
    /// A file's bytes.
    init(file path: String) throws {
        let file = try #require(fopen(path, "re"), "\(path) can be read")
        defer { fclose(file) }
        self = []
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while case let count = fread(&part, 1, part.count, file), count > 0 { self += part[..<count] }
    }

    func write(file path: String) throws {
        let file = try #require(fopen(path, "we"), "\(path) can be written")
        fwrite(self, 1, count, file)
        fclose(file)
    }
}
