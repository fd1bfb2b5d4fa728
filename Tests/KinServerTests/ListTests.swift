import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox

/// Lists answer the cursor at which they are true: a list and the events behind it are the list, without a gap.
@Suite struct ListTests {
    private let box: Box

    init() throws { box = try Box.family() }

    private static let lists: [(method: String, params: JSON)] = [
        ("member.list", [:]), ("place.list", [:]), ("position.latest", [:]), ("activity.list", [:]),
        ("meeting.list", ["view": "coming"]), ("meeting.list", ["view": "past"]),
        ("meeting.list", ["view": "past", "words": "nothing of that kind"]),
    ]

    private func announce(_ text: String) throws {
        let ada = try box.line("ada")
        _ = try ada.result("activity.announce", ["text": .string(text)])
        ada.leave()
    }

    /// What came, in its order: texts of announcements, numbers of answers, other notifications by name.
    private func order(_ client: BoxClient) throws -> [String] {
        try client.messages().compactMap { message in
            if let id = message["id"]?.int { return "answer \(id)" }
            guard message["method"] == "event" else { return message["method"]?.string }
            return message["params"]?["data"]?["text"]?.string
        }
    }

    @Test(arguments: 0..<lists.count) func `a list's cursor is good as since, for its caller`(index: Int) throws {
        let (method, params) = Self.lists[index]
        let listed = try box.line("ben").result(method, params)
        let cursor = try #require(listed["cursor"])
        #expect(try box.line("ben").result("live.follow", ["since": cursor])["mode"] == "live")
        // What others are told in between leaves it as it is.
        _ = try box.line("hal").result("activity.read", ["upTo": "2026-11-20T18:00:00.000Z"])
        #expect(try box.line("ben").result("live.follow", ["since": cursor])["mode"] == "live")
        try announce("since then")
        let ben = try box.line("ben")
        #expect(try ben.result("live.follow", ["since": cursor])["mode"] == "replay")
        #expect(try ben.heardTypes().filter { $0 == "activity.announced" }.count <= 1)
        // Each answer has another one, also where nothing happened in between.
        let again = try box.line("ben").result(method, params)
        #expect(again["cursor"] != cursor)
    }

    @Test func `over HTTP a list has its cursor too, and a stream goes on from it`() throws {
        let ben = "Authorization: Bearer \(try box.person("ben").token)"
        let response = try box.connect().ask("GET /api/positions", [ben])
        let cursor = try #require(response.json?["cursor"]?.string)
        try announce("to the stream")
        let stream = box.connect()
        stream.post(
            "GET /live?since=\(cursor) HTTP/1.1\r\nHost: box.local\r\nAccept: application/x-ndjson\r\n\(ben)\r\n\r\n")
        try box.settle()
        let text = stream.text()
        #expect(text.contains("to the stream") && !text.contains("\"reset\""))
    }

    @Test func `on a connection that follows, a list stands between the events before it and those behind it`() throws {
        // One turn of the keeper does all three, those of each member in their order.
        let ada = try box.line("ada")
        let ben = try box.line("ben")
        _ = try ben.result("live.follow")
        ada.postCall("activity.announce", ["text": "one"])
        let id = ben.postCall("activity.list")
        ada.postCall("activity.announce", ["text": "two"])
        try box.settle()
        let came = try order(ben)
        #expect(came == ["one", "answer \(id)", "two"])
    }

    @Test func `a list that was asked for before a reset comes before it`() throws {
        let ben = try box.line("ben")
        _ = try ben.result("live.follow")
        box.isReaderBusy = true
        let ada = try box.line("ada")
        _ = try ada.result("member.setRole", ["member": .id(try box.person("ben").id), "role": "guest"])
        let list = ben.postCall("member.list")
        let other = ben.postCall("family.show")
        try box.settle()
        box.isReaderBusy = false
        try box.settle()
        #expect(try order(ben) == ["answer \(list)", "reset", "answer \(other)"])
    }
}
