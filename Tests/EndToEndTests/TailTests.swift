import Glibc
import KinCodec
import KinModel
import Testing

/// `kin tail` as people leave it running: under a name, through breaks; and what `kin status` says meanwhile.
@Suite(.serialized) struct TailTests {
    private func announce(_ stage: Stage, _ text: String) throws {
        try stage.run("kin", "announce", text, "--as", "ada")
    }

    private func heard(_ stage: Stage, _ tail: Program, _ text: String) throws {
        try stage.wait("the tail to hear: \(text)") { tail.lines.contains { $0.contains(text) } }
    }

    @Test func `a name keeps the place from run to run, and a break is healed and told`() throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        try house.join("bob")
        try announce(stage, "first")
        // Nothing is kept yet: from the past that was asked for.
        let first = stage.start(["kin", "tail", "--since", "1h", "--name", "kitchen", "--as", "bob"])
        try heard(stage, first, "first")
        first.signal(SIGINT)
        try stage.wait("the tail to end") { first.status != nil }
        try announce(stage, "second")

        let second = stage.start(["kin", "tail", "--name", "kitchen", "--as", "bob"])
        try heard(stage, second, "second")
        #expect(!second.lines.contains { $0.contains("first") }, "\(second.lines)")
        // Plain where it is piped: no colours, no control characters.
        #expect(!second.lines.contains { $0.utf8.contains(0x1B) })
        house.kill()
        try stage.wait("a word about the break") { second.said.contains("Connecting again") }
        try house.start()
        try stage.wait("a word that it is over") { second.said.contains("nothing was missed") }
        try announce(stage, "third")
        try heard(stage, second, "third")
        #expect(second.lines.count { $0.contains("second") } == 1, "nothing comes twice")
        second.signal(SIGINT)
        try stage.wait("the tail to end") { second.status != nil }
        second.take()
        #expect(second.status == 0 || second.status == 130)

        // Another name is another place; the daemon keeps both, for Bob alone.
        let names = try house.door(as: "bob").call("live.marks", [:])["marks"]?.array?.compactMap { $0["name"]?.string }
        #expect(names == ["kitchen"])
        #expect(try house.door(as: "ada").call("live.marks", [:])["marks"] == [])
    }

    /// The entries that calendars make of a meeting say nothing beside it, whether or not they were seen to be made.
    @Test func `a vote is told once, also to who came after the meeting was proposed`() throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        try house.join("bob")
        try stage.run("kin", "meet", "propose", "Soup", "tomorrow 18:00", "--with", "bob", "--as", "ada")
        let tail = stage.start(["kin", "tail", "--as", "ada"])
        // A follower of now: what is announced until it is heard is heard by it.
        try stage.wait("the tail to follow") {
            try announce(stage, "ready")
            return tail.lines.contains { $0.contains("ready") }
        }
        try stage.run("kin", "meet", "vote", "soup", "maybe", "--as", "bob")
        try announce(stage, "done")
        try heard(stage, tail, "done")
        let told = tail.lines.filter { !$0.contains("ready") && !$0.contains("done") }
        #expect(told.contains { $0.contains("voted if need be") }, "\(told)")
        #expect(!told.contains { $0.contains("calendar") || $0.contains("may come") }, "\(told)")
    }

    @Test func `types and points that cannot be are refused with what there is`() throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        func refused(_ option: String, _ value: String) throws -> String {
            try stage.run("kin", "tail", option, value, "--as", "ada", exits: 2).said
        }
        let near = try refused("--types", "member.,plase.entered")
        #expect(near.contains("Did you mean: place.entered"), "\(near)")
        let group = try refused("--without", "position,sharing")
        #expect(group.contains("sharing.changed"), "\(group)")
        let since = try refused("--since", "gestren")
        #expect(since.contains("neither a time nor a cursor"), "\(since)")
        // It looks like one, and is not of this family.
        let foreign = try refused("--since", String(repeating: "A", count: 32))
        #expect(foreign.contains("neither a time nor a cursor"), "\(foreign)")
    }

    @Test func `status says on one screen how the daemon is`() throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        try house.join("bob")
        let follower = try house.door(as: "bob")
        _ = try follower.call("live.follow", ["since": .null])
        func row(_ screen: Program, _ name: String) throws -> String {
            try #require(screen.lines.first { $0.dropFirst(2).hasPrefix(name + " ") }, "\(screen.lines)")
        }
        let screen = try stage.run("kin", "status")
        #expect(screen.lines.first?.hasPrefix("Kinwire \(KinwireVersion.text) at unix:\(house.socket)") == true)
        #expect(try row(screen, "Clients").contains("on this machine"))
        #expect(try row(screen, "Followers").contains("1, up to date"))
        #expect(try row(screen, "Log").contains("events, "))
        #expect(try row(screen, "Disk").contains(" free"))
        #expect(try row(screen, "Certificate").contains("the family's own, good until "))
        #expect(try row(screen, "Backup").hasPrefix("! ") && row(screen, "Backup").contains("none yet"))
        try stage.run("kin", "backup", stage.folder + "/family.kinwire")
        let after = try stage.run("kin", "status", "--as", "ada", "--lang", "de")
        #expect(after.lines.contains { $0.contains("Sicherung") && $0.contains("iB") && !$0.hasPrefix("!") })
        let line = try #require(try stage.run("kin", "status", "--json").lines.first)
        let json = try JSON.parse(line, depthMax: 64)
        for name in ["version", "startedAt", "clients", "followers", "log", "disk", "certificate", "lastBackup"] {
            #expect(json[name] != nil, "\(name)")
        }
        // It is for admins.
        #expect(try stage.run("kin", "status", "--as", "bob", exits: 5).said.hasPrefix("kin: "))
    }
}
