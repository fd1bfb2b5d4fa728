import Glibc
import KinCodec
import KinModel
import Testing

/// A client in JavaScript of few lines, which knows what the pages for those who write a client say, and nothing more.
@Suite struct JavaScriptClientTests {
    private static let path = Stage.fixtures + "/client.mjs"

    @Test func `the client has at most 60 lines`() throws {
        let text = String(decoding: try [UInt8](file: Self.path), as: UTF8.self)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().count <= 60)
    }

    /// It signs in, follows, comes back by itself after the daemon was killed, and goes on after it was killed itself.
    @Test(.enabled(if: access("/usr/bin/node", X_OK) == 0, "nodejs is not installed"))
    func `the client follows through a kill of the daemon and its own, and misses nothing`() throws {
        let stage = try Stage()
        let house = try House(stage, family: [])
        let command = ["node", Self.path, house.url, "ada", stage.folder + "/kept.json"]

        let stranger = stage.start(command, input: "wrong password\n")
        try stage.wait("the wrong password to be refused") { stranger.status != nil }
        #expect(stranger.status == 1 && stranger.lines.isEmpty)

        try FollowingClient(stage: stage, house: house, command: command, greeting: #""method":"reset""#)
            .followThroughKills()
    }
    /// `closing` with a code from 4100 on says that the session is over.
    @Test(.enabled(if: access("/usr/bin/node", X_OK) == 0, "nodejs is not installed"))
    func `the client signs in again when its session was ended, and goes on from its cursor`() throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        let client = stage.start(
            ["node", Self.path, house.url, "ada", stage.folder + "/kept.json"], input: House.password + "\n")
        func hear(_ text: String) throws {
            try stage.wait("the client to hear: \(text)") { client.lines.contains { $0.contains(text) } }
        }
        try hear(#""method":"reset""#)
        let door = try house.door(as: "ada")
        for session in try door.call("session.list", [:])["sessions"]?.array ?? [] {
            _ = try door.call("session.revoke", ["session": session["id"] ?? .null])
        }
        try hear(#""code":4102"#)
        _ = try door.call("activity.announce", ["text": "one"])
        try hear(#"{"text":"one"}"#)
        #expect(client.lines.count { $0.contains(#""snapshot":{"#) } == 1)
        client.kill()
    }
}
