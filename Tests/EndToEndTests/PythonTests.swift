import KinCodec
import KinModel
import Testing

@Suite(.serialized) struct PythonTests {
    @Test(.enabled(if: PythonClient.hasWebSockets(PythonClient.debian), "python3-websockets is not installed"))
    func `the client on the page follows with Debian's websockets`() throws {
        try follow(PythonClient.debian)
    }

    @Test(.enabled(if: PythonClient.hasWebSockets(PythonClient.current), "PyPI could not be reached"))
    func `the client on the page follows with PyPI's current websockets`() throws {
        try follow(PythonClient.current)
    }

    @Test func `the client on the page has at most 25 lines`() throws {
        #expect(try PythonClient.source().split(separator: "\n", omittingEmptySubsequences: false).count <= 26)
    }

    /// It signs in, follows, comes back after the daemon's death by itself, and goes on after its own.
    private func follow(_ python: String) throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        let command = try PythonClient.command(python, house, as: "ada", folder: stage.folder + "/python")

        let stranger = stage.start(
            command.map { $0.hasPrefix("https:") ? $0.prefix(40) + String(repeating: "0", count: 64) : $0 },
            input: House.password + "\n")
        try stage.wait("the wrong root to be refused") { stranger.status != nil }
        #expect(stranger.status == 1)
        #expect(stranger.said.contains("This is not our family."), "\(stranger.said)")

        try FollowingClient(stage: stage, house: house, command: command, greeting: #""mode":"reset""#)
            .followThroughKills()
    }
}
