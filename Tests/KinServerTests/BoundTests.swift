import KinActivity
import KinFamily
import KinKeeper
import KinLoop
import KinMap
import KinMeetings
import KinMembers
import KinModel
import KinSimulation
import Testing

@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers
@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// What a client can make the daemon hold, and for how long it can go on seeing.
@Suite struct BoundTests {
    @Test func `a stream permitted in the very turn that revokes its session does not go on`() throws {
        let box = try Box.family()
        let ben = try box.person("ben")
        let stream = box.connect()
        let other = try box.line("ben")
        box.isKeeperBusy = true
        stream.post(
            "GET /live HTTP/1.1\r\nHost: box.local\r\nAccept: application/x-ndjson\r\n"
                + "Authorization: Bearer \(ben.token)\r\n\r\n")
        try box.settle()
        other.postCall("session.revoke", ["session": .id(ben.session)])
        try box.settle()
        box.isKeeperBusy = false
        try box.settle()
        _ = stream.receive()
        let ada = try box.line("ada")
        _ = try ada.result("activity.announce", ["text": "not for that stream"])
        #expect(!stream.text().contains("not for that stream"))
        #expect(stream.isOver)
    }

    @Test func `who removes itself is answered, and is nobody then`() throws {
        let box = try Box.family()
        let ben = try box.line("ben")
        _ = try ben.result("live.follow")
        _ = try ben.result("member.remove", ["member": .id(try box.person("ben").id), "keep": "delete"])
        #expect(try ben.refusal("member.list") == 1401)
    }

    @Test func `a follower that asks and takes nothing is not read any more`() throws {
        let box = try Box.family()
        let ben = try box.line("ben", room: 4096)
        _ = try ben.result("live.follow")
        try ben.stall(true)
        for _ in 0..<3000 { ben.postCall("member.list") }
        // The box checks every limit as it turns: what is ready for a client is one of them.
        try box.settle()
        try ben.stall(false)
        try box.settle()
        #expect(try ben.messages().filter { $0["result"] != nil }.count == 3000)
    }

    @Test func `events of one key that follow each other do not fill the memory`() throws {
        let box = try Box.family()
        let ben = try box.line("ben")
        for second in 0..<200 {
            let at = Instant(milliseconds: box.time.wallMilliseconds()).adding(seconds: Int64(second) - 1000)
            _ = try ben.result("position.report", ["lat": 1, "lon": 1, "at": .time(at)])
        }
        #expect(box.server.fanOut.feed.bytesHeld >= 200 * Feed.Entry.overheadBytes)
    }

    @Test func `a proxy before the Unix socket lends nobody its rights`() throws {
        let box = try Box.family()
        let proxied = try box.connect(from: Box.machine).ask("GET /api/members", ["X-Forwarded-For: 203.0.113.7"])
        #expect(proxied.status == 403)
    }
}
