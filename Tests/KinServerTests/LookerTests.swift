import KinActivity
import KinFamily
import KinKeeper
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

/// Who follows is noted with those whose dots move, also when the stream is days old.
@Suite struct LookerTests {
    private func row(_ about: String, _ audience: [Int32]) -> LogRow {
        LogRow(
            position: 1, at: .earliest, type: "position", by: nil, about: about, key: nil, audience: Audience(audience),
            salt: 0, payload: [])
    }

    @Test func `each of those who follow is named once a dot and day`() {
        var lookers = Lookers()
        for number in [2, 2, 3] as [Int32] { lookers.came(number) }
        func first(_ about: String, _ audience: [Int32], day: Int64 = 1) -> [Int32]? {
            lookers.first(row(about, audience), day: day)?.members
        }
        #expect(first("position/a", [1, 2, 9]) == [2])
        #expect(first("position/a", [1, 2, 3]) == [3])
        #expect(first("position/a", [1, 2, 3]) == nil)
        #expect(first("position/b", [3]) == [3])
        lookers.went(2)
        #expect(first("position/b", [2]) == [2])
        lookers.went(2)
        #expect(first("position/c", [2]) == nil)
        #expect(first("position/a", [3], day: 2) == [3])
    }

    @Test func `a stream that goes on for days is a look on each day on which it showed something`() throws {
        let stage = try Stage(seed: 4)
        let stream = stage.box.connect()
        stream.postCall("session.resume", ["token": .string(try stage.box.person("ben").token)])
        stream.postCall("live.follow", ["since": nil])
        try stage.box.settle()
        try stage.does("mo", "sharing.set", ["state": "on"])
        for _ in 0..<3 {
            for _ in 0..<2 {
                try stage.report("mo")
                try stage.box.advance(seconds: 5)
            }
            try stage.box.advance(seconds: 86_400)
        }
        let ben = try stage.id("ben")
        let looks = try stage.does("mo", "sharing.looks")["looks"]?.array ?? []
        #expect(looks.filter { $0["viewer"]?.identifier == ben && $0["how"] == "live" }.count == 3)
    }
}
