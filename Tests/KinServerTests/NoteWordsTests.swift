import KinActivity
import KinFamily
import KinKeeper
import KinLoop
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers
@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// Words of the daemon's log that no other test meets: each where the page Logs says it is written.
@Suite struct NoteWordsTests {
    private func family() throws -> Box {
        var setting = Box.Setting()
        setting.tls = PlainTextTests.tls
        return try Box.family(setting)
    }

    private func last(_ box: Box, _ word: Notable) -> String? {
        box.notes.last { $0.hasPrefix("\(word.level.rawValue): \(word.rawValue): ") }
    }

    @Test func `a secret in plain text is noted without the secret`() throws {
        let box = try family()
        let token = try box.person("ben").token
        _ = try box.connect(from: Box.remote).ask("GET /api/family", ["Authorization: Bearer \(token)"])
        let note = try #require(last(box, .secretExposed))
        #expect(note.contains("token") && !note.contains(token))
    }

    @Test func `a closed family is noted by who closed it`() throws {
        let box = try family()
        _ = try box.line("ada").refusal("family.close", ["confirm": "Oak"])
        #expect(last(box, .familyClosed) != nil, "\(box.notes)")
    }

    @Test func `a broken TLS handshake is noted`() throws {
        let box = try family()
        let client = box.connect(from: Box.remote)
        try client.send([0x16, 0x03, 0x01, 0x00, 0x05, 1, 2, 3, 4, 5] + Array(repeating: 0, count: 200))
        try box.advance(seconds: 11)
        #expect(last(box, .connection) != nil, "\(box.notes)")
        #expect(client.isOver)
    }

    @Test func `the end is noted, a good one and a bad one`() throws {
        let box = try family()
        box.network.tell(.terminate)
        try box.settle()
        #expect(last(box, .stopping) != nil, "\(box.notes)")
        let other = try family()
        other.server.inbox.post(.failed("The reader is gone."))
        try other.settle()
        try other.advance(seconds: 6)
        #expect(other.server.fatal == "The reader is gone.")
    }
}
