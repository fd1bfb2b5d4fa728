import KinActivity
import KinCodec
import KinFamily
import KinKeeper
import KinLoop
import KinMap
import KinMeetings
import KinMembers
import KinModel
import KinStore
import Testing

@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers
@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// How somebody who comes back goes on depends on what they missed, and on nothing that others were told.
@Suite struct FollowHiddenTests {
    /// Rows for others, or with one for Ben at the end, as if a turn had brought them.
    private static func write(_ count: Int, _ box: Box, to names: [String], type: String = "activity.deleted") throws {
        let store = box.keeper.store
        let now = Instant(milliseconds: box.time.wallMilliseconds())
        var commit = Commit()
        try store.beginTurn()
        let roster = try box.keeper.roster()
        let audience = Audience(try names.compactMap { roster[try box.person($0).id]?.number })
        for _ in 0..<count {
            let payload = Event.payload(type: type, at: now, by: nil, about: "x", data: [:])
            commit.events.append(
                try store.log.append(
                    at: now, type: type, by: nil, about: "x", key: nil, audience: audience,
                    salt: box.keeper.randomNumber(), payload: payload
                ).row)
        }
        try store.commitTurn()
        commit.through = store.log.position
        commit.firstKept = store.log.firstKept
        box.server.inbox.post(.commit(commit))
        try box.settle()
    }

    private static func mode(_ box: Box, _ since: JSON, types: JSON = .null) throws -> JSON? {
        let ben = try box.line("ben")
        defer { ben.leave() }
        return try ben.result("live.follow", ["since": since, "types": types])["mode"]
    }

    private static func box(feedBytes: Int) throws -> Box {
        var setting = Box.Setting()
        setting.limits.feedBytes = feedBytes
        return try Box.family(setting)
    }

    @Test(arguments: [2_000, 4 << 20])
    func `who missed nothing of their own goes on live, whatever was written for others`(feedBytes: Int) throws {
        let box = try Self.box(feedBytes: feedBytes)
        let since = try box.line("ben").result("live.follow")["cursor"] ?? .null
        try Self.write(5_000, box, to: ["ada"])
        #expect(try Self.mode(box, since) == "live")
        try Self.write(1, box, to: ["ben"])
        try Self.write(5_000, box, to: ["ada"])
        #expect(try Self.mode(box, since) == "replay")
        // What is not asked for was not missed.
        #expect(try Self.mode(box, since, types: ["meeting."]) == "live")
    }

    @Test(arguments: [2_000, 4 << 20])
    func `a view that was built anew is a snapshot at once, however much lies before`(feedBytes: Int) throws {
        let box = try Self.box(feedBytes: feedBytes)
        let since = try box.line("ben").result("live.follow")["cursor"] ?? .null
        try Self.write(600, box, to: ["ben"])
        let ada = try box.line("ada")
        _ = try ada.result("member.setRole", ["member": .id(try box.person("ben").id), "role": "guest"])
        try Self.write(600, box, to: ["ben"])
        #expect(try Self.mode(box, since) == "reset")
    }

    @Test func `what others are told and is too old for the log sends nobody back to a snapshot`() throws {
        let box = try Self.box(feedBytes: 2_000)
        let since = try box.line("ben").result("live.follow")["cursor"] ?? .null
        try Self.write(50, box, to: ["ada"])
        let store = box.keeper.store
        try store.beginTurn()
        let end = store.log.position
        try store.log.retain(since: .latest, bytesMax: nil)
        try store.commitTurn()
        #expect(store.log.firstKept == end)
        try Self.write(1, box, to: ["ada"])
        #expect(try Self.mode(box, since) == "live")
        try Self.write(1, box, to: ["ben"])
        try store.beginTurn()
        try store.log.retain(since: .latest, bytesMax: nil)
        try store.commitTurn()
        try Self.write(1, box, to: ["ada"])
        #expect(try Self.mode(box, since) == "reset")
    }

    @Test func `what somebody may no longer see is not sent, though it was read from the log before`() throws {
        let box = try Self.box(feedBytes: 2_000)
        let since = try box.line("ben").result("live.follow")["cursor"] ?? .null
        try Self.write(1, box, to: ["ben", "ada"])
        try Self.write(50, box, to: ["ada"])
        box.isReaderBusy = true
        let ben = try box.line("ben")
        ben.postCall("live.follow", ["since": since])
        try box.settle()
        let store = box.keeper.store
        try store.beginTurn()
        let roster = try box.keeper.roster()
        let number = try #require(roster[try box.person("ben").id]).number
        let done = try store.log.narrow(about: "x", by: Audience([number]))
        try store.commitTurn()
        #expect(done.removed.isEmpty && !done.narrowed.isEmpty)
        var commit = Commit()
        (commit.narrowed, commit.through, commit.firstKept) = (done.narrowed, store.log.position, store.log.firstKept)
        box.server.inbox.post(.commit(commit))
        box.isReaderBusy = false
        try box.settle()
        #expect(!ben.text().contains("activity.deleted"))
        let ada = try box.line("ada")
        ada.postCall("live.follow", ["since": since])
        try box.settle()
        #expect(try !ada.messages().isEmpty)
    }
}
