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
        let house = try House(stage)
        try house.found()
        let command = ["node", Self.path, house.url, "ada", stage.folder + "/kept.json"]

        let stranger = stage.start(command, input: "wrong password\n")
        try stage.wait("the wrong password to be refused") { stranger.status != nil }
        #expect(stranger.status == 1 && stranger.lines.isEmpty)

        var client = stage.start(command, input: House.password + "\n")
        func hear(_ text: String) throws {
            try stage.wait("JavaScript to hear: \(text)") { client.lines.contains { $0.contains(text) } }
        }
        try hear(#""method":"reset""#)
        try announce(house, "one")
        try hear(#"{"text":"one"}"#)
        house.kill()
        try house.start()
        try announce(house, "two")
        try hear(#"{"text":"two"}"#)
        client.kill()
        #expect(client.lines.count { $0.contains("activity.announced") } == 2)
        #expect(client.lines.count { $0.contains(#""snapshot":{"#) } == 1, "it went on from its cursor")
        try announce(house, "three")
        client = stage.start(command, input: House.password + "\n")
        try hear(#"{"text":"three"}"#)
        client.kill()
        #expect(!client.lines.contains { $0.contains(#""snapshot":{"#) })
        // Killed between printing and keeping its cursor, it is told the last thing again.
        #expect((1...2).contains(client.lines.count { $0.contains("activity.announced") }), "\(client.lines)")
    }

    private func announce(_ house: House, _ text: String) throws {
        _ = try house.door(as: "ada").call("activity.announce", ["text": .string(text)])
    }
}
