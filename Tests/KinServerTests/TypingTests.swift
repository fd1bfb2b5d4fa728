import KinCodec
import KinKeeper
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// Who types in a room is told to those who look at it now, and kept nowhere.
@Suite struct TypingTests {
    private let box: Box
    private let room: JSON

    init() throws {
        box = try Box.family()
        let with: JSON = [.id(try box.person("ben").id)]
        let opened = try box.line("ada").result("room.open", ["with": with, "name": "Party"])
        room = try #require(opened["room"]?["room"]?["id"])
    }

    /// What passed on a line, in words.
    private func passed(_ client: BoxClient) throws -> [String] {
        try client.heard().filter { $0["method"] == "passing" }.compactMap { $0["params"]?["about"]?.string }
    }

    private func follower(_ name: String, _ more: JSON = ["passing": true]) throws -> BoxClient {
        let client = try box.line(name)
        _ = try client.result("live.follow", more)
        return client
    }

    @Test func `who is in the room and asks for what passes is told at once, on lines and streams, and nobody else`()
        throws
    {
        let (ben, hal, own) = (try follower("ben"), try follower("hal"), try follower("ada"))
        let silent = try follower("ben", [:])
        let narrow = try follower("ben", ["passing": true, "view": "map"])
        let other = try follower("ben", ["passing": true, "types": ["meeting."]])
        let token = try box.person("ben").token
        let streams = try ["text/event-stream", "application/x-ndjson"].map { type in
            let stream = box.connect()
            try stream.send(
                "GET /live?passing=true HTTP/1.1\r\nHost: box.local\r\nAuthorization: Bearer \(token)\r\nAccept: \(type)\r\n\r\n"
            )
            #expect(stream.text().contains("reset"))
            return stream
        }
        #expect(try passed(ben) == [])
        let cursor = try #require(try box.line("ben").result("live.follow")["cursor"])
        let ada = try box.line("ada")
        #expect(try ada.result("message.typing", ["room": room]) == [:])
        let told = try ben.heard()
        #expect(told.map { $0["params"]?["about"] } == [.string("room/\(room.string ?? "")")])
        for client in [hal, own, silent, narrow, other] { #expect(try passed(client) == []) }
        let said = try #require(told.last?["params"])
        let author = try box.person("ada").id
        #expect(said["type"] == "message.typing" && said["by"] == .id(author))
        #expect(said["cursor"] == nil && said["at"]?.instant != nil)
        for stream in streams {
            let text = stream.text()
            #expect(text.contains("\"method\":\"passing\"") && !text.contains("id: "), "\(text)")
        }
        // It is in no log: whoever comes back is told nothing of it.
        let later = try box.line("ben").result("live.follow", ["since": cursor, "passing": true])
        #expect(later["mode"] == "live")
    }

    @Test func `each key is not told, but again after two seconds`() throws {
        let ben = try follower("ben")
        let ada = try box.line("ada")
        for _ in 1...5 { _ = try ada.result("message.typing", ["room": room]) }
        #expect(try passed(ben).count == 1)
        try box.advance(seconds: 3)
        _ = try ada.result("message.typing", ["room": room])
        #expect(try passed(ben).count == 1)
    }

    @Test func `who is not in the room is refused as if there were none`() throws {
        let hal = try box.line("hal")
        #expect(try hal.refusal("message.typing", ["room": room]) == 1404)
        let absent: JSON = "01980000-0000-7000-8000-0000000000ff"
        #expect(try hal.refusal("message.typing", ["room": absent]) == 1404)
    }

    @Test func `by HTTP as well`() throws {
        let ben = try follower("ben")
        let ada = box.connect()
        let token = try box.person("ada").token
        try ada.send(
            "PUT /api/rooms/\(room.string ?? "")/typing HTTP/1.1\r\nHost: box.local\r\nAuthorization: Bearer \(token)\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
        )
        #expect(ada.text().hasPrefix("HTTP/1.1 200"))
        #expect(try passed(ben).count == 1)
    }
}
