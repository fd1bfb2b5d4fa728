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

/// Cursors, marks and moments count nothing that their holder does not see.
@Suite struct LiveHiddenTests {
    let box: FamilyBox
    let ada: FamilyBox.Person
    let ben: FamilyBox.Person

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
    }

    private func cursor() -> JSON {
        .string(box.keeper.epochs.cursor(position: box.store.log.position, salt: box.keeper.randomNumber()))
    }

    private func secret() throws {
        let before = box.store.log.position
        try box.call(ada, "sharing.set", ["state": "on", "until": .time(box.clock.adding(seconds: 9_000))])
        try box.call(ada, "sharing.set", ["state": "off"])
        #expect(box.store.log.position > before, "nothing was written")
        _ = box.allHeard(ben)
    }

    @Test func `a mark takes two cursors between which something hidden was written for the same`() throws {
        let first = cursor()
        try box.call(ben, "live.mark", ["name": "hall", "cursor": first])
        try secret()
        let second = cursor()
        #expect(try box.call(ben, "live.mark", ["name": "hall", "cursor": second])["cursor"] == first)
        try box.call(ada, "activity.announce", ["text": "dinner"])
        let third = cursor()
        #expect(try box.call(ben, "live.mark", ["name": "hall", "cursor": third])["cursor"] == third)
        #expect(try box.call(ben, "live.mark", ["name": "hall", "cursor": first])["cursor"] == third)
    }

    private func at(_ time: Instant) throws -> Int64? {
        let answer = try box.call(ben, "live.at", ["time": .time(time)])
        return box.keeper.epochs.position(of: try #require(answer["cursor"]?.string))
    }

    @Test func `moments tell nothing of when something hidden was written`() throws {
        try box.call(ada, "activity.announce", ["text": "dinner"])
        let own = box.store.log.position
        let began = box.clock
        for _ in 0..<5 {
            box.clock = box.clock.adding(seconds: 100)
            try secret()
        }
        for second in stride(from: Int64(1), through: 600, by: 7) {
            #expect(try at(began.adding(seconds: second)) == own)
        }
        // As is what was before anything of one's own.
        #expect(try at(began.adding(days: -1)) == at(.earliest))
    }

    @Test func `a moment that is told rounded down is not found to the second`() throws {
        let rules: JSON = [["viewer": "everyone", "precision": "coarse"]]
        try box.call(ada, "sharing.set", ["state": "on", "rules": rules])
        box.clock = box.clock.adding(seconds: 3000)
        let before = box.store.log.position
        try box.call(ada, "position.report", ["lat": 52.5, "lon": 13.4, "at": .time(box.clock)])
        #expect(box.allHeard(ben).contains { $0.type == "position" })
        let told = CoarsePosition.rounded(box.clock)
        #expect(told < box.clock)
        // From the moment that is told on, the event lies behind; before, ahead.
        for second in stride(from: Int64(1), through: box.clock.milliseconds(since: told) / 1000, by: 50) {
            #expect(try at(told.adding(seconds: second)).map { $0 > before } == true)
        }
        #expect(try at(told).map { $0 <= before } == true)
    }
}
