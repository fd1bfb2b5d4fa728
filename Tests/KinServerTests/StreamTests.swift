import KinCodec
import KinLoop
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox

/// Following over every transport: where it begins, how it goes on, when it ends.
@Suite struct StreamTests {
    private let box: Box

    init() throws { box = try Box.family() }

    private func announce(_ text: String) throws {
        let ada = try box.line("ada")
        _ = try ada.result("activity.announce", ["text": .string(text)])
        ada.leave()
    }

    private func bearer(_ name: String) throws -> String { "Authorization: Bearer \(try box.person(name).token)" }

    /// The events of a stream: id and JSON.
    private func events(_ client: BoxClient) throws -> [(id: String, json: JSON)] {
        // Chunk sizes are lines of hexadecimal digits between; what is sought are the fields' lines.
        var found: [(id: String, json: JSON)] = []
        var id = ""
        for line in client.text().split(whereSeparator: \.isNewline) {
            if line.hasPrefix("id: ") { id = String(line.dropFirst(4)) }
            if line.hasPrefix("id:"), !line.hasPrefix("id: ") { id = String(line.dropFirst(3)) }
            guard line.hasPrefix("data:") else { continue }
            let json = try JSON.parse(Array(line.dropFirst(5).utf8))
            try BoxJudge.judge(json)
            found.append((id, json))
        }
        return found
    }

    private func text(_ event: JSON) -> String {
        event["params"]?["data"]?["text"]?.string ?? event["method"]?.string ?? ""
    }

    @Test func `server-sent events carry the cursor as their id, and a resume beats the address`() throws {
        let ben = try bearer("ben")
        let first = box.connect()
        first.post("GET /live HTTP/1.1\r\nHost: box.local\r\nAccept: text/event-stream\r\n\(ben)\r\n\r\n")
        try box.settle()
        let start = try events(first)
        #expect(start.map { text($0.json) } == ["reset"])
        let begin = try #require(start.first?.id)
        #expect(start.first?.json["params"]?["cursor"]?.string == begin)
        try announce("one")
        try announce("two")
        let live = try events(first)
        #expect(live.map { text($0.json) } == ["one", "two"])
        let afterOne = try #require(live.first?.id)
        let again = box.connect()
        again.post(
            "GET /live?since=\(begin) HTTP/1.1\r\nHost: box.local\r\nAccept: text/event-stream\r\nLast-Event-ID: \(afterOne)\r\n\(ben)\r\n\r\n"
        )
        try box.settle()
        #expect(try events(again).map { text($0.json) } == ["two", "upto"])
        let since = box.connect()
        since.post(
            "GET /live?since=\(begin)&types=activity. HTTP/1.1\r\nHost: box.local\r\nAccept: text/event-stream\r\n\(ben)\r\n\r\n"
        )
        try box.settle()
        #expect(try events(since).map { text($0.json) } == ["one", "two", "upto"])
    }

    @Test func `lines over HTTP carry the same`() throws {
        let client = box.connect()
        client.post(
            "GET /live HTTP/1.1\r\nHost: box.local\r\nAccept: application/x-ndjson\r\n\(try bearer("ben"))\r\n\r\n")
        try box.settle()
        try announce("one")
        let response = try #require(try client.responses().first)
        #expect(response["Content-Type"] == "application/x-ndjson")
        let lines = try response.body.split(separator: 0x0A).map { try JSON.parse(Array($0)) }
        #expect(lines.map(text) == ["reset", "one"])
    }

