import Glibc
import KinModel
import Testing

/// Families that must go on working when somebody else opens an account: by `kin`, as people do it.
@Suite(.serialized) struct WaitingTests {
    private let stage: Stage
    private let house: House
    private static let new = "heron-lantern-quilt-42"

    init() throws {
        stage = try Stage()
        house = try House(stage)
        try house.found()
        try house.join("nia")
        for name in ["ada", "nia"] {
            let door = try house.door(as: name)
            _ = try door.call("sharing.set", ["state": "on"])
            _ = try door.call("position.report", ["lat": 52.25, "lon": 13.5, "at": .string(Self.now())])
        }
    }

    private static func now() -> String {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000).description
    }

    /// On a device of its own.
    private func on(_ device: String) {
        stage.environment["HOME"] = stage.folder + "/" + device
        mkdir(stage.folder + "/" + device, 0o700)
    }

    private func login(_ username: String, _ password: String) throws {
        try stage.run(
            "kin", "login", house.url, "--username", username, "--password-stdin", input: password + "\n")
    }

    @Test func `a stolen phone: a link and a new password end it, and the new phone waits for a word`() throws {
        on("stolen")
        try login("nia", House.password)
        #expect(try stage.run("kin", "where").lines.contains { $0.contains("Ada") })
        let car = try house.door(as: "nia").call("appPassword.create", ["device": "car", "scope": "location"])
        #expect(car["password"] != nil)

        // Ada makes a link; on the new phone it is opened with a new password.
        let member = try house.snapshot("ada").members.values.first { $0.username == "nia" }
        let link = try house.door(as: "ada").call(
            "session.link", ["member": .id(try #require(member).id)])["link"]
        let opened = try house.door().call(
            "session.redeem", ["link": link ?? .null, "password": .string(Self.new), "device": "new phone"])
        #expect(opened["waitsUntil"] != nil)
        try stage.run("kin", "where", exits: 3)
        #expect(try house.door(as: "nia").call("appPassword.list", [:])["appPasswords"] == [])

        on("new")
        try login("nia", Self.new)
        let whereabouts = try stage.run("kin", "where", exits: 5)
        #expect(whereabouts.said.contains("sees no positions until"), "\(whereabouts.said)")
        #expect(try stage.run("kin", "session").lines.contains { $0.contains("kin session trust") })
        try stage.run("kin", "sharing", "off")
        try stage.run("kin", "sharing", "on", "--yes", exits: 5)
        try stage.run("kin", "session", "trust", exits: 5)
        try stage.run("kin", "where", exits: 5)

        // Root may say so, and everything is as it was.
        try stage.run("kin", "session", "trust", "nia", "--socket", house.socket)
        #expect(try stage.run("kin", "where").lines.contains { $0.contains("Ada") })
        try stage.run("kin", "sharing", "on", "--yes")
    }

    @Test func `a lost admin: after a reset everything works at once but positions, and nobody is locked out`() throws {
        on("lost")
        try login("ada", House.password)
        try stage.run(
            "kin", "password", "reset", "ada", "--password-stdin", "--socket", house.socket, input: Self.new + "\n")
        try stage.run("kin", "members", exits: 3)
        on("found")
        try login("ada", Self.new)
        try stage.run("kin", "where", exits: 5)
        try stage.run("kin", "invite")
        try stage.run("kin", "announce", "I", "am", "back")
        let list = try stage.run("kin", "session").lines.joined(separator: " ")
        #expect(list.contains("Your password was set by") && list.contains("sees no positions until"), "\(list)")
        try stage.run("kin", "session", "trust", "ada", "--socket", house.socket)
        #expect(try stage.run("kin", "where").lines.contains { $0.contains("Nia") })
        // The password is hers once she changes it.
        try stage.run(
            "kin", "password", "--old-password-stdin", "--password-stdin",
            input: Self.new + "\nlantern-quilt-heron-31\n")
        #expect(try !stage.run("kin", "session").lines.joined().contains("Your password was set by"))
    }
}
