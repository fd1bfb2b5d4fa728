import Glibc
import KinModel
import Testing

/// A client written from the four requests of ntfy's app, by itself: whatever is cut, nothing is lost and nothing comes
/// twice.
@Suite(.serialized) struct PhoneClientTests {
    @Test(
        .enabled(if: access(PythonClient.debian, X_OK) == 0, "python3 is not installed"),
        arguments: ["json", "ws", "poll"])
    func `through cuts and restarts everything rings once and in order`(way: String) throws {
        let stage = try Stage()
        let house = try House(stage, family: ["bob"])
        let topic = try #require(
            try house.door(as: "bob").call("notice.add", ["name": "pixel"])["topic"]?.string)
        _ = try house.door(as: "ada").call("activity.announce", ["text": "before"])
        let phone = stage.start([
            PythonClient.debian, Stage.fixtures + "/ringing.py", "127.0.0.1:\(house.port)", topic, way, "3",
        ])
        try stage.wait("the phone") { phone.lines.contains("subscribed") || phone.status != nil }
        #expect(phone.lines.first == "1 message Ada: before", "\(phone.said)")
        // More than two that are not read would be told together.
        func read() throws {
            _ = try house.door(as: "bob").call(
                "activity.read", ["upTo": .time(Instant("2200-01-01T00:00:00Z") ?? .earliest)])
        }
        try read()
        var said: [String] = []
        for round in 0..<4 {
            let door = try house.door(as: "ada")
            for number in 0..<2 {
                said.append("\(round).\(number)")
                _ = try door.call("activity.announce", ["text": .string("\(round).\(number)")])
            }
            // One death comes at once, the next after everything rang.
            if round.isMultiple(of: 2) {
                try stage.wait("the ring") { phone.lines.contains { $0.hasSuffix(" Ada: \(round).1") } }
            }
            house.kill()
            try house.start()
            try stage.wait("the ring") {
                phone.lines.contains { $0.hasSuffix(" Ada: \(round).1") } || phone.status != nil
            }
            // What was read on another device is cleared, once.
            try read()
        }
        try stage.wait("the clearing") {
            phone.lines.count { $0.contains(" message_clear ") } > said.count || phone.status != nil
        }
        let rung = phone.lines.filter { $0.contains(" message ") }
        #expect(rung == (["before"] + said).map { "1 message Ada: \($0)" }, "\(phone.said)")
        #expect(phone.lines.allSatisfy { $0 == "subscribed" || $0.hasPrefix("1 ") }, "\(phone.lines)")
        #expect(phone.status == nil)
    }
}