    @Test func `a stream's view stands in its address, and every upto has an id to come back with`() throws {
        let ben = try bearer("ben")
        let client = box.connect()
        client.post(
            "GET /live?view=members HTTP/1.1\r\nHost: box.local\r\nAccept: text/event-stream\r\n\(ben)\r\n\r\n")
        try box.settle()
        let start = try #require(try events(client).first?.json["params"])
        let view = try #require(start["view"]?.string)
        let parts = start["snapshot"]?.object?.names
        #expect(view.hasPrefix("members~") && parts == ["family", "me", "households", "members"])
        try announce("in no view of members")
        try box.advance(seconds: 15)
        let later = try events(client)
        #expect(later.map { text($0.json) } == ["upto"])
        let id = try #require(later.last?.id)
        #expect(later.last?.json["params"]?["cursor"]?.string == id)
        // It goes on with the view it was given, and as an EventSource asks, with the address it began with; with a view
        // that is another member's it begins anew.
        let others = try box.line("hal").result("live.follow", ["view": "members"])["view"]?.string ?? ""
        for (asked, expected) in [(view, "upto"), ("members", "upto"), (others, "reset")] {
            let again = box.connect()
            again.post(
                "GET /live?view=\(asked)&since=\(id) HTTP/1.1\r\nHost: box.local\r\nAccept: text/event-stream\r\n\(ben)\r\n\r\n"
            )
            try box.settle()
            #expect(try events(again).map { text($0.json) } == [expected], "\(asked)")
        }
    }

    @Test func `a stream nobody can be given is refused, and a dead one's reconnect is told to stop`() throws {
        #expect(try box.connect().ask("GET /live", ["Accept: text/html", try bearer("ben")]).status == 406)
        #expect(try box.connect().ask("GET /live", ["Accept: text/event-stream"]).status == 401)
        let dead = ["Accept: text/event-stream", "Last-Event-ID: x", "Authorization: Bearer nonsense"]
        #expect(try box.connect().ask("GET /live", dead).status == 204)
    }

    @Test func `a cursor is good for what it was given for, and for nothing else`() throws {
        let ben = try box.line("ben")
        let begun = try ben.result("live.follow", ["since": nil])
        #expect(begun["mode"] == "reset")
        let cursor = try #require(begun["cursor"])
        let view = try #require(begun["view"])
        #expect(try box.line("ben").result("live.follow", ["since": cursor, "view": view])["mode"] == "live")
        try announce("missed")
        let replayed = try box.line("ben")
        #expect(try replayed.result("live.follow", ["since": cursor, "view": view])["mode"] == "replay")
        #expect(try replayed.heardTypes() == ["activity.announced", "upto"] || !replayed.isOver)
        for since in ["nonsense", "AAAA", String(repeating: "A", count: 43)] {
            #expect(try box.line("ben").result("live.follow", ["since": .string(since)])["mode"] == "reset")
        }
        // Hal goes on with Ben's view: the cursor does not count.
        #expect(try box.line("hal").result("live.follow", ["since": cursor, "view": view])["mode"] == "reset")
        #expect(try ben.refusal("live.follow", ["view": "nonsense"]) == 1422)
    }

    @Test func `only the types asked for come, and upto moves on without them`() throws {
        let ben = try box.line("ben")
        _ = try ben.result("live.follow", ["types": ["position", "member."]])
        try announce("not asked for")
        #expect(try ben.heardTypes().isEmpty)
        try box.advance(seconds: 15)
        #expect(try ben.heardTypes() == ["upto"])
        let ada = try box.line("ada")
        _ = try ada.result("member.update", ["member": .id(try box.person("ada").id), "displayName": "Ada L"])
        #expect(try ben.heardTypes() == ["member.updated"])
    }

    @Test func `upto comes every 15 s with a fresh salt`() throws {
        let ben = try box.line("ben")
        _ = try ben.result("live.follow")
        var seen: Set<String> = []
        for _ in 0..<3 {
            try box.advance(seconds: 15)
            let heard = try ben.heard()
            #expect(heard.map { $0["method"] } == ["upto"])
            seen.insert(heard.first?["params"]?["cursor"]?.string ?? "")
        }
        #expect(seen.count == 3)
        for cursor in seen {
            #expect(try box.line("ben").result("live.follow", ["since": .string(cursor)])["mode"] == "live")
        }
    }

