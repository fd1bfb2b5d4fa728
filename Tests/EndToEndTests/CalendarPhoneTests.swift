import Glibc
import KinCodec
import KinModel
import Testing

/// The requests of calendar apps of phones and computers, replayed over sockets of the real daemon by a program that knows
/// nothing of this server.
@Suite(.serialized) struct CalendarPhoneTests {
    private let stage: Stage
    private let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["bob"])
    }

    private func replay(_ kind: String, _ password: String) throws -> [String] {
        let program = stage.start([
            PythonClient.debian, Stage.fixtures + "/phones.py", "127.0.0.1", "\(house.port)", "ada", password, kind,
        ])
        program.closeInput()
        try stage.wait("\(kind) to end") { program.status != nil }
        program.take()
        #expect(program.status == 0, "\(kind): \(program.lines) \(program.said)")
        return program.lines
    }

    private func entries(_ who: String) throws -> [String] {
        let all = try house.door(as: who).call("entry.all", [:])["entries"]?.array ?? []
        return all.compactMap { $0["subject"]?.string }.sorted()
    }

    @Test(.enabled(if: access(PythonClient.debian, X_OK) == 0, "python3 is not installed"))
    func `what iOS, macOS, DAVx5 and Thunderbird send one after the other is answered as they need it`() throws {
        let made = try house.door(as: "ada").call("appPassword.create", ["device": "phone", "scope": "calendar"])
        let password = try #require(made["password"]?.string)
        #expect(try replay("apple", password) == ["begun", "made Garden", "put Beds", "invited Bob"])
        #expect(try entries("ada") == ["Beds"] && entries("bob") == ["Beds"])
        #expect(try replay("davx5", password) == ["begun", "changed Big beds"])
        #expect(try entries("ada") == ["Big beds"] && entries("bob") == ["Big beds"])
        // What phones know outlives the daemon.
        house.kill()
        try house.start()
        #expect(try replay("thunderbird", password) == ["begun", "put More seeds"])
        #expect(try replay("conflict", password) == ["begun", "begun", "agreed on Seeds of both"])
        #expect(try entries("ada") == ["Big beds", "Seeds of both"])
    }
}
