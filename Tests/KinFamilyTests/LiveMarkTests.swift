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
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

/// Cursors kept on the daemon under names.
@Suite struct LiveMarkTests {
    let box: FamilyBox
    let ada: FamilyBox.Person
    let ben: FamilyBox.Person

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
    }

    private func cursor() -> JSON {
        .string(box.keeper.epochs.cursor(position: box.store.log.position, salt: 7))
    }

    private func names(_ who: FamilyBox.Person) throws -> [String] {
        try box.call(who, "live.marks")["marks"]?.array?.compactMap { $0["name"]?.string } ?? []
    }

    @Test func `a member keeps thirty-two names, and each is the member's own`() throws {
        for number in 10..<42 {
            try box.call(ben, "live.mark", ["name": .string("name-\(number)"), "cursor": cursor()])
        }
        let rejection = try box.refusal(ben, "live.mark", ["name": "one-more", "cursor": cursor()])
        #expect(rejection?.kind == .tooLarge && rejection?.field == "name")
        // Those there are go on; others have names of their own.
        try box.call(ada, "activity.announce", ["text": "on"])
        let moved = cursor()
        #expect(try box.call(ben, "live.mark", ["name": "name-10", "cursor": moved])["cursor"] == moved)
        try box.call(ada, "live.mark", ["name": "name-10", "cursor": moved])
        #expect(try names(ben) == (10..<42).map { "name-\($0)" })
        #expect(try names(ada) == ["name-10"])
    }

    @Test func `a name unused for ninety days is forgotten, a used one is not`() throws {
        for name in ["kitchen", "hall"] as [JSON] {
            try box.call(ben, "live.mark", ["name": name, "cursor": cursor()])
        }
        try box.wait(seconds: 89 * 86_400)
        // The same place again is a use, too.
        let kept = try #require(try box.call(ben, "live.mark", ["name": "hall"])["cursor"])
        try box.call(ben, "live.mark", ["name": "hall", "cursor": kept])
        try box.wait(seconds: 2 * 86_400)
        #expect(try names(ben) == ["hall"])
        #expect(try box.call(ben, "live.mark", ["name": "kitchen"])["cursor"] == .null)
        try box.wait(seconds: 90 * 86_400)
        #expect(try names(ben) == [])
    }

    @Test func `the cursor of a time stands before everything since`() throws {
        var positions: [Int64] = []
        for number in 0..<3 {
            box.clock = box.clock.adding(seconds: 3600)
            try box.call(ada, "activity.announce", ["text": .string("\(number)")])
            positions.append(box.store.log.position)
        }
        func position(at time: Instant) throws -> Int64? {
            let cursor = try #require(try box.call(ben, "live.at", ["time": .time(time)])["cursor"]?.string)
            return box.keeper.epochs.position(of: cursor)
        }
        #expect(try position(at: box.clock.adding(seconds: -3600)) == positions[0])
        #expect(try position(at: box.clock.adding(seconds: -3599)) == positions[1])
        #expect(try position(at: box.clock.adding(seconds: 1)) == positions[2])
        #expect(try position(at: .earliest) == box.store.log.firstKept)
    }
}
