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

/// A wrong clock deletes nothing, ends nothing and prolongs nothing.
@Suite struct ClockTests {
    /// A family on a machine whose clock nobody sets.
    private func house() throws -> (FamilyBox, FamilyBox.Person) {
        let box = try FamilyBox()
        box.machine = .alone
        return (box, try box.found())
    }

    /// Metres away from a spot.
    private func report(_ box: FamilyBox, _ who: FamilyBox.Person, _ step: Int) throws {
        try box.call(
            who, "position.report",
            ["lat": .double(Double(step) / 10_000), "lon": 13.4, "accuracy": 5, "at": .time(box.clock)])
    }

    private func history(_ box: FamilyBox, _ who: FamilyBox.Person) throws -> [Int] {
        let answer = try box.call(
            who, "position.history",
            [
                "member": .id(who.id), "from": .time(FamilyBox.start.adding(days: -10)),
                "to": .time(FamilyBox.start.adding(days: 900)), "limit": 100,
            ])
        return try #require(answer["positions"]?.array).compactMap {
            $0["lat"]?.double.map { Int(($0 * 10_000).rounded()) }
        }
    }

    @Test(arguments: [4, 86_400] as [Int64])
    func `a clock that was a year ahead for a moment or a day costs nobody anything`(seconds: Int64) throws {
        let (box, ada) = try house()
        let ben = try box.join("ben", by: ada)
        try report(box, ada, 1)
        try box.wait(seconds: 60)
        try report(box, ada, 2)
        let soup = try box.propose(slots: [24 * 4], by: ada, invitees: [ben])
        try box.wait(seconds: 60)
        box.machine.put(days: 400)
        try box.call(ada, "activity.announce", ["text": "Where are we?"])
        try box.wait(seconds: seconds)
        try report(box, ada, 3)
        let invite = try box.call(ada, "invite.create")["invite"]
        box.machine.put(days: -400)
        try box.wait(seconds: 3601)
        try report(box, ada, 4)

        #expect(try history(box, ada) == [1, 2, 3, 4])
        #expect(try box.fresh(ada.id).positions[ada.id]?.lat == 4 / 10_000.0)
        #expect(try box.call(ben, "session.list")["sessions"]?.array?.count == 1)
        #expect(try box.titles(ada, "past") == [])
        #expect(try box.show(soup, to: ben).meeting.state == .open)
        _ = try box.propose("Bread", kind: "public", slots: [24 * 5], by: ben)
        let expires = try #require(invite?["expires"]?.instant)
        #expect(expires <= box.clock.adding(days: Limits.inviteDays))
        #expect(box.allHeard(ada).allSatisfy { $0.at <= box.clock })
    }

    @Test func `a clock that was a year ahead slows sign-ins no longer than it should`() throws {
        let (box, _) = try house()
        func fail() throws -> Rejection.Kind? {
            try box.refusal(
                .none, "session.open", ["username": "ada", "password": "not-this-one"], from: "198.51.100.7")?.kind
        }
        box.machine.put(days: 400)
        for _ in 0..<5 { _ = try fail() }
        #expect(try fail() == .slowDown)
        box.machine.put(days: -400)
        box.clock = box.clock.adding(seconds: 900)
        #expect(try fail() == .notSignedIn)
    }

    @Test func `a restart while the clock is a year ahead changes nothing`() throws {
        let (box, ada) = try house()
        try report(box, ada, 1)
        let code = try #require(try box.call(ada, "invite.create")["code"])
        for booted in [false, true] {
            box.machine.put(days: 400)
            try box.restart(after: 30, booted: booted)
            try box.wait(seconds: 7200)
            #expect(try history(box, ada) == [1])
            #expect(box.notes.contains { $0.contains("doubted") })
            #expect(try box.refusal(.none, "invite.show", ["code": code])?.kind == .unavailable)
            box.machine.put(days: -400)
            box.machine.isSynchronised = true
            try box.wait(seconds: 10)
            box.machine.isSynchronised = false
            #expect(try box.refusal(.none, "invite.show", ["code": code]) == nil)
        }
    }

    @Test func `a machine that boots in 1970 goes on from where it was, and is right at once when its clock is`() throws
    {
        let (box, ada) = try house()
        let ben = try box.join("ben", by: ada)
        try report(box, ada, 1)
        let link = try #require(try box.call(ada, "session.link", ["member": .id(ben.id)])["link"])
        box.machine.show(.init(milliseconds: 5000), at: box.clock.adding(seconds: 3600))
        try box.restart(after: 3600, booted: true)
        #expect(try box.refusal(.none, "session.redeem", ["link": link])?.kind == .unavailable)
        try report(box, ada, 2)
        try box.wait(seconds: 20)
        box.machine.ahead = 0
        box.machine.isSynchronised = true
        box.machine.wasSynchronised = true
        try box.wait(seconds: 10)
        try report(box, ada, 3)
        #expect(try history(box, ada) == [1, 2, 3])
        _ = try box.call(.none, "session.redeem", ["link": link])
    }

    @Test func `a machine that slept is in no doubt`() throws {
        let (box, ada) = try house()
        let code = try #require(try box.call(ada, "invite.create")["code"])
        try box.wait(seconds: 3 * 86_400)
        #expect(try box.refusal(.none, "invite.show", ["code": code]) == nil)
        #expect(!box.notes.contains { $0.contains("doubted") })
        try box.wait(seconds: 5 * 86_400)
        #expect(try box.refusal(.none, "invite.show", ["code": code])?.kind == .notFound)
    }

    @Test func `a clock that goes back by an hour prolongs nothing`() throws {
        let (box, ada) = try house()
        let code = try #require(
            try box.call(ada, "invite.create", ["expires": .time(box.clock.adding(seconds: 7200))])["code"])
        try box.wait(seconds: 3600)
        box.machine.ahead = -3_600_000
        try box.wait(seconds: 60)
        #expect(try box.refusal(.none, "invite.show", ["code": code])?.kind == .unavailable)
        try box.wait(seconds: 3600)
        box.machine.ahead = 0
        try box.wait(seconds: 60)
        #expect(try box.refusal(.none, "invite.show", ["code": code])?.kind == .notFound)
        #expect(box.notes.filter { $0.contains("doubted") }.count == 1)
    }

    @Test func `due work waits for the right time, and then is done once`() throws {
        let (box, ada) = try house()
        let ben = try box.join("ben", by: ada)
        let soup = try box.propose(
            slots: [48], by: ada, invitees: [ben], ["deadline": .time(box.clock.adding(seconds: 3600))])
        box.machine.put(days: 400)
        try box.wait(seconds: 60)
        try box.wait(seconds: 7200)
        #expect(try box.show(soup, to: ben).meeting.state == .open)
        #expect(!box.types(ben).contains("meeting.closed"))
        box.machine.put(days: -400)
        try box.wait(seconds: 10)
        #expect(try box.show(soup, to: ben).meeting.state != .open)
        #expect(box.types(ben).filter { $0 == "meeting.closed" }.count == 1)
    }

    @Test func `points of a phone whose clock is right are kept while the daemon's is behind, and counted later`()
        throws
    {
        let (box, ada) = try house()
        try report(box, ada, 1)
        box.machine.show(.init(milliseconds: 5000), at: box.clock)
        // The machine was off for a week, and does not know that.
        try box.restart(after: 7 * 86_400, booted: true)
        try report(box, ada, 2)
        try box.wait(seconds: 60)
        try report(box, ada, 3)
        #expect(try history(box, ada) == [1])
        #expect(try box.fresh(ada.id).positions[ada.id]?.lat == 1 / 10_000.0)
        box.machine.ahead = 0
        box.machine.isSynchronised = true
        try box.wait(seconds: 10)
        #expect(try history(box, ada) == [1, 2, 3])
        #expect(try box.fresh(ada.id).positions[ada.id]?.lat == 3 / 10_000.0)
    }

    @Test func `an admin says that the clock is right, and what is due is done; a head may not, and 1970 cannot be`()
        throws
    {
        let (box, ada) = try house()
        let hed = try box.join("hed", role: .head, by: ada)
        let code = try #require(try box.call(ada, "invite.create")["code"])
        #expect(try box.refusal(hed, "clock.trust")?.kind == .forbidden)
        let real = box.clock
        box.machine.show(.init(milliseconds: 5000), at: box.clock)
        try box.turn()
        #expect(try box.refusal(ada, "clock.trust")?.kind == .conflict)
        box.machine.ahead = 8 * 86_400_000
        #expect(try box.call(ada, "clock.trust")["time"]?.instant == real.adding(days: 8))
        try box.turn()
        #expect(!box.keeper.isClockDoubted && box.keeper.now == real.adding(days: 8))
        #expect(try box.refusal(.none, "invite.show", ["code": code])?.kind == .notFound)
        // Who is signed in stays so.
        _ = try box.call(ada, "session.list")
    }

    @Test func `a clock is written down with what is written anyway, and once a minute at most`() throws {
        let (box, ada) = try house()
        func kept() throws -> Int64 { try box.count("SELECT moment FROM clock") }
        let first = try kept()
        box.clock = box.clock.adding(seconds: 30)
        try box.call(ada, "activity.announce", ["text": "Soon."])
        #expect(try kept() == first)
        box.clock = box.clock.adding(seconds: 30)
        try box.call(ada, "session.list")
        #expect(try kept() == first)
        try box.call(ada, "activity.announce", ["text": "Now."])
        #expect(try kept() == box.clock.milliseconds)
        try box.restart(after: 0)
        #expect(try kept() == box.clock.milliseconds)
    }

    @Test func `who keeps no history loses no place that came while the clock was behind, and has no history for it`()
        throws
    {
        let (box, ada) = try house()
        try box.call(ada, "sharing.set", ["state": "on", "historyDays": 0])
        try report(box, ada, 1)
        #expect(try box.fresh(ada.id).positions[ada.id]?.lat == 1 / 10_000.0)
        box.machine.show(.init(milliseconds: 5000), at: box.clock)
        try box.restart(after: 7 * 86_400, booted: true)
        for step in 2...4 {
            try box.wait(seconds: 60)
            try report(box, ada, step)
        }
        // No track of it either.
        #expect(try box.count("SELECT count(*) FROM positions") == 1)
        #expect(try history(box, ada) == [])
        box.machine.ahead = 0
        box.machine.isSynchronised = true
        try box.wait(seconds: 10)
        #expect(try box.fresh(ada.id).positions[ada.id]?.lat == 4 / 10_000.0)
        #expect(try box.count("SELECT count(*) FROM positions") == 0)
    }

    /// What the log says and where a time stands in it, looked for in all of it.
    private func expectOrder(_ box: FamilyBox, _ who: FamilyBox.Person, _ location: SourceLocation = #_sourceLocation)
        throws
    {
        let rows = try box.store.database.rows("SELECT position, at FROM log ORDER BY position", values: []) { row in
            (position: row.int(0), at: row.instant(1))
        }
        #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.at <= $1.at }, sourceLocation: location)
        for time in Set(rows.map(\.at)) {
            let cursor = try box.call(who, "live.at", ["time": .time(time)])["cursor"]?.string
            let position = try #require(cursor.flatMap { box.keeper.epochs.position(of: $0) })
            let first = try #require(rows.first { $0.at >= time })
            #expect(position < first.position, sourceLocation: location)
        }
    }

    @Test(arguments: [false, true]) func `a clock that is put back a little leaves the log in order`(restarts: Bool)
        throws
    {
        let (box, ada) = try house()
        func say(_ text: String) throws {
            try box.wait(seconds: 4)
            try box.call(ada, "activity.announce", ["text": .string(text)])
        }
        for text in ["one", "two", "three"] { try say(text) }
        box.machine.ahead = -40_000
        if restarts { try box.restart(after: 2) }
        for text in ["four", "five"] { try say(text) }
        #expect(!box.keeper.isClockDoubted)
        try expectOrder(box, ada)
        // It catches up.
        try box.wait(seconds: 60)
        #expect(box.keeper.now.milliseconds == box.clock.milliseconds - 40_000)
    }

    @Test func `a clock that was believed an hour ahead and is put back leaves the log in order`() throws {
        let (box, ada) = try house()
        func say(_ text: String) throws {
            try box.wait(seconds: 60)
            try box.call(ada, "activity.announce", ["text": .string(text)])
        }
        try say("one")
        box.machine.ahead = 3_600_000
        try box.turn()
        _ = try box.call(ada, "clock.trust")
        for text in ["two", "three"] { try say(text) }
        try expectOrder(box, ada)
        box.machine.ahead = 0
        try box.turn()
        _ = try box.call(ada, "clock.trust")
        for text in ["four", "five"] { try say(text) }
        try expectOrder(box, ada)
        #expect(box.keeper.now == box.clock)
        // Behind by a day, and right again.
        box.machine.put(days: -1)
        try say("six")
        box.machine.put(days: 2)
        try box.turn()
        _ = try box.call(ada, "clock.trust")
        try say("seven")
        try expectOrder(box, ada)
    }

    @Test func `a backup says the time that is believed`() throws {
        let (box, ada) = try house()
        try report(box, ada, 1)
        box.machine.put(days: 400)
        try box.wait(seconds: 60)
        _ = try box.refusal(.machine, "family.backup", ["name": "x"])
        guard case HouseWork.backup(_, let at)? = box.works.last else {
            Issue.record("nothing was written")
            return
        }
        #expect(at == box.clock)
    }
}