    @Test func `upto says where the log stands after the events before it`() throws {
        let ben = try box.line("ben")
        _ = try ben.result("live.follow")
        for _ in 0..<3 {
            try announce("once more")
            try box.advance(seconds: 15)
            let heard = try ben.heard()
            #expect(heard.map { $0["method"] } == ["event", "upto"])
            let cursor = try #require(heard.last?["params"]?["cursor"])
            #expect(try box.line("ben").result("live.follow", ["since": cursor])["mode"] == "live")
        }
    }

    @Test func `who falls off the feed's end reads on from the log, in order`() throws {
        var setting = Box.Setting()
        setting.limits.feedBytes = 2000
        setting.limits.outBytesMax = 1000
        let box = try Box.family(setting)
        let ben = try box.line("ben", room: 1500)
        _ = try ben.result("live.follow")
        try ben.stall(true)
        let ada = try box.line("ada")
        for index in 0..<60 { _ = try ada.result("activity.announce", ["text": .string("number \(index)")]) }
        #expect(box.server.counters.logReads == 0 || !ben.isOver)
        try ben.stall(false)
        #expect(box.server.counters.logReads > 0)
        #expect(
            try ben.heard().compactMap { $0["params"]?["data"]?["text"]?.string } == (0..<60).map { "number \($0)" })
    }

    @Test func `what is too much to be shared at once comes once, and in order`() throws {
        var setting = Box.Setting()
        setting.limits.outBytesMax = 1000
        let box = try Box.family(setting)
        let ben = try box.line("ben")
        _ = try ben.result("live.follow")
        let ada = try box.line("ada")
        // One goes out of the bytes that all share, three at once are more than that takes.
        for round in [["a"], ["b", "c", "d"], ["e"], ["f", "g", "h"]] {
            for letter in round {
                _ = ada.postCall("activity.announce", ["text": .string(letter + String(repeating: ".", count: 400))])
            }
            try box.settle()
            let heard = try ben.heard().compactMap { $0["params"]?["data"]?["text"]?.string }
            #expect(heard.map { String($0.prefix(1)) } == round)
        }
    }

    @Test func `following anew while the log is read gives what the new follow asked for`() throws {
        var setting = Box.Setting()
        setting.limits.feedBytes = 2000
        setting.limits.outBytesMax = 1000
        let box = try Box.family(setting)
        let ben = try box.line("ben", room: 1500)
        _ = try ben.result("live.follow")
        try ben.stall(true)
        let ada = try box.line("ada")
        for index in 0..<60 { _ = try ada.result("activity.announce", ["text": .string("number \(index)")]) }
        box.isReaderBusy = true
        try ben.stall(false)
        let id = ben.postCall("live.follow", ["since": nil, "view": "members"])
        try box.settle()
        box.isReaderBusy = false
        try box.settle()
        let answer = try #require(try ben.messages().first { $0["id"] == .int(id) })
        #expect(answer["result"]?["mode"] == "reset")
        #expect(answer["result"]?["view"]?.string?.hasPrefix("members~") ?? false)
        #expect(answer["result"]?["snapshot"]?["members"]?.array?.isEmpty == false)
    }

    @Test func `a role's change resets the stream in its midst`() throws {
        let ben = try box.line("ben")
        _ = try ben.result("live.follow")
        let ada = try box.line("ada")
        _ = try ada.result("member.setRole", ["member": .id(try box.person("ben").id), "role": "guest"])
        let heard = try ben.heard()
        #expect(heard.contains { $0["method"] == "reset" })
        let me = try box.person("ben").id
        let members = heard.last { $0["method"] == "reset" }?["params"]?["snapshot"]?["members"]?.array ?? []
        #expect(members.contains { $0["id"]?.identifier == me && $0["role"] == "guest" })
        try announce("for everyone")
        #expect(try ben.heardTypes().isEmpty)
    }

    @Test func `sessions that end take their connections along at once`() throws {
        let other = try box.signIn("ben")
        let ben = try box.line("ben")
        let stream = box.connect()
        _ = try stream.result("session.resume", ["token": .string(other.token)])
        _ = try stream.result("live.follow")
        _ = try ben.result("live.follow")
        _ = try ben.result("session.revoke", ["session": .id(other.session)])
        #expect(try stream.heard().last?["params"]?["code"] == 4102)
        #expect(stream.isOver && !ben.isOver)
        // Signing out on one connection ends the session's others.
        let twin = box.connect()
        _ = try twin.openWebSocket(["Authorization: Bearer \(try box.person("ben").token)"])
        _ = try twin.result("live.follow")
        _ = try ben.result("session.close")
        #expect(try twin.heard().last?["params"]?["code"] == 4101)
        #expect(twin.frames.last == .close(code: 4101, reason: "Signed out."))
        #expect(try ben.refusal("family.show") == 1401)
        #expect(!ben.isOver)
        // The one that signed out has as long as anybody to sign in again.
        try box.advance(seconds: 31)
        #expect(ben.isOver)
    }

    @Test func `signing out ends another connection of the session in the midst of a request`() throws {
        let twin = try box.line("ben")
        let ben = try box.line("ben")
        box.isReaderBusy = true
        twin.postCall("live.follow")
        try box.settle()
        _ = try ben.result("session.close")
        box.isReaderBusy = false
        try box.settle()
        #expect(try twin.heard().last?["params"]?["code"] == 4101)
        #expect(twin.isOver)
    }

    @Test func `a removed member's connections end, and nobody follows as somebody else`() throws {
        let ben = try box.line("ben")
        _ = try ben.result("live.follow")
        let ada = try box.line("ada")
        _ = try ada.result("member.remove", ["member": .id(try box.person("ben").id), "keep": "delete"])
        #expect(try ben.heard().last?["params"]?["code"] == 4103)
        #expect(ben.isOver)
        // Hal signs in on Gil's connection: Gil's stream ends there.
        let gil = try box.line("gil")
        _ = try gil.result("live.follow")
        _ = try gil.result("session.resume", ["token": .string(try box.person("hal").token)])
        try announce("not for a stream that is nobody's")
        #expect(try gil.heardTypes().isEmpty)
        #expect(try gil.result("live.follow")["snapshot"]?["me"]?.identifier == (try box.person("hal").id))
    }

    @Test func `who follows no longer hears nothing, and may follow again`() throws {
        let ben = try box.line("ben")
        let cursor = try #require(try ben.result("live.follow")["cursor"])
        _ = try ben.result("live.unfollow")
        try announce("unheard")
        try box.advance(seconds: 20)
        #expect(try ben.heardTypes().isEmpty)
        #expect(try ben.result("live.follow", ["since": cursor])["mode"] == "replay")
        #expect(try ben.heardTypes() == ["activity.announced", "upto"])
    }

    @Test func `named cursors go forward only`() throws {
        let ben = try box.line("ben")
        let first = try #require(try ben.result("live.follow")["cursor"])
        try announce("on")
        let second = try #require(try ben.heard().first?["params"]?["cursor"])
        #expect(try ben.result("live.mark", ["name": "kitchen"])["cursor"] == .null)
        #expect(try ben.result("live.mark", ["name": "kitchen", "cursor": second])["cursor"] == second)
        #expect(try ben.result("live.mark", ["name": "kitchen", "cursor": first])["cursor"] == second)
        #expect(try ben.refusal("live.mark", ["name": "kitchen", "cursor": "nonsense"]) == 1422)
        #expect(try ben.result("live.mark", ["name": "kitchen"])["cursor"] == second)
        #expect(try box.line("hal").result("live.mark", ["name": "kitchen"])["cursor"] == .null)
    }
}
